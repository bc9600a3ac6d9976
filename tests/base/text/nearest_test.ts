/** Names that were probably meant. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { findNearest, toSuggestion } from "../../../src/base/text/nearest.ts";

const NAMES = ["search_text", "search_files", "find_definitions", "get_symbols"];

Deno.test("findNearest() finds typing errors, other cases and parts, and nothing far away", () => {
  const rows: readonly (readonly [wanted: string, expected: readonly string[]])[] = [
    ["serch_text", ["search_text"]],
    ["SearchText", ["search_text"]],
    ["symbols", ["get_symbols"]],
    ["find-definition", ["find_definitions"]],
    ["find_defs", ["find_definitions"]],
    ["kubernetes", []],
    ["", []],
  ];
  for (const [wanted, expected] of rows) deepEqual(findNearest(wanted, NAMES), expected, wanted);
});

Deno.test("toSuggestion() is a sentence where something is near, else nothing", () => {
  equal(toSuggestion("get_symbol", NAMES), ' Did you mean "get_symbols"?');
  equal(toSuggestion("xyzzyplugh", NAMES), "");
});
