/** Kinds of definitions. */
import { strictEqual as equal } from "node:assert/strict";
import { normalizeKind } from "../../src/language/kinds.ts";

Deno.test("normalizeKind() calls functions of types methods", () => {
  equal(normalizeKind("func", "Go", undefined), "function");
  equal(normalizeKind("function", "PHP", "class"), "method");
  equal(normalizeKind("function", "PHP", "namespace"), "function");
});
