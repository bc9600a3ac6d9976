/**
 * Which files changed together with a file. Pure. A commit of few files says more than one of many, and a late one
 * more than an early one.
 */
import type { Past } from "./past.ts";

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
 * import { findTogether } from "./together.ts";
 * const deed = { id: "", atSeconds: 0, message: "", changed: 2 };
 * const deeds = [{ ...deed, paths: ["a", "b"] }, { ...deed, paths: ["a", "c"] }, { ...deed, paths: ["a", "b"] }];
 * const byPath = new Map([["a", [0, 1, 2]]]);
 * const found = findTogether({ deeds, byPath, isCut: false }, ["a"]);
 * deepEqual(found.map(({ path, times, of }) => [path, times, of]), [["b", 2, 3], ["c", 1, 3]]);
 * ```
 */
export function findTogether(
  past: Past,
  paths: readonly string[],
  { halfLife = HALF_LIFE, places: only }: TogetherOptions = {},
): Together[] {
  const own = new Set(paths);
  const places = only ?? [...new Set(paths.flatMap((path) => past.byPath.get(path) ?? []))];
  const sums = new Map<string, { score: number; times: number }>();
  for (const place of places) {
    const deed = past.deeds[place];
    if (deed === undefined) continue;
    const weight = toWeight(deed.changed, place, halfLife);
    for (const path of deed.paths) {
      if (own.has(path)) continue;
      const sum = sums.get(path) ?? { score: 0, times: 0 };
      sums.set(path, { score: sum.score + weight, times: sum.times + 1 });
    }
  }
  return [...sums]
    .map(([path, sum]) => ({ path, ...sum, of: places.length }))
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
}

/** What one commit counts: `changed` are its files, `age` the commits since. */
export function toWeight(changed: number, age: number, halfLife: number): number {
  return 0.5 ** (age / halfLife) / Math.log2(1 + Math.max(1, changed));
}
