/** States of the working files as trees of git. */
import { isWithin } from "../base/files/regular_file.ts";
import type { TreePath } from "../base/paths.ts";
import { dirname, join, resolve } from "node:path";
import type { Repository } from "../git/repository.ts";
import { writeWorktreeTree } from "../git/index/private_index.ts";
import { restorePaths } from "../git/snapshots/restore.ts";
import { adoptPaths, carryAndTell } from "../git/trees/carry_changes.ts";
import { changedLines } from "../git/trees/changed_lines.ts";
import { diffTrees, readBlobText } from "../git/trees/changes.ts";
import { keepSessionTrees } from "../git/trees/kept_trees.ts";
import type { ObservedChange } from "./ledger.ts";
import { readOdd } from "./odd.ts";
import type { Trees } from "./trees.ts";

/** The trees of one repository. What is put back must be in a snapshot before. */
export function createGitTrees(repo: Repository): Trees {
  return {
    kind: "git",
    write: async ({ sessionId, maxFileMb }) =>
      (await writeWorktreeTree(repo, { sessionId, maxFileMb })).tree,
    look: async ({ sessionId, maxFileMb }) => {
      const seen = await writeWorktreeTree(repo, { sessionId, maxFileMb });
      return { tree: seen.tree, odd: await readOdd(repo, seen), large: seen.large };
    },
    diff: (from, to) => diffWorktree(repo, from, to),
    adopt: (options) => adoptPaths(repo, options),
    carry: (options) => carryAndTell(repo, { ...options, onConflict: "onto" }),
    changes: (from, to, paths) => diffTrees(repo, from, to, paths === undefined ? {} : { paths }),
    changedLines: (from, to, paths) => changedLines(repo, from, to, paths),
    readText: (tree, path) => readBlobText(repo, tree, path),
    // A tree of git keeps the versions of its files already.
    keepVersions: () => Promise.resolve(),
    keepStates: (sessionId, states) => keepSessionTrees(repo, sessionId, states),
    findUnrestorable: () => Promise.resolve([]),
    putBack: async ({ tree, paths }) => {
      await restorePaths(repo, { tree, paths, exact: true });
    },
  };
}

/**
 * The differences between two trees of which the second is the worktree: sizes are those on the
 * disk.
 */
async function diffWorktree(
  repo: Repository,
  from: string,
  to: string,
): Promise<readonly ObservedChange[]> {
  if (from === to) return [];
  const changes = await diffTrees(repo, from, to, { withoutRenames: true });
  return await Promise.all(changes.map(async ({ path, kind }): Promise<ObservedChange> => {
    const info = kind === "deleted"
      ? null
      : await Deno.lstat(join(repo.worktree, path)).catch(() => null);
    // Renames are not asked for, so git never answers "renamed".
    const known = kind === "renamed" ? "modified" : kind;
    const leadsOutside = info?.isSymlink === true && await isLinkOutside(repo, path);
    return {
      path,
      kind: known,
      sizeBytes: info?.size ?? null,
      ...leadsOutside && { leadsOutside },
      ...info?.isDirectory && { isRepository: true as const },
    };
  }));
}

/** Judged by the link's text alone, because its target need not exist. */
async function isLinkOutside({ worktree }: Repository, path: TreePath): Promise<boolean> {
  const full = join(worktree, path);
  const target = resolve(dirname(full), await Deno.readLink(full).catch(() => ""));
  return !isWithin(target, worktree);
}
