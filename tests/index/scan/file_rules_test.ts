/** Which files belong to the index, by settings and ignore file. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { createFileRules } from "../../../src/index/scan/scanner.ts";

Deno.test("leaveOut() says by which rule a file is left out", () => {
  const { leaveOut, notices } = createFileRules({
    sourceDirs: ["./src/", "lib", "deep/er"],
    excludePatterns: ["*.gen.ts", "src/old/"],
    ignoreText: "# a comment\n\nvendor/\n*.snap\n!keep.snap\n/src/top.ts\nsrc/**/data \n[z-a]\n",
  });
  const rows: readonly (readonly [path: string, expected: string | null])[] = [
    ["src/a.ts", null],
    ["deep/er/a.ts", null],
    ["deep/a.ts", "not below source_dirs"],
    ["srcs/a.ts", "not below source_dirs"],
    ["README.md", "not below source_dirs, and no source"],
    ["package.json", "not below source_dirs, and no source"],
    [".claude/skills/code/run.ts", "not below source_dirs, and no source"],
    ["src/a.gen.ts", "exclude_patterns"],
    ["src/old/a.ts", "exclude_patterns"],
    ["src/old", null],
    ["src/vendor/a.ts", ".code-intelignore"],
    ["src/vendor", null],
    ["src/a.snap", ".code-intelignore"],
    ["src/keep.snap", null],
    ["src/top.ts", ".code-intelignore"],
    ["src/x/y/data", ".code-intelignore"],
    ["src/x/data/a.ts", ".code-intelignore"],
    [".code-intel/config.json", "the program's own folder"],
  ];
  for (const [path, expected] of rows) equal(leaveOut(path), expected, path);
  deepEqual(notices.length, 1);
});
