/** What holds in each family of languages, written by hand. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import type { Family, FamilyRow } from "../../src/language/families.ts";
import { FAMILIES, familiesWith } from "../../src/language/families.ts";
import { LANGUAGES, toFamily } from "../../src/language/languages.ts";

function check(word: keyof FamilyRow, expected: string): void {
  Deno.test(`familiesWith() finds those with ${word}`, () => {
    deepEqual([...familiesWith(word)].sort(), expected.split(" "));
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

Deno.test("toFamily() gives a family to each language of code and pages, and none to data, prose and what has no rule", () => {
  const without = LANGUAGES.filter(({ grammar, name }) =>
    grammar !== null && toFamily(name) === null
  ).map(({ name }) => name);
  deepEqual(without, ["HCL", "YAML", "JSON", "TOML", "Markdown"]);
  deepEqual(toFamily(null), null);
  const used = new Set(LANGUAGES.map(({ family }) => family));
  for (const family of Object.keys(FAMILIES) as Family[]) ok(used.has(family), family);
});
