/** A file system without locks, as NFS without its lock service: questions are answered, and sessions say what is missing. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { openServer } from "../support/session/hosted_session.ts";
import { createProject } from "../support/session/project.ts";

/** What `flock` answers there. */
for (const code of ["ENOLCK", "EOPNOTSUPP", "ENOSYS"]) {
  Deno.test(`without locks (${code}) nearly every tool was an internal error`, async () => {
    await using project = await createProject();
    const prototype = Deno.FsFile.prototype as unknown as Record<string, unknown>;
    const { tryLock, lock } = prototype;
    const refuse = () => Promise.reject(Object.assign(new Error("No locks available"), { code }));
    Object.assign(prototype, { tryLock: refuse, lock: refuse });
    try {
      const client = await openServer(project);
      const found = await client.call("find_definitions", { symbol: "login" });
      deepEqual([found.reply.ok, found.reply.total], [true, 1], found.text);
      const text = await client.call("search_text", { pattern: "login" });
      equal(text.reply.ok, true, text.text);
      const references = await client.call("find_references", { symbol: "login" });
      equal(references.reply.ok, true, references.text);
      const status = await client.call("get_session_status");
      equal(status.reply.error, "no_active_session", status.text);
      const started = await client.call("start_session", {
        intent: "IMPLEMENT",
        query: "Change login",
      });
      equal(started.reply.error, "io_failed", started.text);
      match(started.reply.message, /its file system has no locks/);
      match(started.reply.hint, /start the lock service .* or move the project to a local disk/);
      await client.close();
    } finally {
      Object.assign(prototype, { tryLock, lock });
    }
  });
}
