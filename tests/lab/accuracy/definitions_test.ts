/** How definitions are paired with tags of ctags, and how what is left over is explained. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { parseCtags } from "../../../lab/accuracy/ctags_run.ts";
import { createFacts, explain, findOtherBranches } from "../../../lab/accuracy/definition_facts.ts";
import type { CtagsTag, OurSymbol } from "../../../lab/accuracy/match_definitions.ts";
import { matchDefinitions, toPlainName } from "../../../lab/accuracy/match_definitions.ts";
import { ONLY_CTAGS } from "../../../lab/accuracy/only_ctags.ts";
import { ONLY_OURS } from "../../../lab/accuracy/only_ours.ts";

function tag(name: string, line: number, more: Partial<CtagsTag> = {}): CtagsTag {
  return { name, line, kind: "function", path: "a", scope: "", scopeKind: "", ...more };
}

function symbol(name: string, line: number, more: Partial<OurSymbol> = {}): OurSymbol {
  const place = { startLine: line, endLine: line, parent: null, position: line };
  return { name, line, kind: "function", path: "a", ...place, ...more };
}

Deno.test("parseCtags() reads tags, and passes over what is none", () => {
  const lines = [
    '{"_type": "tag", "name": "f", "path": "a.py", "line": 3, "kind": "member", "scope": "C", "scopeKind": "class"}',
    '{"_type": "ptag", "name": "JSON_OUTPUT_VERSION"}',
    "ctags: Warning",
    "",
  ];
  deepEqual(parseCtags(lines.join("\n")), [
    { name: "f", kind: "member", path: "a.py", line: 3, scope: "C", scopeKind: "class" },
  ]);
});

Deno.test("matchDefinitions() pairs one for one, the nearest first, two lines apart at most", () => {
  const near = symbol("f", 10);
  const far = symbol("f", 12);
  const other = symbol("f", 10, { path: "b" });
  const tags = [tag("f", 12), tag("f", 11), tag("f", 15)];
  const matched = matchDefinitions(tags, [near, far, other]);
  deepEqual(matched.both.map(([a, b]) => [a.line, b.line]), [[12, 12], [11, 10]]);
  deepEqual(matched.onlyCtags.map(({ line }) => line), [15]);
  deepEqual(matched.onlyOurs, [other]);
});

Deno.test("toPlainName() takes quotes, and blanks of operators, from a name", () => {
  const rows = [
    ['"a b"', "a b"],
    ["operator ==", "operator=="],
    ["operator A<B, C>", "operatorA<B,C>"],
    ["a b", "a b"],
  ] as const;
  for (const [name, expected] of rows) deepEqual(toPlainName(name), expected);
});

Deno.test("findOtherBranches() names the lines that a reader of first branches passes over", () => {
  const text =
    "#if A\na\n# ifdef B\nb\n#else\nc\n#endif\n#elif D\nd\n#endif\ne\n#if 0\nf\n#endif\ng";
  deepEqual([...findOtherBranches(text.split("\n"))], [6, 9, 13]);
});

/** Texts of three files, each with what one side alone may have. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  "a.ts": [
    "import { type T } from './t.ts';",
    "export const A = /*@__PURE__*/ core.make();",
    "function f() {",
    "  const local = a instanceof Item;",
    "  class Inner {}",
    "}",
    "export default {};",
    "test(() => {",
    "  class Deep {}",
    "});",
    "app.locals.user = { a: 1 };",
  ],
  "a.rs": ["const K: u8 = 1;", "enum E { V { tag: u8 } }", "impl T for () {}"],
  "a.cpp": [
    "MY_TEST(a, b) {",
    "#if A",
    "#else",
    "class C {};",
    "#endif",
    "LOCKED(m);",
    "void lost();",
  ],
};

function explained(
  path: string,
  found: { readonly tags?: readonly CtagsTag[]; readonly symbols?: readonly OurSymbol[] },
): string[] {
  const tags = (found.tags ?? []).map((one) => ({ ...one, path }));
  const symbols = (found.symbols ?? []).map((one) => ({ ...one, path }));
  const matched = matchDefinitions(tags, symbols);
  const languages = { "a.ts": "TypeScript", "a.rs": "Rust", "a.cpp": "C++" };
  const facts = createFacts({
    lines: new Map(Object.entries(LINES)),
    languages: new Map(Object.entries(languages)),
    partial: new Set(["a.cpp"]),
    imports: new Set(["a.ts 1 T"]),
  }, { tags, symbols, matched });
  return [
    ...explain(matched.onlyCtags, ONLY_CTAGS, facts),
    ...explain(matched.onlyOurs, ONLY_OURS, facts),
  ].map(({ found, kind }) => `${found.name}: ${kind?.id ?? "unexplained"}`);
}

Deno.test("ONLY_CTAGS explains each kind of tag that is no definition of ours, and nothing else", () => {
  const constant = { kind: "constant" };
  deepEqual(
    explained("a.ts", {
      tags: [
        tag("T", 1, { kind: "alias" }),
        tag("core", 2, constant),
        tag("local", 4, constant),
        tag("Item", 4, { kind: "alias" }),
        tag("extends", 5),
        tag("f", 3),
        tag("f", 4),
        tag("user", 11, { kind: "property" }),
        tag("Deep", 8, { kind: "class" }),
        tag("lost", 3),
      ],
      symbols: [symbol("f", 3)],
    }),
    [
      "T: import",
      "core: name after a comment",
      "local: local variable",
      "Item: part of an expression",
      "extends: word of the language",
      "f: counted twice",
      "user: assigned value",
      "Deep: wrong line",
      "lost: unexplained",
    ],
  );
  deepEqual(
    explained("a.cpp", {
      tags: [tag("MY_TEST", 1), tag("__anon1", 4), tag("lost", 7, { kind: "prototype" })],
    }),
    ["MY_TEST: use of a macro", "__anon1: made-up name", "lost: broken by macros"],
  );
});

Deno.test("ONLY_OURS explains each kind of definition without a tag, and nothing else", () => {
  deepEqual(
    explained("a.ts", {
      symbols: [
        symbol("f", 3, { endLine: 6 }),
        symbol("Inner", 5, { kind: "class", parent: 3 }),
        symbol("default", 7, { kind: "variable" }),
        symbol("Deep", 9, { kind: "class" }),
        symbol("nothing", 10),
      ],
    }),
    [
      "f: seen by the rules too",
      "Inner: inside a function",
      "default: default export",
      "Deep: inside a call",
      "nothing: unexplained",
    ],
  );
  deepEqual(
    explained("a.rs", {
      symbols: [
        symbol("K", 1, { kind: "constant" }),
        symbol("V", 2, { kind: "enumerator", position: 9 }),
        symbol("tag", 2, { kind: "field", parent: 9 }),
        symbol("()", 3, { kind: "implementation" }),
      ],
      tags: [tag("V", 2)],
    }),
    ["K: unknown to ctags", "tag: field of a variant", "(): name of an implementation"],
  );
  deepEqual(
    explained("a.cpp", {
      symbols: [symbol("C", 4, { kind: "class" }), symbol("LOCKED", 6), symbol("odd", 7)],
      tags: [tag("LOCKED", 40, { kind: "macro" })],
    }),
    ["LOCKED: broken by macros", "C: other branch", "LOCKED: use of a macro", "odd: misread"],
  );
});
