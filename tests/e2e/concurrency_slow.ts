/**
 * Several clients and command lines on one session at once: nothing is lost and nothing is done twice. The first server is in
 * the tests' process, the others are processes of their own.
 */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { runProgram } from "../support/server/cli.ts";
import { startSession } from "../support/session/hosted_session.ts";
import type { Reply } from "../support/session/session_driver.ts";
import { createProject, listTaskBranches, openServer } from "../support/session/session_driver.ts";
import { createProjectAt, resume } from "../support/session/walked_project.ts";

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

Deno.test("parallel check_write_target of two clients keeps every clearance", async () => {
  const names = Array.from({ length: 16 }, (_, index) => `src/file${index}.ts`);
  const files = Object.fromEntries(names.map((name) => [name, `export const a = 1;\n`]));
  await using project = await createProject({ files });
  await using session = await startSession(project, {
    flags: { fast: true },
    edits: { "src/file0.ts": "export const a = 2;\n" },
  });
  await session.until(13);
  await session.must("add_explored_files", { files: names });
  const other = await openServer(project);
  const replies = await Promise.all(
    names.map((name, index) =>
      (index % 2 === 0 ? session.client : other).call("check_write_target", { file_path: name })
    ),
  );
  for (const { reply } of replies) equal(reply.allowed, true, JSON.stringify(reply));
  const { clearances } = (await session.checkpoint()).state;
  deepEqual(clearances.map(({ path }: Reply) => path).sort(), [...names].sort());
  await other.close();
});

Deno.test("the same payload from two clients and the command line: one is taken, the others hear why not", async () => {
  await using project = await createProject();
  const before = await project.repo.git("rev-parse", "HEAD");
  await using session = await startSession(project);
  const other = await openServer(project);
  for (const step of [5, 6, 14, 15, 18, 19]) {
    await session.until(step);
    const data = session.toData(await session.prepare());
    const typed = runProgram(["session", "submit", JSON.stringify(data), "--json"], {
      cwd: project.dir,
      env: project.env,
    });
    const replies: Reply[] = (await Promise.all([
      session.client.call("submit_phase", { data }),
      other.call("submit_phase", { data }),
    ])).map(({ reply }) => reply);
    replies.push(JSON.parse((await typed).stdout));
    const winners = replies.filter(({ ok }) => ok);
    // Two payloads of one form may follow each other; the same step is never taken twice.
    const steps = winners.map((reply) => `${reply.step} ${reply.phase}`);
    deepEqual([...new Set(steps)].length, steps.length, `${step}: ${steps}`);
    ok(winners.length >= 1, JSON.stringify(replies));
    for (const reply of replies.filter(({ ok }) => !ok)) {
      match(reply.error, /payload_mismatch|no_active_session|phase_mismatch|busy|session_ended/);
      ok(reply.problems[0].hint !== "", "the loser is told what to do");
      ok(reply.call !== undefined, "the loser is told the next call");
    }
    const status = await session.call("get_session_status");
    if (status.error === "no_active_session") break;
  }
  equal(await project.repo.git("rev-list", "--count", `${before}..main`), "2");
  equal(await project.repo.git("rev-list", "--count", "--merges", `${before}..main`), "1");
  await other.close();
});

Deno.test("the same plan from two clients is a plan and its repetition: one branch, one task list", async () => {
  await using project = await createProjectAt(12);
  await using session = await resume(project);
  const other = await openServer(project);
  const data = session.toData(await session.prepare());
  const replies = await Promise.all([
    session.client.call("submit_phase", { data }),
    other.call("submit_phase", { data }),
  ]);
  ok(replies.every(({ reply }) => reply.ok && reply.step === 13), JSON.stringify(replies));
  equal((await session.checkpoint()).state.tasks.length, 1);
  equal((await listTaskBranches(project)).split("\n").length, 1);
  await session.must("get_session_status");
  equal((await session.until("end")).merged, true);
  await other.close();
});

Deno.test("a client sees what the other client and the command line did", async () => {
  await using project = await createProject();
  await using session = await startSession(project);
  const other = await openServer(project);
  const payload = { ...await session.prepare(), summary: "typed", tools_used: [] };
  const typed = await runProgram(["session", "submit", JSON.stringify(payload), "--json"], {
    cwd: project.dir,
    env: project.env,
  });
  equal(typed.code, 0, typed.stdout + typed.stderr);
  equal((await other.call("get_session_status")).reply.step, 4);
  equal((await session.call("get_session_status")).step, 4);
  await other.close();
});
