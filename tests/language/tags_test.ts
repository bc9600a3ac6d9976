/** Kinds and levels of definitions. */
import { strictEqual as equal } from "node:assert/strict";
import { isTopLevel, toKind } from "../../src/language/tags.ts";

Deno.test("toKind() calls functions of types methods, and isTopLevel() looks through namespaces", () => {
  equal(toKind("func", "Go", undefined), "function");
  equal(toKind("function", "PHP", "class"), "method");
  const tag = { name: "a", kind: "class", path: "a", line: 1, language: "PHP", scope: "App" };
  equal(isTopLevel({ ...tag, scopeKind: "namespace" }), true);
  equal(isTopLevel({ ...tag, scopeKind: "class" }), false);
});
