/** Names of style sheets, with those that are written in parts. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { languageByName } from "../../src/language/languages.ts";
import { scanScss } from "../../src/analysis/scanners.ts";

function scan(text: string): string[] | null {
  const language = languageByName("SCSS");
  ok(language !== undefined);
  const symbols = scanScss(text, text.split("\n"), language);
  return symbols?.map(({ kind, name, parent }) =>
    `${kind} ${name}${parent === null ? "" : ` in ${symbols[parent]?.name}`}`
  ) ?? null;
}

const ROWS: readonly (readonly [text: string, ...expected: string[]])[] = [
  [".a { &__b { &--c { x: y } } }", "class .a", "class .a__b in .a", "class .a__b--c in .a__b"],
  [".a, .b { &-c {} }", "class .a", "class .b", "class .a-c in .a", "class .b-c in .a"],
  [
    ".a { @media print { .b {} } @include x { .c {} } }",
    "class .a",
    "class .b in .a",
    "class .c in .a",
  ],
  [".a:not(.b)[href='.c'] > #d {}", "class .a", "id #d"],
  [".a-#{$n} {} #{$s} .b {}", "class .b"],
  [
    "$a: 1; .x { $b: 2; --c: 3; } $map: (k: 1px);",
    "variable $a",
    "class .x",
    "property --c in .x",
    "variable $map",
  ],
  [
    "@mixin m($a: 1) { .x {} } @function f($n) { @return $n; }",
    "mixin m",
    "class .x in m",
    "function f",
  ],
  ["%p { a: b } @keyframes k { from { a: b } 50% { a: b } }", "placeholder %p", "keyframes k"],
  ["// .no {\n/* .no { */ .a { b: url('x;{') }", "class .a"],
  [".a { .b { }", "class .a", "class .b in .a"],
  ["} .a {}", "class .a"],
];

Deno.test("scanScss() finds the names of a sheet by its blocks", () => {
  for (const [text, ...expected] of ROWS) deepEqual(scan(text), expected, text);
});

Deno.test("scanScss() leaves the indented form to the lines, and ends on sheets without end", () => {
  equal(scan("=m\n  a: b\n.a\n  b: c\n"), null);
  for (const piece of ["#{", ".a,.b{&-x,&-y{", "[(", ".a\n", "@mixin a("]) {
    const startedAt = performance.now();
    scan(piece.repeat(Math.ceil(100_000 / piece.length)));
    ok(performance.now() - startedAt < 20_000, piece);
  }
});
