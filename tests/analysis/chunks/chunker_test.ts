/** How a text is cut: merging, splitting, bounds. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { ChunkUnit } from "../../../src/analysis/chunks/chunker.ts";
import { chunkLines, listUnits, splitLines } from "../../../src/analysis/chunks/chunker.ts";

const MAX_CHARS = 200;

function chunk(text: string, units: readonly (readonly [number, number, string])[]): string[] {
  const lines = text.split("\n");
  const all: ChunkUnit[] = units.map(([startLine, endLine, name]) => ({
    startLine,
    endLine,
    kind: "definition",
    name,
  }));
  return chunkLines(lines, { maxChars: MAX_CHARS, units: all, symbols: [] }).map((one) =>
    `${one.startLine}-${one.endLine} ${one.kind} ${one.name}`
  );
}

function code(count: number): string {
  return Array.from({ length: count }, (_, index) => `  line ${index};`).join("\n");
}

Deno.test("chunkLines() puts small neighbours together and names them by the largest definition", () => {
  deepEqual(
    chunk(`import a\n\nf {\n${code(2)}\n}\n\ng {\n${code(2)}\n}`, [[3, 6, "f"], [8, 11, "g"]]),
    [
      "1-11 definition f",
    ],
  );
});

Deno.test("chunkLines() cuts a large definition at the definitions inside it", () => {
  const text = `class A {\n  m {\n${code(14)}\n  }\n\n  n {\n${code(14)}\n  }\n}`;
  deepEqual(chunk(text, [[1, 35, "A"], [2, 17, "A.m"], [19, 34, "A.n"]]), [
    "1-17 definition A.m",
    "19-35 definition A.n",
  ]);
});

Deno.test("chunkLines() cuts a definition without inner ones where statements end", () => {
  const text = `f {\n${code(12)}\n\n${code(8)}\n}`;
  deepEqual(chunk(text, [[1, 23, "f"]]), ["1-13 definition f", "15-23 block f"]);
});

Deno.test("chunkLines() leaves blank lines out and has none for a blank text", () => {
  deepEqual(chunk("\n\n  \n", []), []);
  deepEqual(chunk("\n\na\n\n", []), ["3-3 block "]);
});

Deno.test("chunkLines() never cuts a line, however long", () => {
  deepEqual(chunk(`${"x".repeat(500)}\n${"y".repeat(500)}`, []), ["1-1 block ", "2-2 block "]);
});

Deno.test("chunkLines() copes with units that overlap, repeat or go past the end", () => {
  deepEqual(chunk("a\nb\nc", [[1, 9, "x"], [1, 9, "x"], [2, 2, "y"], [2, 3, "z"]]), [
    "1-3 definition x",
  ]);
});

Deno.test("splitLines() cuts before what stands left, not before what closes", () => {
  const lines = ["f(", "  a,", "  b", ")", "g()", "h()"];
  deepEqual(splitLines(lines, { startLine: 1, endLine: 6 }, 17), [
    { startLine: 1, endLine: 4 },
    { startLine: 5, endLine: 6 },
  ]);
});

Deno.test("listUnits() names a definition by what holds it, in this text or elsewhere", () => {
  const place = { line: 1, column: 1, startLine: 1, endLine: 1 };
  const units = listUnits([
    { ...place, name: "A", kind: "class", parent: null },
    { ...place, name: "m", kind: "method", parent: 0 },
    { ...place, name: "n", kind: "method", parent: null, scope: "B" },
  ]);
  deepEqual(units.map(({ name }) => name), ["A", "A.m", "B.n"]);
  equal(units[0]?.kind, "definition");
});
