/** A HEAD that somebody else moved: on the task branch, on the base, elsewhere, detached. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { Answer, Project } from "../project_fixture.ts";
import {
  COMMON,
  createProject,
  expectOk,
  expectRefused,
  FRAME,
  planned,
  started,
  toLines,
} from "../project_fixture.ts";

const EDITED = toLines(10).replace("line 5", "five");
const REVIEW = { ...COMMON, reviewed_files: [], rest: "keep", commit_message: "Five" };

function settle(project: Project, action: "undo" | "person"): Promise<Answer> {
  return project.submit({ change_resolution: [{ path: "HEAD", action, reason: "so" }] });
}

/** A session whose task is done, and whose files were then committed by hand with one more. */
async function toHandCommit(project: Project): Promise<string> {
  expectOk(await project.start());
  await project.plan("Change a");
  expectOk(await project.work({ "src/a.ts": EDITED }, ["src/a.ts:5"]));
  await project.repo.write({ "src/b.ts": "by hand\n" });
  await project.repo.git("commit", "-qam", "By hand");
  const reply = expectRefused(
    await project.submit({ summary: "complete" }),
    "unexpected_commit",
    "unauthorized_change",
  );
  match(reply.problems[0].hint, /undo \| person/);
  return await project.repo.git("rev-parse", "HEAD");
}

Deno.test("undo on the task branch takes the commit back, keeps its content, and keeps the commit by a ref", async () => {
  await using project = await createProject();
  const commit = await toHandCommit(project);
  const left = expectRefused(await settle(project, "undo"), "unauthorized_change");
  equal(left.problems[0].path, "src/b.ts");
  equal(await project.repo.git("rev-parse", "HEAD"), await project.repo.git("rev-parse", "main"));
  equal(await project.repo.read("src/a.ts"), EDITED);
  equal(await project.repo.read("src/b.ts"), "by hand\n");
  const kept = await project.repo.git(
    "for-each-ref",
    "--format=%(objectname)",
    "refs/code-intel/branches",
  );
  match(kept, new RegExp(commit));
  await project.must({
    change_resolution: [{ path: "src/b.ts", action: "restore", reason: "so" }],
  });
  await project.must({ summary: "complete" });
  await project.must(REVIEW);
  equal(await project.repo.git("show", "--format=", "--name-only"), "src/a.ts");
  equal((await project.must({ summary: "merge" })).merged, true);
});

Deno.test("person on the task branch lists the commit in the review like the session's own work", async () => {
  await using project = await createProject();
  const commit = await toHandCommit(project);
  expectOk(await settle(project, "person"));
  await project.must({ summary: "complete" });
  const review = await project.workflow.reviewChanges({ maxBytes: 50_000 }) as Answer;
  deepEqual(review.changes.map(({ path }: Answer) => path), ["src/a.ts", "src/b.ts"]);
  expectRefused(
    await project.submit({ ...COMMON, reviewed_files: ["src/a.ts"], commit_message: "x" }),
    "file_not_reviewed",
  );
  await project.must(REVIEW);
  equal((await project.must({ summary: "merge" })).merged, true);
  await project.repo.git("merge-base", "--is-ancestor", commit, "main");
});

const MINE = toLines(10).replace("line 1\n", "one\n").replace("line 10\n", "ten\n");
const WITH_TASK = MINE.replace("line 5\n", "five\n");

/**
 * The person's lines 1 and 10 of `src/a.ts` and their `src/b.ts`, committed by hand with the session's line 5;
 * then the session does its second task, line 8.
 */
async function toMixedCommit(project: Project, committed: string): Promise<void> {
  await project.repo.write({ "src/a.ts": MINE, "src/b.ts": "theirs\n" });
  expectOk(await project.start());
  await project.plan("Change line 5", "Change line 8");
  expectOk(await project.work({ "src/a.ts": WITH_TASK }, ["src/a.ts:5"]));
  await project.repo.write({ "src/a.ts": committed });
  await project.repo.git("commit", "-qam", "By hand");
  await project.repo.write({ "src/a.ts": WITH_TASK });
  expectRefused(await project.submit({ summary: "complete" }), "unexpected_commit");
  expectOk(await settle(project, "person"));
  const eight = WITH_TASK.replace("line 8\n", "eight\n");
  expectOk(await project.work({ "src/a.ts": eight }, ["src/a.ts:8"]));
}

async function expectMerged(project: Project, lines: Readonly<Record<number, string>>) {
  await project.must(REVIEW);
  equal((await project.must({ summary: "merge" })).merged, true);
  const merged = toLines(10).split("\n").map((line, at) => lines[at + 1] ?? line).join("\n");
  equal(await project.repo.git("show", "main:src/a.ts"), merged.trim());
  equal(await project.repo.git("show", "main:src/b.ts"), "theirs");
}

Deno.test("the session's commit leaves what the person committed of their earlier changes in the same file", async () => {
  await using project = await createProject();
  await toMixedCommit(project, WITH_TASK);
  await project.must({ summary: "complete" });
  await expectMerged(project, { 1: "one", 5: "five", 8: "eight", 10: "ten" });
});

Deno.test("lines that the person left out of their commit stay out of the session's", async () => {
  await using project = await createProject();
  await toMixedCommit(project, WITH_TASK.replace("ten\n", "line 10\n"));
  await project.must({ summary: "complete" });
  await expectMerged(project, { 1: "one", 5: "five", 8: "eight" });
  equal((await project.repo.read("src/a.ts")).split("\n")[9], "ten");
});

Deno.test("a file that the person committed and then removed is not put back as it was at the start", async () => {
  await using project = await createProject();
  await toMixedCommit(project, WITH_TASK);
  await project.repo.remove("src/b.ts");
  expectRefused(await project.submit({ summary: "complete" }), "unauthorized_change");
  await project.must({
    summary: "complete",
    change_resolution: [{ path: "src/b.ts", action: "person", reason: "so" }],
  });
  await expectMerged(project, { 1: "one", 5: "five", 8: "eight", 10: "ten" });
  equal(await project.repo.git("status", "--porcelain"), " D src/b.ts");
});

Deno.test("person on the task branch does not take a protected file along", async () => {
  await using project = await createProject({ after: planned("Change a") });
  await project.repo.commit("By hand", { ".mcp.json": "{}" });
  expectRefused(await settle(project, "person"), "protected_change");
});

Deno.test("person for a commit of what was staged in part leaves the person's dirty file: it became a finding", async () => {
  await using project = await createProject();
  await project.repo.write({ "src/b.ts": "staged\n" });
  await project.repo.git("add", "src/b.ts");
  await project.repo.write({ "src/b.ts": "staged\nand more\n" });
  expectOk(await project.start());
  await project.plan("Change a");
  await project.repo.git("commit", "-qm", "By hand");
  expectRefused(await project.submit({ summary: "x" }), "unexpected_commit");
  expectOk(await settle(project, "person"));
  expectOk(await project.work({ "src/a.ts": EDITED }, ["src/a.ts:5"]));
  equal(await project.repo.read("src/b.ts"), "staged\nand more\n");
});

Deno.test("a commit after the review can be undone, not taken: no merge without review", async () => {
  await using project = await createProject({ after: planned("Change a") });
  expectOk(await project.work({ "src/a.ts": EDITED }, ["src/a.ts:5"]));
  await project.must({ summary: "complete" });
  await project.must(REVIEW);
  await project.repo.commit("Smuggled", { "src/b.ts": "unseen\n" });
  const data = { summary: "merge" };
  expectRefused(await project.submit(data), "unexpected_commit", "unauthorized_change");
  expectRefused(await settle(project, "person"), "action_not_offered");
  expectRefused(await settle(project, "undo"), "unauthorized_change");
  const rows = [{ path: "src/b.ts", action: "person", reason: "so" }];
  equal((await project.must({ ...data, change_resolution: rows })).merged, true);
  equal(await project.repo.git("show", "main:src/b.ts"), toLines(5).trim());
  equal(await project.repo.read("src/b.ts"), "unseen\n");
});

for (
  const [name, args] of [
    ["amended", ["commit", "-q", "--amend", "-m", "Better"]],
    ["reset", ["reset", "-q", "--soft", "HEAD~1"]],
    ["deleted", ["branch", "-q", "-D"]],
  ] as const
) {
  Deno.test(`undo brings back the tip of a task branch that was ${name}`, async () => {
    await using project = await createProject({ after: planned("Change a") });
    expectOk(await project.work({ "src/a.ts": EDITED }, ["src/a.ts:5"]));
    await project.must({ summary: "complete" });
    await project.must(REVIEW);
    const tip = await project.repo.git("rev-parse", "HEAD");
    const branch = await project.repo.git("branch", "--show-current");
    if (name === "deleted") await project.repo.git("checkout", "-q", "--detach");
    await project.repo.git(...args, ...(name === "deleted" ? [branch] : []));
    expectRefused(await project.submit({ summary: "merge" }), "unexpected_commit");
    expectOk(await settle(project, "undo"));
    equal(await project.repo.git("rev-parse", "HEAD"), tip);
    equal((await project.must({ summary: "merge" })).merged, true);
  });
}

Deno.test("person on the base takes the commit for the person's, as if it had been there", async () => {
  await using project = await createProject({ after: started });
  await project.repo.commit("Theirs", { "src/b.ts": "theirs\n", "src/new.ts": "theirs\n" });
  const found = await project.submit(FRAME);
  equal(found.problems[0].code, "unexpected_commit");
  match(found.problems[0].hint, /^Ask the person/);
  expectOk(await settle(project, "person"));
  await project.plan("Change a");
  expectOk(await project.work({ "src/a.ts": EDITED }, ["src/a.ts:5"]));
  await project.must({ summary: "complete" });
  const review = await project.workflow.reviewChanges({ maxBytes: 50_000 }) as Answer;
  deepEqual([review.changes.length, review.person_total], [1, 0]);
  await project.must(REVIEW);
  equal(await project.repo.git("show", "--format=", "--name-only"), "src/a.ts");
  equal((await project.state()).decisions[0]?.decision, "person: HEAD");
});

Deno.test("undo on the base is recorded as the person's word and keeps the content", async () => {
  await using project = await createProject({ after: started });
  const before = await project.repo.git("rev-parse", "main");
  await project.repo.commit("By hand", { "src/b.ts": "by hand\n" });
  await project.submit(FRAME);
  expectRefused(await settle(project, "undo"), "unauthorized_change");
  equal(await project.repo.git("rev-parse", "main"), before);
  equal(await project.repo.read("src/b.ts"), "by hand\n");
  deepEqual((await project.state()).decisions.map(({ decision }) => decision), ["undo: HEAD"]);
});

Deno.test("undo switches back to the branch of the session", async () => {
  await using project = await createProject({ after: planned("Change a") });
  const branch = await project.repo.git("branch", "--show-current");
  expectOk(await project.work({ "src/a.ts": EDITED }, ["src/a.ts:5"]));
  await project.repo.git("switch", "-q", "-c", "other");
  expectRefused(await project.submit({ summary: "complete" }), "unexpected_commit");
  const refused = expectRefused(await settle(project, "person"), "head_elsewhere");
  match(refused.problems[0].hint, new RegExp(branch));
  expectOk(await settle(project, "undo"));
  equal(await project.repo.git("branch", "--show-current"), branch);
  equal(await project.repo.read("src/a.ts"), EDITED);
});

Deno.test("a detached HEAD that moves in an investigation is the person's or nobody's", async () => {
  await using project = await createProject();
  await project.repo.commit("Second", { "src/b.ts": "two\n" });
  await project.repo.git("checkout", "-q", "--detach");
  expectOk(await project.start({ intent: "INVESTIGATE", flags: { no_doc: true } }));
  await project.repo.git("checkout", "-q", "--detach", "HEAD~1");
  expectRefused(await project.submit(FRAME), "unexpected_commit", "unauthorized_change");
  expectRefused(await settle(project, "undo"), "head_elsewhere");
  const reply = await settle(project, "person");
  deepEqual(reply.problems?.map(({ code }: Answer) => code), ["unauthorized_change"]);
});
