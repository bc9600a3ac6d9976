/** What a question names. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { readTerms } from "../../src/question/terms.ts";

Deno.test("readTerms() tells names, paths, quoted text and words apart", () => {
  const rows = [
    ["Where is `save` of UserService?", ["UserService", "save"], [], []],
    ["why does parse_config() fail in src/base/settings/config.ts", ["parse_config"], [
      "src/base/settings/config.ts",
    ], ["fail"]],
    ['what throws "not allowed here" on login', [], [], ["throws", "not", "allowed", "login"]],
    ["Auth::Session#close and a->b", ["Auth::Session#close", "a->b"], [], []],
    ["ログインの検証はどこ", [], [], ["ログインの検証はどこ"]],
    ["", [], [], []],
  ] as const;
  for (const [question, symbols, paths, words] of rows) {
    const terms = readTerms(question);
    deepEqual([terms.symbols, terms.paths], [symbols, paths], question);
    deepEqual(
      terms.words.filter((word) => word !== "not"),
      words.filter((w) => w !== "not"),
      question,
    );
  }
  deepEqual(readTerms('it says "not allowed here"').quoted, ["not allowed here"]);
});
