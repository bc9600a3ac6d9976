/** Lines of a file as texts show them: `src/base/text/read_lines.ts`. */
import { strictEqual as equal } from "node:assert/strict";
import { holdsLine, isShownBy } from "../../../src/base/text/read_lines.ts";

const LINES = [
  "export function login(name) {",
  "  return `a “b”`;",
  "}",
  "",
  "export const x = 1;",
];

const CASES: readonly (readonly [line: number, text: string, holds: boolean])[] = [
  [1, "export function login(name) {", true],
  [3, "export  function login…", true],
  [2, 'return `a "b"`;', true],
  [40, "export function login(name) {", false],
  [1, "export function logout(name) {", false],
  [3, "}", false],
];

for (const [line, text, holds] of CASES) {
  Deno.test(`holdsLine() ${holds ? "finds" : "does not find"} "${text}" near line ${line}`, () => {
    equal(holdsLine(LINES, { line, text }), holds);
  });
}

Deno.test("isShownBy() takes most of a text for lines of the file", () => {
  equal(isShownBy(LINES, { path: "a", texts: ["1\texport function login(name) {\n3\t}"] }), true);
  equal(
    isShownBy(LINES, {
      path: "a",
      texts: ["something else\nexport const x = 1;\nand more\nof it"],
    }),
    false,
  );
});

Deno.test("isShownBy() needs two telling lines or a long one among those of other files", () => {
  const part = (...shown: readonly string[]) => isShownBy(LINES, { path: "a", lines: shown });
  equal(part("from elsewhere", "12:export function login(name) {"), true);
  equal(part("  7 │ export const x = 1;", "more"), true);
  equal(part("}", "return x;"), false);
  equal(part("what the file says was not looked at"), false);
  equal(isShownBy(["short", "file one"], { path: "a", lines: ["short", "file one"] }), true);
});
