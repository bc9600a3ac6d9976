/** Holds `src/git/branches/merge_base.ts` to its promises, on real repositories. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { createTaskBranch } from "../../../src/git/branches/branches.ts";
import { makeCommit } from "../../../src/git/branches/commit.ts";
import { mergeTaskBranch } from "../../../src/git/branches/merge.ts";
import { mergeBaseIntoTask } from "../../../src/git/branches/merge_base.ts";
import { readBlobText } from "../../../src/git/trees/changes.ts";
import { buildCommitTree, compareSession } from "../../../src/git/trees/commit_tree.ts";
import {
  createTask,
  createTempRepo,
  makePersonDirty,
  MERGE as OPTIONS,
  moveBase,
  PERSON_STATUS,
  SESSION,
  takeTree,
  TASK,
} from "../support.ts";

Deno.test("mergeBaseIntoTask() writes the conflict to the files only, and the flow ends merged", async () => {
  await using temp = await createTempRepo({ files: { a: "1\n", b: "1\n", p: "1\n", s: "1\n" } });
  const start = await temp.git("rev-parse", "HEAD");
  await createTaskBranch(temp.repo, { sessionId: SESSION, base: "main" });
  await makePersonDirty(temp);
  const baselineTree = await takeTree(temp);
  await temp.write({ a: "task\n", t: "task\n" });
  await temp.git("update-index", "--add", "a", "t");
  await temp.git("commit", "-q", "-m", "Work", "--", "a", "t");
  const head = await temp.git("rev-parse", "HEAD");
  const baseTip = await moveBase(temp, { a: "base\n", b: "base\n", c: "base\n" });
  const options = {
    taskBranch: TASK,
    base: "main",
    baselineTree,
    cleanTree: start,
    sessionId: SESSION,
  };
  const brought = await mergeBaseIntoTask(temp.repo, options);
  if (brought.kind !== "brought") throw new Error(JSON.stringify(brought));
  deepEqual([brought.conflicted, brought.brought, brought.mergeParent], [
    ["a"],
    ["b", "c"],
    baseTip,
  ]);
  match(await temp.read("a"), /^<<<<<<< .*\ntask\n=======\nbase\n>>>>>>> /);
  equal(await temp.git("rev-parse", "HEAD"), head);
  ok(!(await temp.exists(".git/MERGE_HEAD")));
  equal(await temp.git("show", ":s"), "staged");
  deepEqual(await mergeBaseIntoTask(temp.repo, options), brought);

  await temp.write({ a: "both\n" });
  const currentTree = await takeTree(temp);
  const trees = { baselineTree: brought.baselineTree, currentTree };
  const compared = await compareSession(temp.repo, { ...trees, headCommit: brought.cleanTree });
  deepEqual(compared.session.map(({ path }) => path), ["a", "t"]);
  deepEqual(compared.person, ["p", "s", "u"]);
  const built = await buildCommitTree(temp.repo, {
    ...trees,
    headCommit: head,
    cleanTree: brought.cleanTree,
    mergeParent: brought.mergeParent,
    paths: ["a", "t"],
  });
  for (const [path, text] of [["a", "both\n"], ["b", "base\n"], ["p", "1\n"], ["t", "task\n"]]) {
    equal(await readBlobText(temp.repo, built.tree, path ?? ""), text);
  }
  const made = await makeCommit(temp.repo, {
    branch: TASK,
    message: "Resolve\n",
    tree: built.tree,
    parents: [head, baseTip],
    expectedHead: head,
    acceptHookChanges: false,
    sessionId: SESSION,
  });
  equal(made.kind, "made");
  equal(await temp.git("status", "--porcelain"), PERSON_STATUS);
  equal((await mergeTaskBranch(temp.repo, OPTIONS)).kind, "merged");
  equal(await temp.git("status", "--porcelain"), PERSON_STATUS);
  equal(await temp.read("a"), "both\n");
});

Deno.test("mergeBaseIntoTask() refuses when a file to be written is the person's, changing nothing", async () => {
  await using temp = await createTask();
  await moveBase(temp, { b: "base\n" });
  const baselineTree = await temp.git("rev-parse", "HEAD^{tree}");
  await temp.write({ b: "person\n" });
  const state = await temp.state();
  const result = await mergeBaseIntoTask(temp.repo, {
    taskBranch: TASK,
    base: "main",
    baselineTree,
    sessionId: SESSION,
  });
  equal(result.kind === "refused" && result.problem.code, "person_changes_in_the_way");
  equal(await temp.state(), state);
  equal(await temp.read("b"), "person\n");
});

Deno.test("mergeBaseIntoTask() does not overwrite an ignored file of the person's", async () => {
  await using temp = await createTask();
  await moveBase(temp, { c: "base\n" });
  await temp.write({ c: "person\n", ".git/info/exclude": "c\n" });
  const baselineTree = await temp.git("rev-parse", "main~^{tree}");
  const options = { taskBranch: TASK, base: "main", baselineTree, sessionId: SESSION };
  const result = await mergeBaseIntoTask(temp.repo, options);
  equal(result.kind === "refused" && result.problem.code, "person_changes_in_the_way");
  equal(await temp.read("c"), "person\n");
});

Deno.test("mergeBaseIntoTask() after a kill in the middle of writing goes on", async () => {
  await using temp = await createTask();
  await moveBase(temp, { b: "base\n", c: "base\n" });
  await temp.write({ b: "base\n" });
  const baselineTree = await temp.git("rev-parse", "main~^{tree}");
  const options = { taskBranch: TASK, base: "main", baselineTree, sessionId: SESSION };
  const result = await mergeBaseIntoTask(temp.repo, options);
  deepEqual(result.kind === "brought" && result.brought, ["b", "c"]);
  equal(await temp.read("c"), "base\n");
});
