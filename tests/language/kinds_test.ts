/** What each kind stands for, written by hand. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import {
  canNameType,
  declaresType,
  holdsMethods,
  isAddition,
  isCallable,
  isClass,
  isDeclaredCallable,
  isField,
  isMember,
  isMinorKind,
  isOpenSpace,
  isSpace,
  isType,
  isVariable,
  KINDS,
} from "../../src/language/kinds.ts";
import { LANGUAGES } from "../../src/language/languages.ts";
import { loadLanguageQuery } from "../../src/analysis/queries/load.ts";

const CLASSES = "class enum interface mixin object protocol record struct trait union";
const NAMES_OF_TYPES = "concept delegate typedef";

function check(test: (kind: string) => boolean, expected: string): void {
  Deno.test(`${test.name}() holds for: ${expected}`, () => {
    deepEqual(KINDS.filter(test).sort(), expected.split(" ").sort());
    equal(test("no such kind"), false);
  });
}

check(isClass, CLASSES);
check(isAddition, "extension implementation");
check(isType, `${CLASSES} type extension implementation module`);
// A function of a Rust module is a function, whatever stands round the module.
check(holdsMethods, `${CLASSES} type extension implementation`);
check(
  canNameType,
  `${CLASSES} type extension implementation module ${NAMES_OF_TYPES} namespace package macro`,
);
check(declaresType, `${CLASSES} type extension implementation module ${NAMES_OF_TYPES}`);
check(isSpace, "module namespace package");
check(isOpenSpace, "namespace package");
check(
  isCallable,
  "function method constructor destructor operator getter setter procedure macro",
);
check(
  isDeclaredCallable,
  "function method constructor destructor operator getter setter procedure macro callback prototype",
);
check(isVariable, "constant value variable");
check(isField, "field property");
check(isMember, "method field property enumerator");
check(isMinorKind, "constant value variable enumerator field property key");

Deno.test("every kind that a pattern of a grammar finds stands in the table", async () => {
  const kinds = new Set<string>(KINDS);
  const grammars = new Set(LANGUAGES.flatMap(({ grammar }) => grammar === null ? [] : [grammar]));
  for (const grammar of grammars) {
    const { tags } = await loadLanguageQuery(grammar);
    const found = [...tags.matchAll(/@definition\.(\w+)/g)].map(([, kind = ""]) => kind);
    for (const kind of new Set(found)) ok(kinds.has(kind), `${grammar}: ${kind}`);
  }
});
