/** How many programs a look at the files and a snapshot start, and what is written without git. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { Git } from "../../../src/git/git.ts";
import type { Repository } from "../../../src/git/repository.ts";
import type { Snapshot } from "../../../src/git/snapshots/snapshots.ts";
import { writeWorktreeTree } from "../../../src/git/index/private_index.ts";
import { takeSnapshot } from "../../../src/git/snapshots/snapshots.ts";
import type { TempRepo } from "../../support/temp_repo.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

const SESSION = "session_20260101_120000_abcd";
const FILES = {
  "a.ts": "a\n",
  "a/b.ts": "b\n",
  "a/deep/er/c.ts": "c\n",
  "a0": "0\n",
  "ä/ö ü.txt": "odd\n",
};

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

/** A file that was hashed in the second of its change: its times are taken out of the index. */
const CHANGED = ["ls-files", "update-index", "write-tree", "update-index"];

Deno.test("a snapshot starts no program that it does not need", async () => {
  await using temp = await createTempRepo({ files: FILES });
  const { repo, take } = count(temp);
  await temp.write({ "a/b.ts": "first\n" });
  await snapshot(repo);
  take();
  await temp.write({ "a/b.ts": "second\n", "new/x": "new\n" });
  const tree = await writeWorktreeTree(repo, { sessionId: SESSION });
  deepEqual(take(), CHANGED);
  equal((await snapshot(repo)).tree, tree.tree);
  deepEqual(take(), ["ls-files"]);
  await temp.write({ "a/b.ts": "third\n" });
  const { tree: third, tag } = await snapshot(repo);
  deepEqual(take(), CHANGED);
  await temp.git("add", "-A");
  equal(await temp.git("write-tree"), third);
  equal(await temp.git("fsck", "--strict", "--no-dangling"), "");
  match(await temp.git("cat-file", "tag", tag), third);
});

function match(text: string, tree: string): void {
  const who = "code-intel <code-intel@localhost> 1767268800 +0000";
  equal(text.split("\n\n")[0], `object ${tree}\ntype tree\ntag code-intel\ntagger ${who}`);
}

Deno.test("a tree is written whole where a garbage collection took what the index rests on", async () => {
  await using temp = await createTempRepo({ files: FILES });
  const write = async (text: string) => {
    await temp.write({ "a/b.ts": text });
    return (await writeWorktreeTree(temp.repo, { sessionId: SESSION })).tree;
  };
  await write("two\n");
  await write("three\n");
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
  deepEqual(take(), [...CHANGED, "mktag", "update-ref"]);
});
