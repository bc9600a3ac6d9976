/** Values that are remembered up to a number. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { BoundedMap } from "../../src/base/once.ts";

Deno.test("BoundedMap forgets what came first, save what was asked for meanwhile", () => {
  const map = new BoundedMap<string, number>(4);
  const read = (...keys: readonly string[]) => keys.map((key) => map.get(key) ?? null);
  map.set("a", 1);
  map.set("b", 2);
  map.set("a", 3);
  map.set("c", 4);
  deepEqual(read("a", "b", "c"), [3, 2, 4]);
  map.clear();
  deepEqual(read("a", "b", "c"), [null, null, null]);
  for (const [at, key] of ["d", "e", "f"].entries()) map.set(key, at);
  deepEqual(read("d"), [0], "asked for, so that it is among the newer ones");
  map.set("g", 3);
  deepEqual(read("d", "e", "f", "g"), [0, null, 2, 3]);
});

Deno.test("BoundedMap never holds more than it may, and the last values always", () => {
  const map = new BoundedMap<number, number>(100);
  for (let key = 0; key < 1_000; key++) map.set(key, key);
  const held = Array.from({ length: 1_000 }, (_, key) => key).filter((key) =>
    map.get(key) !== undefined
  );
  ok(held.length <= 100, `${held.length}`);
  deepEqual(held.slice(-50), Array.from({ length: 50 }, (_, at) => 950 + at));
});
