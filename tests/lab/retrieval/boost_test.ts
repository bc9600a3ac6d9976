/** Trees that are fitted to ranked lists. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { addTrees } from "../../../src/impact/likely/feature_table.ts";
import { fitTrees } from "../../../lab/history/boost.ts";

/** Lists in which the file that has both features, or neither, is right: no weights can say so. */
const LISTS = Array.from({ length: 60 }, (_, list) => ({
  files: [[1, 1], [0, 0], [1, 0], [0, 1]].map(([a = 0, b = 0], at) => ({
    score: 0,
    isTarget: at === list % 2,
    features: { a, b },
  })),
}));

Deno.test("fitTrees() learns what a feature says together with another, and the same each time", () => {
  const trees = fitTrees(LISTS, ["a", "b"]);
  const add = (a: number, b: number) => addTrees(trees, { a, b }).whole;
  for (const wrong of [add(1, 0), add(0, 1)]) {
    ok(add(1, 1) > wrong + 1 && add(0, 0) > wrong + 1);
  }
  deepEqual(fitTrees(LISTS, ["a", "b"]), trees);
});
