/** Holds `src/base/text/clip.ts` to rows of input and expected output. */
import { strictEqual as equal } from "node:assert/strict";
import { clip, clipLine } from "../../../src/base/text/clip.ts";

Deno.test("clip() keeps a short text, marks a cut one, and never halves a character", () => {
  equal(clip("abcd", 4), "abcd");
  equal(clip("abcde", 4), "abc…");
  equal(clip("ab😀cd", 4), "ab…");
});

Deno.test("clipLine() gives one line and marks the cut", () => {
  equal(clipLine(" a\n\tb ", 10), "a b");
  equal(clipLine("abcdef", 6), "abcdef");
  equal(clipLine("abc\n\n  defg", 6), "abc d…");
});
