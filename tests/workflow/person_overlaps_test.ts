/** Text of the person's on lines of the session: named, verified, asked about, and never committed unasked. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { Answer as Said, UserPrompt } from "../../src/base/asker.ts";
import type { Answer, Project } from "./project_fixture.ts";
import { COMMON, createProject, expectOk, expectRefused, toLines } from "./project_fixture.ts";

const EDITED = toLines(10).replace("line 5\n", "five\n");
const THEIRS = EDITED.replace("five\n", "five of the person\n");
const SIGNAL = new AbortController().signal;
const PASSED = { ...COMMON, passed: true, verifier_used: "test", details: "ok", failed_tasks: [] };
const REVIEW = { ...COMMON, rest: "keep", reviewed_files: [], commit_message: "Change a" };
const PERSON = [{ path: "src/a.ts", action: "person", reason: "they wrote it" }];

/** A verified session before its commit. */
async function verified(project: Project): Promise<void> {
  expectOk(await project.start({ flags: { fast: true, no_doc: true } }));
  await toComplete(project);
  await project.must({ summary: "complete" });
  equal((await project.must(PASSED)).phase, "PRE_COMMIT");
}

async function toComplete(project: Project): Promise<void> {
  await project.plan("Change a");
  expectOk(await project.work({ "src/a.ts": EDITED }, ["src/a.ts:5"]));
}

/** A session without verification, reviewed and before its quality review. */
async function inReview(project: Project): Promise<void> {
  expectOk(await project.start());
  await toComplete(project);
  await project.must({ summary: "complete" });
  // The way to READY was short; from here on the session has its quality review.
  const found = await project.store.findActive();
  if (found?.kind !== "loaded") throw new Error("no session");
  const { state, revision: expectedRevision } = found.checkpoint;
  const flags = { no_doc: true, no_verify: true };
  await project.store.save({ state: { ...state, flags } }, { expectedRevision });
  equal((await project.must(REVIEW)).phase, "QUALITY_REVIEW");
}

function createAsker(said: Said): UserPrompt & { readonly messages: readonly string[] } {
  const messages: string[] = [];
  const ask: UserPrompt["ask"] = ({ message }) => {
    messages.push(message);
    return Promise.resolve(said);
  };
  return { messages, ask };
}

async function showReview(project: Project): Promise<Answer> {
  return expectOk(await project.workflow.reviewChanges({ maxBytes: 16_000 }) as Answer);
}

async function readMain(project: Project): Promise<string> {
  return `${await project.repo.git("show", "main:src/a.ts")}\n`;
}

Deno.test("a refused resolution names no lines of the session: nothing was attributed", async () => {
  await using project = await createProject({ after: verified });
  await project.repo.write({ "src/a.ts": THEIRS });
  const yes = createAsker({ kind: "answered", values: { agree: true } });
  const none = { path: "src/b.ts", action: "restore", reason: "so" };
  const data = { ...REVIEW, change_resolution: [...PERSON, none] };
  const refused = await project.workflow.submitPhase(data, SIGNAL, yes) as Answer;
  expectRefused(refused, "no_finding");
  match(yes.messages[0] ?? "", /lines of the session: src\/a\.ts\./);
  const told = Object.keys(refused).filter((key) => /^(?:on_session_lines|resolved)/.test(key));
  deepEqual([refused.error, told], ["resolution_refused", []]);
});

Deno.test("a person's text on lines of the session reaches no commit without their word", async () => {
  await using project = await createProject({ after: verified });
  await project.repo.write({ "src/a.ts": THEIRS });
  const yes = createAsker({ kind: "answered", values: { agree: true } });
  const data = { ...REVIEW, change_resolution: PERSON };
  const sent = expectOk(await project.workflow.submitPhase(data, SIGNAL, yes) as Answer);
  match(yes.messages[0] ?? "", /lines of the session: src\/a\.ts\. .*asked again before a commit/);
  deepEqual([sent.on_session_lines, sent.phase], [["src/a.ts"], "POST_IMPL_VERIFY"]);
  await project.must(PASSED);
  const shown = await showReview(project);
  deepEqual([shown.person_changes, shown.changes[0].shared], [["src/a.ts"], true]);

  const no = createAsker({ kind: "answered", values: { agree: false } });
  const refused = await project.workflow.submitPhase(REVIEW, SIGNAL, no) as Answer;
  expectRefused(refused, "person_refused");
  match(no.messages[0] ?? "", /src\/a\.ts/);
  expectRefused(await project.submit(REVIEW), "person_changes_mixed");
  const named = { ...REVIEW, include_person_changes: ["src/a.ts"] };
  equal((await project.must(named)).phase, "MERGE");
  await project.must(COMMON);
  equal(await readMain(project), THEIRS);
});

Deno.test("a person's text that they took back is asked about no more", async () => {
  await using project = await createProject({ after: verified });
  await project.repo.write({ "src/a.ts": THEIRS });
  await project.must({ ...REVIEW, change_resolution: PERSON });
  await project.repo.write({ "src/a.ts": EDITED });
  await project.must({ ...PASSED, change_resolution: PERSON });
  equal((await project.must(REVIEW)).phase, "MERGE");
  equal((await project.state()).workspace.personOverlaps?.length, 0);
});

Deno.test("a person's text written at step 14 on lines of the session is asked about", async () => {
  await using project = await createProject();
  expectOk(await project.start({ flags: { fast: true, no_doc: true } }));
  await toComplete(project);
  await project.repo.write({ "src/a.ts": THEIRS });
  await project.must({ summary: "complete", change_resolution: PERSON });
  await project.must(PASSED);
  expectRefused(await project.submit(REVIEW), "person_changes_mixed");
});

Deno.test("a file of the session that the person removed makes its evidence stale, and goes with their word", async () => {
  await using project = await createProject({ after: verified });
  await project.repo.remove("src/a.ts");
  const reply = await project.must({ ...REVIEW, change_resolution: PERSON });
  deepEqual([reply.phase, reply.evidence_stale], ["READY", ["task_1"]]);
  const checklist = [{
    item: "Change a",
    status: "skipped",
    reason: "The person removed the file, so that there is nothing to change.",
  }];
  await project.must({ ...COMMON, task_id: "task_1", checklist });
  await project.must({ summary: "complete" });
  await project.must(PASSED);
  expectRefused(await project.submit(REVIEW), "person_changes_mixed");
});

Deno.test("a parked session asks about what the person wrote on its lines meanwhile", async () => {
  await using project = await createProject();
  expectOk(await project.start());
  await toComplete(project);
  const { sessionId } = await project.state();
  await project.submit({ park: true, reason: "later" });
  await project.repo.write({ "src/a.ts": THEIRS.replace("line 9\n", "nine\n") });
  const resumed = expectOk(await project.workflow.getStatus({ sessionId }) as Answer);
  deepEqual([resumed.booked_as_person, resumed.on_session_lines], [["src/a.ts"], ["src/a.ts"]]);
  await project.must({ summary: "complete" });
  const mixed = expectRefused(await project.submit(REVIEW), "person_changes_mixed");
  equal(mixed.problems[0].path, "src/a.ts");
});

Deno.test("what the person writes between review and commit is asked about too", async () => {
  await using project = await createProject({ after: inReview });
  await project.repo.write({ "src/a.ts": THEIRS });
  const clean = { ...COMMON, quality_score: "good", issues: [], quality_prompt_used: "q.md" };
  const reply = await project.must({ ...clean, change_resolution: PERSON });
  deepEqual([reply.phase, reply.person_changed_since_review], ["PRE_COMMIT", ["src/a.ts"]]);
  expectRefused(await project.submit(REVIEW), "person_changes_mixed");
  await project.must({ ...REVIEW, include_person_changes: ["src/a.ts"] });
  // The word was about the text as it was then.
  await project.repo.write({ "src/a.ts": THEIRS.replace("of the person", "once more") });
  equal((await project.must({ ...clean, change_resolution: PERSON })).phase, "PRE_COMMIT");
});

Deno.test("what the person changed in their part after the verification is verified before step 17 takes it along", async () => {
  await using project = await createProject();
  await project.repo.write({ "src/a.ts": toLines(10).replace("line 9\n", "theirs\n") });
  expectOk(await project.start({ flags: { fast: true, no_doc: true } }));
  await project.plan("Change a");
  const both = EDITED.replace("line 9\n", "theirs\n");
  expectOk(await project.work({ "src/a.ts": both }, ["src/a.ts:5"]));
  await project.must({ summary: "complete" });
  await project.must(PASSED);
  const later = both.replace("theirs\n", "theirs, after the run\n");
  await project.repo.write({ "src/a.ts": later });
  const taken = { ...REVIEW, include_person_changes: ["src/a.ts"] };
  const sent = await project.must({ ...taken, change_resolution: PERSON });
  deepEqual(
    [sent.phase, sent.verification_void, sent.changed_since_verification],
    ["POST_IMPL_VERIFY", true, ["src/a.ts"]],
  );
  await project.must(PASSED);
  equal((await project.must(taken)).phase, "MERGE");
  await project.must(COMMON);
  equal(await readMain(project), later);
});
