/** Switching to another branch with the person's files in the worktree. */
import { match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { switchBranch } from "../../../src/git/branches/switch_files.ts";
import type { TempRepo } from "../../support/temp_repo.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

/** `main` with a and b; `task` with another a, a new file, and b gone. HEAD on main. */
async function createTwoBranches(): Promise<TempRepo> {
  const temp = await createTempRepo({ files: { "a.ts": "a\n", "b.ts": "b\n", "same.ts": "s\n" } });
  await temp.git("switch", "-q", "-c", "task");
  await temp.remove("b.ts");
  await temp.commit("Task", { "a.ts": "task\n", "new/x.ts": "x\n" });
  await temp.git("switch", "-q", "main");
  return temp;
}

async function codeOf(temp: TempRepo, branch: string): Promise<string> {
  const result = await switchBranch(temp.repo, branch);
  return result.kind === "refused" ? result.problem.code : result.kind;
}

Deno.test("switchBranch() brings files and index along, both ways", async () => {
  await using temp = await createTwoBranches();
  equal(await codeOf(temp, "task"), "switched");
  equal(await temp.git("branch", "--show-current"), "task");
  equal(await temp.git("status", "--porcelain"), "");
  equal(await temp.read("a.ts"), "task\n");
  equal(await temp.exists("b.ts"), false);
  equal(await codeOf(temp, "main"), "switched");
  equal(await temp.exists("new"), false, "an empty folder is taken away");
  equal(await temp.git("status", "--porcelain"), "");
});

Deno.test("switchBranch() leaves the person's changes alone where both branches agree", async () => {
  await using temp = await createTwoBranches();
  await temp.write({ "same.ts": "mine\n", "untracked.ts": "u\n", "staged.ts": "st\n" });
  await temp.git("add", "staged.ts");
  equal(await codeOf(temp, "task"), "switched");
  equal(await temp.git("status", "--porcelain"), " M same.ts\nA  staged.ts\n?? untracked.ts");
});

Deno.test("switchBranch() takes files that a sparse checkout leaves out for no removed ones", async () => {
  await using temp = await createTwoBranches();
  await temp.git("sparse-checkout", "set", "--no-cone", "/same.ts");
  equal(await temp.exists("a.ts"), false);
  equal(await codeOf(temp, "task"), "switched");
  equal(await temp.git("status", "--porcelain"), "");
});

Deno.test("switchBranch() brings the right to run along where nothing else differs", async () => {
  await using temp = await createTempRepo({ files: { "run.sh": "true\n" } });
  await temp.git("switch", "-q", "-c", "task");
  await temp.git("update-index", "--chmod=+x", "run.sh");
  await temp.git("commit", "-qm", "Run");
  await temp.git("checkout", "-q", "--", "run.sh");
  const isRunnable = async () => ((await Deno.stat(join(temp.dir, "run.sh"))).mode ?? 0) & 0o100;
  for (const [branch, expected] of [["main", 0], ["task", 0o100]] as const) {
    equal(await codeOf(temp, branch), "switched");
    equal(await isRunnable(), expected);
    equal(await temp.git("status", "--porcelain"), "");
  }
});

/** What the person has in the way of the switch. */
const IN_THE_WAY: readonly (readonly [string, (temp: TempRepo) => Promise<unknown>])[] = [
  ["a changed file", (temp) => temp.write({ "a.ts": "mine\n" })],
  ["a file that the branch lacks, changed", (temp) => temp.write({ "b.ts": "mine\n" })],
  ["an untracked file of the same name", (temp) => temp.write({ "new/x.ts": "mine\n" })],
  ["a staged change", async (temp) => {
    await temp.write({ "a.ts": "mine\n" });
    await temp.git("add", "a.ts");
  }],
  ["an ignored file of the same name", async (temp) => {
    await temp.write({ ".git/info/exclude": "new/\n", "new/x.ts": "mine\n" });
  }],
  ["a file that was removed, which both branches have", (temp) => temp.remove("a.ts")],
  ["a file where a folder is needed", (temp) => temp.write({ "new": "mine\n" })],
];

for (const [name, prepare] of IN_THE_WAY) {
  Deno.test(`switchBranch() refuses, changing nothing, because of ${name}`, async () => {
    await using temp = await createTwoBranches();
    await prepare(temp);
    const before = await temp.state();
    const result = await switchBranch(temp.repo, "task");
    equal(result.kind, "refused");
    if (result.kind === "refused") {
      equal(result.problem.code, "person_changes_in_the_way");
      match(String(result.problem.hint ?? ""), /`git stash push --all -- [^`]+`/);
    }
    equal(await temp.state(), before);
  });
}

Deno.test("switchBranch() takes a file that only was touched for unchanged", async () => {
  await using temp = await createTwoBranches();
  await Deno.utime(join(temp.dir, "a.ts"), new Date(), new Date(Date.now() + 5_000));
  equal(await codeOf(temp, "task"), "switched");
});

Deno.test("switchBranch() completes what a kill left: files written, HEAD not moved", async () => {
  await using temp = await createTwoBranches();
  await temp.write({ "a.ts": "task\n", "new/x.ts": "x\n" });
  equal(await codeOf(temp, "task"), "switched");
  equal(await temp.git("status", "--porcelain"), "");
});

Deno.test("switchBranch() is done already on the branch itself, dirty or not", async () => {
  await using temp = await createTwoBranches();
  await temp.write({ "a.ts": "mine\n" });
  const before = await temp.state();
  equal(await codeOf(temp, "main"), "switched");
  equal(await temp.state(), before);
});

Deno.test("switchBranch() refuses a branch that is missing or checked out elsewhere", async () => {
  await using temp = await createTwoBranches();
  equal(await codeOf(temp, "no_such"), "base_missing");
  equal(await codeOf(temp, "--detach"), "base_missing");
  const side = await Deno.makeTempDir();
  await temp.git("worktree", "add", "-q", `${side}/w`, "task");
  const before = await temp.state();
  equal(await codeOf(temp, "task"), "base_checked_out_elsewhere");
  equal(await temp.state(), before);
  await Deno.remove(side, { recursive: true });
});

Deno.test("switchBranch() leads from a detached HEAD to a branch", async () => {
  await using temp = await createTwoBranches();
  await temp.git("checkout", "-q", "--detach", "task");
  equal(await codeOf(temp, "main"), "switched");
  equal(await temp.read("a.ts"), "a\n");
});
