/** The line patterns as a table: each names its symbol, and none can run away on a hostile line. */
import { ok } from "node:assert/strict";
import { DEFINITION_PATTERNS } from "../../src/language/language_definitions.ts";
import { PLAIN_DEFINITIONS } from "../../src/language/plain_languages.ts";

const ALL = { ...DEFINITION_PATTERNS, ...PLAIN_DEFINITIONS };

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

Deno.test("DEFINITION_PATTERNS all have the group `name`", () => {
  for (const [language, patterns] of Object.entries(ALL)) {
    for (const { kind, pattern } of patterns) {
      ok(pattern.source.includes("(?<name>"), `${language} ${kind}`);
    }
  }
});

Deno.test("DEFINITION_PATTERNS end quickly on every hostile line", () => {
  for (const [language, patterns] of Object.entries(ALL)) {
    for (const { kind, pattern } of patterns) {
      for (const line of HOSTILE) {
        const startedAt = performance.now();
        pattern.exec(line);
        const tookMs = performance.now() - startedAt;
        ok(tookMs < 5_000, `${language} ${kind} took ${tookMs} ms on ${line.slice(0, 20)}`);
      }
    }
  }
});
