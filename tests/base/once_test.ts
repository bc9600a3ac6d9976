/** Values that are made once. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { BoundedMap, getOrInsert, getOrInsertAll } from "../../src/base/once.ts";

Deno.test("getOrInsert() makes a value at its first question alone", () => {
  const known = new Map<string, number>();
  const made: string[] = [];
  const ask = (key: string) => getOrInsert(known, key, () => made.push(key));
  deepEqual([ask("a"), ask("b"), ask("a")], [1, 2, 1]);
  deepEqual(made, ["a", "b"]);
});

Deno.test("getOrInsertAll() answers every key, each made once, also where the memory forgets some meanwhile", () => {
  const asked: string[][] = [];
  const make = (lacking: readonly string[]) => {
    asked.push([...lacking]);
    return lacking.map((key) => key.toUpperCase());
  };
  const known = new BoundedMap<string, string>(3);
  deepEqual(getOrInsertAll(known, ["a", "b", "a"], make), ["A", "B", "A"]);
  deepEqual(getOrInsertAll(known, ["c", "a", "d", "e", "b"], make), ["C", "A", "D", "E", "B"]);
  deepEqual(getOrInsertAll(known, ["e", "a"], make), ["E", "A"]);
  deepEqual(asked, [["a", "b"], ["c", "d", "e"], ["a"]]);
});
