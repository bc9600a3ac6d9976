/** Holds `src/base/clip.ts` to rows of input and expected output. */
import { strictEqual as equal } from "node:assert/strict";
import { clip } from "../../src/base/clip.ts";

Deno.test("clip() keeps a short text, marks a cut one, and never halves a character", () => {
  equal(clip("abcd", 4), "abcd");
  equal(clip("abcde", 4), "abc…");
  equal(clip("ab😀cd", 4), "ab…");
});
