/** Names with what holds them, round them or by their own words. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { NamedSymbol } from "../../src/analysis/tokens.ts";
import { toApartScope, toQualifiedName } from "../../src/analysis/tokens.ts";

Deno.test("toQualifiedName() names each holder once, whether it stands round or is only said", () => {
  const all: readonly NamedSymbol[] = [
    { name: "app", parent: null },
    { name: "Shop", parent: 0 },
    { name: "open", parent: 1, scope: "Shop" },
    { name: "close", parent: 0, scope: "app::Shop" },
    { name: "run", parent: null, scope: "a.b\\C" },
    { name: "inner", parent: 4 },
  ];
  const names = all.map((symbol) => toQualifiedName(symbol, (at) => all[at]));
  deepEqual(names, [
    "app",
    "app.Shop",
    "app.Shop.open",
    "app.Shop.close",
    "a.b.C.run",
    "a.b.C.run.inner",
  ]);
});

Deno.test("toApartScope() is empty where the holder is what the scope says", () => {
  deepEqual(toApartScope({}, undefined), []);
  deepEqual(toApartScope({ scope: "A" }, { name: "A" }), []);
  deepEqual(toApartScope({ scope: "A::B" }, undefined), ["A", "B"]);
  equal(toApartScope({ scope: "::f" }, undefined).length, 1);
});
