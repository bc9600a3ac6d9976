/** Distances by hand, the empty text included. */
import { strictEqual as equal } from "node:assert/strict";
import { toEditDistance } from "../../../src/base/text/nearest.ts";

const ROWS: readonly (readonly [string, string, number])[] = [
  ["", "", 0],
  ["", "abc", 3],
  ["abc", "", 3],
  ["abc", "abc", 0],
  ["kitten", "sitting", 3],
  ["search", "serach", 2],
];

for (const [a, b, distance] of ROWS) {
  Deno.test(`toEditDistance() of "${a}" and "${b}" is ${distance}, both ways`, () => {
    equal(toEditDistance(a, b), distance);
    equal(toEditDistance(b, a), distance);
  });
}
