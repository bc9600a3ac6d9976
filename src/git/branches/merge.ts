/**
 * Merges a task branch into its base. The merge is first computed as objects, so that a conflict is
 * found before anything changes.
 */
import type { TreePath } from "../../base/paths.ts";
import { CodeIntelError } from "../../base/errors.ts";
import { call, SAME_CALL, say } from "../../base/text/words.ts";
import type { HookChanges } from "./hooks.ts";
import { findHookCode, Hooks, HookWatch } from "./hooks.ts";
import { deleteBranch, keepBranch, parseTaskBranchName, pointHead } from "./branches.ts";
import type { GitRefusal, MergeIntent } from "./new_commit.ts";
import {
  loadIntent,
  moveBranch,
  refuseWith,
  rollBackBranch,
  saveIntent,
  writeCommit,
} from "./new_commit.ts";
import { addCompleted, expectUnlocked } from "../locks.ts";
import type { Repository } from "../repository.ts";
import { findCheckout, isAncestor, readHead, readTip } from "../repository.ts";
import { checkSwitch, switchFiles } from "./switch_files.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import { loadIndex, runMessageHooks } from "./commit.ts";
import { readParentsFile } from "../store_files.ts";
import { mergeTrees } from "../trees/carry_changes.ts";
import { withScratchIndex } from "../index/scratch_index.ts";

/** A merge that was made. */
export interface Merged {
  readonly kind: "merged";
  readonly commit: string;
  /** Ref that keeps the tip of the deleted task branch; null when the branch was gone already, or stays. */
  readonly keptAs: string | null;
  /** Why the task branch could not be deleted; left out where it is gone. */
  readonly branchLeft?: string;
  /** What hooks did afterwards, and whether the base still has the work; left out for nothing, and where it was found made. */
  readonly after?: HookChanges & { readonly hasWork: boolean };
}

/** The outcome of a merge. */
export type MergeResult =
  | Merged
  /** The base has every commit of the task branch, and none of them by a merge; nothing changed. */
  | { readonly kind: "nothing_to_merge" }
  /** Nothing changed: the merge was only computed. */
  | { readonly kind: "conflict"; readonly paths: readonly TreePath[] }
  | GitRefusal;

/** Moves the base back where files and index cannot follow it, before anything of them was written. */
export async function finishOrRollBack(
  repo: Repository,
  intent: MergeIntent,
  baseTip: string,
): Promise<MergeResult> {
  const back = { branch: intent.base, commit: intent.commit, to: baseTip };
  try {
    const result = await finishMerge(repo, intent, { isRepeat: false });
    if (result.kind === "refused") await rollBackBranch(repo, back);
    return result;
  } catch (failure) {
    const isUntouched = failure instanceof CodeIntelError && failure.code === "git_locked";
    if (isUntouched && await rollBackBranch(repo, back)) throw failure.cause ?? failure;
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
    return refuseWith(
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
    throw addCompleted(`"${base}" has the merge ${commit}; files and index do not follow`, failure);
  }
  return { kind: "merged", commit, ...await removeMerged(repo, taskBranch) };
}

/** Deletes the merged branch; one that stays is reported, since the merge is done without that. */
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

/** Which branch is merged into which. */
export interface MergeTaskOptions {
  /** Branch that is merged and then deleted. */
  readonly taskBranch: string;
  /** Branch that gets the merge commit. */
  readonly base: string;
  /** Whole message of the merge commit. */
  readonly message: string;
  /** Reviewed tip of the task branch; another tip is refused. Default: any. */
  readonly expectedTip?: string;
  /** Session for which files that hooks change are looked at; default: they are not. */
  readonly sessionId?: string;
}

const RACE_ATTEMPTS = 3;

/** The commit of the base onto which a merge was made. */
export async function readMergedBase(repo: Repository, commit: string): Promise<string> {
  return readParentsFile(repo, commit)?.[0] ??
    await repo.git.line(["rev-parse", "--verify", "--end-of-options", `${commit}^1`]);
}

/**
 * Merges with `--no-ff` and keeps the user's changes in the files. Points HEAD at the base and
 * deletes the task branch (a ref keeps its tip). After a kill at any point the same call completes
 * the merge.
 */
export async function mergeTaskBranch(
  repo: Repository,
  options: MergeTaskOptions,
): Promise<MergeResult> {
  for (let attempt = 0; attempt < RACE_ATTEMPTS; attempt++) {
    const result = await tryMerge(repo, options);
    if (result.kind === "refused") {
      return { ...result, problem: adaptHookProblem(result.problem, options.taskBranch) };
    }
    if (result.kind !== "lost_race") return result;
  }
  return refuseWith(
    "base_moved",
    `The base branch "${options.base}" keeps moving while it is merged into`,
    say`${SAME_CALL} again when nobody else commits to it.`,
  );
}

/** Words for the refusal of a hook that fit a merge: no plan fixes it, and what was committed stays. */
function adaptHookProblem(problem: Problem, taskBranch: string): Problem {
  if (findHookCode(problem) === null) return problem;
  const hint =
    say`Nothing was merged, and the work is safe on ${taskBranch}: ask the person to mend what the hook names or the hook itself, then ${SAME_CALL} again; or park.`;
  return { ...problem, hint };
}

type Attempt = MergeResult | { readonly kind: "lost_race" };

async function tryMerge(repo: Repository, options: MergeTaskOptions): Promise<Attempt> {
  const { taskBranch, base } = options;
  const [head, baseTip, taskTip, intent] = await Promise.all([
    readHead(repo),
    readTip(repo, base),
    readTip(repo, taskBranch),
    loadIntent(repo, "merge"),
  ]);
  if (baseTip === null) return refuseMissing("base_missing", base);
  const isOurs = intent?.taskBranch === taskBranch && intent.base === base;
  if (taskTip === null) {
    const isDone = isOurs && await isAncestor(repo, intent.commit, baseTip);
    if (!isDone) return refuseMissing("task_branch_missing", taskBranch);
    return { kind: "merged", commit: intent.commit, keptAs: null };
  }
  const refusal = await checkBranches(repo, options, head.kind === "branch" ? head.branch : null);
  if (refusal !== null) return { kind: "refused", problem: refusal };
  if (isOurs && intent.taskTip === taskTip && baseTip === intent.commit) {
    return await finishMerge(repo, intent, { isRepeat: true });
  }
  if (options.expectedTip !== undefined && options.expectedTip !== taskTip) {
    return refuseWith(
      "head_moved",
      `Cannot merge: ${taskBranch} should be at ${options.expectedTip}, it is at ${taskTip}`,
      say`${
        call("get_session_status")
      }: the move of the branch has to be settled first (undo or person).`,
    );
  }
  if (await isAncestor(repo, taskTip, baseTip)) {
    const commit = await findMerge(repo, taskTip, baseTip);
    if (commit === null) return { kind: "nothing_to_merge" };
    const from = head.commit ?? taskTip;
    const done = { taskBranch, taskTip, base, commit: baseTip, from };
    const result = await finishMerge(repo, done, { isRepeat: true });
    return result.kind === "merged" ? { ...result, commit } : result;
  }
  return await makeMerge(repo, options, { head: head.commit ?? taskTip, baseTip, taskTip });
}

function refuseMissing(code: string, branch: string): GitRefusal {
  return refuseWith(
    code,
    `The branch "${branch}" does not exist`,
    `Ask the person to restore it (\`git for-each-ref refs/code-intel/branches\` lists kept tips) or park.`,
  );
}

/** HEAD must be on one of the two branches, and no other worktree may have the base checked out. */
async function checkBranches(
  repo: Repository,
  options: MergeTaskOptions,
  headBranch: string | null,
): Promise<Problem | null> {
  const { taskBranch, base } = options;
  if (headBranch !== base && headBranch !== taskBranch) {
    return makeProblem("head_elsewhere", `Cannot merge: HEAD is on ${headBranch ?? "no branch"}`, {
      hint: say`Ask the person to run \`git switch ${taskBranch}\`, then ${SAME_CALL} again.`,
    });
  }
  const other = headBranch === base ? taskBranch : base;
  const place = await findCheckout(repo, other);
  if (place === null) return null;
  const code = other === base ? "base_checked_out_elsewhere" : "branch_checked_out";
  return makeProblem(code, `Cannot merge: "${other}" is checked out in "${place}"`, {
    hint: say`Switch that worktree to another branch first, then ${SAME_CALL} again; or park.`,
  });
}

/**
 * The merge commit that brought the tip into the base; null when it came in some other way, or not
 * at all.
 */
async function findMerge(repo: Repository, tip: string, baseTip: string): Promise<string | null> {
  const range = ["--end-of-options", `${tip}..${baseTip}`];
  const merges = ["rev-list", "--merges", "--parents", "--ancestry-path", "--reverse"];
  const lines = (await repo.git.text([...merges, ...range])).split("\n");
  const found = lines.map((line) => line.split(" ")).find((ids) => ids.slice(2).includes(tip));
  return found?.[0] ?? null;
}

interface Tips {
  readonly head: string;
  readonly baseTip: string;
  readonly taskTip: string;
}

async function makeMerge(
  repo: Repository,
  options: MergeTaskOptions,
  tips: Tips,
): Promise<Attempt> {
  const { taskBranch, base } = options;
  const { head, baseTip, taskTip } = tips;
  const { tree, conflicts } = await mergeTrees(repo, { ours: baseTip, theirs: taskTip });
  if (conflicts.length > 0) return { kind: "conflict", paths: conflicts };
  const locked = { branches: [base, taskBranch], isDeleting: true };
  await expectUnlocked(repo, locked);
  const inTheWay = await checkSwitch(repo, { from: head, to: tree });
  if (inTheWay !== null) return { kind: "refused", problem: inTheWay };
  const hooks = await Hooks.load(repo);
  const message = await runMergeHooks(repo, { hooks, tree, message: options.message });
  if (message.kind === "refused") return message;
  const parents = [baseTip, taskTip];
  const written = await writeCommit(repo, { tree, parents, message: message.message });
  if (written.kind === "refused") return written;
  const intent: MergeIntent = { taskBranch, taskTip, base, commit: written.commit, from: head };
  await saveIntent(repo, "merge", intent);
  await keepBranch(repo, base);
  // Hooks take time, and may leave a lock themselves.
  await expectUnlocked(repo, locked);
  const reason = `merge ${taskBranch}: code-intel`;
  const move = { branch: base, commit: written.commit, expected: baseTip, reason };
  const watch = new HookWatch(repo, hooks, options.sessionId ?? null);
  const moved = await watch.during("reference-transaction", () => moveBranch(repo, move));
  if (moved.kind === "lost_race") return { kind: "lost_race" };
  if (moved.kind === "rejected") {
    if (findHookCode(moved.problem) !== null) return { kind: "refused", problem: moved.problem };
    const { message: said, hint } = moved.problem;
    return refuseWith(
      "base_protected",
      String(said),
      hint ?? "Ask the person to merge the task branch.",
    );
  }
  const result = await finishOrRollBack(repo, intent, baseTip);
  if (result.kind !== "merged") return result;
  await watch.during("post-merge", () => hooks.run("post-merge", { args: ["0"] }));
  const made = { branch: base, commit: result.commit, tree, asked: tree };
  const after = await watch.look(made);
  if (after === null) return result;
  const hasWork = after.tip !== null && await isAncestor(repo, taskTip, after.tip);
  return { ...result, after: { ...after, hasWork } };
}

/**
 * Runs the hooks of a merge. Their changes to the index are ignored, because nobody has reviewed
 * them.
 */
async function runMergeHooks(
  repo: Repository,
  options: { readonly hooks: Hooks; readonly tree: string; readonly message: string },
): Promise<{ readonly kind: "texted"; readonly message: string } | GitRefusal> {
  const { hooks, tree, message } = options;
  if (!hooks.has("pre-merge-commit", "prepare-commit-msg", "commit-msg")) {
    return { kind: "texted", message };
  }
  return await withScratchIndex(repo, async (indexFile) => {
    await loadIndex(repo, indexFile, tree);
    const problem = await hooks.run("pre-merge-commit", { indexFile });
    if (problem !== null) return { kind: "refused", problem };
    return await runMessageHooks(repo, { hooks, indexFile, message, source: "merge" });
  });
}

/** Merges the task branch that HEAD is on into its base: the choice "merge" for stale branches. */
export async function mergeStaleBranch(repo: Repository): Promise<MergeResult> {
  const head = await readHead(repo);
  const parts = head.kind === "branch" ? parseTaskBranchName(head.branch) : null;
  if (head.kind !== "branch" || parts === null) {
    return refuseWith(
      "not_on_task_branch",
      "Cannot merge: HEAD is not on a task branch",
      "Choose delete or continue, or ask the person to switch to the task branch to be merged.",
    );
  }
  return await mergeTaskBranch(repo, {
    taskBranch: head.branch,
    base: parts.base,
    message: `Merge branch '${head.branch}' into ${parts.base}\n`,
  });
}
