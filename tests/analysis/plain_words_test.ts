/** Names in code that no tree parts. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { analyseText } from "../../src/analysis/analyse.ts";
import { readBlankedWords, readWordsWithoutTree } from "../../src/analysis/trees/raw_tags.ts";

function show(code: string): string[] {
  return readWordsWithoutTree(code, { start: 100, row: 4, column: 10 })
    .map(({ start, row, column, name, kind }) => `${start} ${row}:${column} ${kind} ${name}`);
}

Deno.test("readWordsWithoutTree() names words of code only, with their places and what is called", () => {
  const rows: readonly (readonly [code: string, expected: readonly string[]])[] = [
    ["a + b(c)", ["100 4:10 read a", "104 4:14 call b", "106 4:16 read c"]],
    ["a \\\n  b \\\n\n c", ["100 4:10 read a", "106 5:2 read b", "112 7:1 read c"]],
    [`"no \\" one" 'n' x /* no\none */ y // no`, ["116 4:26 read x", "131 5:7 read y"]],
    ["return 1UL + 0x1F + a1", ["120 4:30 read a1"]],
    ["a ## b #c", ["100 4:10 read a", "105 4:15 read b", "108 4:18 read c"]],
    ["# if DEBUG", ["105 4:15 read DEBUG"]],
  ];
  for (const [code, expected] of rows) deepEqual(show(code), expected, code);
});

Deno.test("readBlankedWords() names what a repair has taken out, and nothing that it left", () => {
  const text = 'API_EXPORT class A {\n  LOCKED(mutex, "no") /* no */ int b;\n};\n';
  const repaired = text.replace(
    /API_EXPORT|LOCKED\(mutex, "no"\) \/\* no \*\//g,
    (found) => " ".repeat(found.length),
  );
  deepEqual(
    readBlankedWords(text, repaired).map(({ row, column, name }) => `${row}:${column} ${name}`),
    ["0:0 API_EXPORT", "1:2 LOCKED", "1:9 mutex"],
  );
});

Deno.test("analyseText() keeps the mentions of macros that it blanks so that C++ can be read", async () => {
  const text = "LIB_EXPORT class Shop {\n  LIB_INLINE Shop(int a) : a_(a) {}\n" +
    "  void close() LIB_LOCKED(mutex_) { stop(); }\n  int a_;\n};\n" +
    "enum { ONE,\n  LAST_ONE\n};\n#define RUN(x) \\\n  start(x) /* now */ \\\n  , LIB_END\n";
  const { symbols, occurrences } = await analyseText(text, { path: "a.hpp", chunkMaxTokens: 512 });
  deepEqual(symbols.map(({ name }) => name), [
    "Shop",
    "Shop",
    "close",
    "a_",
    "ONE",
    "LAST_ONE",
    "RUN",
  ]);
  const seen = new Set(occurrences.map(({ name, line }) => `${line} ${name}`));
  const wanted = [
    "1 LIB_EXPORT",
    "2 LIB_INLINE",
    "3 LIB_LOCKED",
    "3 mutex_",
    "10 start",
    "11 LIB_END",
  ];
  deepEqual(wanted.filter((one) => !seen.has(one)), []);
});
