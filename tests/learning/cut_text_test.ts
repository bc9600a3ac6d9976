/** Texts cut for one line. */
import { strictEqual as equal } from "node:assert/strict";
import { cutText } from "../../src/learning/cut_text.ts";

Deno.test("cutText() gives one line of at most so many characters and marks the cut", () => {
  equal(cutText(" a\n\tb ", 10), "a b");
  equal(cutText("abcdef", 6), "abcdef");
  equal(cutText("abcdefg", 6), "abcde…");
  equal(cutText("😀😀😀", 2), "😀…");
});
