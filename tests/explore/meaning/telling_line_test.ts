/** Which line of a chunk is shown for a question: none of a file's head, and with the name of what holds it. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { ChunkLines } from "../../../src/explore/meaning/telling_line.ts";
import { nameByFirst, selectBestLine } from "../../../src/explore/meaning/telling_line.ts";
import type { SymbolHit } from "../../../src/index/read/view.ts";

function toSymbol(name: string, startLine: number, endLine: number): SymbolHit {
  return {
    name,
    kind: "function",
    path: "a",
    language: null,
    line: startLine,
    column: 1,
    startLine,
    endLine,
    parent: null,
    position: 0,
    qualifiedName: name,
  };
}

const SCRIPT = `/** Fees of the desk: late fees, lost books. */
import { daysLate } from "./days.ts";
import {
  type Fee,
  lateFee,
} from "./fee.ts";

export const RATE = 10;

/** The late fee of a loan. */
export function toFee(due: string) {
  return daysLate(due) * RATE;
}`;
const PYTHON = `"""Help for errors.

Hints of an error.
"""
from __future__ import annotations
import typing as t


def get_error_hint(ctx):
    return ctx.hint


def shell_complete(ctx):
    return [item for item in ctx]`;

/** `path`, text, first line, words, definitions by their lines; then line and name that are shown. */
const ROWS: readonly (readonly [
  path: string,
  text: string,
  startLine: number,
  words: readonly string[],
  symbols: readonly SymbolHit[],
  expected: readonly [line: number, name: string | undefined] | null,
])[] = [
  ["a.ts", SCRIPT, 1, ["late", "fees"], [toSymbol("toFee", 11, 13)], [10, "toFee"]],
  ["a.ts", SCRIPT, 1, ["nothing"], [toSymbol("toFee", 11, 13)], [11, "toFee"]],
  ["a.ts", SCRIPT.split("\n").slice(0, 6).join("\n"), 1, ["late"], [], null],
  [
    "a.py",
    PYTHON,
    1,
    ["error", "hint"],
    [toSymbol("get_error_hint", 9, 10), toSymbol("shell_complete", 13, 14)],
    [9, "get_error_hint"],
  ],
  ["a.go", 'import (\n\t"late"\n)\n', 20, ["late"], [], null],
  ["a.md", "import the late fees\n\n# Fees", 1, ["late"], [], [1, undefined]],
  // Not the head of the file: a comment there belongs to the code behind it.
  ["a.ts", "// late fees\nexport const a = 1;", 40, ["late"], [], [40, undefined]],
];

Deno.test("selectBestLine() shows no line of a file's head, and names the definition of the line", () => {
  for (const [path, text, startLine, words, symbols, expected] of ROWS) {
    const chunk = { path, startLine, lines: text.split("\n") };
    const found = selectBestLine([chunk], { words, symbols });
    deepEqual(found === null ? null : [found.line, found.name], expected, `${path} ${words}`);
  }
});

Deno.test("selectBestLine() goes on with the next chunk where the first is the head alone", () => {
  const head = { path: "a.ts", startLine: 1, lines: SCRIPT.split("\n").slice(0, 6) };
  const rest = { path: "a.ts", startLine: 8, lines: SCRIPT.split("\n").slice(7) };
  equal(selectBestLine([head, rest], { words: ["late"], symbols: [] })?.line, 10);
});

Deno.test("nameByFirst() names a chunk of several definitions by the one that it begins with", () => {
  const symbols = [toSymbol("get_error_hint", 9, 10), toSymbol("Parameter.shell_complete", 13, 40)];
  const toName = (name: string, of: readonly number[]) =>
    nameByFirst({ name, symbols: of }, symbols).name;
  equal(toName("Parameter.shell_complete", [1, 0]), "get_error_hint");
  equal(toName("Parameter.shell_complete", [1]), "Parameter.shell_complete");
  // A piece of a longer definition keeps the name of what it lies in.
  equal(toName("Parameter", [1]), "Parameter");
});

/** Functions whose names begin alike, two of them a chunk, with a call of another one in each. */
function makeChunks(count: number): { readonly chunks: ChunkLines[]; readonly names: string[] } {
  const names = Array.from({ length: count }, (_, at) => `fn_${at}`);
  const lines = names.flatMap((name, at) => [
    at % 3 === 0 ? `# About ${names[(at * 7) % count]}_old` : "",
    `def ${name}(a, b):`,
    `    return g_${at}(${names[(at * 5 + 1) % count]}, a) + b`,
  ]);
  const size = 6;
  const chunks = Array.from({ length: Math.ceil(lines.length / size) }, (_, at) => ({
    path: "big.py",
    startLine: at * size + 1,
    lines: lines.slice(at * size, (at + 1) * size),
  }));
  return { chunks, names };
}

Deno.test("selectBestLine() shows a line with the name that is asked for wherever a chunk holds it", () => {
  const { chunks, names } = makeChunks(40);
  for (const name of names) {
    const whole = new RegExp(`\\b${name}\\b`);
    for (const asked of [name, `mod.${name}`]) {
      for (const [at, chunk] of chunks.entries()) {
        const shown = [chunk, ...chunks.slice(at + 1, at + 3)];
        if (!shown.some(({ lines }) => whole.test(lines.join("\n")))) continue;
        const telling = selectBestLine(shown, {
          names: [asked],
          words: ["return", "about"],
          symbols: names.map((own, of) => toSymbol(own, of * 3 + 2, of * 3 + 3)),
        });
        match(telling?.text ?? "", whole);
      }
    }
  }
});
