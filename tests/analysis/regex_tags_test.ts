/** Definitions of one sample a language by the line patterns. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { languageByName, languageOfPath } from "../../src/language/languages.ts";
import { findTagsByRegex } from "../../src/analysis/rule_analysis.ts";
import { SAMPLES, toText } from "../language/samples.ts";

for (const [path, text, expected] of SAMPLES) {
  Deno.test(`findTagsByRegex() finds the definitions of ${path}`, () => {
    const language = languageOfPath(path);
    ok(language !== undefined);
    deepEqual(findTagsByRegex(path, text, language).map(toText), expected);
  });
}

Deno.test("findTagsByRegex() tells where a definition ends", () => {
  const language = languageByName("ts");
  ok(language !== undefined);
  const text = "function f(\n  a: number,\n): void {\n  go();\n}\n\nfunction g() {}\n";
  deepEqual(findTagsByRegex("a.ts", text, language).map((tag) => [tag.line, tag.endLine]), [
    [1, 5],
    [7, 7],
  ]);
});
