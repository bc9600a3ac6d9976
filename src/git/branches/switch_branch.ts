/** Switches HEAD and files to another branch; the person's changes stay as they are. */
import { pointHead } from "./branches.ts";
import type { Refused } from "./new_commit.ts";
import { toRefused } from "./new_commit.ts";
import { syncRealIndex } from "../index/real_index.ts";
import { expectUnlocked } from "../locks.ts";
import type { Repository } from "../repository.ts";
import { findCheckout, readHead, readTip } from "../repository.ts";
import { switchFiles } from "./switch_files.ts";
import { SAME_CALL, say } from "../../base/text/words.ts";

/** The outcome of {@link switchBranch}. */
export type SwitchBranchResult = { readonly kind: "switched" } | Refused;

/**
 * Switches to an existing branch. Refuses, changing nothing, when a file that differs between the
 * branches is changed by the person. Safe to repeat after a kill.
 */
export async function switchBranch(repo: Repository, branch: string): Promise<SwitchBranchResult> {
  const [head, tip] = await Promise.all([readHead(repo), readTip(repo, branch)]);
  if (head.kind === "branch" && head.branch === branch) return { kind: "switched" };
  if (tip === null) {
    return toRefused(
      "base_missing",
      `Cannot switch to "${branch}": there is no such branch`,
      say`Ask the person to restore it, then ${SAME_CALL} again.`,
    );
  }
  const place = await findCheckout(repo, branch);
  if (place !== null) {
    return toRefused(
      "base_checked_out_elsewhere",
      `Cannot switch to "${branch}": it is checked out in another worktree`,
      say`Ask the person to switch that worktree to another branch, then ${SAME_CALL} again.`,
    );
  }
  await expectUnlocked(repo);
  const from = head.commit ?? tip;
  const problem = await switchFiles(repo, { from, to: tip, isRepeat: true });
  if (problem !== null) return { kind: "refused", problem };
  await pointHead(repo, branch);
  return { kind: "switched" };
}

/**
 * Moves the branch that HEAD is on back to a commit; index and files stay as they are. The caller
 * makes a ref that keeps the tip first.
 */
export async function resetSoft(repo: Repository, commit: string): Promise<void> {
  await expectUnlocked(repo);
  await repo.git.bytes(["reset", "--soft", commit]);
}

/**
 * Points HEAD and the person's index at a branch and leaves every file as it is, after the files
 * were put back to what the branch holds. Refuses where the branch is missing or checked out
 * elsewhere.
 */
export async function takeBranch(
  repo: Repository,
  branch: string,
  sessionId: string,
): Promise<SwitchBranchResult> {
  const [head, tip] = await Promise.all([readHead(repo), readTip(repo, branch)]);
  if (head.kind === "branch" && head.branch === branch) return { kind: "switched" };
  const place = tip === null ? null : await findCheckout(repo, branch);
  if (tip === null || head.commit === null || place !== null) {
    return toRefused(
      tip === null ? "base_missing" : "base_checked_out_elsewhere",
      `Cannot take "${branch}": it is missing, or checked out in another worktree`,
      `Ask the person to run \`git switch ${branch}\` there, or to restore the branch.`,
    );
  }
  await syncRealIndex(repo, { from: head.commit, to: tip, sessionId });
  await pointHead(repo, branch);
  return { kind: "switched" };
}
