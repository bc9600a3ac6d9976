/** Matches in long lines are those of `matchAll`. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { findInLine } from "../../src/backends/text_scan_core.ts";

const LONG = `${"ab@cd x-y a_b@1.2 aab ".repeat(120)}\u{1f600}a@b`;

Deno.test("findInLine() finds what matchAll() finds, in long lines too", () => {
  const sources = [
    "[a-c]+@\\w+",
    "a*b",
    "a*",
    "\\w*?@",
    "[^ ]{2,}b",
    ".+@",
    "x|a+b",
    "a+b|x",
    "(a+)+b",
    "\\p{L}+@(?=c)",
    "[a\\]]+b",
  ];
  for (const source of sources) {
    for (const flags of ["gu", "giu"]) {
      const expression = new RegExp(source, flags);
      for (const line of [LONG, LONG.slice(0, 300)]) {
        const all = [...line.matchAll(expression)].filter(([text]) => text !== "")
          .map((match) => [match.index, match.index + match[0].length]);
        const found = findInLine(line, expression);
        deepEqual(found.ranges, all.slice(0, 400), source);
        deepEqual([found.rangeCount, found.isFound], [all.length, true], source);
      }
    }
  }
});

Deno.test("findInLine() comes to an end in a line that has the repetition and not what follows", () => {
  // At every character anew this would take minutes.
  ok(!findInLine("a".repeat(400_000), /[\p{L}\p{N}_]+@/gu).isFound);
});
