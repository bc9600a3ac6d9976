/** Rows of a glob, a path and whether it fits, for `src/base/text/path_glob.ts`. */
import { strictEqual as equal } from "node:assert/strict";
import { globToRegExp } from "../../../src/base/text/path_glob.ts";

const GLOBS: readonly (readonly [glob: string, path: string, expected: boolean | null])[] = [
  ["src/auth.ts", "src/auth.ts", true],
  ["./src/auth.ts", "src/auth.ts", true],
  ["src/auth.ts", "src/authxts", false],
  ["src/*.ts", "src/a.ts", true],
  ["src/*.ts", "src/a/b.ts", false],
  ["src/**", "src/a/b.ts", true],
  ["src/**/*.ts", "src/a.ts", true],
  ["src/**/*.ts", "src/a/b/c.ts", true],
  ["**/*.ts", "a.ts", true],
  ["src/?.ts", "src/a.ts", true],
  ["src/?.ts", "src/ab.ts", false],
  ["app/[id]/page.tsx", "app/[id]/page.tsx", true],
  ["a(b)+{c}^$|.ts", "a(b)+{c}^$|.ts", true],
  ["*", "ü.ts", true],
  ["*", "a\nb", true],
  ["/etc/passwd", "", null],
  ["../x", "", null],
  ["a/../../x", "", null],
  ["a\0b", "", null],
];

for (const [glob, path, expected] of GLOBS) {
  Deno.test(`globToRegExp() of ${JSON.stringify(glob)} on ${JSON.stringify(path)}`, () => {
    equal(globToRegExp(glob)?.test(path) ?? null, expected);
  });
}

Deno.test("globToRegExp() answers at once for a hostile pattern", () => {
  const started = performance.now();
  globToRegExp(`${"**a".repeat(30)}x`)?.test("a".repeat(300));
  equal(performance.now() - started < 20_000, true);
});

Deno.test("globToRegExp() takes `**/` for whole folders only", () => {
  const pattern = globToRegExp("src/**/a.ts");
  equal(pattern?.test("src/xa.ts"), false);
  equal(pattern?.test("src/x/a.ts"), true);
  equal(pattern?.test("src/a.ts"), true);
  equal(globToRegExp("**/*b*/**/c")?.test("x/abc/y/z/c"), true);
  equal(globToRegExp("**/*b*/**/c")?.test("x/abc/y/z/dc"), false);
});
