/**
 * The past as one commit sees it: the commits behind it in the order of their age, with the files under the names
 * that these have today. Pure.
 */
import type { PastCommit } from "../git/past/log_output.ts";

/** A commit in its place in the past. */
export interface Deed {
  readonly id: string;
  readonly atSeconds: number;
  readonly message: string;
  /** How many files it changed in all. */
  readonly changed: number;
  /** The files that it changed, by their names of today. */
  readonly paths: readonly string[];
}

/** The past of one commit. */
export interface Past {
  /** Newest first, so that a place is an age. Merges are left out: what they bring stands in the merged commits. */
  readonly deeds: readonly Deed[];
  /** Places in `deeds` of those that changed a file, newest first. */
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
  readonly commits: ReadonlyMap<string, PastCommit>;
  readonly maxCommits: number;
  /** Folder of the project in the worktree: files outside are left out. Default the whole worktree. */
  readonly under?: string;
}

/** Puts the commits behind a commit in order and follows the names of their files. */
export function toPast({ head, commits, maxCommits, under = "" }: PastSource): Past {
  const { line, isCut } = toLine({ head, commits, maxCommits });
  const byPath = new Map<string, number[]>();
  const deeds: Deed[] = [];
  // Names are followed from today backwards: what an older commit calls A is what A was moved to since.
  const todays = new Map<string, string>();
  const toToday = (path: string) => todays.get(path) ?? path;
  for (const commit of line) {
    if (commit.parents.length > 1) continue;
    const paths = toProjectPaths(commit.files.map(({ path }) => toToday(path)), under);
    for (const { path, from } of commit.files) {
      if (from !== undefined) todays.set(from, toToday(path));
    }
    for (const path of paths) {
      const places = byPath.get(path);
      if (places === undefined) byPath.set(path, [deeds.length]);
      else places.push(deeds.length);
    }
    const { id, atSeconds, message, changed } = commit;
    deeds.push({ id, atSeconds, message, changed, paths });
  }
  const openMoves = line.filter(({ hasOpenMoves }) => hasOpenMoves === true).length;
  return { deeds, byPath, isCut, ...(openMoves === 0 ? {} : { openMoves }) };
}

function toProjectPaths(paths: readonly string[], under: string): readonly string[] {
  const own = [...new Set(paths)];
  if (under === "") return own;
  const folder = `${under}/`;
  return own.flatMap((path) => path.startsWith(folder) ? [path.slice(folder.length)] : []);
}

/** The commits behind `head`, the newest first and no parent before a child of it. */
function toLine({ head, commits, maxCommits }: PastSource) {
  const children = countChildren(head, commits);
  const ready = new NewestFirst();
  const first = commits.get(head);
  if (first !== undefined) ready.add(first);
  const line: PastCommit[] = [];
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
  commits: ReadonlyMap<string, PastCommit>,
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
  readonly #heap: PastCommit[] = [];

  add(commit: PastCommit): void {
    const heap = this.#heap;
    let at = heap.push(commit) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#isNewer(at, above)) return;
      this.#swap(at, above);
      at = above;
    }
  }

  take(): PastCommit | undefined {
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
