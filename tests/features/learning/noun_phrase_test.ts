/** What of a request's words is a term. */
import { strictEqual as equal } from "node:assert/strict";
import { isVerbPhrase, toNounPhrase } from "../../../src/features/learning/confirm.ts";

Deno.test("toNounPhrase() takes the thing that a clause is about, and leaves text without small words", () => {
  const rows: readonly (readonly [text: string, phrase: string])[] = [
    ["login form", "login form"],
    ["get_debug_flag take a default", "get_debug_flag"],
    ["the length of the name when it is empty", "length of the name"],
    ["let a loan be renewed", "loan"],
    ["renew a loan", "loan"],
    ["loans and members", "loans and members"],
    ["the report, behind the title", "report"],
    ["ログインフォーム", "ログインフォーム"],
    ["when it fails", ""],
    ["", ""],
  ];
  for (const [text, phrase] of rows) equal(toNounPhrase(text), phrase, text);
});

Deno.test("isVerbPhrase() tells a deed from a thing", () => {
  for (const text of ["renew a loan", "print the report"]) equal(isVerbPhrase(text), true, text);
  for (const text of ["login form", "the loan", "let a loan", "ログイン", ""]) {
    equal(isVerbPhrase(text), false, text);
  }
});
