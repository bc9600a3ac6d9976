/**
 * The past as one commit sees it: the commits behind it in the order of their age, with the files under the names
 * that these have today. Pure.
 */
import { getOrInsert } from "../base/once.ts";
import type { LogCommit } from "../git/log/read_log.ts";

/** A file that changed together with those asked for. */
export interface Together {
  readonly path: string;
  /** The sum over the common commits: each 1 / log2(1 + its files), halved with its age. */
  readonly score: number;
  /** Common commits, of all commits that changed what was asked for. */
  readonly times: number;
  readonly of: number;
}

/** How the past is weighed. */
export interface TogetherOptions {
  /** Commits after which a commit counts half. */
  readonly halfLife?: number;
  /** Only the commits at these places; default all that changed any of the paths. */
  readonly places?: readonly number[];
}

/** After so many commits one counts half: fitted on the development split of real commits (`docs/history.md`). */
export const HALF_LIFE = 400;

/**
 * Files that changed together with any of `paths`, best first.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { findChangedTogether } from "./past.ts";
 * const commit = { id: "", atSeconds: 0, message: "", changed: 2 };
 * const commits = [{ ...commit, paths: ["a", "b"] }, { ...commit, paths: ["a", "c"] }, { ...commit, paths: ["a", "b"] }];
 * const byPath = new Map([["a", [0, 1, 2]]]);
 * const found = findChangedTogether({ commits, byPath, isCut: false }, ["a"]);
 * deepEqual(found.map(({ path, times, of }) => [path, times, of]), [["b", 2, 3], ["c", 1, 3]]);
 * ```
 */
export function findChangedTogether(
  past: CommitHistory,
  paths: readonly string[],
  { halfLife = HALF_LIFE, places: only }: TogetherOptions = {},
): Together[] {
  const own = new Set(paths);
  const places = only ?? [...new Set(paths.flatMap((path) => past.byPath.get(path) ?? []))];
  const sums = new Map<string, { score: number; times: number }>();
  for (const place of places) {
    const commit = past.commits[place];
    if (commit === undefined) continue;
    const weight = computeWeight(commit.changed, place, halfLife);
    for (const path of commit.paths) {
      if (own.has(path)) continue;
      const sum = sums.get(path) ?? { score: 0, times: 0 };
      sums.set(path, { score: sum.score + weight, times: sum.times + 1 });
    }
  }
  return [...sums]
    .map(([path, sum]) => ({ path, ...sum, of: places.length }))
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
}

/** Seen together at least so often, and in at least this share of the commits, is usual (guessed). */
const USUAL = { times: 3, share: 0.5 } as const;
/** Files whose company is looked for. */
const MOST_ASKED = 20;

/** A file that usually changes with another one. */
export interface UsualCompany extends Omit<Together, "score"> {
  readonly with: string;
}

/** Files that usually change with one of `paths` and are none of them, the surest first. */
export function findUsualCompany(
  past: CommitHistory,
  paths: readonly string[],
): readonly UsualCompany[] {
  const best = new Map<string, UsualCompany>();
  for (const asked of paths.slice(0, MOST_ASKED)) {
    for (const { path, times, of } of findChangedTogether(past, [asked])) {
      const isUsual = times >= USUAL.times && times / of >= USUAL.share;
      if (!isUsual || paths.includes(path)) continue;
      const other = best.get(path);
      if (other !== undefined && other.times / other.of >= times / of) continue;
      best.set(path, { path, with: asked, times, of });
    }
  }
  return [...best.values()].toSorted((a, b) => b.times / b.of - a.times / a.of);
}

/** What one commit counts: `changed` are its files, `age` the commits since. */
export function computeWeight(changed: number, age: number, halfLife: number): number {
  return 0.5 ** (age / halfLife) / Math.log2(1 + Math.max(1, changed));
}

/** A commit in its place in the past. */
export interface FollowedCommit {
  readonly id: string;
  readonly atSeconds: number;
  readonly message: string;
  /** How many files it changed in all. */
  readonly changed: number;
  /** The files that it changed, by their names of today. */
  readonly paths: readonly string[];
}

/** The past of one commit. */
export interface CommitHistory {
  /** Newest first, so that a place is an age. Merges are left out: what they bring stands in the merged commits. */
  readonly commits: readonly FollowedCommit[];
  /** Places in `commits` of those that changed a file, newest first. */
  readonly byPath: ReadonlyMap<string, readonly number[]>;
  /** True where commits lie behind the last one that are not known: the past is cut, and not only short. */
  readonly isCut: boolean;
  /** Commits of which git could not tell whether they moved files that they changed; absent for none. */
  readonly openMoves?: number;
}

/** A younger past says nothing: its first commits make everything at once. */
export const YOUNG_COMMITS = 20;

/** What a past is made from. */
export interface PastSource {
  /** The commit from which is looked back. */
  readonly head: string;
  /** Every commit that is known, of any branch. */
  readonly commits: ReadonlyMap<string, LogCommit>;
  readonly maxCommits: number;
  /** Folder of the project in the worktree: files outside are left out. Default the whole worktree. */
  readonly under?: string;
}

/** Puts the commits behind a commit in order and follows the names of their files. */
export function buildHistory({ head, commits, maxCommits, under = "" }: PastSource): CommitHistory {
  const { line, isCut } = orderCommits({ head, commits, maxCommits });
  const byPath = new Map<string, number[]>();
  const followed: FollowedCommit[] = [];
  // Names are followed from today backwards: what an older commit calls A is what A was moved to since.
  const todays = new Map<string, string>();
  const toToday = (path: string) => todays.get(path) ?? path;
  for (const commit of line) {
    if (commit.parents.length > 1) continue;
    const paths = keepProjectPaths(commit.files.map(({ path }) => toToday(path)), under);
    for (const { path, from } of commit.files) {
      if (from !== undefined) todays.set(from, toToday(path));
    }
    for (const path of paths) {
      getOrInsert<string, number[]>(byPath, path, () => []).push(followed.length);
    }
    const { id, atSeconds, message, changed } = commit;
    followed.push({ id, atSeconds, message, changed, paths });
  }
  const openMoves = line.filter(({ hasOpenMoves }) => hasOpenMoves === true).length;
  return { commits: followed, byPath, isCut, ...(openMoves === 0 ? {} : { openMoves }) };
}

function keepProjectPaths(paths: readonly string[], under: string): readonly string[] {
  const own = [...new Set(paths)];
  if (under === "") return own;
  const folder = `${under}/`;
  return own.flatMap((path) => path.startsWith(folder) ? [path.slice(folder.length)] : []);
}

/** The commits behind `head`, the newest first and no parent before a child of it. */
function orderCommits({ head, commits, maxCommits }: PastSource) {
  const children = countChildren(head, commits);
  const ready = new NewestFirst();
  const first = commits.get(head);
  if (first !== undefined) ready.add(first);
  const line: LogCommit[] = [];
  let isCut = first === undefined;
  for (let next = ready.take(); next !== undefined; next = ready.take()) {
    if (line.length === maxCommits) return { line, isCut: true };
    line.push(next);
    for (const id of next.parents) {
      const parent = commits.get(id);
      if (parent === undefined) isCut = true;
      const left = (children.get(id) ?? 1) - 1;
      children.set(id, left);
      if (parent !== undefined && left === 0) ready.add(parent);
    }
  }
  return { line, isCut };
}

/** How many commits behind `head` have a commit as their parent. */
function countChildren(
  head: string,
  commits: ReadonlyMap<string, LogCommit>,
): Map<string, number> {
  const counts = new Map<string, number>();
  const open = [head];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const parent of commits.get(id)?.parents ?? []) {
      const known = counts.get(parent);
      counts.set(parent, (known ?? 0) + 1);
      if (known === undefined) open.push(parent);
    }
  }
  return counts;
}

/** A heap of commits from which the newest is taken. */
class NewestFirst {
  readonly #heap: LogCommit[] = [];

  add(commit: LogCommit): void {
    const heap = this.#heap;
    let at = heap.push(commit) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#isNewer(at, above)) return;
      this.#swap(at, above);
      at = above;
    }
  }

  take(): LogCommit | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (heap.length === 0 || last === undefined) return first;
    heap[0] = last;
    for (let at = 0;;) {
      const left = 2 * at + 1;
      const newer = this.#isNewer(left + 1, left) ? left + 1 : left;
      if (!this.#isNewer(newer, at)) return first;
      this.#swap(at, newer);
      at = newer;
    }
  }

  #isNewer(at: number, than: number): boolean {
    const [one, other] = [this.#heap[at], this.#heap[than]];
    return one !== undefined && other !== undefined && one.atSeconds > other.atSeconds;
  }

  #swap(at: number, other: number): void {
    const [one, two] = [this.#heap[at], this.#heap[other]];
    if (one === undefined || two === undefined) return;
    this.#heap[at] = two;
    this.#heap[other] = one;
  }
}
