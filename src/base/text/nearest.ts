/** Finds the name that was probably meant. Pure. */
import { toEditDistance } from "./edit_distance.ts";

/**
 * The names nearest to `wanted` by edit distance, best first, at most three; none when nothing is near.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { findNearest } from "./nearest.ts";
 * deepEqual(findNearest("serch_text", ["search_text", "get_symbols"]), ["search_text"]);
 * ```
 */
export function findNearest(wanted: string, names: readonly string[]): readonly string[] {
  const plain = toPlain(wanted.slice(0, 64));
  const farthest = Math.max(2, Math.ceil(plain.length / 3));
  return names
    .map((name) => ({ name, distance: toDistance(plain, toPlain(name)) }))
    .filter(({ distance }) => distance <= farthest)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name);
}

/** `Did you mean "x"?` with a space before it, or nothing. */
export function toSuggestion(wanted: string, names: readonly string[]): string {
  const nearest = findNearest(wanted, names);
  if (nearest.length === 0) return "";
  return ` Did you mean ${nearest.map((name) => `"${name}"`).join(" or ")}?`;
}

/** Case, dashes and underscores are what people mix up most; they cost nothing. */
function toPlain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_\s]/g, "");
}

/** Part of a name (`text` in `search_text`) counts as near, and so does a short form of it. */
function toDistance(a: string, b: string): number {
  if (a.length >= 3 && b.includes(a)) return 1;
  if (a.length >= 5 && isShortFor(a, b)) return 2;
  return toEditDistance(a, b);
}

/** Whether `long` has all letters of `short` in their order, beginning with the first: `find_refs`. */
function isShortFor(short: string, long: string): boolean {
  let at = 0;
  for (const letter of long) if (letter === short[at]) at++;
  return at === short.length && short[0] === long[0];
}
