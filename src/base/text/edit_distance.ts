/** How far two texts are apart, for hints that name what was probably meant. Pure. */

/**
 * The least number of characters to insert, delete or replace (Levenshtein). Cost: the product of the
 * lengths, so callers bound them.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { toEditDistance } from "./edit_distance.ts";
 * equal(toEditDistance("serch", "search"), 1);
 * ```
 */
export function toEditDistance(a: string, b: string): number {
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
