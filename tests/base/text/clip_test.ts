/** Holds `src/base/text/clip.ts` to rows of input and expected output. */
import { strictEqual as equal } from "node:assert/strict";
import { clip, clipAround, clipChange, clipLine } from "../../../src/base/text/clip.ts";

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

Deno.test("clipChange() shows what differs of two lines, however long they are", () => {
  equal(clipChange(" a = 1", "a = 2 ", 20), "a = 1 → a = 2");
  const line = `call("${"x".repeat(100)}") == `;
  equal(
    clipChange(`${line}1`, `${line}22`, 80),
    `…${"x".repeat(18)}") == 1 → …${"x".repeat(18)}") == 22`,
  );
  equal(clipChange("a".repeat(30), "b".repeat(30), 21), "aaaaaaaa… → bbbbbbbb…");
});

Deno.test("clipAround() shows the place, also where it lies behind the bound", () => {
  equal(clipAround("short", 3, 10), "short");
  equal(clipAround(`name ${"x".repeat(100)}`, 0, 10), "name xxxx…");
  equal(clipAround(`${"x".repeat(100)}name;`, 100, 40), `…${"x".repeat(24)}name;`);
});
