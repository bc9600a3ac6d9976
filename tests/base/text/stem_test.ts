/** Stems are those of SQLite's full text: rows from Porter's own list, and SQLite itself. */
import { strictEqual as equal } from "node:assert/strict";
import { countWords, findName, stemWord } from "../../../src/base/text/stem.ts";
import { DatabaseSync } from "node:sqlite";

Deno.test("countWords() counts each word once, in any case, and its other forms", () => {
  const rows: readonly (readonly [words: readonly string[], text: string, expected: number])[] = [
    [["stale", "branches"], "removeStaleBranch()", 2],
    [["late", "late fees"], "LATE late", 1],
    [["checks"], "checking", 1],
    [["is"], "list", 1],
    [[], "anything", 0],
  ];
  for (const [words, text, expected] of rows) equal(countWords(words, text), expected, text);
});

Deno.test("findName() finds the last part of a name as a whole word", () => {
  const rows: readonly (readonly [name: string, text: string, expected: number])[] = [
    ["fn_2", "fn_20(fn_2)", 6],
    ["fn_2", "fn_20", -1],
    ["Session.renew", "a.renew()", 2],
    ["crate::open", "reopen open", 7],
    ["übung", "übungen", -1],
  ];
  for (const [name, text, expected] of rows) equal(findName(name, text), expected, text);
});

const ROWS: readonly (readonly [word: string, stem: string])[] = [
  ["caresses", "caress"],
  ["ponies", "poni"],
  ["agreed", "agre"],
  ["plastered", "plaster"],
  ["hopping", "hop"],
  ["filing", "file"],
  ["happy", "happi"],
  ["sky", "sky"],
  ["relational", "relat"],
  ["serialization", "serial"],
  ["adjustment", "adjust"],
  ["adoption", "adopt"],
  ["controlling", "control"],
  ["yes", "ye"],
  ["is", "is"],
  ["v3", "v3"],
  ["東京", "東京"],
];

Deno.test("stemWord() gives Porter's stems, and leaves alone what is no English word", () => {
  for (const [word, stem] of ROWS) equal(stemWord(word), stem, word);
});

Deno.test("a word and its stem meet in SQLite's full text", () => {
  const db = new DatabaseSync(":memory:");
  db.exec("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='porter ascii')");
  db.exec("CREATE VIRTUAL TABLE v USING fts5vocab(t, 'row')");
  const words = ("validators initializing connections routing responses middleware optional " +
    "abilities hesitancy formative electrical hopefulness goodness replacement irritant " +
    "communism bowdlerize probate rate cease roll feed bled motoring sized failing matting")
    .split(" ");
  const insert = db.prepare("INSERT INTO t (x) VALUES (?)");
  for (const word of words) insert.run(word);
  const terms = new Set(db.prepare("SELECT term FROM v").all().map(({ term }) => String(term)));
  for (const word of words) equal(terms.has(stemWord(word)), true, `${word}: ${stemWord(word)}`);
  db.close();
});
