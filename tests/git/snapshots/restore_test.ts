/** Holds `src/git/snapshots/restore.ts` to its promises, on real repositories. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { basename, join } from "node:path";
import { writeWorktreeTree } from "../../../src/git/index/private_index.ts";
import { restorePaths } from "../../../src/git/snapshots/restore.ts";
import type { TempRepo } from "../../support/temp_repo.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

async function takeTree(temp: TempRepo): Promise<string> {
  return (await writeWorktreeTree(temp.repo, { sessionId: "session_20261121_101500_3fa9" })).tree;
}

Deno.test("restorePaths() brings everything back exactly, with modes, links and odd names", async () => {
  await using temp = await createTempRepo({
    files: { a: "1\n", "d/e/f": "1\n", "run.sh": "x\n", "-x\n ü": "1\n" },
  });
  await Deno.chmod(join(temp.dir, "run.sh"), 0o755);
  await Deno.symlink("a", join(temp.dir, "link"));
  await temp.write({ untracked: "u\n" });
  const tree = await takeTree(temp);
  const index = await temp.git("ls-files", "-s");
  await temp.remove("d", "link", "untracked");
  await temp.write({
    a: "2\n",
    d: "file for folder\n",
    "link/x": "folder for link\n",
    "-x\n ü": "2\n",
  });
  await temp.write({
    "new/deep/file": "n\n",
    ".git/info/exclude": "kept.log\n",
    "kept.log": "k\n",
  });
  await Deno.chmod(join(temp.dir, "run.sh"), 0o644);
  const result = await restorePaths(temp.repo, { tree, paths: "all", exact: true });
  equal(await takeTree(temp), tree);
  equal(await temp.git("ls-files", "-s"), index);
  deepEqual([...result.removed].sort(), ["d", "link/x", "new/deep/file"]);
  ok(!(await temp.exists("new")));
  ok(await temp.exists("kept.log"));
  deepEqual(await restorePaths(temp.repo, { tree, paths: "all", exact: true }), {
    written: [],
    removed: [],
    keptAs: null,
  });
});

Deno.test("restorePaths() without exact keeps files that the tree lacks", async () => {
  await using temp = await createTempRepo({ files: { a: "1\n" } });
  const tree = await takeTree(temp);
  await temp.write({ a: "2\n", b: "new\n" });
  await restorePaths(temp.repo, { tree, paths: "all", exact: false });
  equal(await temp.read("a"), "1\n");
  equal(await temp.read("b"), "new\n");
});

Deno.test("R4: restorePaths() with exact removes a discarded new file, and touches no other path", async () => {
  await using temp = await createTempRepo({ files: { a: "1\n", "d/b": "1\n", "d/c": "1\n" } });
  const tree = await takeTree(temp);
  await temp.write({ a: "2\n", "d/b": "2\n", "d/new": "n\n", "other": "o\n", "ignored": "i\n" });
  await temp.write({ ".git/info/exclude": "ignored\n" });
  const paths = ["d", "ignored"];
  await using beside = await createTempRepo();
  const besidePath = `../${basename(beside.dir)}/README.md`;
  const outside = [".git/config", ".GIT/config", "../x", besidePath];
  const named = [...paths, ...outside];
  const result = await restorePaths(temp.repo, { tree, paths: named, exact: true });
  ok(await temp.exists(".git/config"));
  ok(await beside.exists("README.md"));
  deepEqual([...result.removed].sort(), ["d/new", "ignored"]);
  deepEqual(result.written, ["d/b"]);
  equal(await temp.read("a"), "2\n");
  ok(await temp.exists("other"));
});

Deno.test("restorePaths() never writes or deletes through a symlink that leads outside", async () => {
  await using temp = await createTempRepo({ files: { "d/a": "1\n" } });
  const tree = await takeTree(temp);
  const outside = await Deno.makeTempDir();
  await Deno.writeTextFile(join(outside, "a"), "outside\n");
  await Deno.writeTextFile(join(outside, "b"), "outside\n");
  await temp.remove("d");
  await Deno.symlink(outside, join(temp.dir, "d"));
  await restorePaths(temp.repo, { tree, paths: ["d/a", "d/b"], exact: true });
  equal(await Deno.readTextFile(join(outside, "a")), "outside\n");
  ok(await Deno.stat(join(outside, "b")).then(() => true));
  await restorePaths(temp.repo, { tree, paths: "all", exact: true });
  equal(await temp.read("d/a"), "1\n");
  equal(await Deno.readTextFile(join(outside, "a")), "outside\n");
  await Deno.remove(outside, { recursive: true });
});

Deno.test("restorePaths() of everything leaves out what a sparse checkout leaves out", async () => {
  await using temp = await createTempRepo({ files: { "in/a": "1\n", "out/b": "1\n" } });
  await temp.git("sparse-checkout", "set", "--cone", "in");
  await temp.write({ "in/a": "2\n" });
  await restorePaths(temp.repo, { tree: "HEAD", paths: "all", exact: true });
  equal(await temp.read("in/a"), "1\n");
  ok(!(await temp.exists("out/b")));
});

Deno.test("restorePaths() keeps ignored files that have to give way, as no snapshot holds them", async () => {
  await using temp = await createTempRepo({ files: { "env/a": "1\n", b: "1\n", "c/x": "1\n" } });
  const tree = await takeTree(temp);
  await temp.git("rm", "-q", "-r", "--cached", "env", "b", "c");
  await temp.remove("env", "b", "c");
  await temp.write({ env: "secret\n", "b/inner": "secret\n", "c/x": "secret\n" });
  await temp.write({ ".git/info/exclude": "env\nb\nc\n" });
  const result = await restorePaths(temp.repo, { tree, paths: "all", exact: false });
  equal(await takeTree(temp), tree);
  deepEqual([...result.written].sort(), ["b", "c/x", "env/a"]);
  for (const path of ["env", "b/inner", "c/x"]) {
    equal(await temp.git("show", `${result.keptAs}:${path}`), "secret");
  }
});

Deno.test("restorePaths() leaves large files that nobody named, and keeps a named one before it goes", async () => {
  await using temp = await createTempRepo({ files: { a: "1\n" } });
  const tree = await takeTree(temp);
  const big = new Uint8Array(1024 * 1024 + 1);
  await temp.write({ "big.bin": big, small: "s\n" });
  const options = { tree, exact: true, maxFileMb: 1 };
  const all = await restorePaths(temp.repo, { ...options, paths: "all" });
  deepEqual([all.removed, all.keptAs], [["small"], null]);
  ok(await temp.exists("big.bin"));
  const named = await restorePaths(temp.repo, { ...options, paths: ["big.bin"] });
  deepEqual(named.removed, ["big.bin"]);
  equal(await temp.git("cat-file", "-s", `${named.keptAs}:big.bin`), `${big.length}`);
});
