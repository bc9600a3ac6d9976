/** Compiled patterns in files: sealed for what they were made of, and used for nothing else. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { loadLanguageQuery } from "../../src/analysis/queries/load.ts";
import { openPatterns, readPatterns, sealPatterns } from "../../src/syntax/pattern_files.ts";
import { listGrammars } from "../../tools/grammars/patterns.ts";

Deno.test("readPatterns() has the present patterns of every grammar: `deno task patterns` writes them", async () => {
  for (const grammar of await listGrammars()) {
    const { tags } = await loadLanguageQuery(grammar);
    ok(await readPatterns(grammar, tags) !== null, `${grammar}: run deno task patterns`);
    equal(await readPatterns(grammar, `${tags} `), null);
  }
  equal(await readPatterns("no_such_grammar", ""), null);
});

Deno.test("openPatterns() takes no damaged file, and none of another grammar", async () => {
  const compiled = { grammar: "json", source: "(pair) @p", packed: new Uint8Array([1, 2, 3]) };
  const sealed = await sealPatterns(compiled);
  const stored = brotliCompressSync(sealed);
  deepEqual([...await openPatterns(stored, compiled) ?? []], [1, 2, 3]);
  equal(await openPatterns(stored, { ...compiled, grammar: "toml" }), null);
  equal(await openPatterns(stored.subarray(0, 10), compiled), null);
  equal(await openPatterns(new Uint8Array(), compiled), null);
  const changed = Uint8Array.from(brotliDecompressSync(stored));
  changed[changed.length - 1] = 4;
  equal(await openPatterns(brotliCompressSync(changed), compiled), null);
});
