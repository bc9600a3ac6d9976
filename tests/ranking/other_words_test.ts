/** Words of a question as the words that a repository has. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import {
  countSlips,
  findOtherName,
  findOtherWords,
  replaceWords,
} from "../../src/ranking/other_words.ts";
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

Deno.test("countSlips() counts a letter more, less or other, and two changed about, as one", () => {
  for (const other of ["rery", "retrry", "rerty", "retra"]) equal(countSlips("retry", other, 1), 1);
  for (const other of ["entry", "retires", "reyrt"]) equal(countSlips("retry", other, 1), 2, other);
  equal(countSlips("middlewear", "middleware", 2), 2);
  equal(countSlips("retry", "retry", 1), 0);
});

Deno.test("findOtherName() takes a name that nothing has for the nearest that is defined, or its words for such", () => {
  const counts = new Map([
    ["middleware", 3],
    ["receiverequest", 1],
    ["deceive", 1],
    ["session", 2],
    ["sessionstore", 1],
    ["manager", 1],
  ]);
  const rows: readonly (readonly [name: string, other: string | null])[] = [
    ["Middlewear", "Middleware"],
    ["recieve_request", "receive_request"],
    ["sesionStore", "SessionStore"],
    ["SesionManger", "session_manager"],
    ["Middleware", null],
    ["Zebra", null],
    ["midl", null],
  ];
  for (const [name, other] of rows) {
    const found = findOtherName(name, {
      countOf: (word) => counts.get(word) ?? 0,
      listNames: () => ["Middleware", "receive_request", "SessionStore", "Manager"],
      listWords: () => ["middleware", "session", "manager", "store", "receive", "request"],
    });
    equal(found, other, name);
  }
});

Deno.test("replaceWords() asks the same question, of the same kind, in the other words", () => {
  const asked = readQuery("where is the cfg of a sesion loaded");
  const query = replaceWords(asked, new Map([["cfg", "config"], ["sesion", "session"]]));
  deepEqual([query.kind, query.text], ["sentence", "config session loaded"]);
  deepEqual(replaceWords(asked, new Map()), asked);
});
