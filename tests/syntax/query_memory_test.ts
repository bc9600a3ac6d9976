/** Compiled patterns that are taken out of one runtime and put into another. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { loadLanguageQuery } from "../../src/analysis/queries/load.ts";
import { compilePatterns, loadQuery, parseWithGrammar } from "../../src/syntax/tree_sitter.ts";
import type { SyntaxQuery } from "../../src/syntax/tree_sitter.ts";
import { putQuery } from "../../src/syntax/query_memory.ts";

const TEXT = `import { a as b } from "./a.js";
export class Shop extends b.Base { #open = true; sell(item) { return item?.price ?? b(item); } }
const list = [1].map((one) => one + 1);
`;

Deno.test("loadQuery() finds with stored patterns what it finds with those that it compiles", async () => {
  const { tags } = await loadLanguageQuery("javascript");
  const stored = await loadQuery("javascript", "stored", tags);
  // The program has no compiled form of patterns with another text.
  const compiled = await loadQuery("javascript", "compiled", `${tags}\n; a comment`);
  const found = await find(stored);
  equal(found.length > 20, true);
  deepEqual(found, await find(compiled));
});

Deno.test("compilePatterns() gives the same bytes each time", async () => {
  const { tags } = await loadLanguageQuery("css");
  deepEqual(await compilePatterns("css", tags), await compilePatterns("css", tags));
});

Deno.test("putQuery() leaves a runtime alone that lets nobody into its memory", () => {
  equal(putQuery({}, new Uint8Array(), 0), null);
});

/** Each match: its pattern, its predicates' properties, and what its captures hold. */
async function find(query: SyntaxQuery) {
  using tree = await parseWithGrammar(TEXT, "javascript");
  const matches = tree === null ? null : query.findMatches(tree.root, 5_000);
  return (matches ?? []).map(({ patternIndex, captures, setProperties }) => ({
    patternIndex,
    setProperties,
    captures: captures.map(({ name, node }) => [name, node.startIndex, node.endIndex]),
  }));
}
