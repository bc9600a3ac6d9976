/** Holds `src/git/branches/merge.ts` to its promises, on real repositories. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { MergeResult } from "../../../src/git/branches/merge.ts";
import { mergeStaleBranch, mergeTaskBranch } from "../../../src/git/branches/merge.ts";
import { createTaskBranch, formatTaskBranchName } from "../../../src/git/branches/branches.ts";
import type { TempRepo } from "../support.ts";
import {
  createTask,
  createTempRepo,
  makePersonDirty,
  MERGE as OPTIONS,
  moveBase,
  PERSON_STATUS,
  SESSION,
  TASK,
} from "../support.ts";

async function expectMerged(temp: TempRepo, result: MergeResult): Promise<void> {
  if (result.kind !== "merged") throw new Error(JSON.stringify(result));
  equal(await temp.git("symbolic-ref", "--short", "HEAD"), "main");
  equal(await temp.git("branch", "--format=%(refname:short)"), "main");
  equal(await temp.git("rev-parse", "main"), result.commit);
  equal(await temp.git("log", "-1", "--format=%an: %s", "main"), "Test Person: Merge the task");
  equal((await temp.git("rev-list", "--parents", "-1", "main")).split(" ").length, 3);
  equal(await temp.git("show", "main:a"), "task");
  equal(await temp.read("a"), "task\n");
  const kept = await temp.git(
    "for-each-ref",
    "--format=%(subject)",
    `refs/code-intel/branches/${TASK}/`,
  );
  equal(kept, "Work");
}

for (const isBaseMoved of [false, true]) {
  Deno.test(`mergeTaskBranch() carries the person's files along, base ${isBaseMoved ? "moved" : "still"}`, async () => {
    await using temp = await createTask();
    if (isBaseMoved) await moveBase(temp, { b: "base\n", c: "new in base\n" });
    await makePersonDirty(temp);
    const result = await mergeTaskBranch(temp.repo, OPTIONS);
    await expectMerged(temp, result);
    equal(await temp.git("status", "--porcelain"), PERSON_STATUS);
    equal(await temp.read("s"), "staged and changed\n");
    equal(await temp.git("show", ":s"), "staged");
    equal(await temp.read("b"), isBaseMoved ? "base\n" : "1\n");
    const again = await mergeTaskBranch(temp.repo, OPTIONS);
    equal(again.kind === "merged" && again.commit, result.kind === "merged" && result.commit);
  });
}

Deno.test("R13: mergeTaskBranch() answers a conflict and leaves everything as it was", async () => {
  await using temp = await createTask();
  await moveBase(temp, { a: "base\n" });
  await makePersonDirty(temp);
  const state = await temp.state();
  deepEqual(await mergeTaskBranch(temp.repo, OPTIONS), { kind: "conflict", paths: ["a"] });
  equal(await temp.state(), state);
  ok(!(await temp.exists(".git/MERGE_HEAD")));
});

for (
  const [what, prepare] of [
    ["changed", (temp: TempRepo) => temp.write({ b: "person\n" })],
    ["untracked", (temp: TempRepo) => temp.write({ c: "person\n" })],
    ["staged", async (temp: TempRepo) => {
      await temp.write({ b: "person\n" });
      await temp.git("add", "b");
    }],
    ["ignored", async (temp: TempRepo) => {
      await temp.write({ c: "person\n", ".git/info/exclude": "c\n" });
    }],
  ] as const
) {
  Deno.test(`mergeTaskBranch() names a ${what} file in the way and changes nothing`, async () => {
    await using temp = await createTask();
    await moveBase(temp, { b: "base\n", c: "base\n" });
    await prepare(temp);
    const state = await temp.state();
    const result = await mergeTaskBranch(temp.repo, OPTIONS);
    if (result.kind !== "refused") throw new Error(result.kind);
    equal(result.problem.code, "person_changes_in_the_way");
    match(
      String(result.problem.message),
      what === "untracked" || what === "ignored" ? /: c$/ : /: b$/,
    );
    equal(await temp.state(), state);
  });
}

Deno.test("R30: mergeTaskBranch() does not call an empty task branch merged", async () => {
  await using temp = await createTempRepo();
  await createTaskBranch(temp.repo, { sessionId: SESSION, base: "main" });
  await temp.write({ a: "not committed\n" });
  const state = await temp.state();
  deepEqual(await mergeTaskBranch(temp.repo, OPTIONS), { kind: "nothing_to_merge" });
  await moveBase(temp, { b: "base\n" });
  deepEqual(await mergeTaskBranch(temp.repo, OPTIONS), { kind: "nothing_to_merge" });
  equal(await temp.read("a"), "not committed\n");
  ok(state.includes(TASK));
});

Deno.test("mergeTaskBranch() answers a base whose first commit was rewritten: it failed for good", async () => {
  await using temp = await createTask();
  await temp.git("switch", "-q", "--orphan", "other");
  await temp.commit("Rewritten", { a: "task\n", b: "other\n" });
  await temp.git("branch", "-f", "main");
  await temp.git("switch", "-q", TASK);
  deepEqual(await mergeTaskBranch(temp.repo, OPTIONS), { kind: "conflict", paths: ["b"] });
});

Deno.test("mergeTaskBranch() has a problem each for a missing base and one in another worktree", async () => {
  await using temp = await createTask();
  await temp.git("worktree", "add", "-q", join(temp.dir, ".git", "elsewhere"), "main");
  const elsewhere = await mergeTaskBranch(temp.repo, OPTIONS);
  equal(elsewhere.kind === "refused" && elsewhere.problem.code, "base_checked_out_elsewhere");
  await temp.git("worktree", "remove", "--force", join(temp.dir, ".git", "elsewhere"));
  await temp.git("branch", "-m", "main", "renamed");
  const missing = await mergeTaskBranch(temp.repo, OPTIONS);
  equal(missing.kind === "refused" && missing.problem.code, "base_missing");
  await temp.git("switch", "-q", "renamed");
  await temp.git("branch", "main");
  const away = await mergeTaskBranch(temp.repo, OPTIONS);
  equal(away.kind === "refused" && away.problem.code, "head_elsewhere");
});

Deno.test("mergeTaskBranch() reports refusing hooks and a protected base, changing nothing", async () => {
  await using temp = await createTask();
  for (
    const [hook, body, code] of [
      ["pre-merge-commit", "echo no merges; exit 1", "git_hook_failed"],
      ["commit-msg", "exit 1", "git_message_refused"],
      [
        "reference-transaction",
        'test "$1" != prepared || ! grep -q refs/heads/main',
        "git_ref_refused",
      ],
    ] as const
  ) {
    const path = join(temp.dir, ".git/hooks", hook);
    await temp.write({ [`.git/hooks/${hook}`]: `#!/bin/sh\n${body}\n` });
    await Deno.chmod(path, 0o755);
    const state = await temp.state();
    const result = await mergeTaskBranch(temp.repo, OPTIONS);
    equal(result.kind === "refused" && result.problem.code, code);
    equal(await temp.state(), state);
    await Deno.remove(path);
  }
  await expectMerged(temp, await mergeTaskBranch(temp.repo, OPTIONS));
});

/** The points at which a killed merge can have stopped, done by hand from a finished merge. */
const KILL_POINTS: readonly (readonly [
  name: string,
  rewind: (
    temp: TempRepo,
    tips: { readonly task: string; readonly merge: string },
  ) => Promise<unknown>,
])[] = [
  ["after the base moved", async (temp, { task }) => {
    await temp.git("symbolic-ref", "HEAD", `refs/heads/${TASK}`);
    await temp.git("read-tree", "-m", "-u", "main", task);
  }],
  ["with some files written", async (temp, { task }) => {
    await temp.git("symbolic-ref", "HEAD", `refs/heads/${TASK}`);
    await temp.git("read-tree", "-m", "-u", "main", task);
    await temp.write({ b: "base\n", c: "new in base\n" });
  }],
  [
    "after the files, before HEAD",
    (temp) => temp.git("symbolic-ref", "HEAD", `refs/heads/${TASK}`),
  ],
  ["before the branch was deleted", () => Promise.resolve()],
];

for (const [name, rewind] of KILL_POINTS) {
  Deno.test(`mergeTaskBranch() completes its work after a kill ${name}`, async () => {
    await using temp = await createTask();
    await moveBase(temp, { b: "base\n", c: "new in base\n" });
    const task = await temp.git("rev-parse", TASK);
    const first = await mergeTaskBranch(temp.repo, OPTIONS);
    const merge = first.kind === "merged" ? first.commit : "";
    await temp.git("branch", TASK, task);
    await temp.git("for-each-ref", "--format=delete %(refname)", `refs/code-intel/branches/${TASK}`)
      .then((lines) => temp.git("update-ref", "-d", lines.split(" ")[1] ?? ""));
    await rewind(temp, { task, merge });
    await makePersonDirty(temp);
    const again = await mergeTaskBranch(temp.repo, OPTIONS);
    await expectMerged(temp, again);
    equal(again.kind === "merged" && again.commit, merge);
    equal(await temp.git("status", "--porcelain"), PERSON_STATUS);
    equal(await temp.read("b"), "base\n");
  });
}

Deno.test("mergeTaskBranch() completes a merge whose HEAD was on the base when it was killed", async () => {
  await using temp = await createTask();
  const start = await temp.git("rev-parse", "main");
  const task = await temp.git("rev-parse", TASK);
  await temp.git("switch", "-q", "main");
  const first = await mergeTaskBranch(temp.repo, OPTIONS);
  equal(first.kind, "merged");
  await temp.git("branch", TASK, task);
  await temp.git("read-tree", "-m", "-u", "main", start);
  equal(await temp.git("status", "--porcelain"), "M  a");
  equal((await mergeTaskBranch(temp.repo, OPTIONS)).kind, "merged");
  equal(await temp.git("status", "--porcelain"), "");
});

Deno.test("mergeTaskBranch() repeated after a kill leaves no commit behind that came to the task branch meanwhile", async () => {
  await using temp = await createTask();
  const expectedTip = await temp.git("rev-parse", TASK);
  const first = await mergeTaskBranch(temp.repo, { ...OPTIONS, expectedTip });
  equal(first.kind, "merged");
  // The base has the merge; HEAD and the branch are as they were before.
  await temp.git("branch", TASK, expectedTip);
  await temp.git("symbolic-ref", "HEAD", `refs/heads/${TASK}`);
  const late = await temp.commit("Came late", { late: "x\n" });
  const again = await mergeTaskBranch(temp.repo, { ...OPTIONS, expectedTip });
  equal(again.kind === "refused" && again.problem.code, "head_moved");
  deepEqual([await temp.git("rev-parse", TASK), await temp.read("late")], [late, "x\n"]);
  // Where any tip may be merged, this one is.
  equal((await mergeTaskBranch(temp.repo, OPTIONS)).kind, "merged");
  equal(await temp.git("show", "main:late"), "x");
});

Deno.test("R2: mergeStaleBranch() off a task branch refuses and deletes nothing", async () => {
  await using temp = await createTask();
  await temp.git("switch", "-q", "main");
  const state = await temp.state();
  const result = await mergeStaleBranch(temp.repo);
  equal(result.kind === "refused" && result.problem.code, "not_on_task_branch");
  equal(await temp.state(), state);
});

Deno.test("R40: mergeStaleBranch() merges into a base with a slash and leaves other branches", async () => {
  await using temp = await createTempRepo({ branch: "feature/log_in", files: { a: "1\n" } });
  const task = formatTaskBranchName(SESSION, "feature/log_in");
  await temp.git("branch", formatTaskBranchName("session_20260101_000000_aaaa", "main"));
  await temp.git("switch", "-qc", task);
  await temp.commit("Work", { a: "task\n" });
  equal((await mergeStaleBranch(temp.repo)).kind, "merged");
  equal(await temp.git("symbolic-ref", "--short", "HEAD"), "feature/log_in");
  equal(
    await temp.git("branch", "--format=%(refname:short)"),
    "feature/log_in\nllm_task_session_20260101_000000_aaaa_from_main",
  );
});

Deno.test("mergeTaskBranch() merges no other tip than the one that was reviewed", async () => {
  await using temp = await createTask();
  const expectedTip = await temp.git("rev-parse", TASK);
  const main = await temp.git("rev-parse", "main");
  await temp.commit("Past the review", { evil: "x\n" });
  const refused = await mergeTaskBranch(temp.repo, { ...OPTIONS, expectedTip });
  equal(refused.kind === "refused" && refused.problem.code, "head_moved");
  equal(await temp.git("rev-parse", "main"), main);
  await temp.git("reset", "-q", "--hard", expectedTip);
  await expectMerged(temp, await mergeTaskBranch(temp.repo, { ...OPTIONS, expectedTip }));
});
