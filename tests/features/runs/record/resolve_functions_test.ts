/** Symbols for what tracers saw: decorators, code on one line, code of files and classes. */
import { strictEqual as equal } from "node:assert/strict";
import type { SymbolRange } from "../../../../src/features/runs/record/resolve_functions.ts";
import { findRanSymbol } from "../../../../src/features/runs/record/resolve_functions.ts";

const SYMBOLS: readonly SymbolRange[] = [
  { qualifiedName: "make", kind: "function", startLine: 1, endLine: 4 },
  { qualifiedName: "make.wrapper", kind: "function", startLine: 2, endLine: 3 },
  { qualifiedName: "Shop", kind: "class", startLine: 6, endLine: 20 },
  // Begins with its decorator.
  { qualifiedName: "Shop.buy", kind: "method", startLine: 7, endLine: 12 },
  { qualifiedName: "Shop.size", kind: "property", startLine: 14, endLine: 14 },
  { qualifiedName: "object.run", kind: "method", startLine: 22, endLine: 22 },
  { qualifiedName: "object.go", kind: "method", startLine: 22, endLine: 22 },
];

Deno.test("findRanSymbol() takes the innermost function round a line, of several the one with the name", () => {
  const rows: readonly (readonly [line: number, name: string, expected: string | null])[] = [
    [1, "make", "make"],
    [2, "make.<locals>.wrapper", "make.wrapper"],
    [3, "", "make.wrapper"],
    [3, "<listcomp>", "make.wrapper"],
    // A name that only an outer function has is that function's, whatever line it tells.
    [2, "make", "make"],
    [7, "Shop.buy", "Shop.buy"],
    [7, "buy", "Shop.buy"],
    [6, "Shop", null],
    [14, "", null],
    [1, "<module>", null],
    [22, "run", "object.run"],
    [22, "go", "object.go"],
    [30, "make", null],
  ];
  for (const [line, name, expected] of rows) {
    equal(findRanSymbol(SYMBOLS, { path: "a.py", line, name }), expected, `${line} ${name}`);
  }
});
