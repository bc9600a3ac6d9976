/** Tells git's own merge from one that somebody made. */
import { CodeIntelError } from "../../base/errors.ts";
import { splitNul } from "../../git/git.ts";
import type { Repository } from "../../git/repository.ts";
import { isAncestor, readTree } from "../../git/repository.ts";
import type { TreeMerge, TreeMergeOptions } from "../../git/trees/carry_changes.ts";
import { runMerge } from "../../git/trees/carry_changes.ts";
import { withScratchObjects } from "./scratch_objects.ts";

/** How the tree of a merge commit compares with what git makes of its two parents. */
export type MergeOrigin =
  /** It is git's own result; `isMoved` where the first parent has something that the second one lacks. */
  | { readonly kind: "of_git"; readonly isMoved: boolean }
  /** Somebody made it: git's own result has these conflicts, or other content in these files. */
  | { readonly kind: "conflicts" | "differs"; readonly paths: readonly string[] }
  /** git cannot merge the two here, as the end of a sentence. */
  | { readonly kind: "unknown"; readonly why: string };

/**
 * Settings of a person under which git merges in another way. Whoever made the merge may have had one of them, and what
 * comes of it is git's own result all the same.
 */
const MERGE_SETTINGS: readonly (readonly string[])[] = [
  [],
  ...["directoryRenames=true", "directoryRenames=false", "renames=false", "renormalize=true"]
    .map((setting) => ["-c", `merge.${setting}`]),
];

/** Merges the parents of a merge commit again and compares; nothing is left in the repository. */
export async function findMergeOrigin(
  repo: Repository,
  { tree, ours, theirs }: TreeMergeOptions & { readonly tree: string },
): Promise<MergeOrigin> {
  try {
    return await withScratchObjects(repo, async (env) => {
      if (await isAncestor(repo, ours, theirs)) {
        const whole = await readTree(repo, theirs);
        if (whole === tree) return { kind: "of_git", isMoved: false };
        return { kind: "differs", paths: await listDifferent(repo, [whole, tree], env) };
      }
      let first: TreeMerge | null = null;
      for (const settings of MERGE_SETTINGS) {
        const made = await runMerge(repo, { ours, theirs }, { settings, env });
        if (made.conflicts.length === 0 && made.tree === tree) {
          return { kind: "of_git", isMoved: true };
        }
        first ??= made;
      }
      const { tree: own = tree, conflicts = [] } = first ?? {};
      return conflicts.length > 0
        ? { kind: "conflicts", paths: conflicts }
        : { kind: "differs", paths: await listDifferent(repo, [own, tree], env) };
    });
  } catch (failure) {
    if (!(failure instanceof CodeIntelError) || failure.code !== "git_failed") throw failure;
    return { kind: "unknown", why: failure.message };
  }
}

async function listDifferent(
  repo: Repository,
  trees: readonly [string, string],
  env: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", ...trees];
  return splitNul(await repo.git.bytes(args, { env }));
}
