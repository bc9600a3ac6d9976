/** A submission from the facts to the checkpoint, the records and the reply. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { withLock } from "../../../src/base/processes/lock_file.ts";
import type { Answer, Project } from "../project_fixture.ts";
import {
  codesOf,
  COMMON,
  createProject,
  expectOk,
  FRAME,
  planned,
  started,
  toLines,
} from "../project_fixture.ts";

Deno.test("advance() refuses anything that is no payload, with the whole block of the step, once", async () => {
  await using project = await createProject({ after: started });
  const wrong = [null, 1, "x", [], {}, { notes: 1 }, [{}]];
  for (const [at, data] of wrong.entries()) {
    const reply = await project.submit(data);
    deepEqual([reply.ok, reply.phase, reply.call], [false, "QUERY_FRAME", "submit_phase"]);
    equal(reply.problems.length > 0, true);
    equal(typeof reply.expected_payload, at === 0 ? "object" : "undefined");
    if (at > 0) match(`${reply.as_before}`, /^instruction, expected_payload.*get_session_status/);
  }
  equal((await project.state()).stage, "QUERY_FRAME");
});

Deno.test("advance() takes a file for explored that was shown or of which a line is sent, not by the word alone", async () => {
  await using project = await createProject();
  expectOk(await project.start({ intent: "MODIFY", flags: { no_doc: true, no_verify: true } }));
  await project.must(FRAME);
  for (const tool of ["search_text", "find_definitions"]) {
    await project.workflow.record(await project.workflow.admit(tool, "text"), {
      tool,
      argsHash: "0".repeat(16),
      subject: "login",
      ok: true,
      total: 1,
      files: [],
      symbols: [],
      durationMs: 1,
      via: "mcp",
    });
  }
  const wrong = await project.submit({
    ...COMMON,
    explored_files: ["src/b.ts", "no.ts"],
    findings: [],
  });
  equal(codesOf(wrong).includes("path_not_found"), true);
  for (const line of ["src/a.ts:4: line 10", "src/a.ts:3: line", "src/a.ts:99: line 10"]) {
    const refused = await project.submit({ ...COMMON, explored_files: [line], findings: ["x"] });
    equal(codesOf(refused).join(), "line_differs", line);
    match(String(refused.problems[0]?.hint), /^(?:It says "line [34]"|Read the file)/);
  }
  const reply = expectOk(
    await project.submit({
      ...COMMON,
      explored_files: ["./src/a.ts:9: line  10…", "src/b.ts", "no.ts"],
      findings: ["x"],
    }),
  );
  deepEqual([reply.phase, reply.not_shown.files], ["Q1", ["src/b.ts"]]);
  await project.must({ ...COMMON, needs_more_information: true, reason: "Something is open" });
  const results = (file: string) => ({ ...COMMON, search_query: "a", search_results: [{ file }] });
  equal(codesOf(await project.submit(results("src/b.ts"))).join(), "result_not_recorded");
  await project.must(results("src/a.ts"));
  await project.must({ ...COMMON, has_unverified_hypotheses: false, reason: "All is known here" });
  await project.must({ ...COMMON, needs_impact_analysis: false, reason: "All is known here" });
  await project.plan("Change a");
  expectOk(await project.clear("src/a.ts"));
  equal(codesOf(await project.clear("src/b.ts")).join(), "not_explored");
});

Deno.test("advance() takes a snapshot at each accepted step", async () => {
  await using project = await createProject({ after: started });
  await project.repo.write({ "src/new.ts": "kept\n" });
  const reason = "The person made it";
  await project.must({
    ...FRAME,
    change_resolution: [{ path: "src/new.ts", action: "person", reason }],
  });
  const refs = (await project.repo.git("for-each-ref", "--format=%(refname)", "refs/code-intel"))
    .split("\n").filter((ref) => /\/\d{4}$/.test(ref));
  equal(refs.length >= 2, true);
  equal(await project.repo.git("show", `${refs.at(-1)}:src/new.ts`), "kept");
});

Deno.test("advance() answers a lost conversation with the summaries, cut where they are many", async () => {
  await using project = await createProject({ after: started });
  await project.must({ ...FRAME, summary: "what the frame said", compaction_count: 0 });
  const reply = await project.submit({ ...COMMON, compaction_count: 1 });
  equal(reply.ok, false);
  equal(reply.phase_summaries.step_04_QUERY_FRAME, "what the frame said");
  equal((await project.submit({ ...COMMON, compaction_count: 1 })).phase_summaries, undefined);
});

Deno.test("advance() keeps what two processes send at the same time in order", async () => {
  await using project = await createProject({ after: started });
  const other = await project.reopen();
  const signal = new AbortController().signal;
  const replies: readonly Answer[] = await Promise.all([
    project.submit(FRAME),
    other.submitPhase(FRAME, signal),
  ]);
  deepEqual(replies.map(({ ok }) => ok).toSorted(), [false, true]);
  equal((await project.state()).stage, "READY_PLAN");
});

Deno.test("advance() refuses evidence that the tree does not show, and accepts what it does", async () => {
  await using project = await createProject({ after: planned("Change a") });
  const text = toLines(10).replace("line 5\n", "five\n");
  const wrong = await project.work({ "src/a.ts": text }, ["src/a.ts:1"]);
  equal(codesOf(wrong).join(), "checklist_evidence_not_changed");
  match(wrong.problems[0].hint, /5/);
  const reply = expectOk(await project.work({ "src/a.ts": text }, ["src/a.ts:5"]));
  deepEqual([reply.substep, reply.progress], ["complete", { completed: 1, pending: 0 }]);
});

Deno.test("advance() reopens a task at the completion when its evidence is gone", async () => {
  await using project = await createProject({ after: planned("Change a", "Change b") });
  const text = toLines(10).replace("line 5\n", "five\n");
  expectOk(await project.work({ "src/a.ts": text }, ["src/a.ts:5"]));
  expectOk(await project.work({ "src/b.ts": "b\n" }, ["src/b.ts:1"]));
  await project.repo.git("checkout", "-q", "src/a.ts");
  const reason = "The person took it back";
  const reply = expectOk(
    await project.submit({
      summary: "complete",
      change_resolution: [{ path: "src/a.ts", action: "person", reason }],
    }),
  );
  deepEqual([reply.substep, reply.evidence_stale, reply.next_task.id], [
    "implement",
    ["task_1"],
    "task_1",
  ]);
});

Deno.test("advance() carries evidence to where its lines are at the completion", async () => {
  await using project = await createProject({
    after: planned("Change a", "Change the head of a", "Change b"),
  });
  const text = toLines(10).replace("line 5\n", "five\n");
  expectOk(await project.work({ "src/a.ts": text }, ["src/a.ts:5"]));
  expectOk(await project.work({ "src/a.ts": `new\nnewer\n${text}` }, ["src/a.ts:1-2"]));
  expectOk(await project.work({ "src/b.ts": "b\n" }, ["src/b.ts:1"]));
  expectOk(await project.submit({ summary: "complete" }));
  const { tasks } = await project.state();
  deepEqual(tasks.map(({ checklist }) => checklist[0]?.evidence), [
    "src/a.ts:7",
    "src/a.ts:1-2",
    "src/b.ts:1",
  ]);
  equal(tasks[0]?.checklist[0]?.accepted?.evidence, "src/a.ts:5");
  // What is right for the present file is found there.
  equal((await project.repo.read("src/a.ts")).split("\n")[6], "five");
});

Deno.test("advance() reopens a task whose lines a later task took out, and no other", async () => {
  await using project = await createProject({ after: planned("Change a", "Change a again") });
  const text = toLines(10).replace("line 5\n", "five\n");
  expectOk(await project.work({ "src/a.ts": text }, ["src/a.ts:5"]));
  const later = text.replace("five\n", "").replace("line 9\n", "nine\n");
  expectOk(await project.work({ "src/a.ts": later }, ["src/a.ts:8"]));
  const reply = expectOk(await project.submit({ summary: "complete" }));
  deepEqual([reply.substep, reply.evidence_stale], ["implement", ["task_1"]]);
  match(reply.next_task.revert_reason, /src\/a\.ts:5/);
  expectOk(await project.work({ "src/a.ts": later }, ["src/a.ts:4-5"]));
  equal(expectOk(await project.submit({ summary: "complete" })).phase, "PRE_COMMIT");
});

Deno.test("advance() lets no test vanish in silence", async () => {
  const test = 'Deno.test("a", () => {});\n';
  await using project = await createProject({ files: { "a.test.ts": test, "b.ts": "b();\n" } });
  expectOk(await project.start());
  await project.plan("Change b");
  expectOk(await project.workflow.addExploredFiles(["a.test.ts"]));
  expectOk(await project.clear("a.test.ts"));
  await project.repo.remove("a.test.ts");
  expectOk(await project.work({ "b.ts": "bb();\n" }, ["b.ts:1"]));
  const reply = expectOk(await project.submit({ summary: "complete" }));
  deepEqual([reply.substep, reply.tests_removed], ["implement", ["a.test.ts"]]);
  const [item] = reply.next_task.checklist;
  const report = { ...COMMON, task_id: reply.next_task.id };
  await project.must({
    ...report,
    checklist: [{ item, status: "done", evidence: "a.test.ts:deleted" }],
  });
  await project.must({ summary: "complete" });
  const review = { ...COMMON, reviewed_files: ["a.test.ts"], rest: "keep", commit_message: "B" };
  equal(codesOf(await project.submit(review)).join(), "tests_removed");
  const reason = "The function that it tested is gone";
  const files = [{ path: "a.test.ts", decision: "keep", reason }];
  await project.must({ ...review, reviewed_files: files });
});

/**
 * Submits a payload and slips a commit in on the task branch after the judgement, before the first effect: the lock
 * of effects is held until the checkpoint names them.
 */
async function submitWithSlip(project: Project, payload: Record<string, unknown>): Promise<Answer> {
  const { repo, root } = project;
  const lockPath = join(root, ".code-intel/sessions/.effects.lock");
  const reply = await withLock(lockPath, { timeoutMs: 10_000 }, async () => {
    const submitting = project.submit(payload);
    while ((await project.state()).pending === null) await delay(5);
    const tree = await repo.git("rev-parse", "HEAD^{tree}");
    const commit = await repo.git("commit-tree", tree, "-p", "HEAD", "-m", "slipped in");
    await repo.git("update-ref", "HEAD", commit);
    return { submitting };
  });
  return await reply.submitting;
}

Deno.test("a commit slipped in between judgement and effects is found, and neither committed on nor merged", async () => {
  await using project = await createProject();
  expectOk(await project.start());
  await project.plan("Change a");
  expectOk(await project.work({ "src/a.ts": toLines(11) }, ["src/a.ts:11"]));
  await project.must({ summary: "all done" });
  await project.workflow.reviewChanges({ maxBytes: 10_000 });
  const review = { ...COMMON, reviewed_files: [], rest: "keep", commit_message: "Change a" };
  const undo = { path: "HEAD", action: "undo", reason: "a slip" };
  for (const payload of [review, { summary: "merge" }]) {
    const found = await submitWithSlip(project, payload);
    deepEqual([found.ok, found.error], [false, "head_moved"]);
    equal((await project.submit(payload)).error, "unexpected_commit");
    await project.must({ ...payload, change_resolution: [undo] });
  }
  equal((await project.repo.git("log", "--format=%s", "main")).includes("slipped"), false);
});
