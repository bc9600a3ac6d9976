/** Each grammar of the language table has a file of patterns that compiles. */
import { strictEqual as equal } from "node:assert/strict";
import { LANGUAGES } from "../../../src/language/languages.ts";
import { loadQuery } from "../../../src/syntax/tree_sitter.ts";
import { loadLanguageQuery } from "../../../src/analysis/queries/load.ts";

for (const { name, grammar } of LANGUAGES) {
  if (grammar === null) continue;
  Deno.test(`loadLanguageQuery() has patterns of ${name} that fit its grammar`, async () => {
    const query = await loadLanguageQuery(grammar);
    equal(await loadLanguageQuery(grammar), query);
    // Throws where a pattern names a node or a field that the grammar does not have.
    await loadQuery(grammar, "tags", query.tags);
  });
}
