/** Cutting lines, and patterns that no backend takes. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import {
  checkPatterns,
  comparePaths,
  cutLine,
  listPatternNotices,
} from "../../src/backends/text_query.ts";

Deno.test("cutLine() keeps short lines and their ranges", () => {
  deepEqual(cutLine("abc", [[1, 2]]), { text: "abc", ranges: [[1, 2]] });
});

Deno.test("cutLine() cuts to 400 characters around the match and moves the range", () => {
  const line = `${"x".repeat(5000)}needle${"y".repeat(5000)}`;
  const cut = cutLine(line, [[5000, 5006]]);
  equal(cut.text.length, 400);
  const [range] = cut.ranges;
  equal(cut.text.slice(range?.[0], range?.[1]), "needle");
});

Deno.test("cutLine() never cuts a surrogate pair", () => {
  for (const lead of ["", "a"]) {
    const { text } = cutLine(lead + "😀".repeat(1000), [[901, 903]]);
    ok(text.isWellFormed());
    ok(text.length <= 401);
  }
});

Deno.test("checkPatterns() refuses nothing, NUL and line breaks, each with its place", () => {
  const query = { caseSensitive: true, fixed: true, wholeWord: false, contextLines: 0 };
  const problems = checkPatterns({ ...query, patterns: ["", "a\0", "ok", "a\nb"] });
  deepEqual(problems.map((problem) => problem.at), ["pattern[0]", "pattern[1]", "pattern[3]"]);
});

Deno.test("checkPatterns() refuses the end of a file, which ripgrep takes without finding anything", () => {
  const query = { caseSensitive: true, fixed: false, wholeWord: false, contextLines: 0 };
  const codes = (patterns: string[], fixed = false) =>
    checkPatterns({ ...query, patterns, fixed }).map(({ message }) =>
      String(message).includes("\\z")
    );
  deepEqual(codes(["return\\z"]), [true]);
  deepEqual(codes(["return\\\\z", "z"]), []);
  deepEqual(codes(["return\\z"], true), []);
});

Deno.test("listPatternNotices() says that a match is one line", () => {
  const count = (pattern: string, fixed = false) =>
    listPatternNotices({ patterns: [pattern], fixed }).length;
  deepEqual(
    [count("(?s)def f.*?return"), count("(?si:a.b)"), count("a[\\s\\S]*b"), count("(?i)s)")],
    [1, 1, 1, 0],
  );
  equal(count("(?s)", true), 0);
});

Deno.test("comparePaths() orders by code units", () => {
  deepEqual(["b", "a/z", "B", "a"].sort(comparePaths), ["B", "a", "a/z", "b"]);
});
