/** Circles in a graph: each group once, and chains of any length. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { findCycles } from "../../../src/features/map/gather_map.ts";

Deno.test("findCycles() finds each group of nodes that lead to one another", () => {
  const check = (targets: readonly (readonly number[])[], expected: readonly number[][]) =>
    deepEqual(findCycles(targets), expected);
  check([], []);
  check([[0]], []);
  check([[1], [2], [3], []], []);
  check([[1], [0], [3], [2, 0]], [[0, 1], [2, 3]]);
  check([[1], [2], [0, 3], [4], [5], [3]], [[0, 1, 2], [3, 4, 5]]);
  // Two circles with a node in common are one group.
  check([[1, 2], [0], [0], [0]], [[0, 1, 2]]);
});

Deno.test("findCycles() follows a chain of 100,000 nodes that ends where it began", () => {
  const count = 100_000;
  const [group] = findCycles(Array.from({ length: count }, (_, node) => [(node + 1) % count]));
  deepEqual([group?.length, group?.[0], group?.at(-1)], [count, 0, count - 1]);
});
