/** How much of a question a text says. */
import { strictEqual as equal } from "node:assert/strict";
import { countWords, findName } from "../../../src/base/text/stem.ts";

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
