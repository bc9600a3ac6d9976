/** The line patterns as a table: each names its symbol, and none can run away on a hostile line. */
import { ok } from "node:assert/strict";
import { LANGUAGES } from "../../src/language/languages.ts";

// As long as the lines that the patterns are held against at most.
const LONG = 500;
const HOSTILE = [
  "a",
  "a ",
  " ",
  "\t",
  "a.",
  "a<",
  "(",
  "a::",
  "public ",
  "static ",
  "A, ",
  "*&",
  "[]",
  "a(b, ",
]
  .flatMap((piece) => [piece.repeat(LONG), `  ${piece.repeat(LONG)}`, `${piece.repeat(LONG)};`])
  .map((line) => line.slice(0, LONG));

Deno.test("patterns of definitions all have the group `name`", () => {
  for (const { name, definitions } of LANGUAGES) {
    for (const { kind, pattern } of definitions) {
      ok(pattern.source.includes("(?<name>"), `${name} ${kind}`);
    }
  }
});

Deno.test("patterns of definitions end quickly on every hostile line", () => {
  for (const { name, definitions } of LANGUAGES) {
    for (const { kind, pattern } of definitions) {
      for (const line of HOSTILE) {
        const startedAt = performance.now();
        pattern.exec(line);
        const tookMs = performance.now() - startedAt;
        ok(tookMs < 5_000, `${name} ${kind} took ${tookMs} ms on ${line.slice(0, 20)}`);
      }
    }
  }
});
