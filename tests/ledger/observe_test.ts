/** What is seen of a real repository: every way in which a file can differ from the ledger. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { writeWorktreeTree } from "../../src/git/index/private_index.ts";
import { hashGuardedFiles } from "../../src/git/snapshots/guarded_files.ts";
import { compareHashes, createTrees } from "../../src/ledger/trees.ts";
import { observe } from "../../src/ledger/observe.ts";
import type { LedgerState } from "../../src/phase/state.ts";
import type { TempRepo } from "../support/temp_repo.ts";
import { createTempRepo, expectUntouched } from "../support/temp_repo.ts";

const OPTIONS = { sessionId: "session_20261121_101500_3fa9", maxFileMb: 50 };

async function toLedger({ repo }: TempRepo): Promise<LedgerState> {
  const { tree } = await writeWorktreeTree(repo, OPTIONS);
  const gitFiles = await hashGuardedFiles(repo);
  return { tree, head: null, personPaths: [], foundTree: null, gitFiles, mode: "strict" };
}

function look({ repo }: TempRepo, ledger: LedgerState) {
  return observe(createTrees(repo), ledger, { ...OPTIONS, repo });
}

const FILES = { "a.ts": "a\n", "b.ts": "b\n", "run.sh": "#!/bin/sh\n", ".gitignore": "*.log\n" };

interface Case {
  readonly name: string;
  readonly act: (temp: TempRepo) => Promise<unknown>;
  /** Path, kind and size of each change. */
  readonly seen: readonly (readonly [string, string, number | null])[];
}

const CASES: readonly Case[] = [
  { name: "nothing", act: () => Promise.resolve(), seen: [] },
  {
    name: "an edit through the shell",
    act: ({ dir }) =>
      new Deno.Command("sh", { args: ["-c", "sed -i s/a/changed/ a.ts"], cwd: dir }).output(),
    seen: [["a.ts", "modified", 8]],
  },
  {
    name: "an edit with the size and the times of the old content",
    act: async ({ dir, write }) => {
      const file = join(dir, "a.ts");
      const { atime, mtime } = await Deno.stat(file);
      await write({ "a.ts": "x\n" });
      await Deno.utime(file, atime ?? new Date(0), mtime ?? new Date(0));
    },
    seen: [["a.ts", "modified", 2]],
  },
  {
    name: "new files, odd names among them",
    act: ({ write }) => write({ "new/ä b'\n.ts": "n\n" }),
    seen: [["new/ä b'\n.ts", "added", 2]],
  },
  { name: "a deletion", act: ({ remove }) => remove("a.ts"), seen: [["a.ts", "deleted", null]] },
  {
    name: "a rename as both of its paths",
    act: ({ git }) => git("mv", "a.ts", "c.ts"),
    seen: [["a.ts", "deleted", null], ["c.ts", "added", 2]],
  },
  {
    name: "a changed executable bit",
    act: ({ dir }) => Deno.chmod(join(dir, "run.sh"), 0o755),
    seen: [["run.sh", "modified", 10]],
  },
  {
    name: "a symbolic link in place of a file",
    act: async ({ dir }) => {
      await Deno.remove(join(dir, "a.ts"));
      await Deno.symlink("b.ts", join(dir, "a.ts"));
    },
    seen: [["a.ts", "type", 4]],
  },
  {
    name: "a new symbolic link, not what it leads to",
    act: ({ dir }) => Deno.symlink("/etc/hostname", join(dir, "link")),
    seen: [["link", "added", 13]],
  },
  {
    name: "a file that is marked assume-unchanged",
    act: async ({ git, write }) => {
      await git("update-index", "--assume-unchanged", "a.ts");
      await write({ "a.ts": "hidden\n" });
    },
    seen: [["a.ts", "modified", 7]],
  },
  {
    name: "a file that is marked skip-worktree",
    act: async ({ git, write }) => {
      await git("update-index", "--skip-worktree", "a.ts");
      await write({ "a.ts": "hidden\n" });
    },
    seen: [["a.ts", "modified", 7]],
  },
  {
    name: "a change that was staged and taken back on the disk",
    act: async ({ git, write }) => {
      await write({ "a.ts": "x\n" });
      await git("add", "a.ts");
      await write({ "a.ts": "a\n" });
    },
    seen: [],
  },
  {
    name: "a change that was committed",
    act: ({ commit }) => commit("By hand", { "a.ts": "committed\n" }),
    seen: [["a.ts", "modified", 10]],
  },
  { name: "an ignored file as nothing", act: ({ write }) => write({ "x.log": "x" }), seen: [] },
  {
    name: "an ignored file that was added by force",
    act: async ({ git, write }) => {
      await write({ "x.log": "x" });
      await git("add", "-f", "x.log");
    },
    seen: [["x.log", "added", 1]],
  },
];

for (const { name, act, seen } of CASES) {
  Deno.test(`observe() sees ${name}`, async () => {
    await using temp = await createTempRepo({ files: FILES });
    const ledger = await toLedger(temp);
    await act(temp);
    const { changes, tree } = await expectUntouched(
      temp,
      () => look(temp, ledger),
    );
    deepEqual(changes.map(({ path, kind, sizeBytes }) => [path, kind, sizeBytes]), seen);
    equal(tree === ledger.tree, seen.length === 0);
  });
}

Deno.test("observe() says where HEAD is", async () => {
  await using temp = await createTempRepo();
  const ledger = await toLedger(temp);
  const commit = await temp.git("rev-parse", "HEAD");
  deepEqual((await look(temp, ledger)).head, { branch: "main", commit });
  await temp.git("checkout", "-q", "--detach");
  deepEqual((await look(temp, ledger)).head, { branch: null, commit });
  await temp.git("switch", "-q", "--orphan", "empty");
  deepEqual((await look(temp, ledger)).head, { branch: "empty", commit: null });
});

Deno.test("observe() names the files that steer git and changed, with their present hashes", async () => {
  await using temp = await createTempRepo();
  const ledger = await toLedger(temp);
  await temp.write({ ".git/hooks/pre-commit": "#!/bin/sh\n" });
  await temp.git("config", "alias.x", "log");
  const seen = await look(temp, ledger);
  deepEqual([seen.gitFiles, seen.changes], [["config", "hooks/pre-commit"], []]);
  equal(seen.gitHashes.config === ledger.gitFiles.config, false);
});

Deno.test("compareHashes() names what differs, is new or is gone, by name", () => {
  deepEqual(compareHashes({ a: "1", b: "1", c: "1" }, { a: "1", b: "2", d: "1" }), ["b", "c", "d"]);
  deepEqual(compareHashes({ a: "1" }, { a: "1" }), []);
});

Deno.test("observe() tells a link that leads out of the worktree from one that stays", async () => {
  await using temp = await createTempRepo({ files: { ...FILES, "src/a.ts": "a\n" } });
  const ledger = await toLedger(temp);
  await Deno.symlink("/etc/hostname", join(temp.dir, "src/absolute"));
  await Deno.symlink("../../gone", join(temp.dir, "src/above"));
  await Deno.symlink("../a.ts", join(temp.dir, "src/inside"));
  const { changes } = await look(temp, ledger);
  deepEqual(changes.map(({ path, leadsOutside = false }) => [path, leadsOutside]), [
    ["src/above", true],
    ["src/absolute", true],
    ["src/inside", false],
  ]);
});
