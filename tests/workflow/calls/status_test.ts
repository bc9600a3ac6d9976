/** Status, park and resume, and the person's edits in between. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { Answer } from "../project_fixture.ts";
import {
  COMMON,
  createPlainProject,
  createProject,
  expectOk,
  expectRefused,
  planned,
  started,
  toLines,
} from "../project_fixture.ts";

const EDITED = toLines(10).replace("line 5\n", "five\n");

Deno.test("getStatus() says that nothing is active, and which parked sessions wait", async () => {
  await using project = await createProject();
  const status = () => project.workflow.getStatus({}) as Promise<Answer>;
  equal(expectRefused(await status(), "no_active_session").call, "start_session");
  const { session_id: id } = expectOk(await project.start());
  await project.submit({ park: true, reason: "later" });
  const reply = expectRefused(await status(), "no_active_session");
  const parked = { session_id: id, query: "add a login form", step: 4, parked_days: 0 };
  deepEqual(reply.parked_sessions, [parked]);
  match(reply.instruction, /get_session_status/);
});

Deno.test("getStatus() gives the brief, the counters and the next call of the step", async () => {
  await using project = await createProject({ after: planned("Change a", "Change b") });
  const reply = expectOk(await project.workflow.getStatus({}));
  deepEqual([reply.phase, reply.substep, reply.call], ["READY", "implement", "submit_phase"]);
  match(JSON.stringify(reply.brief), /Change b/);
  deepEqual(reply.counters, {
    verification_failures: 0,
    interventions: 0,
    quality_reverts: 0,
    backs: 0,
  });
  deepEqual(reply.completed_steps, ["QUERY_FRAME", "READY_PLAN"]);
});

Deno.test("getStatus() with discard_active archives the active session and says so", async () => {
  await using project = await createProject({ after: started });
  const { sessionId: id } = await project.state();
  const reply = expectOk(await project.workflow.getStatus({ discardActive: true }));
  deepEqual([reply.session_id, reply.end, reply.call], [id, "abandoned", "start_session"]);
  deepEqual(await project.store.loadAll(), []);
  expectRefused(await project.workflow.getStatus({ discardActive: true }), "no_active_session");
});

Deno.test("getStatus() with discard_active and an id resumes that parked session", async () => {
  await using project = await createProject({ after: started });
  const { sessionId: parked } = await project.state();
  await project.submit({ park: true, reason: "later" });
  expectOk(await project.start());
  const input = { sessionId: parked, discardActive: true };
  const reply = expectOk(await project.workflow.getStatus(input));
  deepEqual([reply.session_id, reply.resumed], [parked, true]);
});

Deno.test("getStatus() refuses ids that are unknown, over, or beside an active session", async () => {
  await using project = await createProject();
  const status = (sessionId: string) =>
    project.workflow.getStatus({ sessionId }) as Promise<Answer>;
  const { session_id: ended } = expectOk(await project.start());
  await project.submit({ abandon: true, reason: "no" });
  equal((await status("session_20200101_000000_aaaa")).ok, false);
  equal((await status("../../etc")).ok, false);
  equal((await status(ended)).ok, false);
  const { session_id: parked } = expectOk(await project.start());
  await project.submit({ park: true, reason: "later" });
  const { session_id: active } = expectOk(await project.start());
  const reply = expectRefused(await status(parked), "session_unfinished");
  equal(reply.session_id, active);
});

Deno.test("getStatus() names the parked sessions to who resumes one that is unknown or over", async () => {
  await using project = await createProject();
  const { session_id: over } = expectOk(await project.start());
  await project.submit({ abandon: true, reason: "none" });
  const { session_id: id } = expectOk(await project.start());
  await project.submit({ park: true, reason: "later" });
  for (const wanted of ["nope", "session_20260101_000000_0001", over]) {
    const reply: Answer = await project.workflow.getStatus({ sessionId: wanted });
    equal(reply.ok, false);
    deepEqual(reply.parked_sessions?.map((one: Answer) => one.session_id), [id], wanted);
  }
});

Deno.test("park leaves tree and branch, HEAD on the base, and nothing may be submitted", async () => {
  await using project = await createProject({ after: planned("Change a") });
  const { sessionId: id } = await project.state();
  await project.repo.write({ "src/a.ts": EDITED });
  const reply = expectOk(await project.submit({ park: true, reason: "later" }));
  deepEqual([reply.parked, reply.status, reply.head], [true, "parked", "main"]);
  equal(await project.repo.read("src/a.ts"), EDITED);
  equal(await project.repo.git("branch", "--show-current"), "main");
  expectRefused(await project.submit(COMMON), "no_active_session");
  equal((await project.state(id)).status, "parked");
});

Deno.test("resume books what the person changed while the session was parked into the baseline", async () => {
  await using project = await createProject({ after: planned("Change a") });
  const { sessionId: id } = await project.state();
  await project.repo.write({ "src/a.ts": EDITED });
  await project.submit({ park: true, reason: "later" });
  await project.repo.write({
    "src/a.ts": EDITED.replace("line 9\n", "nine\n"),
    "src/person.ts": "mine\n",
  });
  await project.repo.remove("src/b.ts");
  const reply = expectOk(await project.workflow.getStatus({ sessionId: id }));
  deepEqual(reply.booked_as_person.toSorted(), ["src/a.ts", "src/b.ts", "src/person.ts"]);
  match(await project.repo.git("branch", "--show-current"), /^llm_task_/);
  const review = await project.workflow.reviewChanges({ maxBytes: 16_000 }) as Answer;
  deepEqual(review.changes.map(({ path, shared }: Answer) => [path, shared]), [["src/a.ts", true]]);
  const { diff } = review.changes[0];
  match(diff, /^\+five$/m);
  equal(/^\+nine$/m.test(diff), false, "the person's line is no change of the session");
  deepEqual(review.person_changes.toSorted(), ["src/a.ts", "src/b.ts", "src/person.ts"]);
});

Deno.test("resume books nothing where nothing changed, a second time included", async () => {
  await using project = await createProject({ after: planned("Change a") });
  const { sessionId: id } = await project.state();
  const { workspace } = await project.state();
  for (let round = 0; round < 2; round++) {
    await project.submit({ park: true, reason: "later" });
    const reply = expectOk(await project.workflow.getStatus({ sessionId: id }));
    equal(reply.booked_as_person, undefined);
    equal((await project.state()).workspace.baselineTree, workspace.baselineTree);
  }
});

Deno.test("resume changes nothing when the task branch is gone or files are in the way", async () => {
  await using project = await createProject({ after: planned("Change a") });
  const { sessionId: id } = await project.state();
  const branch = await project.repo.git("branch", "--show-current");
  await project.submit({ park: true, reason: "later" });
  await project.repo.commit("Moved on", { "src/a.ts": "base\n" });
  await project.repo.write({ "src/a.ts": "dirty\n" });
  const before = await project.repo.state();
  const status = () => project.workflow.getStatus({ sessionId: id }) as Promise<Answer>;
  expectInTheWay(await status(), id);
  equal(await project.repo.state(), before);
  equal((await project.state(id)).status, "parked");
  await project.repo.git("checkout", "-q", "src/a.ts");
  await project.repo.git("branch", "-D", branch);
  equal((await status()).error, "base_missing");
});

function expectInTheWay(reply: Answer, id: string): void {
  deepEqual([reply.ok, reply.error, reply.session_id], [false, "person_changes_in_the_way", id]);
  equal(typeof reply.problems[0].hint, "string");
}

Deno.test("abandon puts the tree back only where the person asked, and keeps the branch", async () => {
  for (const restore of [false, true]) {
    await using project = await createProject();
    await project.repo.write({ "src/b.ts": "mine\n" });
    expectOk(await project.start());
    await project.plan("Change a");
    const branch = await project.repo.git("branch", "--show-current");
    await project.repo.write({ "src/a.ts": EDITED, "src/new.ts": "new\n" });
    const reply = expectOk(await project.submit({ abandon: true, reason: "no", restore }));
    deepEqual([reply.end, reply.restored], ["abandoned", restore ? true : undefined]);
    equal(await project.repo.read("src/a.ts"), restore ? toLines(10) : EDITED);
    equal(await project.repo.exists("src/new.ts"), !restore);
    equal(await project.repo.read("src/b.ts"), "mine\n", "the person's own edit stays");
    match(await project.repo.git("branch", "--list", branch), /llm_task/);
    equal(await project.repo.git("branch", "--show-current"), "main");
  }
});

Deno.test("park and resume work where there is no git", async () => {
  await using project = await createPlainProject({ "src/a.ts": "a\n" });
  const { session_id: id } = expectOk(await project.start({ flags: { quick: true } }));
  expectOk(await project.submit({ park: true, reason: "later" }));
  equal(expectOk(await project.workflow.getStatus({ sessionId: id })).resumed, true);
});

Deno.test("getStatus() at step 2 lists the stale branches as the start did, and later no more", async () => {
  await using project = await createProject();
  await project.repo.git("branch", "llm_task_session_20200101_000000_aaaa_from_main");
  const started = expectOk(await project.start());
  const status = async () => expectOk(await project.workflow.getStatus({}));
  const reply = await status();
  equal(reply.phase, "BRANCH_INTERVENTION");
  deepEqual(reply.stale_branches, started.stale_branches);
  equal(reply.stale_branches[0].name, "llm_task_session_20200101_000000_aaaa_from_main");
  await project.must({ ...COMMON, choice: "continue" });
  equal((await status()).stale_branches, undefined);
});
