/** Tables of cases on one line: other values and fewer rows weaken a test, more rows and other titles do not. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { parseDiffedFiles } from "../../../src/evidence/tests/diffed_file.ts";
import { findWeakenedTests } from "../../../src/evidence/tests/weakened_tests.ts";

/** `- line` removed, `+ line` added, others stand between. */
type Row = readonly [path: string, diff: readonly string[], kinds: readonly string[]];

const ROWS: readonly Row[] = [
  ...[
    ['@pytest.mark.parametrize("p,w", [([5, 2], 3), ([9], 1)])', "def test_all(p, w):"],
    ['    it.each([[5, 3], [9, 1]])("adds %i", (a, b) => {', "});"],
    ['@CsvSource({"5, 3", "9, 1"})', "void adds(int a, int b) {}"],
  ].flatMap(([table = "", end = ""]): readonly Row[] => {
    const path = table.startsWith("@py")
      ? "tests/test_cart.py"
      : table.startsWith("@Csv")
      ? "src/test/java/CartTest.java"
      : "tests/cart.test.ts";
    const rest = path.endsWith(".py") ? ["     assert f(p) == w"] : [];
    const to = (own: string) => [`-${table}`, `+${own}`, ` ${end}`, ...rest];
    return [
      [path, to(table.replace(/9([\], ]*)1/, "9$12")), ["expectation_changed"]],
      [path, to(table.replace(/, (?:\(\[9\], 1\)|\[9, 1\]|"9, 1")/, "")), ["expectation_changed"]],
      [path, to(table.replace(/, (\(\[9\], 1\)|\[9, 1\]|"9, 1")/, ", $1, $1")), []],
    ];
  }),
  ["tests/cart.test.ts", [
    '-it.each([[5, 3]])("adds %i", f);',
    '+it.each([[5, 3]])("adds up %i", f);',
  ], []],
  ["cart_test.go", [
    "-\tfor _, c := range []pair{{5, 3}, {9, 1}} {",
    "+\tfor _, c := range []pair{{5, 3}} {",
  ], [
    "expectation_changed",
  ]],
  [
    "tests/CartTest.php",
    ["-        return [[5, 3], [9, 1]];", "+        return [[5, 3], [9, 2]];"],
    [
      "expectation_changed",
    ],
  ],
];

Deno.test("findWeakenedTests() reads tables of cases on one line", async () => {
  for (const [path, diff, kinds] of ROWS) {
    const parts = [["@@ -1 +1 @@", ...diff].join("\n")];
    const files = parseDiffedFiles([{ change: { path, kind: "modified" }, parts }]);
    const found = (await findWeakenedTests(files)).weakened.map(({ kind }) => kind);
    deepEqual(found, kinds, diff.join(" "));
  }
});
