/** Holds `src/features/attest/merge_origin.ts` to its promises, on real repositories. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { findMergeOrigin } from "../../../src/features/attest/merge_origin.ts";
import { createTempRepo } from "../../git/support.ts";
import type { TempRepo } from "../../support/temp_repo.ts";

const TEXT = "1\n2\n3\n4\n5\n6\n7\n8\n";

/** A repository with the branches `main` and `task`, which both changed something since they parted. */
async function createParted(
  main: Readonly<Record<string, string>>,
  task: Readonly<Record<string, string>>,
): Promise<TempRepo> {
  const temp = await createTempRepo({ files: { a: TEXT, b: TEXT } });
  await temp.git("switch", "-q", "-c", "task");
  await temp.commit("Task", task);
  await temp.git("switch", "-q", "main");
  await temp.commit("Main", main);
  return temp;
}

/** The tree of what lies in the folder, which nobody committed. */
async function takeTree(temp: TempRepo): Promise<string> {
  await temp.git("add", "-A");
  return await temp.git("write-tree");
}

Deno.test("findMergeOrigin() tells git's own merge from one that somebody made", async () => {
  await using temp = await createParted({ a: TEXT.replace("1", "main") }, { b: "task\n" });
  const sides = { ours: "main", theirs: "task" };
  await temp.git("merge", "-q", "--no-commit", "task");
  const tree = await takeTree(temp);
  deepEqual(await findMergeOrigin(temp.repo, { ...sides, tree }), {
    kind: "of_git",
    isMoved: true,
  });
  await temp.write({ b: "changed in the merge\n", c: "new in the merge\n" });
  const changed = await takeTree(temp);
  deepEqual(await findMergeOrigin(temp.repo, { ...sides, tree: changed }), {
    kind: "differs",
    paths: ["b", "c"],
  });
});

Deno.test("findMergeOrigin() compares with the second parent where it has all of the first", async () => {
  await using temp = await createParted({ a: TEXT }, { b: "task\n" });
  const sides = { ours: "main~", theirs: "task" };
  const tree = await temp.git("rev-parse", "task^{tree}");
  deepEqual(await findMergeOrigin(temp.repo, { ...sides, tree }), {
    kind: "of_git",
    isMoved: false,
  });
  const other = await temp.git("rev-parse", "main^{tree}");
  deepEqual(await findMergeOrigin(temp.repo, { ...sides, tree: other }), {
    kind: "differs",
    paths: ["b"],
  });
});

Deno.test("findMergeOrigin() takes a tree with git's conflict markers for a merge with conflicts", async () => {
  await using temp = await createParted({ a: "main\n", b: TEXT }, { a: "task\n", b: "task\n" });
  const sides = { ours: "main", theirs: "task" };
  const marked = await temp.repo.git.run(["merge-tree", "--write-tree", "main", "task"]);
  const [tree = ""] = new TextDecoder().decode(marked.stdout).split("\n");
  equal(await temp.git("cat-file", "-t", tree), "tree");
  deepEqual(await findMergeOrigin(temp.repo, { ...sides, tree }), {
    kind: "conflicts",
    paths: ["a"],
  });
});

Deno.test("findMergeOrigin() takes for git's own what git makes under a setting of somebody else", async () => {
  await using temp = await createTempRepo({ files: { "old/a": TEXT } });
  await temp.git("switch", "-q", "-c", "task");
  await temp.git("mv", "old", "new");
  await temp.git("commit", "-q", "-m", "Rename the folder");
  await temp.git("switch", "-q", "main");
  await temp.commit("Main", { "old/b": "b\n" });
  const judge = async (folder: string) => {
    await temp.git("read-tree", "-u", "--reset", "task");
    await temp.write({ [`${folder}/b`]: "b\n" });
    const tree = await takeTree(temp);
    return await findMergeOrigin(temp.repo, { ours: "main", theirs: "task", tree });
  };
  for (const folder of ["new", "old"]) {
    deepEqual(await judge(folder), { kind: "of_git", isMoved: true }, folder);
  }
  // Without a setting git leaves it to the user where the new file goes.
  deepEqual(await judge("elsewhere"), { kind: "conflicts", paths: ["new/b"] });
});

Deno.test("findMergeOrigin() says why git cannot merge what is no commit", async () => {
  await using temp = await createParted({ a: "main\n" }, { b: "task\n" });
  const tree = await temp.git("rev-parse", "main^{tree}");
  const origin = await findMergeOrigin(temp.repo, { ours: "main", theirs: tree, tree });
  equal(origin.kind, "unknown");
});
