/** The head of Markdown files as people write it by hand. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { readFrontMatter, toFrontMatter } from "../../../src/features/learning/agreement.ts";

Deno.test("readFrontMatter() reads plain, quoted, flow and block values, and passes over the rest", async () => {
  const rows: readonly (readonly [head: string, fields: Readonly<Record<string, unknown>>])[] = [
    ["a: one", { a: "one" }],
    ["a: one # why", { a: "one" }],
    ['a: "x: \\"y\\" # z"', { a: 'x: "y" # z' }],
    ["a: 'it''s'", { a: "it's" }],
    ["a: [x, \"y, z\", 'w']", { a: ["x", "y, z", "w"] }],
    ['a:\n  - x\n  - "y---z"\nb: 2', { a: ["x", "y---z"], b: "2" }],
    ["a: null\nb: ~", { a: "", b: "" }],
    ["a: []", { a: [] }],
    ["# nothing\n\na:\n  deep: 1", {}],
    ["a: >-\n  two\n  lines\nb: {c: d}\ne: 01", { a: "two lines", e: "01" }],
    ["a: ログイン", { a: "ログイン" }],
  ];
  for (const [head, fields] of rows) {
    const read = await readFrontMatter(`---\n${head}\n---\nbody\n---\n`);
    deepEqual([Object.fromEntries(read?.fields ?? []), read?.body], [fields, "body\n---\n"], head);
  }
  deepEqual((await readFrontMatter("---\r\na: 1\r\n---\r\nx"))?.body, "x");
  for (const text of ["", "# title", "---\na: 1\n", "text\n---\na: 1\n---\n"]) {
    equal(await readFrontMatter(text), null, text);
  }
});

Deno.test("toFrontMatter() writes what readFrontMatter() reads back, whatever is in it", async () => {
  const fields = new Map<string, string | readonly string[]>([
    ["plain", "one"],
    ["time", "2026-01-31T14:25:30.000Z"],
    ["odd", '- "a": [b] # c\nnext --- line'],
    ["empty", ""],
    ["list", ["a, b", "c]", "---", "日本"]],
  ]);
  const text = toFrontMatter(fields);
  deepEqual([...(await readFrontMatter(text))?.fields ?? []], [...fields]);
  equal(text.split("\n").length, 8);
});
