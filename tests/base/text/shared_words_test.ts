/** Rows of two texts and what they share, for `src/base/text/shared_words.ts`. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import {
  countShared,
  isInside,
  isSimilar,
  normaliseText,
} from "../../../src/base/text/shared_words.ts";

Deno.test("normaliseText() leaves what two writers agree in", () => {
  equal(normaliseText("  `A-b`, C! "), "a b c");
});

Deno.test("isInside() takes a part of the other, and no single word for a rule", () => {
  deepEqual(
    [
      isInside("own logic", "Services own logic."),
      isInside("Services own logic", "own logic"),
      isInside("logic", "own"),
    ],
    [true, true, false],
  );
});

Deno.test("countShared() and isSimilar() count words of some length", () => {
  equal(countShared("the names of the files", "files have names"), 2);
  deepEqual([isSimilar("names of files", "files have names"), isSimilar("x", "other words")], [
    true,
    false,
  ]);
});
