/** Deleted branches come back at the commit that they had, and no branch is ever moved. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { deleteBranch } from "../../../src/git/branches/branches.ts";
import { listKeptBranches, restoreBranch } from "../../../src/git/branches/own_refs.ts";
import { createTempRepo, expectUntouched } from "../support.ts";

Deno.test("listKeptBranches() lists each deletion, by branch, newest first", async () => {
  await using temp = await createTempRepo();
  equal((await listKeptBranches(temp.repo)).length, 0);
  const head = await temp.git("rev-parse", "HEAD");
  for (const [name, time] of [["b", "10:00"], ["a/x", "11:00"], ["b", "12:00"]] as const) {
    await temp.git("branch", name);
    await deleteBranch(temp.repo, name, new Date(`2026-11-21T${time}:00Z`));
  }
  await temp.git("update-ref", "refs/code-intel/branches/b/by-hand", head);
  const kept = await listKeptBranches(temp.repo);
  deepEqual(kept.map(({ branch, at, tip, subject }) => [branch, at, tip, subject]), [
    ["a/x", "2026-11-21T11:00:00.000Z", head, "First"],
    ["b", "2026-11-21T12:00:00.000Z", head, "First"],
    ["b", "2026-11-21T10:00:00.000Z", head, "First"],
  ]);
});

for (const objectFormat of ["sha1", "sha256"] as const) {
  Deno.test(`restoreBranch() makes the branch again and touches nothing else (${objectFormat})`, async () => {
    await using temp = await createTempRepo({ objectFormat });
    await temp.git("switch", "-qc", "side");
    const tip = await temp.commit("Side", { a: "1\n" });
    await temp.git("switch", "-q", "main");
    await deleteBranch(temp.repo, "side");
    const [kept] = await listKeptBranches(temp.repo);
    if (kept === undefined) throw new Error("nothing kept");
    deepEqual(await restoreBranch(temp.repo, kept), { kind: "restored" });
    equal(await temp.git("rev-parse", "side"), tip);
    deepEqual(await restoreBranch(temp.repo, kept), { kind: "present" });
    await temp.git("branch", "-qf", "side", "main");
    const refused = await expectUntouched(temp, () => restoreBranch(temp.repo, kept));
    const problem = refused.kind === "refused" ? refused.problem : null;
    equal(problem?.code, "branch_exists");
    // The line that it names shows both.
    const [, range = ""] = / --oneline (\S+);/.exec(`${problem?.hint}`) ?? [];
    equal(await temp.git("log", "--format=%s", range), "Side");
  });
}
