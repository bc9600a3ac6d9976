/** Values that are made once. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { once } from "../../src/base/once.ts";

Deno.test("once() makes a value at its first question alone", () => {
  const known = new Map<string, number>();
  const made: string[] = [];
  const ask = (key: string) => once(known, key, () => made.push(key));
  deepEqual([ask("a"), ask("b"), ask("a")], [1, 2, 1]);
  deepEqual(made, ["a", "b"]);
});
