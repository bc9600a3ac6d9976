/** What places and definitions depend on. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { FittedPlace } from "../../../src/features/scip/fit.ts";
import { readShape } from "../../../src/features/scip/shape.ts";
import type { Span } from "../../../src/features/scip/shape.ts";

const PLACES: readonly FittedPlace[] = [
  place(1, 7, 10, 1),
  place(1, 20, 11),
  place(2, 3, 12, 1),
  place(2, 9, 13),
  place(3, 5, 14),
  place(4, 3, 15, 1),
  place(6, 1, 16),
  place(6, 5, -1),
];

function place(line: number, column: number, symbol: number, roles = 0): FittedPlace {
  return { line, column, word: `w${symbol}`, symbol, roles };
}

function span(line: number, column: number, endLine: number, more: Partial<Span> = {}): Span {
  return { line, column, startLine: line, endLine, isType: false, ...more };
}

const TYPE = span(1, 7, 5, { isType: true });

function needs(spans: readonly Span[], symbol: number): readonly number[] {
  return [...readShape(PLACES, spans).needs.get(symbol) ?? []];
}

Deno.test("readShape() gives a function all that is named in it, and a type what its members do not name", () => {
  const spans = [TYPE, span(2, 3, 3), span(4, 3, 4)];
  deepEqual(needs(spans, 10), [10, 11]);
  deepEqual(needs(spans, 12), [12, 13, 14]);
  deepEqual(needs(spans, 15), [15]);
});

Deno.test("readShape() gives a function that says its result only what its head names", () => {
  const head = span(2, 3, 3, { headEndLine: 2 });
  deepEqual(needs([TYPE, head], 12), [12, 13]);
  deepEqual([...readShape(PLACES, [TYPE, head]).needsAt(2)], [12, 13, 14], "a place in it: all");
});

Deno.test("readShape() gives a place what the outermost function round it names, else its line", () => {
  const shape = readShape(PLACES, [TYPE, span(2, 3, 3), span(3, 5, 3)]);
  deepEqual([...shape.needsAt(3)], [12, 13, 14]);
  deepEqual([...shape.needsAt(1)], [10, 11]);
  deepEqual([...shape.needsAt(6)], [16]);
});
