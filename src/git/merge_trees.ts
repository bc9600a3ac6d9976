/** Computes merges of commits as tree objects: no index, no file and no HEAD takes part. */
import { splitNul, toGitError } from "./git.ts";
import type { Repository } from "./repository.ts";

/** A computed merge. */
export interface TreeMerge {
  /** Merged tree; conflicted files hold conflict markers. */
  readonly tree: string;
  /** Paths with conflicts, empty for a clean merge. */
  readonly conflicts: readonly string[];
}

/** What is merged; names of refs give the conflict markers their labels. */
export interface TreeMergeOptions {
  readonly ours: string;
  readonly theirs: string;
}

/**
 * Merges two commits.
 *
 * @throws {CodeIntelError} `git_failed` when they have no common history.
 */
export async function mergeTrees(repo: Repository, options: TreeMergeOptions): Promise<TreeMerge> {
  const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages"];
  const result = await repo.git.run([...args, options.ours, options.theirs]);
  if (result.code !== 0 && result.code !== 1) throw toGitError(args, result);
  const [tree = "", ...conflicts] = splitNul(result.stdout);
  return { tree, conflicts: [...new Set(conflicts.filter((path) => path !== ""))] };
}
