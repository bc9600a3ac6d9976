/** A HEAD that somebody else moved: on the task branch, on the base, elsewhere, detached. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { Answer, Project } from "./project_fixture.ts";
import {
  COMMON,
  createProject,
  expectOk,
  expectRefused,
  FRAME,
  toLines,
} from "./project_fixture.ts";

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

Deno.test("person on the task branch does not take a protected file along", async () => {
  await using project = await createProject();
  expectOk(await project.start());
  await project.plan("Change a");
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
  await using project = await createProject();
  expectOk(await project.start());
  await project.plan("Change a");
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
    await using project = await createProject();
    expectOk(await project.start());
    await project.plan("Change a");
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
  await using project = await createProject();
  expectOk(await project.start());
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
  await using project = await createProject();
  expectOk(await project.start());
  const before = await project.repo.git("rev-parse", "main");
  await project.repo.commit("By hand", { "src/b.ts": "by hand\n" });
  await project.submit(FRAME);
  expectRefused(await settle(project, "undo"), "unauthorized_change");
  equal(await project.repo.git("rev-parse", "main"), before);
  equal(await project.repo.read("src/b.ts"), "by hand\n");
  deepEqual((await project.state()).decisions.map(({ decision }) => decision), ["undo: HEAD"]);
});

Deno.test("undo switches back to the branch of the session", async () => {
  await using project = await createProject();
  expectOk(await project.start());
  await project.plan("Change a");
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
