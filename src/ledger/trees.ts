/**
 * States of the working files as trees of git: they are compared, combined and put back by id. What is put back must be
 * in a snapshot before.
 */
import { dirname, join, resolve } from "node:path";
import type { WorktreeTree, WorktreeTreeOptions } from "../git/index/private_index.ts";
import { writeWorktreeTree } from "../git/index/private_index.ts";
import type { Repository } from "../git/repository.ts";
import type { ObservedChange } from "./ledger.ts";
import { isInFolder } from "../base/files/regular_file.ts";
import type { TreePath } from "../base/paths.ts";
import type { LargeFile } from "../git/trees/unstored_files.ts";
import { restorePaths } from "../git/snapshots/restore.ts";
import type { CarriedTree, CarryOptions } from "../git/trees/carry_changes.ts";
import { adoptPaths, carryWithOverlaps } from "../git/trees/carry_changes.ts";
import type { LineChanges } from "../git/trees/changed_lines.ts";
import { changedLines } from "../git/trees/changed_lines.ts";
import type { Change } from "../git/trees/changes.ts";
import { diffTrees, readBlobText } from "../git/trees/changes.ts";
import { keepSessionTrees } from "../git/snapshots/snapshots.ts";
import type { SessionState } from "../phase/state.ts";

/**
 * Fingerprints of what a tree cannot hold: untracked files above the size limit, repositories
 * without a commit, and what git cannot or will not read.
 */
export async function hashUnstored(
  repo: Repository,
  seen: Pick<WorktreeTree, "large" | "nested" | "unreadable">,
): Promise<Readonly<Record<string, string>>> {
  const unread = await Promise.all(seen.unreadable.map(async (path) => {
    const info = await Deno.lstat(join(repo.worktree, path)).catch(() => null);
    const times = `${info?.size}:${info?.mtime?.getTime()}:${info?.ctime?.getTime()}`;
    return [path, `unreadable ${times}`] as const;
  }));
  const empty = seen.nested.filter(({ commit }) => commit === null);
  return Object.fromEntries([
    ...seen.large.map(({ path, hash }) => [path, `large ${hash}`] as const),
    ...empty.map(({ path }) => [path, "repository without a commit"] as const),
    ...unread,
  ]);
}

/**
 * Paths that git cannot store and that are new, changed or gone; a path that a tree holds now or held before is left out,
 * because the tree reports it.
 */
export async function listUnstoredChanges(
  repo: Repository,
  input: {
    /** Absent in sessions that began with a version that did not compare these. */
    readonly known: Readonly<Record<string, string>> | undefined;
    readonly odd: Readonly<Record<string, string>>;
    readonly changes: readonly ObservedChange[];
  },
): Promise<readonly ObservedChange[]> {
  const { known, odd, changes } = input;
  if (known === undefined) return [];
  const told = new Set(changes.map(({ path }) => path));
  const paths = compareHashes(known, odd).filter((path) => !told.has(path));
  return await Promise.all(paths.map(async (path): Promise<ObservedChange> => {
    const kind = known[path] === undefined
      ? "added"
      : odd[path] === undefined
      ? "deleted"
      : "modified";
    const info = await Deno.lstat(join(repo.worktree, path)).catch(() => null);
    const isRepository = info?.isDirectory === true;
    return { path, kind, sizeBytes: info?.size ?? null, ...isRepository && { isRepository } };
  }));
}

/** Names that are new, gone, or have another hash. */
export function compareHashes(
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].filter((name) => before[name] !== now[name]).sort();
}

/** The hashes, with the present ones for some paths. */
export function updateHashes(
  known: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
  paths: readonly string[],
): Readonly<Record<string, string>> {
  const taken = { ...known };
  for (const path of paths) {
    const hash = now[path];
    if (hash === undefined) delete taken[path];
    else taken[path] = hash;
  }
  return taken;
}

/** A state of the working files, and what it cannot hold. */
export interface WorktreeSnapshot {
  readonly tree: string;
  /** Fingerprints by path of what no tree can hold. */
  readonly odd: Readonly<Record<string, string>>;
  /** Untracked files that are too large for a tree. */
  readonly large: readonly LargeFile[];
}

/** What can be done with the states of one repository. */
export interface Trees {
  /** Writes the working files as a tree; returns its id. */
  write(options: WorktreeTreeOptions): Promise<string>;
  /** Like `write`, with what no tree can hold. */
  look(options: WorktreeTreeOptions): Promise<WorktreeSnapshot>;
  /** The differences of two trees of which the second is the worktree; a rename is a deletion and an addition. */
  diff(from: string, to: string): Promise<readonly ObservedChange[]>;
  /** `onto` with the given files as they are in `from`. */
  adopt(options: Parameters<typeof adoptPaths>[1]): Promise<string>;
  /**
   * `onto` with the changes from `from` to `to`. Where both changed the same lines, those of `onto`
   * stay, and the file is reported as an overlap.
   */
  carry(options: Omit<CarryOptions, "onConflict">): Promise<CarriedTree>;
  /** The changed files without lines, of the given paths or of all; renames are recognised. */
  changes(from: string, to: string, paths?: readonly TreePath[]): Promise<readonly Change[]>;
  /** Changed lines by present path, of the given files or of all; renames are recognised. */
  changedLines(
    from: string,
    to: string,
    paths?: readonly TreePath[],
  ): Promise<ReadonlyMap<string, LineChanges>>;
  /** Text of a file in a tree; null where the file is missing or no text. */
  readText(tree: string, path: TreePath): Promise<string | null>;
  /** Makes files as they are in a tree; a file that the tree lacks is removed. */
  putBack(options: { readonly tree: string; readonly paths: readonly TreePath[] }): Promise<void>;
}

/** The states of one repository. */
export function createTrees(repo: Repository): Trees {
  return {
    write: async (options) => (await writeWorktreeTree(repo, options)).tree,
    look: async (options) => {
      const seen = await writeWorktreeTree(repo, options);
      return { tree: seen.tree, odd: await hashUnstored(repo, seen), large: seen.large };
    },
    diff: (from, to) => diffWorktree(repo, from, to),
    adopt: (options) => adoptPaths(repo, options),
    carry: (options) => carryWithOverlaps(repo, { ...options, onConflict: "onto" }),
    changes: (from, to, paths) => diffTrees(repo, from, to, paths === undefined ? {} : { paths }),
    changedLines: (from, to, paths) => changedLines(repo, from, to, paths),
    readText: (tree, path) => readBlobText(repo, tree, path),
    putBack: async (options) => void await restorePaths(repo, { ...options, exact: true }),
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
  return !isInFolder(target, worktree);
}

/**
 * Keeps the trees that a session's checkpoint names by refs, with one start of git: they are computed and part of no
 * snapshot, so that git could remove them. To be called before the later state is written, so that a checkpoint never
 * names a tree that garbage collection could remove.
 */
export async function keepStateTrees(
  openRepo: () => Promise<Repository | null>,
  sessionId: string,
  states: { readonly before: SessionState; readonly now: SessionState },
): Promise<void> {
  if (states.now.status === "ended") return;
  const [before, now] = [listNamedTrees(states.before), listNamedTrees(states.now)];
  const changed = Object.entries(now).flatMap(([name, tree]): [string, string][] =>
    before[name] === tree || tree === null || isManifestId(tree) ? [] : [[name, tree]]
  );
  const repo = changed.length === 0 ? null : await openRepo();
  if (repo !== null) await keepSessionTrees(repo, sessionId, Object.fromEntries(changed));
}

/** The trees that the session is compared with or goes back to, by the names of their refs. */
function listNamedTrees(
  { ledger, workspace }: SessionState,
): Readonly<Record<string, string | null>> {
  const { baselineTree: baseline, planTree: plan, parkTree: park, cleanTree: clean } = workspace;
  return { ledger: ledger?.tree ?? null, baseline, plan, park, clean };
}

/** True for the state of an older version's session without git, which no later version can read. */
export function isManifestId(tree: string | null): boolean {
  return tree?.startsWith("manifest:") === true;
}
