/** Trees, times and commits that this process writes itself, compared with what git makes of the same. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { Git } from "../../../src/git/git.ts";
import { readIndexFile, readPath } from "../../../src/git/index/index_file.ts";
import { dropTimes } from "../../../src/git/index/index_times.ts";
import { writeIndexTree } from "../../../src/git/index/index_tree.ts";
import type { Repository, Snapshot } from "../../../src/git/mod.ts";
import { takeSnapshot, writeWorktreeTree } from "../../../src/git/mod.ts";
import type { TempRepo } from "../../support/temp_repo.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

const SESSION = "session_20260101_120000_abcd";
const FILES = {
  "a.ts": "a\n",
  "a/b.ts": "b\n",
  "a/deep/er/c.ts": "c\n",
  "a0": "0\n",
  "ä/ö ü.txt": "odd\n",
  "same/x": "x\n",
};

const toIndex = (temp: TempRepo) => join(temp.dir, ".git/index");

/** The tree by git and by this process, of the index as it is. */
async function toTrees(temp: TempRepo): Promise<readonly [string, string | null]> {
  const ours = await writeIndexTree(temp.repo, toIndex(temp));
  return [await temp.git("write-tree"), ours];
}

for (const objectFormat of ["sha1", "sha256"] as const) {
  Deno.test(`writeIndexTree() writes the tree that git writes, ${objectFormat}`, async () => {
    await using temp = await createTempRepo({ files: FILES, objectFormat });
    const steps: readonly (() => Promise<unknown>)[] = [
      () => temp.write({ "a/b.ts": "other\n", "new/folder/x.ts": "new\n" }),
      () => Deno.remove(join(temp.dir, "a/deep"), { recursive: true }),
      () => temp.write({ "a/deep": "a file now\n", ["l".repeat(200)]: "long\n" }),
      () => Deno.symlink("a.ts", join(temp.dir, "same/link")),
      () => Deno.chmod(join(temp.dir, "a.ts"), 0o755),
      () => temp.remove("same/x", "ä/ö ü.txt"),
    ];
    for (const step of steps) {
      await step();
      await temp.git("add", "-A");
      const [theirs, ours] = await toTrees(temp);
      equal(ours, theirs);
    }
    await temp.git("update-index", "--add", "--cacheinfo", `160000,${await head(temp)},sub/module`);
    const [theirs, ours] = await toTrees(temp);
    equal(ours, theirs);
    equal(await temp.git("fsck", "--strict", "--no-dangling"), "");
  });
}

const head = (temp: TempRepo) => temp.git("rev-parse", "HEAD");

Deno.test("writeIndexTree() leaves to git what it does not know", async () => {
  const odd: Readonly<Record<string, (temp: TempRepo) => Promise<unknown>>> = {
    "version 4": (temp) => temp.git("update-index", "--index-version", "4"),
    "a split index": (temp) => temp.git("update-index", "--split-index"),
    "an announced file": async (temp) => {
      await temp.write({ announced: "x\n" });
      await temp.git("add", "-N", "announced");
    },
    "sides of a merge": async (temp) => {
      const blob = await temp.git("rev-parse", "HEAD:a0");
      const path = join(temp.dir, "info");
      await Deno.writeTextFile(path, `100644 ${blob} 2\ta0\n100644 ${blob} 3\ta0\n`);
      await temp.git("rm", "-q", "--cached", "a0");
      await temp.repo.git.bytes(["update-index", "--index-info"], {
        stdin: await Deno.readTextFile(path),
      });
    },
    "no known trees": async (temp) => {
      await Deno.remove(toIndex(temp));
      await temp.git("read-tree", "--empty");
    },
    "a damaged file": (temp) => Deno.writeTextFile(toIndex(temp), "DIRC and nothing\n".repeat(9)),
  };
  for (const [name, make] of Object.entries(odd)) {
    await using temp = await createTempRepo({ files: FILES });
    await make(temp);
    equal(await writeIndexTree(temp.repo, toIndex(temp)), null, name);
  }
});

Deno.test("dropTimes() makes git compare the content of those files, and leaves a whole index", async () => {
  await using temp = await createTempRepo({ files: FILES });
  const before = await temp.git("ls-files", "--stage");
  equal(await dropTimes(temp.repo, toIndex(temp), ["a/b.ts", "ä/ö ü.txt", "unknown"]), true);
  equal(await temp.git("ls-files", "--stage"), before);
  equal(await temp.git("fsck", "--strict", "--no-dangling"), "");
  const debug = await temp.git("ls-files", "--debug", "a/b.ts", "a.ts");
  equal(debug.match(/ctime: 0:0/g)?.length, 1);
  equal(
    await temp.git("diff-files", "--name-only", "-z"),
    "a/b.ts\0ä/ö ü.txt\0",
    "looked at again",
  );
  await temp.git("status");
  equal(await temp.git("diff-files", "--name-only"), "", "and found the same");
});

Deno.test("readIndexFile() reads paths of any length in their order", async () => {
  await using temp = await createTempRepo({ files: FILES });
  const long = Array.from({ length: 30 }, () => "n".repeat(150)).join("/");
  const blob = await temp.git("rev-parse", "HEAD:a0");
  await temp.git("update-index", "--add", "--cacheinfo", `100644,${blob},${long}`);
  const index = await readIndexFile(temp.repo, toIndex(temp));
  ok(index !== null);
  const paths = [...index.starts].map((start) => readPath(index, start));
  equal(paths.length, Object.keys(FILES).length + 1);
  ok(paths.includes(long));
  deepEqual(paths, [...paths].sort());
});

/** Counts the programs that are started for a repository. */
class CountingGit extends Git {
  readonly started: string[] = [];

  override async run(...[args, options]: Parameters<Git["run"]>) {
    this.started.push(args.find((arg) => !arg.startsWith("-")) ?? "");
    return await super.run(args, options);
  }
}

function count(temp: TempRepo): { readonly repo: Repository; readonly take: () => string[] } {
  const git = new CountingGit(temp.dir);
  return { repo: { ...temp.repo, git }, take: () => git.started.splice(0) };
}

const snapshot = (repo: Repository): Promise<Snapshot> =>
  takeSnapshot(repo, { sessionId: SESSION, label: "test", at: new Date("2026-01-01T12:00:00Z") });

Deno.test("a snapshot of changed files starts three programs, a check two, of unchanged ones one less", async () => {
  await using temp = await createTempRepo({ files: FILES });
  const { repo, take } = count(temp);
  await temp.write({ "a/b.ts": "first\n" });
  await snapshot(repo);
  take();
  await temp.write({ "a/b.ts": "second\n", "new/x": "new\n" });
  const tree = await writeWorktreeTree(repo, { sessionId: SESSION });
  deepEqual(take(), ["ls-files", "update-index"]);
  equal((await snapshot(repo)).tree, tree.tree);
  deepEqual(take(), ["ls-files", "update-ref"]);
  await temp.write({ "a/b.ts": "third\n" });
  const { tree: third, commit } = await snapshot(repo);
  deepEqual(take(), ["ls-files", "update-index", "update-ref"]);
  await temp.git("add", "-A");
  equal(await temp.git("write-tree"), third);
  equal(await temp.git("fsck", "--strict", "--no-dangling"), "");
  match(await temp.git("cat-file", "commit", commit), third);
});

function match(text: string, tree: string): void {
  const who = "code-intel <code-intel@localhost> 1767268800 +0000";
  equal(text.split("\n\n")[0], `tree ${tree}\nauthor ${who}\ncommitter ${who}`);
}

Deno.test("a tree that no snapshot keeps is written by git, which finds what was collected", async () => {
  await using temp = await createTempRepo({ files: FILES });
  const { repo, take } = count(temp);
  const write = async (text: string) => {
    await temp.write({ "a/b.ts": text });
    return (await writeWorktreeTree(repo, { sessionId: SESSION })).tree;
  };
  await write("one\n");
  take();
  await write("two\n");
  ok(take().includes("write-tree"));
  await snapshot(repo);
  await write("three\n");
  ok(!take().includes("write-tree"));
  await temp.git("update-ref", "-d", `refs/code-intel/${SESSION}/0001`);
  await temp.git("prune", "--expire=now");
  const last = await write("two\n");
  equal(await temp.git("show", `${last}:a/b.ts`), "two");
  equal(await temp.git("rev-list", "--objects", last).then((list) => list.includes(" a0")), true);
});

Deno.test("a repository that several accounts share gets its objects from git", async () => {
  await using temp = await createTempRepo({ files: FILES });
  await temp.git("config", "core.sharedRepository", "group");
  const { repo, take } = count(temp);
  await snapshot(repo);
  await temp.write({ "a/b.ts": "changed\n" });
  take();
  await snapshot(repo);
  deepEqual(take(), ["ls-files", "update-index", "write-tree", "commit-tree", "update-ref"]);
});
