/** What makes a file likely for a request beside its words: the past, and the ties to the files that fit best. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import {
  computeKinName,
  computeTieFeatures,
  rateByHistory,
} from "../../src/ranking/request_features.ts";

Deno.test("rateByHistory() measures by code: a document that every commit changes sets no measure", () => {
  const said = new Map([
    ["CHANGELOG.md", { vote: 100, lately: 1, times: 100 }],
    ["a.ts", { vote: 4, lately: 1, times: 10 }],
    ["b.ts", { vote: 1, lately: 0.2, times: 5 }],
  ]);
  const paths = [...said.keys(), "new.ts"];
  deepEqual(rateByHistory(paths, { rate: (path) => said.get(path) ?? null }), [
    { past: 1, lately: 1, seldom: 0 },
    { past: 1, lately: 1, seldom: 0 },
    { past: 0.5, lately: 0.2, seldom: 0.5 },
    {},
  ]);
});

Deno.test("computeTieFeatures() follows names, users and the past from the files that fit best", () => {
  const placed = [
    { path: "src/cart.ts", share: 0.9, users: ["src/shop.ts"] },
    { path: "tests/cart.test.ts", share: 0.05, users: [] },
    { path: "src/shop.ts", share: 0.05, users: ["src/cart.ts"] },
  ];
  const spread = (shares: ReadonlyMap<string, number>) =>
    new Map([["tests/cart.test.ts", shares.get("src/cart.ts") ?? 0]]);
  const ties = computeTieFeatures(placed, { spread });
  const { together, kin } = ties.get("tests/cart.test.ts") ?? {};
  equal(together, 0.9);
  ok(Math.abs((kin ?? 0) - 0.9) < 1e-9);
  equal(ties.get("src/shop.ts")?.uses_it, 0.9);
  equal(ties.get("src/cart.ts")?.uses_it, 0.05);
});

Deno.test("computeKinName() is one for a test and its source, a header and its code, the forms of a platform", () => {
  const rows = [
    ["src/cart.ts", "tests/cart.test.ts"],
    ["src/format.cc", "include/format.h"],
    ["a/Schema.kt", "b/Schema.jvm.kt"],
    ["src/session/index.ts", "src/session.ts"],
  ];
  for (const [one = "", other = ""] of rows) equal(computeKinName(one), computeKinName(other), one);
  equal(computeKinName("a/index.ts") === computeKinName("b/index.ts"), false);
});
