/** What is said of languages without a grammar. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { formatNoGrammarNotices } from "../../src/explore/index_access.ts";

Deno.test("formatNoGrammarNotices() names each language without a grammar once", () => {
  deepEqual(formatNoGrammarNotices(["Python", "Perl", undefined, "R", "Perl"]), [
    "Perl, R: no grammar, so names are told by their lines.",
  ]);
  deepEqual(formatNoGrammarNotices(["Python", undefined]), []);
});
