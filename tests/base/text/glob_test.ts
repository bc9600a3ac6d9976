/** Globs against paths, one row each. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import {
  findIgnoring,
  formatIgnoreNotice,
  isGlob,
  parseGlob,
  readIgnoreRules,
} from "../../../src/base/text/glob.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

const RULES = [
  "# no rule",
  "*.log  ",
  "!keep.log",
  "/top.txt",
  "build/",
  "!build/in.txt",
  "src/**/gen",
  "docs/*.md",
  "!docs/read.md",
  "a?c.[ch]",
  "{x,y}.txt",
  "\\#hash",
  "\\!bang",
  "space\\ ",
];
const PATHS = [
  "a.log",
  "deep/b.log",
  "deep/keep.log",
  "top.txt",
  "deep/top.txt",
  "build/in.txt",
  "deep/build/x",
  "buildx/y",
  "src/gen/a",
  "src/a/b/gen",
  "docs/a.md",
  "docs/read.md",
  "docs/deep/a.md",
  "abc.c",
  "abbc.c",
  "x.txt",
  "{x,y}.txt",
  "#hash",
  "!bang",
  "space ",
];

Deno.test("findIgnoring() leaves out what git leaves out", async () => {
  const text = RULES.join("\n");
  await using repo = await createTempRepo({ files: { ".gitignore": text } });
  const { rules, faults } = readIgnoreRules(text, { source: ".gitignore" });
  deepEqual(faults, []);
  const said = await repo.git("check-ignore", "--no-index", ...PATHS.map((path) => `./${path}`));
  const byGit = new Set(
    said.split("\n").map((line) => line.replace(/^"?\.\//, "").replace(/"$/, "")),
  );
  const ours = PATHS.filter((path) => findIgnoring(path, rules) !== null);
  deepEqual(ours, PATHS.filter((path) => byGit.has(path)));
});

Deno.test("rules of a folder speak of it alone, and what is no rule is told with its place", () => {
  const { rules, faults } = readIgnoreRules("*.log\n/own\n[z-a]\n", {
    source: "sub/.gitignore",
    folder: "sub",
  });
  const rows: readonly (readonly [path: string, line: number | null])[] = [
    ["a.log", null],
    ["sub/a.log", 1],
    ["sub/own", 2],
    ["sub/deep/own", null],
    ["subs/a.log", null],
  ];
  for (const [path, line] of rows) equal(findIgnoring(path, rules)?.line ?? null, line, path);
  deepEqual(faults.map(formatIgnoreNotice), [
    'The pattern "[z-a]" of sub/.gitignore, line 3, is passed over: a range in brackets is not closed or runs backwards.',
  ]);
});

function check(glob: string, path: string, expected: boolean | "invalid"): void {
  Deno.test(`parseGlob() takes "${path}" by "${glob}": ${expected}`, () => {
    const parsed = parseGlob(glob);
    equal(parsed.kind === "glob" ? parsed.test(path) : "invalid", expected);
  });
}

check("*.ts", "src/deep/a.ts", true);
check("src/*.ts", "src/deep/a.ts", false);
check("src/**/*.ts", "src/deep/er/a.ts", true);
check("src/**/*.ts", "src/a.ts", true);
check("**/b/**", "a/b/c", true);
check("src/", "src/a/b.ts", true);
check("*.{ts,tsx}", "a.tsx", true);
check("*.{ts,tsx}", "a.js", false);
check("file?.txt", "file1.txt", true);
check("file?.txt", "file12.txt", false);
check("[ab].c", "b.c", true);
check("[!ab].c", "b.c", false);
check("a.c", "abc", false);
check("[a", "a", "invalid");
check("{a", "a", "invalid");
check("a}", "a}", "invalid");
check("*a*b*c*d", "abcd", "invalid");
check("日本*.md", "docs/日本語.md", true);

Deno.test("parseGlob() refuses more stars than it can try in bounded time", () => {
  equal(parseGlob("*/".repeat(9)).kind, "invalid");
});

Deno.test("isGlob() tells names from globs", () => {
  equal(isGlob("login_form"), false);
  equal(isGlob("*.ts"), true);
});
