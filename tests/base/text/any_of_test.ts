/** One pattern of several. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { anyOf } from "../../../src/base/text/any_of.ts";

Deno.test("anyOf() finds what one of its patterns finds, with the flags of the first", () => {
  const either = anyOf(/^a$/i, /^b+$/);
  deepEqual(["A", "bb", "ab"].map((text) => either.test(text)), [true, true, false]);
  deepEqual([..."a1b2".matchAll(anyOf(/a\d/g, /b\d/))].map(([found]) => found), ["a1", "b2"]);
});
