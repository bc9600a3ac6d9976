/** Names that were probably meant. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import {
  computeEditDistance,
  findNearest,
  formatSuggestion,
} from "../../../src/base/text/nearest.ts";

const ROWS: readonly (readonly [string, string, number])[] = [
  ["", "", 0],
  ["", "abc", 3],
  ["abc", "", 3],
  ["abc", "abc", 0],
  ["kitten", "sitting", 3],
  ["search", "serach", 2],
];

for (const [a, b, distance] of ROWS) {
  Deno.test(`computeEditDistance() of "${a}" and "${b}" is ${distance}, both ways`, () => {
    equal(computeEditDistance(a, b), distance);
    equal(computeEditDistance(b, a), distance);
  });
}

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

Deno.test("formatSuggestion() is a sentence where something is near, else nothing", () => {
  equal(formatSuggestion("get_symbol", NAMES), ' Did you mean "get_symbols"?');
  equal(formatSuggestion("xyzzyplugh", NAMES), "");
});

Deno.test("findNearest() among many names gives each once, the nearest first, and takes no short forms on demand", () => {
  const rows:
    readonly (readonly [wanted: string, names: readonly string[], expected: readonly string[]])[] =
      [
        ["pyton", ["python", "go", "perl", "Pytho", "python"], ["python", "Pytho"]],
        ["src/cart.ts", ["src/carts.ts", "src/party.ts", "lib/search_art.ts"], [
          "src/carts.ts",
          "src/party.ts",
        ]],
        ["zzzz", ["python", "go"], []],
        ["x".repeat(1_000_000), ["python"], []],
      ];
  for (const [wanted, names, expected] of rows) {
    deepEqual(findNearest(wanted, names, { hasShortForms: false }), expected, wanted.slice(0, 20));
  }
  deepEqual(findNearest("search", ["search_a", "search_b", "search_c"], { count: 2 }), [
    "search_a",
    "search_b",
  ]);
});
