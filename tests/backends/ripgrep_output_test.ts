/** The JSON lines of ripgrep, as it printed them. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { readMatches, splitOutput } from "../../src/backends/ripgrep_output.ts";

const BEGIN = '{"type":"begin","data":{"path":{"text":"./a.txt"}}}';
const MATCH =
  '{"type":"match","data":{"path":{"text":"./a.txt"},"lines":{"text":"né def\\r\\n"},"line_number":3,"absolute_offset":0,"submatches":[{"match":{"text":"def"},"start":4,"end":7}]}}';
const BYTES =
  '{"type":"match","data":{"path":{"text":"./a.txt"},"lines":{"bytes":"Y2Fm6SBkZWYK"},"line_number":4,"absolute_offset":9,"submatches":[{"match":{"text":"def"},"start":5,"end":8}]}}';
const END = (offset: string) =>
  `{"type":"end","data":{"path":{"text":"./a.txt"},"binary_offset":${offset},"stats":{}}}`;
const SUMMARY = '{"data":{},"type":"summary"}';

Deno.test("splitOutput() and readMatches() count bytes as characters and take broken UTF-8", () => {
  const { blocks, isWhole } = splitOutput(
    [BEGIN, MATCH, BYTES, END("null"), SUMMARY, ""].join("\n"),
  );
  equal(isWhole, true);
  const found = blocks.flatMap((block) => readMatches(block, 0, { to: 9, contextLines: 0 }));
  deepEqual(found.map((one) => [one.path, one.line, one.text, one.ranges]), [
    ["a.txt", 3, "né def", [[3, 6]]],
    ["a.txt", 4, "caf\ufffd def", [[5, 8]]],
  ]);
});

Deno.test("splitOutput() leaves binary files out and knows when the end is missing", () => {
  deepEqual(splitOutput([BEGIN, MATCH, END("5"), SUMMARY].join("\n")), {
    blocks: [],
    isWhole: true,
  });
  equal(splitOutput([BEGIN, MATCH].join("\n")).isWhole, false);
});
