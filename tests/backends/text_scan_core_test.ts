/** The scan in the main thread. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import type { ScanTask } from "../../src/backends/text_scan_core.ts";
import { findInLine, listHolding, runScan } from "../../src/backends/text_scan_core.ts";
import { join } from "node:path";

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

Deno.test("runScan() and listHolding() go through the files in the order of their paths", async () => {
  const root = await Deno.makeTempDir({ prefix: "code-intel-core-" });
  try {
    await Deno.writeTextFile(join(root, "b.txt"), "x\n\nx x\n");
    await Deno.writeTextFile(join(root, "a.txt"), "no\nx");
    const task: ScanTask = {
      root,
      files: ["b.txt", "a.txt", "gone.txt"],
      query: {
        patterns: ["x"],
        fixed: true,
        caseSensitive: true,
        wholeWord: false,
        contextLines: 0,
      },
      expressions: [/x/gu],
      offset: 1,
      maxResults: 1,
    };
    deepEqual(await runScan(task), {
      matches: [{ path: "b.txt", line: 1, text: "x", ranges: [[0, 1]] }],
      total: 3,
      files: 2,
    });
    deepEqual(await listHolding(task), ["a.txt", "b.txt"]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
