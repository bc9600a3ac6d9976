/** What is remembered of git's answers: bounded, and only where nothing can change. */
import { deepStrictEqual as deepEqual, rejects, strictEqual as equal } from "node:assert/strict";
import { LIMITS } from "../../src/base/settings/limits.ts";
import { AnswerMemory } from "../../src/git/git.ts";
import { readTree } from "../../src/git/repository.ts";
import { diffTrees } from "../../src/git/trees/changes.ts";
import { createTempRepo } from "../support/temp_repo.ts";

Deno.test("AnswerMemory forgets what was not used for longest, and never takes a huge answer", () => {
  const memory = new AnswerMemory();
  const limit = LIMITS.gitMemoryBytes.value;
  memory.set("huge", new Uint8Array(limit));
  equal(memory.get("huge"), undefined);
  const part = new Uint8Array(limit / 10);
  for (let at = 0; at < 9; at++) memory.set(`${at}`, part);
  equal(memory.get("0"), part);
  for (let at = 9; at < 12; at++) memory.set(`${at}`, part);
  deepEqual(["0", "1", "2", "3", "11"].map((question) => memory.get(question) === part), [
    true,
    false,
    false,
    false,
    true,
  ]);
});

Deno.test("fixed() starts git once for one question, also for two at once, and keeps no failure", async () => {
  await using temp = await createTempRepo({ files: { a: "a\n" } });
  const { git } = temp.repo;
  const args = ["rev-parse", "--verify", "HEAD^{tree}"];
  const [one, two] = await Promise.all([git.fixed(args), git.fixed(args)]);
  equal(one, two);
  equal(await git.fixed(args), one);
  const missing = ["cat-file", "blob", "0123456789012345678901234567890123456789"];
  await rejects(git.fixed(missing), /git_failed|Cannot run git/);
  await rejects(git.fixed(missing), /git_failed|Cannot run git/);
});

Deno.test("diffTrees() and readTree() follow names that move", async () => {
  await using temp = await createTempRepo({ files: { a: "a\n" } });
  const before = await readTree(temp.repo, "HEAD");
  equal((await diffTrees(temp.repo, before, "HEAD")).length, 0);
  await temp.commit("Second", { a: "b\n" });
  equal((await diffTrees(temp.repo, before, "HEAD")).length, 1);
  equal(await readTree(temp.repo, "HEAD") === before, false);
});
