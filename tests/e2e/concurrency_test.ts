/** Two clients and the command line on one worktree at once: nothing is lost, one winner for a step. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { runProgram } from "../support/cli.ts";
import { createProject, openServer, startSession } from "../support/session_driver.ts";

Deno.test("parallel add_explored_files of two clients and the command line lose no update", async () => {
  const names = Array.from({ length: 24 }, (_, index) => `src/file${index}.ts`);
  const files = Object.fromEntries(names.map((name) => [name, `export const a = 1;\n`]));
  await using project = await createProject({ files });
  await using session = await startSession(project);
  await session.accept({
    documents_reviewed: [],
    no_documents_reason: "there are none",
  });
  const other = await openServer(project);
  const before = (await session.checkpoint()).revision;
  const text = runProgram(["text", "export", "--json"], { cwd: project.dir, env: project.env });
  const replies = await Promise.all(
    names.map((name, index) =>
      (index % 2 === 0 ? session.client : other).call("add_explored_files", { files: [name] })
    ),
  );
  for (const { reply } of replies) equal(reply.ok, true, JSON.stringify(reply));
  equal((await text).code, 0);
  const status = await other.call("get_session_status");
  equal(status.reply.brief.explored_files.total >= names.length, true);
  const totals = replies.map(({ reply }) => reply.total);
  ok(Math.max(...totals) >= names.length, `totals ${totals}`);
  ok((await session.checkpoint()).revision >= before, "the revision never goes back");
  await other.close();
});

Deno.test("R28: two start_sessions at once give one session and one session_unfinished", async () => {
  await using project = await createProject();
  const clients = await Promise.all([openServer(project), openServer(project)]);
  const replies = await Promise.all(
    clients.map(async (client) =>
      (await client.call("start_session", { intent: "IMPLEMENT", query: "Do it" })).reply
    ),
  );
  deepEqual(replies.map(({ ok }) => ok).sort(), [false, true]);
  const [winner] = replies.filter(({ ok }) => ok);
  const [loser] = replies.filter(({ ok }) => !ok);
  equal(loser.error, "session_unfinished");
  equal(loser.candidates[0].session_id, winner.session_id);
  await Promise.all(clients.map((client) => client.close()));
});
