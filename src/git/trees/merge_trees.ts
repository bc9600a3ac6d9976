/** Computes merges of commits as tree objects: no index, no file and no HEAD takes part. */
import { splitNul, toGitError } from "../git.ts";
import type { Repository } from "../repository.ts";

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
 * Merges two commits. Where somebody rewrote the first commit they have no common history: then every
 * file that differs is a conflict, and the flow goes on as with any other.
 *
 * @throws {CodeIntelError} `git_failed` when one of them is no commit.
 */
export async function mergeTrees(repo: Repository, options: TreeMergeOptions): Promise<TreeMerge> {
  const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages"];
  const unrelated = "--allow-unrelated-histories";
  const result = await repo.git.run([...args, unrelated, options.ours, options.theirs]);
  if (result.code !== 0 && result.code !== 1) throw toGitError(args, result);
  const [tree = "", ...conflicts] = splitNul(result.stdout);
  return { tree, conflicts: [...new Set(conflicts.filter((path) => path !== ""))] };
}
