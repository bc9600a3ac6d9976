/** The compiled patterns that the program brings along are what it would compile itself. */
import { strictEqual as equal } from "node:assert/strict";
import { isSameBytes } from "../../src/base/bytes.ts";
import { listGrammars, makePatterns, readPatternFile } from "../../tools/grammars/patterns.ts";

Deno.test("each file of patterns/ holds what compiling gives", async () => {
  for (const grammar of await listGrammars()) {
    const present = await readPatternFile(grammar);
    equal(present !== null && isSameBytes(await makePatterns(grammar), present), true, grammar);
  }
});
