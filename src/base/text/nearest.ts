/** Finds the name that was probably meant. Pure. */

/**
 * The least number of characters to insert, delete or replace (Levenshtein). Cost: the product of the
 * lengths, so callers bound them.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { computeEditDistance } from "./nearest.ts";
 * equal(computeEditDistance("serch", "search"), 1);
 * ```
 */
export function computeEditDistance(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const now = [row];
    for (let column = 1; column <= b.length; column++) {
      const swap = (before[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      now.push(Math.min(swap, (before[column] ?? 0) + 1, (now[column - 1] ?? 0) + 1));
    }
    before = now;
  }
  return before[b.length] ?? 0;
}

/** How the nearest names are chosen. */
export interface NearestOptions {
  /** Most names of the answer, default 3. */
  readonly count?: number;
  /**
   * Whether a name counts that has all letters of the wanted one in their order (`find_refs`). It is right among a few
   * names that were chosen by hand, and finds anything among the names of a project. Default true.
   */
  readonly hasShortForms?: boolean;
}

/** Longer texts are no mistyped names. */
const MAX_WANTED = 200;

/**
 * The names nearest to `wanted` by edit distance, best first, each once; none when nothing is near.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { findNearest } from "./nearest.ts";
 * deepEqual(findNearest("serch_text", ["search_text", "get_symbols"]), ["search_text"]);
 * ```
 */
export function findNearest(
  wanted: string,
  names: Iterable<string>,
  { count = 3, hasShortForms = true }: NearestOptions = {},
): string[] {
  if (wanted.length > MAX_WANTED) return [];
  const plain = normaliseName(wanted);
  const farthest = Math.max(2, Math.ceil(plain.length / 3));
  const found: { readonly name: string; readonly distance: number }[] = [];
  for (const name of new Set(names)) {
    const distance = computeDistance(plain, normaliseName(name), { farthest, hasShortForms });
    if (distance <= farthest) found.push({ name, distance });
  }
  return found
    .sort((a, b) =>
      // Of names that hold the wanted one, the shortest says least else: `serve` before `hub serve`.
      a.distance - b.distance || a.name.length - b.name.length || (a.name < b.name ? -1 : 1)
    )
    .slice(0, count)
    .map(({ name }) => name);
}

/** `Did you mean "x"?` with a space before it, or nothing. */
export function formatSuggestion(wanted: string, names: readonly string[]): string {
  const nearest = findNearest(wanted, names);
  if (nearest.length === 0) return "";
  return ` Did you mean ${nearest.map((name) => `"${name}"`).join(" or ")}?`;
}

/** Case, dashes and underscores are what people mix up most; they cost nothing. */
function normaliseName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_\s]/g, "");
}

/** Part of a name (`text` in `search_text`) counts as near, and so do a longer name and a short form. */
function computeDistance(
  a: string,
  b: string,
  { farthest, hasShortForms }: { readonly farthest: number; readonly hasShortForms: boolean },
): number {
  if (a.length >= 3 && b.length >= 3 && (b.includes(a) || a.includes(b))) return 1;
  if (hasShortForms && a.length >= 5 && isShortFor(a, b)) return 2;
  if (Math.abs(a.length - b.length) > farthest) return farthest + 1;
  return computeEditDistance(a, b);
}

/** Whether `long` has all letters of `short` in their order, beginning with the first: `find_refs`. */
function isShortFor(short: string, long: string): boolean {
  let at = 0;
  for (const letter of long) if (letter === short[at]) at++;
  return at === short.length && short[0] === long[0];
}
