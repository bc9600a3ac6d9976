/** Holds `src/git/branches/new_commit.ts` to its promises, on real repositories. */
import { match, ok, strictEqual as equal } from "node:assert/strict";
import { formatCommitMessage, moveBranch } from "../../../src/git/branches/new_commit.ts";
import { createTempRepo } from "../support.ts";

Deno.test("formatCommitMessage() adds trailers that git reads back", async () => {
  await using temp = await createTempRepo();
  const cases: readonly (readonly [message: string, expected: string])[] = [
    ["Subject", "Subject\n\nA: 1\nB: two words\n"],
    ["Subject\n\nBody: not\na trailer", "Subject\n\nBody: not\na trailer\n\nA: 1\nB: two words\n"],
    ["Subject\r\n\r\nSigned-off-by: x\r\n", "Subject\n\nSigned-off-by: x\nA: 1\nB: two words\n"],
    ["Fix: it", "Fix: it\n\nA: 1\nB: two words\n"],
  ];
  for (const [message, expected] of cases) {
    const made = formatCommitMessage(message, [["A", "1"], ["B", "two\n words "]]);
    equal(made, expected);
    await temp.git("commit", "-q", "--allow-empty", "-m", made);
    const format = "--format=%(trailers:key=A,valueonly,separator=)";
    equal(await temp.git("log", "-1", format), "1");
  }
  equal(formatCommitMessage(" x ", []), "x\n");
});

Deno.test("moveBranch() moves what it expects, loses a race, and says when a lock stays", async () => {
  await using temp = await createTempRepo();
  const first = await temp.git("rev-parse", "HEAD");
  await temp.git("branch", "task");
  const second = await temp.commit("Second", { a: "a\n" });
  const move = { branch: "task", commit: second, expected: first, reason: "so" };
  equal((await moveBranch(temp.repo, move)).kind, "moved");
  equal((await moveBranch(temp.repo, move)).kind, "lost_race");
  await temp.write({ ".git/refs/heads/task.lock": "" });
  const back = { ...move, commit: first, expected: second };
  const locked = await moveBranch(temp.repo, { ...back, lockTimeoutMs: 100 });
  ok(locked.kind === "rejected", locked.kind);
  equal(locked.problem.code, "branch_update_rejected");
  match(String(locked.problem.hint ?? ""), /lock file/);
  await temp.remove(".git/refs/heads/task.lock");
  equal((await moveBranch(temp.repo, back)).kind, "moved");
  equal(await temp.git("rev-parse", "task"), first);
});
