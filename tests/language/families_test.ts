/** What holds in each family of languages, written by hand. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import type { Family } from "../../src/language/families.ts";
import type { FamilyFacts } from "../../src/language/language_row.ts";
import { FAMILIES, familiesWith } from "../../src/language/families.ts";
import { familyOf, LANGUAGES } from "../../src/language/languages.ts";

/** The families that these pins are about; a new language of its own kind needs no row here. */
const PINNED =
  "c c_sharp dart elixir go haskell jvm lua php python ruby rust script shell style swift zig";

function check(word: keyof FamilyFacts, expected: string): void {
  Deno.test(`familiesWith() finds those with ${word}`, () => {
    const found = familiesWith(word);
    deepEqual(PINNED.split(" ").filter((name) => found.has(name as Family)), expected.split(" "));
  });
}

check("moduleIsFile", "c dart haskell lua python ruby script shell style zig");
check("looseTypes", "elixir lua python ruby zig");
check("binding", "c c_sharp go jvm lua php python ruby rust script swift");
check("blocks", "c c_sharp jvm php ruby swift");
check("dynamic", "php ruby");
check("implicitMembers", "c c_sharp dart jvm ruby swift");
check("folderPackage", "dart go jvm");
check("namespaces", "c_sharp php");
check("open", "c_sharp elixir php ruby swift");
check("typed", "go python script");
check("knownByFiles", "dart go python script");
check("parent", "c_sharp php");

Deno.test("familyOf() gives a family to each language of code and pages, and none to data, prose and what has no rule", () => {
  const without = LANGUAGES.filter(({ grammar, name }) =>
    grammar !== null && familyOf(name) === null
  ).map(({ name }) => name);
  deepEqual(without, ["HCL", "YAML", "JSON", "TOML", "Markdown"]);
  deepEqual(familyOf(null), null);
  for (const { family, name } of LANGUAGES) {
    ok(
      family === null || FAMILIES[family] !== undefined,
      `${name}: a row of ${family} has its facts`,
    );
  }
});
