/** Trees as lines of text, and what each answer adds; those of the program ask what there is. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal, throws } from "node:assert/strict";
import {
  addTrees,
  ASKED_NAMES,
  formatTree,
  parseTree,
} from "../../../src/impact/likely/feature_table.ts";
import { LIKELY_TREES } from "../../../src/impact/likely/tree_table.ts";
import type { Tree } from "../../../src/impact/likely/feature_table.ts";

Deno.test("parseTree() reads what formatTree() writes, and refuses what is no tree", () => {
  for (const line of ["0.5", "a 0.5 0.25 0 1", "a 0.5 0.3 (b 2 0.1 0 -0.2) (a 0.9 1 0.5 1.5)"]) {
    equal(formatTree(parseTree(line)), line);
  }
  for (const line of ["", "a", "a 0.5 0.25 0", "a x 0.25 0 1"]) throws(() => parseTree(line), line);
});

Deno.test("addTrees() gives each answer to the feature that was asked; the parts and the base are the whole", () => {
  const trees = ["a 0.5 0.25 0 (b 0.5 1 0.5 1.5)", "b 0 0.1 -0.1 0.3"].map((line) =>
    parseTree<"a" | "b">(line)
  );
  for (const features of [{}, { a: 1 }, { b: 0.4 }, { a: 1, b: 1 }]) {
    const { base, whole, parts } = addTrees(trees, features);
    const sum = Object.values(parts).reduce((sum, part) => sum + part, base);
    ok(Math.abs(sum - whole) < 1e-9, JSON.stringify(features));
  }
  equal(addTrees(trees, { a: 1, b: 1 }).whole, 1.8);
});

Deno.test("LIKELY_TREES ask features that files have, and none adds much", () => {
  const isRight = (tree: Tree<string>): boolean =>
    typeof tree === "number"
      ? Math.abs(tree) < 1
      : (ASKED_NAMES as readonly string[]).includes(tree.name) && Number.isFinite(tree.bound) &&
        isRight(tree.atMost) && isRight(tree.more);
  ok(LIKELY_TREES.length > 0);
  deepEqual(LIKELY_TREES.filter((tree) => !isRight(tree)), []);
});
