import { deepEqual, equal } from "node:assert/strict";
import { join } from "node:path";
import { switchBranch } from "../../src/git/mod.ts";
import type { TempRepo } from "./support.ts";
import { createTempRepo, makePersonDirty, PERSON_STATUS } from "./support.ts";

/** On main, with a branch `other` that changes a, adds b and removes c. */
async function createTwo(): Promise<TempRepo> {
  const temp = await createTempRepo({ files: { a: "1\n", c: "1\n", p: "1\n", s: "1\n" } });
  await temp.git("switch", "-qc", "other");
  await temp.remove("c");
  await temp.commit("Other", { a: "2\n", b: "2\n" });
  await temp.git("switch", "-q", "main");
  return temp;
}

Deno.test("switchBranch() carries the person's files along", async () => {
  await using temp = await createTwo();
  await makePersonDirty(temp);
  deepEqual(await switchBranch(temp.repo, "other"), { kind: "switched" });
  equal(await temp.git("symbolic-ref", "--short", "HEAD"), "other");
  equal(await temp.git("status", "--porcelain"), PERSON_STATUS);
  equal(await temp.read("a"), "2\n");
  deepEqual(await switchBranch(temp.repo, "other"), { kind: "switched" });
});

Deno.test("switchBranch() goes on after a kill that left some files written", async () => {
  await using temp = await createTwo();
  await temp.write({ a: "2\n", b: "2\n" });
  await temp.remove("c");
  deepEqual(await switchBranch(temp.repo, "other"), { kind: "switched" });
  equal(await temp.git("status", "--porcelain"), "");
});

Deno.test("switchBranch() refuses and changes nothing when a file is in the way", async () => {
  await using temp = await createTwo();
  await temp.write({ a: "2\n", b: "person\n" });
  const state = await temp.state();
  const result = await switchBranch(temp.repo, "other");
  equal(result.kind === "refused" && result.problem.code, "person_changes_in_the_way");
  equal(await temp.state(), state);
});

Deno.test("switchBranch() refuses a branch that is missing or checked out elsewhere", async () => {
  await using temp = await createTwo();
  const missing = await switchBranch(temp.repo, "none");
  equal(missing.kind === "refused" && missing.problem.code, "base_missing");
  await temp.git("worktree", "add", "-q", join(temp.dir, ".git", "elsewhere"), "other");
  const elsewhere = await switchBranch(temp.repo, "other");
  equal(elsewhere.kind === "refused" && elsewhere.problem.code, "base_checked_out_elsewhere");
});
