/** Sessions as operations get them: from the checkpoint, under the lock, archived at their end. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { WorkflowDeps } from "../../../src/workflow/context/deps.ts";
import { refuseWithoutSession, Sessions } from "../../../src/workflow/context/sessions.ts";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { NO_LEARNING } from "../../../src/workflow/context/learning.ts";
import type { Project } from "../project_fixture.ts";
import { createProject, expectOk } from "../project_fixture.ts";

/** Sessions over the project's own store; it asks nothing else of its parts. */
function toDesk({ root, repo, store }: Project): Sessions {
  const codeIntelDir = join(root, ".code-intel");
  const clock = { now: () => new Date(0) };
  const deps = {
    projectRoot: root,
    codeIntelDir,
    openLearning: () => Promise.resolve(NO_LEARNING),
    openRepo: () => Promise.resolve(repo.repo),
    store,
    logger: SILENT_LOGGER,
    clock,
  };
  return new Sessions(deps as unknown as WorkflowDeps);
}

Deno.test("openActive() gives the session on disk, and save() moves it on by one revision", async () => {
  await using project = await createProject();
  const sessions = toDesk(project);
  deepEqual(await sessions.underLock(() => sessions.openActive()), { kind: "none" });
  const { session_id: id } = expectOk(await project.start());
  await sessions.underLock(async () => {
    const opened = await sessions.openActive();
    if (opened.kind !== "open") throw new Error(opened.kind);
    equal(opened.session.id, id);
    const saved = await sessions.save(opened.session, { ...opened.session.state, query: "other" });
    equal(saved.revision, opened.session.revision + 1);
  });
  equal((await project.state()).query, "other");
});

Deno.test("save() moves a session that is over to the archive", async () => {
  await using project = await createProject();
  const sessions = toDesk(project);
  const { session_id: id } = expectOk(await project.start());
  await sessions.underLock(async () => {
    const opened = await sessions.open(id);
    if (opened.kind !== "open") throw new Error(opened.kind);
    await sessions.save(opened.session, {
      ...opened.session.state,
      status: "ended",
      end: "failed",
    });
  });
  deepEqual(await project.store.loadAll(), []);
});

Deno.test("open() answers a session that is missing or damaged by a refusal with its way on", async () => {
  await using project = await createProject();
  const sessions = toDesk(project);
  const missing = await sessions.open("session_20200101_000000_aaaa");
  equal(missing.kind === "refused" && missing.reply.call, "get_session_status");
  const { session_id: id } = expectOk(await project.start());
  const folder = join(project.root, ".code-intel/sessions");
  for await (const { name } of Deno.readDir(folder)) {
    if (name.startsWith(`${id}.`) && name.includes("json") && !name.includes("records")) {
      await Deno.writeTextFile(join(folder, name), "{");
    }
  }
  const damaged = await sessions.openActive();
  equal(damaged.kind, "refused");
});

Deno.test("recordExplored() books each path once and nothing for no path", async () => {
  await using project = await createProject();
  const sessions = toDesk(project);
  expectOk(await project.start());
  const opened = await sessions.openActive();
  if (opened.kind !== "open") throw new Error(opened.kind);
  await sessions.recordExplored(opened.session, [], "payload");
  await sessions.recordExplored(opened.session, ["a", "b", "a"], "payload");
  const records = await sessions.records(opened.session.id);
  deepEqual(records.map((record) => record.kind === "explored" && record.paths), [["a", "b"]]);
});

Deno.test("underLock() and whilePerforming() run one action at a time", async () => {
  await using project = await createProject();
  const [one, other] = [toDesk(project), toDesk(project)];
  const log: string[] = [];
  const act = (name: string) => async () => {
    log.push(`${name} begins`);
    await new Promise((resolve) => setTimeout(resolve, 30));
    log.push(`${name} ends`);
  };
  await Promise.all([one.underLock(act("a")), other.underLock(act("b"))]);
  await Promise.all([one.whilePerforming(act("c")), other.whilePerforming(act("d"))]);
  for (let at = 0; at < log.length; at += 2) {
    equal(log[at]?.replace("begins", "ends"), log[at + 1]);
  }
});

Deno.test("refuseWithoutSession() names start_session", () => {
  const reply = refuseWithoutSession();
  deepEqual([reply.error, reply["call"]], ["no_active_session", "start_session"]);
  match(String(reply.problems?.[0]?.hint ?? ""), /start_session/);
});
