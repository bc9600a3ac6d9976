/** Scores, their order and their explanation. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { FEATURES, PLAIN_SCALES, rank } from "../../src/ranking/rank.ts";
import { WEIGHTS } from "../../src/ranking/weights.ts";

const FILES = [
  { path: "b.ts", features: { text: 1, definition: 0 }, penalties: [] },
  { path: "a.ts", features: { text: 0.5, definition: 1 }, penalties: [] },
  {
    path: "t.ts",
    features: { text: 1, definition: 1 },
    penalties: [{ name: "test", factor: 0.3 }],
  },
];
const WEIGHTS_HERE = { text: 3, definition: 1 };

Deno.test("rank() orders by the weighted share, times the penalties", () => {
  const ranked = rank(FILES, WEIGHTS_HERE);
  deepEqual(ranked.map(({ item, score }) => [item.path, score]), [
    ["b.ts", 0.75],
    ["a.ts", 0.625],
    ["t.ts", 0.3],
  ]);
});

Deno.test("rank() explains a score by parts that add up to it", () => {
  for (const { score, explanation } of rank(FILES, WEIGHTS_HERE)) {
    const sum = Object.values(explanation.adds).reduce((total, part) => total + part, 0);
    ok(Math.abs(sum - score) < 1e-12);
  }
  deepEqual(rank(FILES, WEIGHTS_HERE)[2]?.explanation.penalties, { test: 0.3 });
});

Deno.test("rank() scales groups: without keywords only definitions count", () => {
  const ranked = rank(FILES, WEIGHTS_HERE, { ...PLAIN_SCALES, keyword: 0 });
  deepEqual(ranked.map(({ item, score }) => [item.path, score]), [
    ["a.ts", 1],
    ["t.ts", 0.3],
    ["b.ts", 0],
  ]);
});

Deno.test("rank() answers with zeros when every group is taken out, in the order of paths", () => {
  const none = { vector: 0, keyword: 0, definition: 0, reference: 0 };
  deepEqual(rank(FILES, WEIGHTS_HERE, none).map(({ item, score }) => [item.path, score]), [
    ["a.ts", 0],
    ["b.ts", 0],
    ["t.ts", 0],
  ]);
});

Deno.test("every kind of question weighs the text, and features of the table alone", () => {
  for (const [kind, weights] of Object.entries(WEIGHTS)) {
    ok((weights.text ?? 0) > 0, kind);
    for (const name of Object.keys(weights)) equal(name in FEATURES, true, `${kind}: ${name}`);
  }
});
