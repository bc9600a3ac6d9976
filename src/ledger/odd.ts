/**
 * Fingerprints of what no tree of git can hold: it is never committed, but it lies on the disk and
 * may change.
 */
import { join } from "node:path";
import type { WorktreeTree } from "../git/index/private_index.ts";
import type { Repository } from "../git/repository.ts";
import type { ObservedChange } from "./ledger.ts";

/**
 * Fingerprints of what a tree cannot hold: untracked files above the size limit, repositories
 * without a commit, and what git cannot or will not read.
 */
export async function readOdd(
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
 * Odd paths that are new, changed or gone; a path that a tree holds now or held before is left out,
 * because the tree reports it.
 */
export async function toOddChanges(
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
export function takeHashes(
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
