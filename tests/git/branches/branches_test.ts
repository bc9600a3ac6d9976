/** Holds `src/git/branches/branches.ts` to its promises, on real repositories. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import {
  createTaskBranch,
  deleteBranch,
  formatTaskBranchName,
  keepBranch,
  leaveTaskBranch,
  listTaskBranches,
} from "../../../src/git/branches/branches.ts";
import { openRepository } from "../../../src/git/repository.ts";
import { createTempRepo, runGit } from "../../support/temp_repo.ts";

const SESSION = "session_20261121_101500_3fa9";
const OTHER = "session_20261120_101500_0000";
const TASK = formatTaskBranchName(SESSION, "main");

Deno.test("createTaskBranch() moves HEAD only: dirty, staged and untracked files stay", async () => {
  await using temp = await createTempRepo({ files: { a: "1\n", b: "1\n" } });
  await temp.write({ a: "dirty\n", b: "staged\n", c: "new\n" });
  await temp.git("add", "b");
  const before = await temp.git("status", "--porcelain");
  const tip = await temp.git("rev-parse", "HEAD");
  const options = { sessionId: SESSION, base: "main" };
  deepEqual(await createTaskBranch(temp.repo, options), { kind: "created", branch: TASK, tip });
  equal(await temp.git("symbolic-ref", "--short", "HEAD"), TASK);
  equal(await temp.git("status", "--porcelain"), before);
  deepEqual(await createTaskBranch(temp.repo, options), { kind: "recognised", branch: TASK, tip });
});

Deno.test("createTaskBranch() completes its own work after a kill between branch and HEAD", async () => {
  await using temp = await createTempRepo();
  await temp.git("branch", TASK);
  await temp.commit("Base moved", { a: "1\n" });
  const result = await createTaskBranch(temp.repo, { sessionId: SESSION, base: "main" });
  const tip = await temp.git("rev-parse", "main");
  deepEqual(result, { kind: "recognised", branch: TASK, tip });
  equal(await temp.git("rev-parse", "HEAD"), tip);
});

for (
  const [code, base, prepare] of [
    ["base_missing", "gone", []],
    ["head_elsewhere", "main", ["switch", "-qc", "other"]],
    ["head_elsewhere", "main", ["checkout", "-q", "--detach"]],
  ] as const
) {
  Deno.test(`createTaskBranch() refuses with ${code} after git ${prepare.join(" ")}`, async () => {
    await using temp = await createTempRepo();
    if (prepare.length > 0) await temp.git(...prepare);
    const state = await temp.state();
    const result = await createTaskBranch(temp.repo, { sessionId: SESSION, base });
    equal(result.kind === "refused" && result.problem.code, code);
    match(String(result.kind === "refused" ? result.problem.hint ?? "" : ""), /call/);
    equal(await temp.state(), state);
  });
}

Deno.test("createTaskBranch() refuses a branch of its name that has commits of its own", async () => {
  await using temp = await createTempRepo();
  await temp.git("switch", "-qc", TASK);
  await temp.commit("Own", { a: "1\n" });
  await temp.git("switch", "-q", "main");
  const result = await createTaskBranch(temp.repo, { sessionId: SESSION, base: "main" });
  equal(result.kind === "refused" && result.problem.code, "task_branch_exists");
});

Deno.test("R33: listTaskBranches() counts commits ahead of the decoded base", async () => {
  await using temp = await createTempRepo({ branch: "feature/log_in" });
  const task = formatTaskBranchName(SESSION, "feature/log_in");
  const orphan = formatTaskBranchName(OTHER, "gone");
  await temp.git("branch", orphan);
  await temp.git("branch", "llm_task_handmade");
  await temp.git("switch", "-qc", task);
  await temp.commit("One", { a: "1\n" });
  const tip = await temp.commit("Two", { a: "2\n" });
  const branches = await listTaskBranches(temp.repo);
  deepEqual(branches.find(({ name }) => name === task), {
    name: task,
    sessionId: SESSION,
    base: "feature/log_in",
    isCurrent: true,
    commitCount: 2,
    tip,
    checkedOutAt: temp.dir,
  });
  const gone = branches.find(({ name }) => name === orphan);
  deepEqual([gone?.base, gone?.commitCount, gone?.checkedOutAt], ["gone", null, null]);
  equal(branches.find(({ name }) => name === "llm_task_handmade")?.sessionId, null);
});

Deno.test("listTaskBranches() tells in which worktree a branch is checked out", async () => {
  await using temp = await createTempRepo();
  await temp.git("branch", TASK);
  await temp.git("branch", "llm_odd/name");
  const other = formatTaskBranchName(OTHER, "main");
  const place = join(temp.dir, ".git", "beside");
  await temp.git("worktree", "add", "-q", "-b", other, place);
  const tip = await temp.git("rev-parse", "HEAD");
  const found = await listTaskBranches(temp.repo);
  deepEqual(
    found.map((one) => [one.name, one.tip, one.isCurrent, one.checkedOutAt]).sort(),
    [[TASK, tip, false, null], [other, tip, false, place]].sort(),
  );
  const inside = await openRepository(place);
  ok(inside);
  deepEqual(
    (await listTaskBranches(inside)).map(({ name, isCurrent }) => [name, isCurrent]).sort(),
    [[TASK, false], [other, true]].sort(),
  );
});

Deno.test("R33: deleteBranch() keeps the commits of the branch under a ref", async () => {
  await using temp = await createTempRepo();
  await temp.git("switch", "-qc", TASK);
  const tip = await temp.commit("Work", { a: "1\n" });
  await temp.git("switch", "-q", "main");
  const at = new Date("2026-11-21T10:15:00.123Z");
  const keptAs = `refs/code-intel/branches/${TASK}/20261121T101500123Z`;
  deepEqual(await deleteBranch(temp.repo, TASK, at), { kind: "deleted", keptAs, tip });
  equal(await temp.git("rev-parse", keptAs), tip);
  equal(await temp.git("branch", "--format=%(refname:short)"), "main");
  deepEqual(await deleteBranch(temp.repo, TASK, at), { kind: "absent" });
});

Deno.test("deleteBranch() refuses a branch that any worktree has checked out", async () => {
  await using temp = await createTempRepo();
  await temp.git("worktree", "add", "-q", "-b", "side", join(temp.dir, "inner"));
  for (const name of ["side", "main"]) {
    const result = await deleteBranch(temp.repo, name);
    equal(result.kind === "refused" && result.problem.code, "branch_checked_out");
  }
  equal(await runGit(join(temp.dir, "inner"), ["symbolic-ref", "--short", "HEAD"]), "side");
});

Deno.test("keepBranch() saves a tip and answers null without the branch", async () => {
  await using temp = await createTempRepo();
  const kept = await keepBranch(temp.repo, "main");
  equal(await temp.git("rev-parse", kept?.ref ?? ""), await temp.git("rev-parse", "main"));
  equal(await keepBranch(temp.repo, "none"), null);
});

Deno.test("leaveTaskBranch() goes back to the base without touching files when the tips are the same", async () => {
  await using temp = await createTempRepo({ files: { a: "1\n" } });
  await createTaskBranch(temp.repo, { sessionId: SESSION, base: "main" });
  await temp.write({ a: "work in progress\n" });
  const options = { taskBranch: TASK, base: "main" };
  deepEqual(await leaveTaskBranch(temp.repo, options), { kind: "left", branch: "main" });
  equal(await temp.git("symbolic-ref", "--short", "HEAD"), "main");
  equal(await temp.read("a"), "work in progress\n");
  deepEqual(await leaveTaskBranch(temp.repo, options), { kind: "left", branch: "main" });
});

Deno.test("leaveTaskBranch() stays when the task branch has a commit", async () => {
  await using temp = await createTempRepo();
  await createTaskBranch(temp.repo, { sessionId: SESSION, base: "main" });
  await temp.commit("Work", { a: "1\n" });
  const result = await leaveTaskBranch(temp.repo, { taskBranch: TASK, base: "main" });
  equal(result.kind, "stayed");
  equal(await temp.git("symbolic-ref", "--short", "HEAD"), TASK);
});
