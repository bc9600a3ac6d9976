/** Kinds of definitions. */
import { strictEqual as equal } from "node:assert/strict";
import { toKind } from "../../src/language/kinds.ts";

Deno.test("toKind() calls functions of types methods", () => {
  equal(toKind("func", "Go", undefined), "function");
  equal(toKind("function", "PHP", "class"), "method");
  equal(toKind("function", "PHP", "namespace"), "function");
});
