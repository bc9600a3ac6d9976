/**
 * Brings the new commits of a base into the work of a task branch, so that conflicts can be
 * resolved there.
 */
import { carryChanges, mergeTrees, readEntries } from "../trees/carry_changes.ts";
import type { Change } from "../trees/changes.ts";
import { diffTrees } from "../trees/changes.ts";
import type { GitRefusal } from "./new_commit.ts";
import { refuseWith } from "./new_commit.ts";
import type { Repository } from "../repository.ts";
import { readHead, readTip, readTree } from "../repository.ts";
import { restorePaths } from "../snapshots/restore.ts";
import { keepTree, takeSnapshot } from "../snapshots/snapshots.ts";
import { hashOnDisk, listNewPaths, makeBlockingProblem } from "./switch_files.ts";
import { findBlockingUntracked } from "../trees/file_lists.ts";
import { SAME_CALL, say } from "../../base/text/words.ts";

/** Which base is brought into which task branch. */
export interface MergeBaseOptions {
  /** Branch that HEAD is on. */
  readonly taskBranch: string;
  /** Branch whose new commits are brought in. */
  readonly base: string;
  /** Tree that the session began with. */
  readonly baselineTree: string;
  /**
   * Commit or tree without the user's changes (see `buildCommitTree`); default the common
   * ancestor of both branches.
   */
  readonly cleanTree?: string;
  /** Session that the snapshot and the kept trees belong to. */
  readonly sessionId: string;
  /** Time of the snapshot; default now. */
  readonly at?: Date;
}

/** The outcome of bringing the base in. */
export type MergeBaseResult =
  | {
    readonly kind: "brought";
    /** Files with conflict markers that have to be resolved. */
    readonly conflicted: readonly string[];
    /** Files that the base changed and that were merged without a conflict. */
    readonly brought: readonly string[];
    /** Second parent of the next commit. */
    readonly mergeParent: string;
    /** The baseline with what the base brought, merged three-way for each file. */
    readonly baselineTree: string;
    /** The clean tree with what the base brought, for `buildCommitTree` and `compareSession`. */
    readonly cleanTree: string;
  }
  | GitRefusal;

/**
 * Merges the base into the files of the working tree only: there is no `MERGE_HEAD`, and index and
 * HEAD stay. Refuses, changing nothing, when a file to be written has changes that no commit holds.
 * The same call can be repeated after a kill.
 */
export async function mergeBaseIntoTask(
  repo: Repository,
  options: MergeBaseOptions,
): Promise<MergeBaseResult> {
  const { taskBranch, base, sessionId } = options;
  const [head, baseTip] = await Promise.all([readHead(repo), readTip(repo, base)]);
  if (head.kind === "detached" || head.branch !== taskBranch || head.commit === null) {
    return refuseWith(
      "head_elsewhere",
      `Cannot bring "${base}" into "${taskBranch}": HEAD is not on it`,
      say`Ask the person to run \`git switch ${taskBranch}\`, then ${SAME_CALL} again.`,
    );
  }
  if (baseTip === null) {
    return refuseWith(
      "base_missing",
      `The base branch "${base}" does not exist`,
      "Ask the person to restore it, or park.",
    );
  }
  const merge = await mergeTrees(repo, {
    ours: `refs/heads/${taskBranch}`,
    theirs: `refs/heads/${base}`,
  });
  const writes = await diffTrees(repo, head.commit, merge.tree, { withoutRenames: true });
  const at = options.at ?? repo.clock.now();
  const label = `before ${base} is brought in`;
  const snapshot = await takeSnapshot(repo, { sessionId, label, at });
  const inTheWay = await findBlocking(repo, { writes, merged: merge.tree, now: snapshot.tree });
  if (inTheWay.length > 0) return { kind: "refused", problem: makeBlockingProblem(repo, inTheWay) };

  const fork = await repo.git.lineOrNull(["merge-base", head.commit, baseTip]) ??
    await repo.git.line(["hash-object", "-t", "tree", "--stdin"]);
  const trees = await carryBase(repo, { fork, baseTip, ...options });
  // Only these refs keep the new baseline: without them git's garbage collection could remove it
  // during a long session.
  for (const [name, tree] of Object.entries(trees)) {
    await keepTree(repo, { sessionId, name: `${name}-${baseTip.slice(0, 12)}`, tree, at });
  }
  const paths = writes.map(({ path }) => path);
  await restorePaths(repo, { tree: merge.tree, paths, exact: true });
  const conflicts = new Set(merge.conflicts);
  return {
    kind: "brought",
    conflicted: merge.conflicts,
    brought: paths.filter((path) => !conflicts.has(path)),
    mergeParent: baseTip,
    baselineTree: trees.baseline,
    cleanTree: trees.clean,
  };
}

interface BlockingOptions {
  readonly writes: readonly Change[];
  readonly merged: string;
  readonly now: string;
}

/** Files to be written whose present content is neither committed nor the merged one. */
async function findBlocking(repo: Repository, options: BlockingOptions): Promise<string[]> {
  const paths = options.writes.map(({ path }) => path);
  const now = await readEntries(repo, options.now, paths);
  const oids = new Map(options.writes.map(({ path, newOid }) => [path, newOid]));
  const ignored: string[] = [];
  for (const path of await findBlockingUntracked(repo, listNewPaths(options.writes))) {
    // Files in the snapshot are judged below; an ignored file counts as ours only when its content
    // is equal.
    if (!now.has(path) && await hashOnDisk(repo, path) !== oids.get(path)) ignored.push(path);
  }
  const changed = options.writes.filter(({ path, oldOid, oldMode, newOid, newMode }) => {
    const found = now.get(path) ?? { oid: "0".repeat(oldOid.length), mode: "000000" };
    const isCommitted = found.oid === oldOid && found.mode === oldMode;
    const isWritten = found.oid === newOid && found.mode === newMode;
    return !isCommitted && !isWritten;
  });
  return [...ignored, ...changed.map(({ path }) => path)];
}

interface CarryBaseOptions {
  /** Common ancestor of the task branch and the base. */
  readonly fork: string;
  readonly baseTip: string;
  readonly baselineTree: string;
  readonly cleanTree?: string;
}

/** Baseline and clean tree with the base's changes since the fork. */
async function carryBase(
  repo: Repository,
  options: CarryBaseOptions,
): Promise<{ readonly baseline: string; readonly clean: string }> {
  // Where the session's start and the base changed the same lines, the base's version counts. The
  // next commit has the base as its other parent, and is compared with it.
  const { fork: from, baseTip: to } = options;
  const bring = (onto: string) => carryChanges(repo, { onto, from, to, onConflict: "to" });
  return {
    baseline: await bring(options.baselineTree),
    clean: await bring(options.cleanTree ?? await readTree(repo, from)),
  };
}
