/** Rows of a sent name and the field that it means, for `src/base/text/near_key.ts`. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { findMeantKey, findSameName, splitNameWords } from "../../../src/base/text/near_key.ts";

const FIELDS = [
  "explored_files",
  "findings",
  "no_documents_reason",
  "include_person_changes",
  "path",
];
const NAMES = { include_person_changes: { exact: true }, path: { aliases: ["file"] } };

const CASES: readonly (readonly [sent: string, meant: string | null])[] = [
  ["explored_files", "explored_files"],
  ["exploredFiles", "explored_files"],
  ["Files explored", "explored_files"],
  ["explored-file", "explored_files"],
  ["finding", "findings"],
  ["reason", "no_documents_reason"],
  ["file", "path"],
  ["changes", null],
  ["includePersonChanges", "include_person_changes"],
  ["include_person_change", null],
  ["notes", null],
  ["", null],
];

for (const [sent, meant] of CASES) {
  Deno.test(`findMeantKey() reads "${sent}" as ${meant}`, () => {
    equal(findMeantKey(sent, FIELDS, NAMES), meant);
  });
}

Deno.test("findMeantKey() decides nothing where two fields could be meant", () => {
  equal(findMeantKey("files", ["explored_files", "reviewed_files"], {}), null);
});

Deno.test("findSameName() and splitNameWords() know a name in other letters", () => {
  deepEqual(splitNameWords("findReferences"), ["find", "references"]);
  equal(findSameName("Find References", ["search_text", "find_references"]), "find_references");
  equal(findSameName("find", ["find_references"]), undefined);
});
