/** The second look at the likeliest files: trees, and files that are like others. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { AskedFeature } from "../../../src/impact/likely/feature_table.ts";
import type { LikelyModel } from "../../../src/impact/likely/second_look.ts";
import {
  addNeighbourFeatures,
  LIKELY_MODEL,
  scoreByWeights,
  scoreLikely,
} from "../../../src/impact/likely/second_look.ts";
import { parseTree } from "../../../src/impact/likely/feature_table.ts";

const { weights } = LIKELY_MODEL;

function toModel(...lines: readonly string[]): LikelyModel {
  return { weights, trees: lines.map((line) => parseTree<AskedFeature>(line)) };
}

const FILES = [
  { path: "a.ts", features: { text: 1 } },
  { path: "b.ts", features: { text: 0.9, name: 0.2 } },
  { path: "c.ts", features: { text: 0.1 } },
];

const show = (model: LikelyModel) => scoreLikely(FILES, model).map(({ file }) => file.path);

Deno.test("scoreLikely() lets trees change the order that weights give, and tells what each feature adds", () => {
  deepEqual(show(toModel()), ["a.ts", "b.ts", "c.ts"]);
  const model = toModel("name 0.1 0 -0.5 (text 0.5 0.5 0 1)");
  deepEqual(show(model), ["b.ts", "a.ts", "c.ts"]);
  const [best, next] = scoreLikely(FILES, model);
  equal(best?.parts.name, 0.2 * weights.name + 0.5);
  equal(best?.parts.text, 0.9 * weights.text + 0.5);
  // It has no name, so that no reason comes from that.
  deepEqual(next?.parts, { text: weights.text });
});

Deno.test("scoreLikely() looks at the first files again, and leaves the others behind them", () => {
  const files = Array.from({ length: 100 }, (_, at) => ({
    path: `${at}.ts`,
    features: { text: 1 - at / 100, ...(at % 2 === 1 ? { pair: 0.01 } : {}) },
  }));
  const paths = scoreLikely(files, toModel("pair 0 0 -9 9")).map(({ file }) => file.path);
  deepEqual(new Set(paths.slice(0, 80)), new Set(files.slice(0, 80).map(({ path }) => path)));
  deepEqual([paths[0], paths[40], paths[80]], ["1.ts", "0.ts", "80.ts"]);
});

Deno.test("addNeighbourFeatures() counts the shares of kin and neighbours, without the file's own", () => {
  const files = ["src/auth.ts", "tests/auth_test.ts", "src/other.ts"].map((path) => ({
    path,
    features: {},
  }));
  const asked = addNeighbourFeatures(scoreByWeights(files, weights)).map(({ one, asked }) =>
    [one.file.path, asked.kin, asked.beside].map((value) =>
      typeof value === "number" ? value.toFixed(2) : value
    )
  );
  deepEqual(asked, [
    ["src/auth.ts", "0.33", "0.33"],
    ["src/other.ts", "0.00", "0.33"],
    ["tests/auth_test.ts", "0.33", "0.00"],
  ]);
});
