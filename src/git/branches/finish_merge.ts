/** Brings index, files and HEAD to a merge that the base has, and deletes the merged branch. */
import type { TreePath } from "../../base/paths.ts";
import { CodeIntelError } from "../../base/errors.ts";
import { SAME_CALL, say } from "../../base/text/words.ts";
import type { HookDeeds } from "./after_hooks.ts";
import { deleteBranch, pointHead } from "./branches.ts";
import type { MergeIntent } from "./intents.ts";
import { expectUnlocked, withMade } from "../locks.ts";
import type { Refused } from "./new_commit.ts";
import { takeBack, toRefused } from "./new_commit.ts";
import type { Repository } from "../repository.ts";
import { isAncestor, readHead, readTip } from "../repository.ts";
import { switchFiles } from "./switch_files.ts";

/** A merge that was made. */
export interface Merged {
  readonly kind: "merged";
  readonly commit: string;
  /** Ref that keeps the tip of the deleted task branch; null when the branch was gone already, or stays. */
  readonly keptAs: string | null;
  /** Why the task branch could not be deleted; left out where it is gone. */
  readonly branchLeft?: string;
  /** What hooks did afterwards, and whether the base still has the work; left out for nothing, and where it was found made. */
  readonly after?: HookDeeds & { readonly hasWork: boolean };
}

/** The outcome of a merge. */
export type MergeResult =
  | Merged
  /** The base has every commit of the task branch, and none of them by a merge; nothing changed. */
  | { readonly kind: "nothing_to_merge" }
  /** Nothing changed: the merge was only computed. */
  | { readonly kind: "conflict"; readonly paths: readonly TreePath[] }
  | Refused;

/** Moves the base back where files and index cannot follow it, before anything of them was written. */
export async function finishOrTakeBack(
  repo: Repository,
  intent: MergeIntent,
  baseTip: string,
): Promise<MergeResult> {
  const back = { branch: intent.base, commit: intent.commit, to: baseTip };
  try {
    const result = await finishMerge(repo, intent, { isRepeat: false });
    if (result.kind === "refused") await takeBack(repo, back);
    return result;
  } catch (failure) {
    const isUntouched = failure instanceof CodeIntelError && failure.code === "git_locked";
    if (isUntouched && await takeBack(repo, back)) throw failure.cause ?? failure;
    throw failure;
  }
}

/**
 * Does everything that follows once the base has the merge commit; parts that are done already are
 * skipped.
 *
 * @throws {CodeIntelError} `git_locked` where neither files nor index were written, and what git fails with.
 */
export async function finishMerge(
  repo: Repository,
  intent: MergeIntent,
  options: { readonly isRepeat: boolean },
): Promise<MergeResult> {
  const { from, commit, base, taskBranch } = intent;
  const head = await readHead(repo);
  // On the task branch HEAD moves after the files; on the base it moves before them.
  const isOnBase = head.kind === "branch" && head.branch === base;
  const isSwitched = options.isRepeat && isOnBase && from === intent.taskTip;
  const tip = await readTip(repo, base);
  if (tip === null || (tip !== commit && !(await isAncestor(repo, commit, tip)))) {
    return toRefused(
      "base_moved",
      `"${base}" does not have the merge ${commit} any more: a git hook or another git moved it to ${tip}`,
      say`Ask the person what moved it (a reference-transaction hook of the project?), then ${SAME_CALL} again; or park.`,
    );
  }
  try {
    if (!isSwitched) {
      await expectUnlocked(repo, { branches: [base, taskBranch], isDeleting: true });
      // A hook may have put another commit on top of the merge.
      const problem = await switchFiles(repo, { from, to: tip, isRepeat: options.isRepeat });
      if (problem !== null) return { kind: "refused", problem };
      if (!isOnBase) await pointHead(repo, base);
    }
  } catch (failure) {
    throw withMade(`"${base}" has the merge ${commit}; files and index do not follow`, failure);
  }
  return { kind: "merged", commit, ...await removeMerged(repo, taskBranch) };
}

/** Deletes the merged branch; one that stays is told, since the merge is done without that. */
async function removeMerged(
  repo: Repository,
  taskBranch: string,
): Promise<Pick<Merged, "keptAs" | "branchLeft">> {
  try {
    const deleted = await deleteBranch(repo, taskBranch);
    if (deleted.kind === "refused") {
      return { keptAs: null, branchLeft: `${deleted.problem.message}` };
    }
    return { keptAs: deleted.kind === "deleted" ? deleted.keptAs : null };
  } catch (failure) {
    if (!(failure instanceof CodeIntelError)) throw failure;
    return { keptAs: null, branchLeft: failure.message };
  }
}
