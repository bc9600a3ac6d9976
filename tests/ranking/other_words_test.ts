/** Words of a question as the words that a repository has. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { findOtherWords, isOneSlip, withOtherWords } from "../../src/ranking/other_words.ts";
import { readQuery } from "../../src/ranking/query_kind.ts";

const KNOWN = new Map([
  ["config", 5],
  ["color", 3],
  ["initialize", 2],
  ["session", 9],
  ["sections", 1],
  ["request", 4],
  ["auth", 2],
]);
const known = {
  countOf: (word: string) => KNOWN.get(word) ?? 0,
  listWords: () => KNOWN.keys(),
};

Deno.test("findOtherWords() knows spellings, short forms and slips, and leaves words that are there", () => {
  const rows: readonly (readonly [word: string, other: string | undefined])[] = [
    ["colour", "color"],
    ["initialise", "initialize"],
    ["cfg", "config"],
    ["configuration", "config"],
    ["req", "request"],
    ["authentication", "auth"],
    ["sesion", "session"],
    ["sessoin", "session"],
    ["session", undefined],
    ["zebra", undefined],
    ["sess10n", undefined],
  ];
  const found = findOtherWords(rows.map(([word]) => word), known);
  for (const [word, other] of rows) deepEqual([word, found.get(word)], [word, other]);
});

Deno.test("isOneSlip() allows one letter more, less or other, or two changed about", () => {
  for (const other of ["retry", "rery", "retrry", "rerty", "retra"]) {
    ok(other === "retry" || isOneSlip("retry", other), other);
  }
  for (const other of ["entry", "retires", "reyrt", "retry"]) ok(!isOneSlip("retry", other), other);
});

Deno.test("withOtherWords() asks the same question, of the same kind, in the other words", () => {
  const asked = readQuery("where is the cfg of a sesion loaded");
  const query = withOtherWords(asked, new Map([["cfg", "config"], ["sesion", "session"]]));
  deepEqual([query.kind, query.text], ["sentence", "config session loaded"]);
  deepEqual(withOtherWords(asked, new Map()), asked);
});
