/** Small wrong versions of regular expressions, each as a whole text. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { listPatternChanges } from "../../../src/features/mutants/pattern_changes.ts";

Deno.test("a pattern loses an anchor or a member, or repeats otherwise; blanks stay", () => {
  const rows: readonly (readonly [pattern: string, ...versions: string[]])[] = [
    ["^ab$", "ab$", "^ab"],
    ["a+b*c?", "a*b*c?", "a+b+c?", "a+b*c"],
    ["(ab)+a+?", "(ab)a+?", "(ab)+a*?"],
    [String.raw`\s*\d{2}\s+`, String.raw`\s*\d{2,}\s+`],
    ["x{1,3}", "x{1,4}"],
    [String.raw`[a-z_\d]`, String.raw`[_\d]`, String.raw`[a-z\d]`, "[a-z_]"],
    [String.raw`a\.b`, "a.b"],
    [String.raw`a\\.b`, "a.b"],
    [String.raw`\bif\b`, String.raw`if\b`, String.raw`\bif`],
    ["(?:a|b)[^ab]", ...[]],
  ];
  for (const [pattern, ...versions] of rows) {
    const found = listPatternChanges(pattern).map(({ start, end, after }) =>
      pattern.slice(0, start) + after + pattern.slice(end)
    );
    deepEqual(found, versions, pattern);
  }
});
