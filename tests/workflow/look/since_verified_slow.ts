/**
 * What others change after the verification: beside the session's lines it stays out of the commit, on these
 * lines it is inseparable from the work, which then is verified again before anything is committed.
 */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { SessionState } from "../../../src/phase/state.ts";
import type { Answer, Project, Walk } from "../project_fixture.ts";
import { COMMON, createProject, toLines } from "../project_fixture.ts";

const REPORT = {
  ...COMMON,
  passed: true,
  verifier_used: "check",
  failed_tasks: [],
  details: "the server runs it",
};
const REVIEW = {
  ...COMMON,
  reviewed_files: [],
  rest: "keep",
  commit_message: "Say what is wanted",
};
const QUALITY = { ...COMMON, quality_score: "good", issues: [], quality_prompt_used: "q.md" };
const MERGE = { summary: "merge" };

const WORK = toLines(10).replace("line 2\n", "wanted\n");
/** The person's text on the line that the session wrote: the verification fails on it. */
const THEIRS = toLines(10).replace("line 2\n", "something else\n");
/** The person's text beside the line of the session. */
const BESIDE = WORK.replace("line 9\n", "theirs\n");

const MINE = { path: "src/a.ts", action: "person", reason: "The person says that it is theirs" };
const SETTLED = { change_resolution: [MINE] };

/** The only verification command: it wants a word in `src/a.ts`. */
const CHECK = ["grep", "-q", "^wanted$", "src/a.ts"];

/** A project with one verification command that the person allowed, by default with a session at step 15. */
async function createVerified(
  { run = CHECK, after = toVerification }: { run?: readonly string[]; after?: Walk } = {},
) {
  const project = await createProject({
    after,
    files: {
      "src/a.ts": toLines(10),
      "src/b.ts": toLines(5),
      ".code-intel/config.json": JSON.stringify({
        verify: [{ name: "check", run }],
        verify_baseline: "off",
      }),
    },
  });
  const { verification } = project;
  await verification.trustCommands(await verification.loadCommands(), "terminal");
  return project;
}

/** Where something has to be there before the session begins. */
const untouched: Walk = () => Promise.resolve();

/** Walks a session to step 15, with the wanted line written. */
async function toVerification(project: Project): Promise<void> {
  const begun = await project.repo.read("src/a.ts");
  await project.start({ flags: { fast: true, no_doc: true } });
  await project.plan("Write the wanted line");
  await project.work({ "src/a.ts": begun.replace("line 2\n", "wanted\n") }, ["src/a.ts:2"]);
  await project.must({ summary: "complete" });
  // The way to READY was short; from here on the session has its quality review.
  await change(project, { flags: { no_doc: true } });
  equal((await project.state()).stage, "POST_IMPL_VERIFY");
}

/** Puts the session where a test needs it. */
async function change(project: Project, fields: Partial<SessionState>): Promise<void> {
  const found = await project.store.findActive();
  if (found?.kind !== "loaded") throw new Error("no session");
  const { state, revision: expectedRevision } = found.checkpoint;
  await project.store.save({ state: { ...state, ...fields } }, { expectedRevision });
}

async function toQuality(project: Project): Promise<void> {
  equal((await project.must(REPORT)).verified, true);
  await project.must(REVIEW);
  equal((await project.state()).stage, "QUALITY_REVIEW");
}

const write = (project: Project, text: string) => project.repo.write({ "src/a.ts": text });

/** The next submission went back to step 15, where the commands judge the files as they are now. */
async function expectVerifiedAgain(project: Project, reply: Answer): Promise<void> {
  deepEqual(
    [reply.step, reply.verification_void, reply.changed_since_verification],
    [15, true, ["src/a.ts"]],
    JSON.stringify(reply.problems),
  );
  equal(await project.repo.git("rev-list", "--count", "main..HEAD"), "0");
  equal((await project.submit(REPORT)).verified, false);
}

async function readCommitted(project: Project, at = "HEAD"): Promise<readonly string[]> {
  const trailer = await project.repo.git(
    "log",
    "-1",
    "--format=%(trailers:key=Code-Intel-Verified,valueonly)",
    at,
  );
  return [trailer.trim(), `${await project.repo.git("show", `${at}:src/a.ts`)}\n`];
}

Deno.test("text of the person on the session's lines, after step 17, is verified before it is committed", async () => {
  await using project = await createVerified();
  await toQuality(project);
  await write(project, THEIRS);
  await expectVerifiedAgain(project, await project.submit({ ...QUALITY, ...SETTLED }));
});

Deno.test("the same where the person claimed the file until the end, and nobody is asked", async () => {
  await using project = await createVerified();
  await project.must(REPORT);
  await write(project, BESIDE);
  const claim = { ...MINE, until_end: true };
  await project.must({ ...REVIEW, change_resolution: [claim] });
  await write(project, THEIRS);
  await expectVerifiedAgain(project, await project.submit(QUALITY));
});

Deno.test("the same between steps 15 and 17, also beside a change that can be told apart", async () => {
  await using project = await createVerified();
  await project.must(REPORT);
  await write(project, THEIRS.replace("line 9\n", "theirs\n"));
  await expectVerifiedAgain(project, await project.submit({ ...REVIEW, ...SETTLED }));
});

for (const at of [17, 18]) {
  Deno.test(`the layout of the session's lines that changes before step ${at} is verified again`, async () => {
    await using project = await createVerified({
      run: ["grep", "-q", "^.*wanted(1)", "src/code.ts"],
      after: untouched,
    });
    await project.start({ flags: { fast: true, no_doc: true } });
    await project.plan("Call what is wanted");
    await project.work({ "src/code.ts": "export const a = wanted(1);\n" }, ["src/code.ts:1"]);
    await project.must({ summary: "complete" });
    await change(project, { flags: { no_doc: true } });
    equal((await project.must(REPORT)).verified, true);
    if (at === 18) await project.must(REVIEW);
    await project.repo.write({ "src/code.ts": "export const a =\n  wanted(1);\n" });
    const reply = await project.submit(at === 18 ? QUALITY : REVIEW);
    deepEqual([reply.step, reply.verification_void], [15, true], JSON.stringify(reply.problems));
    equal((await project.must(REPORT)).verified, true);
  });
}

Deno.test("the same between the end of the run and the judgement of step 15", async () => {
  await using project = await createVerified();
  await write(project, BESIDE);
  const claim = { change_resolution: [{ ...MINE, until_end: true }] };
  await project.must(claim);
  // The files are looked at before the commands and, once these have ended, when the payload is judged.
  const target = project.store as { withOperation: Project["store"]["withOperation"] };
  const withOperation = target.withOperation.bind(project.store);
  let looks = 0;
  target.withOperation = async (action) => {
    if (++looks === 2) await write(project, THEIRS);
    return await withOperation(action);
  };
  equal((await project.submit(REPORT)).verified, false);
});

Deno.test("the same where the person changed the line while the session was parked", async () => {
  await using project = await createVerified();
  await toQuality(project);
  const { sessionId } = await project.state();
  await project.must({ park: true, reason: "later" });
  await write(project, THEIRS);
  const back = await project.workflow.getStatus({ sessionId }) as Answer;
  deepEqual([back.step, back.booked_as_person], [18, ["src/a.ts"]]);
  await expectVerifiedAgain(project, await project.submit(QUALITY));
});

Deno.test("the same where the third quality review forces the commit", async () => {
  await using project = await createVerified();
  await toQuality(project);
  const { counters } = await project.state();
  await change(project, { counters: { ...counters, qualityReverts: 2 } });
  await write(project, THEIRS);
  const issues = { ...QUALITY, issues: ["a name is wrong"], ...SETTLED };
  await expectVerifiedAgain(project, await project.submit(issues));
});

Deno.test("text of the person beside the session's lines stays out, and the result stands", async () => {
  await using project = await createVerified();
  await toQuality(project);
  await write(project, BESIDE);
  equal((await project.must({ ...QUALITY, ...SETTLED })).committed, true);
  deepEqual(await readCommitted(project), ["yes", WORK]);
  equal((await project.must(MERGE)).merged, true);
  equal(await project.repo.read("src/a.ts"), BESIDE);
});

Deno.test("text of the person that the commit takes along is verified with it", async () => {
  await using project = await createVerified({ after: untouched });
  await write(project, toLines(10).replace("line 8\n", "before\n"));
  await toVerification(project);
  await project.must(REPORT);
  await project.must({ ...REVIEW, include_person_changes: ["src/a.ts"] });
  const now = await project.repo.read("src/a.ts");
  await write(project, now.replace("line 10\n", "after the run\n"));
  const reply = await project.submit({ ...QUALITY, ...SETTLED });
  deepEqual([reply.step, reply.changed_since_verification], [15, ["src/a.ts"]]);
  equal((await project.must(REPORT)).verified, true);
  // Their word was for the file as it was then.
  const review = await project.must(REVIEW);
  equal(review.person_changes_remembered, undefined);
  equal((await project.must(QUALITY)).committed, true);
  equal((await readCommitted(project))[1], WORK);
});

Deno.test("step 17 takes no change of the person along that came after the verification", async () => {
  await using project = await createVerified({ after: untouched });
  await write(project, toLines(10).replace("line 8\n", "before\n"));
  await toVerification(project);
  await project.must(REPORT);
  const now = await project.repo.read("src/a.ts");
  await write(project, now.replace("line 10\n", "after the run\n"));
  const included = { ...REVIEW, include_person_changes: ["src/a.ts"] };
  const reply = await project.submit({ ...included, ...SETTLED });
  deepEqual([reply.step, reply.changed_since_verification], [15, ["src/a.ts"]]);
  await project.must(REPORT);
  await project.must(included);
  equal((await project.must(QUALITY)).committed, true);
  const committed = WORK.replace("line 8\n", "before\n").replace("line 10\n", "after the run\n");
  // The clean checkout had the session's lines alone.
  deepEqual(await readCommitted(project), ["yes, tree differs", committed]);
});

Deno.test("text of the person on the session's lines after the commit stays out of the merge", async () => {
  await using project = await createVerified();
  await toQuality(project);
  await project.must(QUALITY);
  await write(project, THEIRS);
  const reply = await project.submit({ ...MERGE, ...SETTLED });
  equal(reply.ok && reply.merged, true, JSON.stringify(reply.problems));
  deepEqual(await readCommitted(project, "HEAD^2"), ["yes", WORK]);
  equal(`${await project.repo.git("show", "main:src/a.ts")}\n`, WORK);
  equal(await project.repo.read("src/a.ts"), THEIRS);
});

Deno.test("a discard takes no text of the person along without a snapshot that brings it back", async () => {
  await using project = await createVerified({ run: ["true"] });
  await project.must(REPORT);
  await write(project, THEIRS);
  const discard = { path: "src/a.ts", decision: "discard", reason: "not wanted" };
  const voided = await project.submit({ ...REVIEW, ...SETTLED, reviewed_files: [discard] });
  deepEqual([voided.step, voided.verification_void], [15, true]);
  await project.must(REPORT);
  await project.must({ ...REVIEW, reviewed_files: [discard] });
  equal(await project.repo.read("src/a.ts"), toLines(10));
  const refs = await project.repo.git("for-each-ref", "--format=%(refname)", "refs/code-intel");
  const kept = await Promise.all(
    refs.split("\n").map((ref) => project.repo.git("show", `${ref}:src/a.ts`).catch(() => "")),
  );
  equal(kept.includes(THEIRS.trimEnd()), true);
});

Deno.test("a hook that changes the commit again after its changes were verified takes the plain yes away", async () => {
  await using project = await createVerified({ after: untouched });
  const hook = "#!/bin/sh\ndate +%s%N >> src/a.ts\ngit add src/a.ts\n";
  await project.repo.write({ ".git/hooks/pre-commit": hook });
  await Deno.chmod(join(project.root, ".git/hooks/pre-commit"), 0o755);
  await toVerification(project);
  await toQuality(project);
  const changed: Answer = await project.must(QUALITY);
  deepEqual([changed.step, changed.hooks_changed], [17, ["src/a.ts"]]);
  equal((await project.must(REVIEW)).step, 15);
  await project.must(REPORT);
  await project.must(REVIEW);
  equal((await project.must(QUALITY)).verified, "yes, tree differs");
  match((await readCommitted(project))[0] ?? "", /^yes, tree differs$/);
});
