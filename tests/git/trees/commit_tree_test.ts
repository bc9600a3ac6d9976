/** Holds `src/git/trees/commit_tree.ts` to its promises, on real repositories. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { makeCommit } from "../../../src/git/branches/commit.ts";
import { diffTrees, readBlobText } from "../../../src/git/trees/changes.ts";
import { buildCommitTree, compareSession } from "../../../src/git/trees/commit_tree.ts";
import { createTempRepo, edit, expectUntouched, SESSION, takeTree } from "../support.ts";

Deno.test("R29: buildCommitTree() commits only the agent's hunks of a file that the person had changed", async () => {
  await using temp = await createTempRepo({ files: { "both.txt": edit(), "person.txt": "1\n" } });
  const headCommit = await temp.git("rev-parse", "HEAD");
  await temp.write({ "both.txt": edit([2, "person\n"]), "person.txt": "2\n", "stray.txt": "x\n" });
  const baselineTree = await takeTree(temp);
  await temp.write({ "both.txt": edit([2, "person\n"], [10, "agent\n"]), "mine.txt": "m\n" });
  const currentTree = await takeTree(temp);
  const trees = { headCommit, baselineTree, currentTree };
  const compared = await compareSession(temp.repo, trees);
  deepEqual(compared.session.map(({ path }) => path), ["both.txt", "mine.txt"]);
  deepEqual(compared.person, ["both.txt", "person.txt", "stray.txt"]);
  deepEqual(compared.both, ["both.txt"]);

  const paths = ["both.txt", "mine.txt"];
  const built = await expectUntouched(temp, () => buildCommitTree(temp.repo, { ...trees, paths }));
  deepEqual(built.inseparable, []);
  equal(await readBlobText(temp.repo, built.tree, "both.txt"), edit([10, "agent\n"]));
  deepEqual(
    (await diffTrees(temp.repo, headCommit, built.tree)).map(({ path }) => path),
    ["both.txt", "mine.txt"],
  );
  // A tree that was built before is taken, unless garbage collection took it.
  const again = { ...trees, paths, likely: built.tree };
  equal((await buildCommitTree(temp.repo, again)).tree, built.tree);
  const [folder, file] = [built.tree.slice(0, 2), built.tree.slice(2)];
  await Deno.remove(join(temp.dir, ".git", "objects", folder, file));
  equal((await buildCommitTree(temp.repo, again)).tree, built.tree);
  await temp.git("cat-file", "-e", built.tree);
  const whole = await buildCommitTree(temp.repo, { ...trees, paths, includePerson: ["both.txt"] });
  const text = await readBlobText(temp.repo, whole.tree, "both.txt");
  equal(text, edit([2, "person\n"], [10, "agent\n"]));
});

Deno.test("buildCommitTree() builds a tree anew of which garbage collection took a folder", async () => {
  await using temp = await createTempRepo({ files: { "d/a.txt": edit(), "d/b.txt": "1\n" } });
  const headCommit = await temp.git("rev-parse", "HEAD");
  await temp.write({ "d/b.txt": "person\n" });
  const baselineTree = await takeTree(temp);
  await temp.write({ "d/a.txt": edit([2, "agent\n"]) });
  const options = {
    headCommit,
    baselineTree,
    currentTree: await takeTree(temp),
    paths: ["d/a.txt"],
  };
  const { tree, isEmpty } = await buildCommitTree(temp.repo, options);
  equal(isEmpty, false);
  const folder = await temp.git("rev-parse", `${tree}:d`);
  await Deno.remove(join(temp.dir, ".git", "objects", folder.slice(0, 2), folder.slice(2)));
  equal((await buildCommitTree(temp.repo, { ...options, likely: tree })).tree, tree);
  equal(await temp.git("cat-file", "-t", folder), "tree");
});

Deno.test("buildCommitTree() names files whose changes cannot be told apart", async () => {
  await using temp = await createTempRepo({
    files: { "same.txt": edit(), "blob.bin": "\0a\n", "gone.txt": "1\n" },
  });
  const headCommit = await temp.git("rev-parse", "HEAD");
  await temp.write({ "same.txt": edit([5, "person\n"]), "blob.bin": "\0b\n", "gone.txt": "2\n" });
  await temp.write({ "new.txt": "person's\n" });
  const baselineTree = await takeTree(temp);
  await temp.write({
    "same.txt": edit([5, "agent\n"]),
    "blob.bin": "\0c\n",
    "new.txt": "agent's\n",
  });
  await temp.remove("gone.txt");
  const currentTree = await takeTree(temp);
  const paths = ["same.txt", "blob.bin", "gone.txt", "new.txt"];
  const built = await buildCommitTree(temp.repo, { headCommit, baselineTree, currentTree, paths });
  deepEqual([...built.inseparable].sort(), [...paths].sort());
  ok(built.isEmpty);
});

Deno.test("buildCommitTree() takes renames, deletions, modes, binaries and links", async () => {
  await using temp = await createTempRepo({
    files: { "old.txt": edit(), "gone.txt": "other\n", "run.sh": "x\n", "f": "file\n" },
  });
  const headCommit = await temp.git("rev-parse", "HEAD");
  const baselineTree = await takeTree(temp);
  await Deno.rename(join(temp.dir, "old.txt"), join(temp.dir, "new name.txt"));
  await temp.remove("gone.txt", "f");
  await temp.write({ "f/inner": "folder now\n", "b.bin": new Uint8Array([0, 255]) });
  await Deno.chmod(join(temp.dir, "run.sh"), 0o755);
  await Deno.symlink("run.sh", join(temp.dir, "link"));
  const currentTree = await takeTree(temp);
  const paths = ["new name.txt", "gone.txt", "run.sh", "f", "f/inner", "b.bin", "link"];
  const built = await buildCommitTree(temp.repo, { headCommit, baselineTree, currentTree, paths });
  equal(built.tree, currentTree);
  const some = await buildCommitTree(temp.repo, {
    headCommit,
    baselineTree,
    currentTree,
    paths: ["new name.txt"],
  });
  const changes = await diffTrees(temp.repo, headCommit, some.tree);
  deepEqual(changes.map(({ path, from }) => [path, from]), [["new name.txt", "old.txt"]]);
});

Deno.test("buildCommitTree() takes a second pass on top of the first, also where it takes work back", async () => {
  await using temp = await createTempRepo({ files: { a: edit(), b: "1\n", c: "1\n" } });
  const cleanTree = await temp.git("rev-parse", "HEAD");
  await temp.write({ a: edit([2, "person\n"]) });
  const baselineTree = await takeTree(temp);
  await temp.write({ a: edit([2, "person\n"], [10, "first\n"]), b: "first\n", c: "first\n" });
  const first = await buildCommitTree(temp.repo, {
    headCommit: cleanTree,
    baselineTree,
    currentTree: await takeTree(temp),
    paths: ["a", "b", "c"],
  });
  const made = await makeCommit(temp.repo, {
    branch: "main",
    message: "First\n",
    tree: first.tree,
    parents: [cleanTree],
    expectedHead: cleanTree,
    acceptHookChanges: false,
    sessionId: SESSION,
  });
  const headCommit = made.kind === "made" ? made.commit : "";
  await temp.write({ a: edit([2, "person\n"], [10, "second\n"]), b: "second\n", c: "1\n" });
  const second = await buildCommitTree(temp.repo, {
    headCommit,
    cleanTree,
    baselineTree,
    currentTree: await takeTree(temp),
    paths: ["a", "b"],
  });
  deepEqual([second.inseparable, second.reverted], [[], ["c"]]);
  equal(await readBlobText(temp.repo, second.tree, "a"), edit([10, "second\n"]));
  equal(await readBlobText(temp.repo, second.tree, "b"), "second\n");
  equal(await readBlobText(temp.repo, second.tree, "c"), "1\n");
});
