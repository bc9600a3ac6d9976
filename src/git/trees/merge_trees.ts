/** Computes merges of commits as tree objects, without index, files and HEAD. */
import type { GitOptions } from "../git.ts";
import { splitNul, toGitError } from "../git.ts";
import { isAncestorByFiles, readTreeIdFile } from "../object_file.ts";
import type { Repository } from "../repository.ts";

/** A computed merge. */
export interface TreeMerge {
  /** Merged tree; files with conflicts hold conflict markers. */
  readonly tree: string;
  /** Paths with conflicts, empty for a clean merge. */
  readonly conflicts: readonly string[];
}

/** What is merged; names of refs become the labels of conflict markers. */
export interface TreeMergeOptions {
  readonly ours: string;
  readonly theirs: string;
}

/**
 * Merges two commits. Where somebody rewrote the first commit the two have no common history: then
 * every file that differs is a conflict.
 *
 * @throws {CodeIntelError} `git_failed` when one of them is no commit.
 */
export async function mergeTrees(repo: Repository, options: TreeMergeOptions): Promise<TreeMerge> {
  // What the other side has already is not merged: the result is that side.
  if (isAncestorByFiles(repo, options.ours, options.theirs) === true) {
    const tree = readTreeIdFile(repo, options.theirs);
    if (tree !== null) return { tree, conflicts: [] };
  }
  return await runMerge(repo, options);
}

/** Asks git for the merge, whatever the two have in common; objects go where `env` says. */
export async function runMerge(
  repo: Repository,
  { ours, theirs }: TreeMergeOptions,
  { settings = [], env = {} }: Pick<GitOptions, "env"> & {
    readonly settings?: readonly string[];
  } = {},
): Promise<TreeMerge> {
  const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages"];
  const unrelated = "--allow-unrelated-histories";
  const result = await repo.git.run([...settings, ...args, unrelated, ours, theirs], { env });
  if (result.code !== 0 && result.code !== 1) throw toGitError(args, result);
  const [tree = "", ...conflicts] = splitNul(result.stdout);
  return { tree, conflicts: [...new Set(conflicts.filter((path) => path !== ""))] };
}
