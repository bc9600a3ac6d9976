/** Empty implementations and their honest twins, by language; ranges that cut; what is new and what is not. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { judgeRanges } from "../../../src/evidence/empty/empty_body.ts";
import type { LineRange } from "../../../src/git/trees/changed_lines.ts";
import type { LanguageCases } from "./empty_body_cases.ts";
import { CASES } from "./empty_body_cases.ts";

interface Input {
  readonly path: string;
  readonly text: string;
  readonly span?: LineRange;
  readonly created?: readonly LineRange[];
}

async function judge({ path, text, span, created }: Input) {
  const all = { start: 1, end: text.split("\n").length };
  const [verdict] = await judgeRanges({ path, text, createdRanges: created ?? [all] }, [
    span ?? all,
  ]);
  if (verdict === undefined) throw new Error("a range has a verdict");
  return verdict;
}

async function judgePiece(
  path: string,
  piece: string,
  around: LanguageCases["around"],
  end: string,
) {
  const [before, after] = around ?? ["", ""];
  const text = `${before}${piece}${after}`.replaceAll("\n", end);
  const start = before.split("\n").length;
  const span = { start, end: start + piece.split("\n").length - 1 };
  return (await judge({ path, text, span })).kind;
}

for (const [language, { path, around, empty, real }] of Object.entries(CASES)) {
  Deno.test(`judgeRanges() tells empty implementations from honest code in ${language}`, async () => {
    const wrong: string[] = [];
    for (const [expected, pieces] of [["empty", empty], ["real", real]] as const) {
      for (const piece of pieces) {
        for (const end of ["\n", "\r\n"]) {
          const kind = await judgePiece(path, piece, around, end);
          if (kind !== expected) wrong.push(`${JSON.stringify(end)} is ${kind}: ${piece}`);
        }
      }
    }
    deepEqual(wrong, []);
  });
}

const MIXED = `import a from "a";

/** Doc. */
export function first(x: number): number {
  // TODO: more
  const y = a(x);
  if (y < 0) return 0;

  return y;
}

export function second(): string | null {
  // TODO
  return null;
}

class Third {
  /** Doc. */
  run(): void {
    const inner = () => {};
    a(inner);
  }

  stop(): void {
  }
}
`;

/** Ranges of `MIXED`, and what they are. */
const CUTS: readonly (readonly [start: number, end: number, expected: string])[] = [
  [1, 1, "real"], // An import.
  [1, 2, "real"],
  [2, 3, "empty"], // A blank line and a comment.
  [3, 4, "real"], // The header of a function that does something.
  [4, 4, "real"],
  [5, 5, "empty"], // A mark inside of it.
  [5, 6, "real"], // From the middle.
  [7, 7, "real"],
  [8, 8, "empty"],
  [9, 10, "real"],
  [10, 10, "empty"], // A bracket.
  [10, 12, "empty"], // To the header of an empty one.
  [12, 12, "empty"],
  [12, 15, "empty"],
  [14, 14, "empty"], // The null of a new function, alone.
  [4, 15, "real"], // Beside a real one.
  [13, 25, "real"],
  [17, 17, "real"], // The header of a class with a real member.
  [18, 18, "empty"],
  [19, 19, "real"],
  [20, 20, "empty"], // A nested function that does nothing.
  [19, 21, "real"],
  [22, 25, "empty"],
  [24, 24, "empty"],
  [1, 26, "real"],
];

Deno.test("judgeRanges() judges a range that cuts through functions by what is in it and by their bodies", async () => {
  const created = [{ start: 1, end: 26 }];
  for (const end of ["\n", "\r\n"]) {
    const text = MIXED.replaceAll("\n", end);
    for (const [start, last, expected] of CUTS) {
      const { kind } = await judge({ path: "a.ts", text, span: { start, end: last }, created });
      equal(kind, expected, `${start}-${last} ${JSON.stringify(end)}`);
    }
  }
});

Deno.test("judgeRanges() takes a bare null as the body for empty only in a function that the session wrote", async () => {
  const text = "def a():\n    return 1\n\ndef f():\n    return None\n";
  const span = { start: 4, end: 5 };
  const rows: readonly (readonly [LineRange[], string])[] = [
    [[{ start: 1, end: 5 }], "empty"],
    [[{ start: 4, end: 5 }], "empty"],
    [[{ start: 4, end: 4 }, { start: 5, end: 5 }], "empty"],
    [[{ start: 5, end: 5 }], "real"], // The body of a function that was there.
    [[{ start: 4, end: 4 }], "real"],
    [[{ start: 1, end: 2 }], "real"],
    [[], "real"],
  ];
  for (const [created, expected] of rows) {
    equal((await judge({ path: "a.py", text, span, created })).kind, expected);
  }
  // An empty body is one in any function.
  const old = await judge({ path: "a.py", text: "def f():\n    pass\n", created: [] });
  equal(old.kind, "empty");
});

Deno.test("judgeRanges() counts lines right after text that is not ASCII", async () => {
  const text =
    '# 日本語 😀\ns = "😀😀"\ndef 関数():\n    """説明 😀"""\n    raise NotImplementedError("未実装")\n';
  const expected = ["empty", "real", "empty", "empty", "empty"];
  for (const [at, kind] of expected.entries()) {
    const span = { start: at + 1, end: at + 1 };
    equal((await judge({ path: "a.py", text, span })).kind, kind, `${at + 1}`);
  }
  equal((await judge({ path: "a.py", text: "def f():\n    raise E('未実装')\n" })).kind, "empty");
});

Deno.test("judgeRanges() says why, and whether a grammar or a rule on lines said so", async () => {
  const rows: readonly (readonly [path: string, text: string, reason: string, by: string])[] = [
    ["a.ts", "function f() {}", "the body is empty", "syntax"],
    [
      "a.ts",
      "function f() { throw new Error('TODO'); }",
      "the body only says that it is not implemented",
      "syntax",
    ],
    [
      "a.ts",
      "const f = () => null;",
      "the whole body of the new function is a value that says nothing",
      "syntax",
    ],
    ["a.ts", "class A {}", "the class has no members", "syntax"],
    ["a.py", "pass", '"pass" does nothing', "syntax"],
    ["a.ts", "// a", "it holds only blank lines, comments or brackets", "syntax"],
    ["a.sql", "-- a", "it holds only blank lines, comments or brackets", "text"],
    ["a.md", "TODO", "it only says that it is not implemented", "text"],
    ["a.rst", "* TODO ...", "it only says that it is not implemented", "text"],
    ["a.unknown", "TODO: all of it", "it only says that it is not implemented", "text"],
  ];
  for (const [path, text, reason, judgedBy] of rows) {
    deepEqual(await judge({ path, text }), { kind: "empty", reason, judgedBy }, text);
  }
});

Deno.test("judgeRanges() lets stubs of types pass, which have no bodies by design", async () => {
  equal((await judge({ path: "a.pyi", text: "def f() -> int: ...\n" })).kind, "real");
  equal((await judge({ path: "a.d.ts", text: "export function f(): void;\n" })).kind, "real");
});

Deno.test("judgeRanges() takes what is to be done as the content of a document: a line with TODO was an empty implementation", async () => {
  const rows: readonly (readonly [string, string])[] = [
    ["ROADMAP.md", "TODO: support Windows"],
    ["docs/a.md", "TODO lists are kept by each person."],
    ["docs/a.rst", "FIXME comments are shown by the report"],
    ["notes.txt", "XXX marks a place that is not finished yet"],
    ["docs/a.adoc", "raise NotImplementedError"],
  ];
  for (const [path, text] of rows) equal((await judge({ path, text })).kind, "real", text);
});

Deno.test("judgeRanges() judges markup round a script as markup", async () => {
  const text = "<script>\nfunction f() {}\n</script>\n<p>a</p>\n";
  const rows: readonly (readonly [number, number, string])[] = [
    [2, 2, "empty"],
    [4, 4, "real"],
    [2, 4, "real"],
  ];
  for (const [start, end, expected] of rows) {
    equal((await judge({ path: "a.vue", text, span: { start, end } })).kind, expected);
  }
});

Deno.test("judgeRanges() answers for hostile files: deep, huge, broken, none", async () => {
  const deep = 20_000;
  const texts = [
    "{".repeat(deep),
    `function f() ${"{".repeat(deep)}${"}".repeat(deep)}`,
    `${"if (a) ".repeat(deep)}b();`,
    "((((".repeat(deep),
    "def (:\n\t}\n",
    "function f() {}\n".repeat(5_000),
    "",
  ];
  for (const text of texts) {
    for (const path of ["a.ts", "a.py", "a.cpp"]) await judge({ path, text });
  }
});

Deno.test("judgeRanges() takes a changed line that returns brackets in a function that does more", async () => {
  const rows: readonly (readonly [path: string, text: string])[] = [
    ["a.ts", "function f() {\n  if (!a) {\n    return {}\n  }\n  return b;\n}\n"],
    ["a.py", "def f():\n    if not a:\n        return []\n    return b\n"],
    ["a.swift", "func f() -> [A] {\n  if !a {\n    return []\n  }\n  return b\n}\n"],
    ["a.kt", "fun f(): A? {\n  if (a) {\n    return null\n  }\n  return b\n}\n"],
  ];
  for (const [path, text] of rows) {
    equal((await judge({ path, text, span: { start: 3, end: 3 } })).kind, "real", path);
  }
});

Deno.test("judgeRanges() lets a noop pass where it is a decision, and nowhere else", async () => {
  const rows: readonly (readonly [text: string, line: number, expected: string])[] = [
    ["try:\n    a()\nexcept E:\n    pass\n", 4, "real"],
    ["for line in lines:\n    pass\n", 2, "real"],
    ["if a:\n    b()\nelse:\n    pass\n", 4, "empty"],
    ["if a:\n    pass\n", 2, "empty"],
  ];
  for (const [text, line, expected] of rows) {
    const { kind } = await judge({ path: "a.py", text, span: { start: line, end: line } });
    equal(kind, expected, text);
  }
});
