/** Whether a piece of code stands elsewhere too, by rows of pieces. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { findRepeated } from "../../../src/impact/review/diff_facts.ts";

const PIECE = [
  "for (const row of rows) {",
  "  if (row.kind === 'open' && row.cents > limit) {",
  "    list.push({ id: row.id, cents: row.cents - limit });",
  "  }",
  "}",
];
const OTHER = ["const limit = 3;", "// the rows", ...PIECE, "return list;"];
const rename = (names: readonly (readonly [string, string])[]) =>
  PIECE.map((line) => names.reduce((text, [from, to]) => text.replaceAll(from, to), line));

const ROWS = [
  ["the same lines", PIECE, { start: 3, end: 7 }],
  ["the same under another name", rename([["list", "found"]]), { start: 3, end: 7 }],
  ["with a comment in between", ["// all", ...PIECE], { start: 3, end: 7 }],
  [
    "the same form about other things",
    rename([["row", "cat"], ["cents", "paws"], ["limit", "four"], ["list", "zoo"], [
      "push",
      "put",
    ]]),
    null,
  ],
  ["too little to be called repeated", PIECE.slice(0, 2), null],
  [
    "other code",
    ["export function go(a: number) {", "  return a ? go(a - 1) : [1, 2, 3];", "}"],
    null,
  ],
] as const;

for (const [what, piece, span] of ROWS) {
  Deno.test(`findRepeated() of ${what}`, () => {
    deepEqual(findRepeated(piece, { lines: OTHER, span: { start: 1, end: OTHER.length } }), span);
  });
}
