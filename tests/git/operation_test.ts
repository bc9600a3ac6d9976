/** Holds `src/git/operation.ts` to its promises, in the middle of real operations of git. */
import {
  deepStrictEqual as deepEqual,
  match,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { join } from "node:path";
import { createTaskBranch } from "../../src/git/branches/branches.ts";
import { makeCommit } from "../../src/git/branches/commit.ts";
import { expectNoOperation, findOperation, formatWaysOut } from "../../src/git/locks.ts";
import type { TempRepo } from "./support.ts";
import { createTempRepo, SESSION, takeTree } from "./support.ts";

/** Two branches that change the same line. */
async function createConflict(): Promise<TempRepo> {
  const temp = await createTempRepo({ files: { a: "1\n" } });
  await temp.git("switch", "-q", "-c", "other");
  await temp.commit("Other", { a: "other\n" });
  await temp.git("switch", "-q", "main");
  await temp.commit("Main", { a: "main\n" });
  return temp;
}

async function run(temp: TempRepo, ...args: readonly string[]): Promise<void> {
  // Git ends with a failure where it stops in the middle.
  await temp.git(...args).catch(() => {});
}

/** How each operation begins, how it is called, and one of git's ways out. */
const ROWS: readonly {
  readonly name: string;
  readonly way: string;
  readonly begin: (temp: TempRepo) => Promise<void>;
}[] = [
  { name: "a merge", way: "git merge --abort", begin: (temp) => run(temp, "merge", "other") },
  { name: "a rebase", way: "git rebase --abort", begin: (temp) => run(temp, "rebase", "other") },
  {
    name: "a rebase",
    way: "git rebase --skip",
    begin: (temp) => run(temp, "rebase", "--apply", "other"),
  },
  {
    name: "a cherry-pick",
    way: "git cherry-pick --continue",
    begin: (temp) => run(temp, "cherry-pick", "other"),
  },
  {
    name: "a revert",
    way: "git revert --abort",
    begin: async (temp) => {
      await temp.commit("Later", { a: "later\n" });
      await run(temp, "revert", "HEAD~1");
    },
  },
  {
    name: "`git am`",
    way: "git am --abort",
    begin: async (temp) => {
      await temp.git("format-patch", "-q", "-1", "other", "-o", ".git/patches");
      await run(temp, "am", ".git/patches/0001-Other.patch");
    },
  },
];

for (const { name, way, begin } of ROWS) {
  Deno.test(`${name} under way is named with \`${way}\`, and nothing is committed in the middle`, async () => {
    await using temp = await createConflict();
    equal(await findOperation(temp.repo), null);
    await begin(temp);
    const operation = await findOperation(temp.repo);
    if (operation === null) throw new Error("nothing was found");
    equal(operation.name, name);
    match(formatWaysOut(operation), new RegExp(`\`${way}\``));
    await rejects(expectNoOperation(temp.repo), { code: "git_under_way" });
    const head = await temp.git("rev-parse", "main");
    const tree = await takeTree(temp);
    const commit = {
      branch: "main",
      message: "Mine\n",
      tree,
      parents: [head],
      expectedHead: head,
      acceptHookChanges: false,
      sessionId: SESSION,
    };
    const made = await makeCommit(temp.repo, commit).then(({ kind }) => kind, ({ code }) => code);
    // A rebase has left the branch, which is said first.
    equal(["git_under_way", "refused"].includes(made), true, made);
    equal(await temp.git("rev-parse", "main"), head);
  });
}

Deno.test("a bisect is named, and stops no commit: git does not either", async () => {
  await using temp = await createConflict();
  await temp.git("bisect", "start");
  const operation = await findOperation(temp.repo);
  deepEqual([operation?.name, operation?.ways], ["a bisect", ["git bisect reset"]]);
  equal((await createTaskBranch(temp.repo, { sessionId: SESSION, base: "main" })).kind, "created");
});

Deno.test("an operation of another worktree is none of this one", async () => {
  await using temp = await createConflict();
  const place = join(temp.dir, ".git", "side");
  await temp.git("worktree", "add", "-q", place, "other");
  await temp.git("-C", place, "merge", "main").catch(() => {});
  equal(await findOperation(temp.repo), null);
});
