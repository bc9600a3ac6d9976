/** Columns in each unit, before and behind characters of every length. */
import { strictEqual as equal } from "node:assert/strict";
import { createColumns } from "../../../src/features/scip/fit.ts";

Deno.test("createColumns() finds the same character by each unit, and none within a character", () => {
  const line = "é😀x";
  const rows = [
    ["utf8", 0, 0],
    ["utf8", 2, 1],
    ["utf8", 1, null],
    ["utf8", 6, 3],
    ["utf8", 7, 4],
    ["utf8", 8, null],
    ["utf16", 3, 3],
    ["utf16", 5, null],
    ["unknown", 3, 3],
    ["utf32", 2, 3],
    ["utf32", 3, 4],
    ["utf32", 4, null],
  ] as const;
  for (const [unit, column, expected] of rows) {
    equal(createColumns(line, unit)(column), expected, `${unit} ${column}`);
  }
  equal(createColumns("abc", "utf8")(3), 3);
  equal(createColumns("abc", "utf8")(4), null);
});
