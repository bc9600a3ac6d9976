/** Places as numbers. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { toPosition } from "../../../src/base/text/position.ts";

Deno.test("toPosition() grows with lines and columns, however long a line is", () => {
  const places = [[1, 1], [1, 2], [1, 4_095], [2, 1], [2, 9_999], [3, 1]] as const;
  const numbers = places.map(([line, column]) => toPosition(line, column));
  deepEqual(numbers, numbers.toSorted((a, b) => a - b));
  deepEqual(new Set(numbers).size, numbers.length);
});
