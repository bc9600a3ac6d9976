/** What no tree of git can hold is seen all the same, until the ledger knows it. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { writeWorktreeTree } from "../../src/git/index/private_index.ts";
import { hashGuardedFiles } from "../../src/git/snapshots/guarded_files.ts";
import { createTrees, hashUnstored, updateHashes } from "../../src/ledger/trees.ts";
import { observe } from "../../src/ledger/observe.ts";
import type { LedgerState } from "../../src/phase/state.ts";
import type { TempRepo } from "../support/temp_repo.ts";
import { createTempRepo } from "../support/temp_repo.ts";

const OPTIONS = { sessionId: "session_20261121_101500_3fa9", maxFileMb: 50 };
const FILES = { "a.ts": "a\n" };

async function toLedger({ repo }: TempRepo): Promise<LedgerState> {
  const { tree } = await writeWorktreeTree(repo, OPTIONS);
  const gitFiles = await hashGuardedFiles(repo);
  return { tree, head: null, personPaths: [], foundTree: null, gitFiles, mode: "strict" };
}

/** What no tree can hold: what is done, and how it is seen. */
const ODD: readonly {
  readonly name: string;
  readonly act: (temp: TempRepo) => Promise<unknown>;
  readonly path: string;
}[] = [
  {
    name: "a huge file",
    act: ({ write }) => write({ "huge.bin": "x".repeat(40) }),
    path: "huge.bin",
  },
  {
    name: "a repository without a commit",
    act: async ({ write, git }) => {
      await git("init", "-q", "inner");
      await write({ "inner/new.ts": "x\n" });
    },
    path: "inner",
  },
  {
    name: "a name that git refuses",
    act: ({ write }) => write({ ".GIT/new.ts": "x\n" }),
    path: ".GIT/new.ts",
  },
];

for (const { name, act, path } of ODD) {
  Deno.test(`observe() sees ${name}, which no tree can hold, until the ledger knows it`, async () => {
    await using temp = await createTempRepo({ files: FILES });
    const small = { ...OPTIONS, repo: temp.repo, maxFileMb: 30 / (1024 * 1024) };
    const ledger = { ...await toLedger(temp), odd: {} };
    await act(temp);
    const seen = await observe(createTrees(temp.repo), ledger, small);
    deepEqual(seen.changes.map((change) => [change.path, change.kind]), [[path, "added"]]);
    const known = { ...ledger, odd: updateHashes(ledger.odd, seen.odd, [path]) };
    deepEqual((await observe(createTrees(temp.repo), known, small)).changes, []);
    deepEqual(await hashUnstored(temp.repo, await writeWorktreeTree(temp.repo, small)), seen.odd);
    await temp.remove(path);
    const gone = await observe(createTrees(temp.repo), known, small);
    deepEqual(gone.changes.map((change) => [change.path, change.kind]), [[path, "deleted"]]);
    // A ledger of an older program knows nothing of these.
    const { odd: _odd, ...old } = ledger;
    deepEqual((await observe(createTrees(temp.repo), old, small)).changes, []);
  });
}

Deno.test("updateHashes() takes the present hashes of some paths, and forgets what is gone", () => {
  deepEqual(updateHashes({ a: "1", b: "1", c: "1" }, { a: "2", b: "2", d: "2" }, ["a", "c", "d"]), {
    a: "2",
    b: "1",
    d: "2",
  });
});
