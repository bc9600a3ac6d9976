/** Places as numbers. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { indentOf, packPosition } from "../../../src/base/text/position.ts";

Deno.test("indentOf() counts spaces, and a tab as four", () => {
  deepEqual(["", "a", "  a", "\ta", "  \t a", "   "].map(indentOf), [0, 0, 2, 4, 7, 3]);
});

Deno.test("packPosition() grows with lines and columns, however long a line is", () => {
  const places = [[1, 1], [1, 2], [1, 4_095], [2, 1], [2, 9_999], [3, 1]] as const;
  const numbers = places.map(([line, column]) => packPosition(line, column));
  deepEqual(numbers, numbers.toSorted((a, b) => a - b));
  deepEqual(new Set(numbers).size, numbers.length);
});
