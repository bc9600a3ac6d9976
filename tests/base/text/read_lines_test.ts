/** Lines of a file as texts show them: `src/base/text/read_lines.ts`. */
import { strictEqual as equal } from "node:assert/strict";
import { holdsLine, showsLines } from "../../../src/base/text/read_lines.ts";

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

Deno.test("showsLines() takes most of a text for lines of the file", () => {
  equal(showsLines(LINES, ["1\texport function login(name) {\n3\t}"]), true);
  equal(showsLines(LINES, ["something else\nexport const x = 1;\nand more\nof it"]), false);
});
