/** Values that are remembered up to a number. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { BoundedMap } from "../../src/base/bounded_map.ts";

Deno.test("BoundedMap forgets what it remembered first, and nothing for a key that it has", () => {
  const map = new BoundedMap<string, number>(2);
  const read = () => ["a", "b", "c"].map((key) => map.get(key) ?? null);
  map.set("a", 1);
  map.set("b", 2);
  map.set("a", 3);
  deepEqual(read(), [3, 2, null]);
  map.set("c", 4);
  deepEqual(read(), [null, 2, 4]);
  map.clear();
  deepEqual(read(), [null, null, null]);
});
