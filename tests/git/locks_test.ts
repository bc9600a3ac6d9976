/** Holds `src/git/locks.ts` to its promises, on real repositories. */
import { match, ok, rejects, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { CodeIntelError } from "../../src/base/errors.ts";
import { createTaskBranch, deleteBranch } from "../../src/git/branches/branches.ts";
import { makeCommit } from "../../src/git/branches/commit.ts";
import { mergeTaskBranch } from "../../src/git/branches/merge.ts";
import { attachBranch, resetSoft, switchBranch } from "../../src/git/branches/switch_files.ts";
import { expectUnlocked } from "../../src/git/locks.ts";
import type { TempRepo } from "./support.ts";
import { createTask, createTempRepo, MERGE, moveBase, SESSION, takeTree, TASK } from "./support.ts";

/** Makes a lock file that is too old to be waited for. */
async function lock(temp: TempRepo, name: string): Promise<void> {
  await temp.write({ [`.git/${name}`]: "" });
  await Deno.utime(join(temp.dir, ".git", name), new Date(0), new Date(0));
}

async function writeHook(temp: TempRepo, name: string, body: string): Promise<void> {
  await temp.write({ [`.git/hooks/${name}`]: `#!/bin/sh\n${body}\n` });
  await Deno.chmod(join(temp.dir, ".git/hooks", name), 0o755);
}

/** Options of a commit that changes `a` on the task branch. */
async function prepare(temp: TempRepo) {
  const head = await temp.git("rev-parse", "HEAD");
  await temp.write({ a: "more\n" });
  const tree = await takeTree(temp);
  return {
    branch: TASK,
    message: "Change a\n",
    tree,
    parents: [head],
    expectedHead: head,
    acceptHookChanges: false,
    sessionId: SESSION,
  };
}

/** What moves HEAD, a branch or the index, and which locks stop it. */
const WRITES: readonly {
  readonly what: string;
  readonly stoppedBy: readonly string[];
  readonly write: (temp: TempRepo) => Promise<unknown>;
}[] = [
  {
    what: "createTaskBranch()",
    stoppedBy: ["index.lock", "HEAD.lock", `refs/heads/${TASK}.lock`],
    write: ({ repo }) => createTaskBranch(repo, { sessionId: SESSION, base: TASK }),
  },
  {
    what: "makeCommit()",
    stoppedBy: ["index.lock", "HEAD.lock", `refs/heads/${TASK}.lock`],
    write: async (temp) => await makeCommit(temp.repo, await prepare(temp)),
  },
  {
    what: "mergeTaskBranch()",
    stoppedBy: [
      "index.lock",
      "HEAD.lock",
      "refs/heads/main.lock",
      `refs/heads/${TASK}.lock`,
      "packed-refs.lock",
    ],
    write: ({ repo }) => mergeTaskBranch(repo, MERGE),
  },
  {
    what: "switchBranch()",
    stoppedBy: ["index.lock", "HEAD.lock"],
    write: ({ repo }) => switchBranch(repo, "main"),
  },
  {
    what: "takeBranch()",
    stoppedBy: ["index.lock", "HEAD.lock"],
    write: ({ repo }) => attachBranch(repo, "main", SESSION),
  },
  {
    what: "resetSoft()",
    stoppedBy: ["index.lock", "HEAD.lock"],
    write: ({ repo }) => resetSoft(repo, "HEAD~1"),
  },
  {
    what: "deleteBranch()",
    stoppedBy: ["index.lock", "HEAD.lock", "refs/heads/old.lock", "packed-refs.lock"],
    write: ({ repo }) => deleteBranch(repo, "old"),
  },
];

for (const { what, stoppedBy, write } of WRITES) {
  Deno.test(`${what} moves nothing while another git holds a lock`, async () => {
    for (const name of stoppedBy) {
      await using temp = await createTask();
      await temp.git("branch", "old");
      await lock(temp, name);
      const refs = await temp.git("for-each-ref", "refs/heads");
      const failure = await write(temp).then(() => null, (thrown) => thrown);
      ok(failure instanceof CodeIntelError, `${name}: ${failure}`);
      equal(failure.code, "git_locked");
      match(failure.message, new RegExp(`"\\.git/${name}"`));
      equal(await temp.git("for-each-ref", "refs/heads"), refs);
      equal(await temp.git("branch", "--show-current"), TASK);
    }
  });
}

Deno.test("expectUnlocked() waits for a young lock, and is not stopped by locks of other parts", async () => {
  await using temp = await createTempRepo();
  await lock(temp, "packed-refs.lock");
  await lock(temp, "config.lock");
  await lock(temp, "refs/heads/other.lock");
  await expectUnlocked(temp.repo, { branches: ["main"] });
  await temp.write({ ".git/index.lock": "" });
  setTimeout(() => void temp.remove(".git/index.lock"), 30);
  await expectUnlocked(temp.repo);
});

const LEAVES_LOCK = '[ "$1" = committed ] && touch -d @0 .git/index.lock; exit 0';

Deno.test("makeCommit() takes the branch back when a lock appears after it moved", async () => {
  await using temp = await createTask();
  const options = await prepare(temp);
  await writeHook(temp, "reference-transaction", LEAVES_LOCK);
  await rejects(makeCommit(temp.repo, options), { code: "git_locked", message: /^Another git/ });
  equal(await temp.git("rev-parse", "HEAD"), options.expectedHead);
  await temp.remove(".git/hooks/reference-transaction");
  await temp.remove(".git/index.lock");
  equal(await temp.git("diff", "--cached", "--name-only"), "");
  equal((await makeCommit(temp.repo, options)).kind, "made");
  equal(await temp.git("status", "--porcelain"), "");
});

Deno.test("makeCommit() says that the commit is made where the branch cannot be taken back", async () => {
  await using temp = await createTask();
  const options = await prepare(temp);
  const body = `${LEAVES_LOCK.replace("; exit 0", "")}; [ -e .git/index.lock ] && exit 1; exit 0`;
  await writeHook(temp, "reference-transaction", body);
  const failure = await makeCommit(temp.repo, options).then(() => null, (thrown) => thrown);
  match(`${failure}`, /The commit [0-9a-f]{40} is made; git's index is not brought to it/);
  await temp.remove(".git/hooks/reference-transaction");
  await temp.remove(".git/index.lock");
  equal((await makeCommit(temp.repo, options)).kind, "made");
  equal(await temp.git("status", "--porcelain"), "");
});

Deno.test("mergeTaskBranch() takes the base back when a lock appears after it moved", async () => {
  await using temp = await createTask();
  const main = await temp.git("rev-parse", "main");
  await writeHook(temp, "reference-transaction", LEAVES_LOCK);
  await rejects(mergeTaskBranch(temp.repo, MERGE), { code: "git_locked", message: /^Another git/ });
  equal(await temp.git("rev-parse", "main"), main);
  await temp.remove(".git/hooks/reference-transaction");
  await temp.remove(".git/index.lock");
  equal((await mergeTaskBranch(temp.repo, MERGE)).kind, "merged");
  equal(await temp.git("status", "--porcelain"), "");
});

Deno.test("mergeTaskBranch() calls a merge done whose branch stays, and says so", async () => {
  await using temp = await createTask();
  await moveBase(temp, { b: "base\n" });
  // Only a lock of later is met: this one appears while the merge writes files.
  await temp.git("config", "filter.lock.smudge", "touch -d @0 .git/packed-refs.lock; cat");
  await temp.write({ ".git/info/attributes": "b filter=lock\n" });
  const merged = await mergeTaskBranch(temp.repo, MERGE);
  ok(merged.kind === "merged", JSON.stringify(merged));
  match(merged.branchLeft ?? "", /packed-refs\.lock/);
  equal(await temp.git("branch", "--show-current"), "main");
  equal(await temp.git("rev-parse", "HEAD"), merged.commit);
});
