/** Rows of a command line, its output and the files that it may have shown, for `src/hooks/shell_reads.ts`. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { listShellReads } from "../../src/hooks/shell_reads.ts";

const PLACE = { cwd: "/p", root: "/p" };
const TEXT = "export function a() {\n}";

const NAMED: readonly (readonly [line: string, ...paths: readonly string[]])[] = [
  ["cat src/a.ts", "/p/src/a.ts"],
  ["sed -n 1,9p src/a.ts", "/p/src/a.ts"],
  ["sed -n '1,9p' /p/src/a.ts", "/p/src/a.ts"],
  ["head -20 src/a.ts src/b.ts", "/p/src/a.ts", "/p/src/b.ts"],
  ["nl -ba src/a.ts | sed -n '3,9p'", "/p/src/a.ts"],
  ["cd src && cat a.ts", "/p/src/a.ts"],
  ["less src/a.ts", "/p/src/a.ts"],
  ["git show HEAD~1:src/a.ts", "/p/src/a.ts"],
  ["rg -n 'export' src/a.ts", "/p/src/a.ts"],
  ["bash -lc 'cat src/a.ts'", "/p/src/a.ts"],
];

for (const [line, ...paths] of NAMED) {
  Deno.test(`listShellReads() finds ${paths.join(", ")} in \`${line}\``, () => {
    const found = listShellReads(line, [TEXT], PLACE);
    for (const path of paths) {
      const own = found.find((one) => one.path === path);
      deepEqual(own?.lines, TEXT.split("\n"));
    }
  });
}

const PRINTED: readonly (readonly [line: string, output: string, path: string, text: string])[] = [
  ["rg -n export src", "src/a.ts:3:export function a() {", "/p/src/a.ts", "export function a() {"],
  ["rg -n -C1 export", "src/a.ts-4-  return 1;", "/p/src/a.ts", "  return 1;"],
  ["grep -r export .", "./src/a.ts:export function a() {", "/p/src/a.ts", "export function a() {"],
  ["cd src && rg export", "a.ts:3:export function a() {", "/p/src/a.ts", "export function a() {"],
  [
    "rg --heading export",
    "src/a.ts\n3:export function a() {",
    "/p/src/a.ts",
    "3:export function a() {",
  ],
  [
    "git diff",
    "+++ b/src/a.ts\n@@ -1 +1 @@\n+export function a() {",
    "/p/src/a.ts",
    "export function a() {",
  ],
  [
    "tail -n 2 src/*",
    "==> src/a.ts <==\nexport function a() {",
    "/p/src/a.ts",
    "export function a() {",
  ],
];

for (const [line, output, path, text] of PRINTED) {
  Deno.test(`listShellReads() finds ${path} in what \`${line}\` prints`, () => {
    const own = listShellReads(line, [output], PLACE).filter((one) => one.path === path);
    ok(own.some(({ lines = [] }) => lines.includes(text)), JSON.stringify(own));
  });
}

Deno.test("listShellReads() finds nothing without an output, and in commands that show none", () => {
  deepEqual(listShellReads("cat src/a.ts", [], PLACE), []);
  for (const line of ["rm src/a.ts", "mv src/a.ts src/b.ts", "ls src/a.ts", "cd src"]) {
    deepEqual(listShellReads(line, ["done"], PLACE), [], line);
  }
});

Deno.test("listShellReads() takes a long line at once", () => {
  const long = `${"a".repeat(50_000)}:${"b/".repeat(50_000)}`;
  ok(listShellReads(`cat ${"x/".repeat(400)}`, [`${long}\n${long}`], PLACE).length < 60);
});
