/** Which changes of a file have an effect: edits that change nothing are nobody's work, and one character can be. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { dropEffectless, findNewStatements } from "../../src/evidence/own_work.ts";
import type { LineHunk } from "../../src/git/trees/changed_lines.ts";

/** The one change between two texts. */
function toHunk(before: string, after: string): LineHunk {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < Math.min(old.length, fresh.length) && old[start] === fresh[start]) start++;
  let end = 0;
  const most = Math.min(old.length, fresh.length) - start;
  while (end < most && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  const [oldCount, newCount] = [old.length - end - start, fresh.length - end - start];
  return {
    oldStart: oldCount === 0 ? start : start + 1,
    oldCount,
    newStart: newCount === 0 ? start : start + 1,
    newCount,
  };
}

async function findLines(
  path: string,
  before: string,
  after: string,
  hunks: readonly LineHunk[] = [toHunk(before, after)],
): Promise<readonly number[]> {
  const compared = { path, before, after, hunks };
  const { lines, gaps } = await dropEffectless(findNewStatements(compared), compared);
  return [...lines, ...gaps];
}

const py = (body: string) => `def f(a, b):\n    ${body.replaceAll("\n", "\n    ")}\n`;
const js = (body: string) => `function f(a, b) {\n  ${body}\n}\n`;

/** Edits that change nothing. */
const IDLE: readonly (readonly [string, string, string])[] = [
  ["a.py", py("return a + b"), py("return (a + b)")],
  ["a.py", py("return a + b"), py("return b + a")],
  ["a.py", py("return a > b"), py("return b < a")],
  ["a.py", py("return a"), py("a = a\nreturn a")],
  ["a.py", py("return a"), py("if True:\n    return a")],
  ["a.py", py("x = a\nreturn x"), py("total = a\nreturn total")],
  ["a.py", "import a\nimport b\nf()\n", "import b\nimport a\nf()\n"],
  ["a.ts", js("return a === b;"), js("return (b === a);")],
  ["a.ts", js("return a;"), js("if (true) { return a; }")],
  [
    "a.go",
    "package a\n\nfunc F() int {\n\treturn 1\n}\n",
    "package a\n\nfunc F() int {\n\treturn (1)\n}\n",
  ],
  [
    "A.java",
    "class A { int f() {\n int x = 1;\n return x; } }\n",
    "class A { int f() {\n int y = 1;\n return y; } }\n",
  ],
  ["a.rs", "fn f(a: u8) -> u8 {\n a\n}\n", "fn f(a: u8) -> u8 {\n (a)\n}\n"],
];

/** Changes of a character or two that are work. */
const REAL: readonly (readonly [string, string, string])[] = [
  ["a.py", py("return a > b"), py("return a >= b")],
  ["a.py", py("return a - b"), py("return b - a")],
  ["a.py", py("return a and b"), py("return a or b")],
  ["a.py", py("return 1"), py("return 2")],
  ["a.py", py("return a"), py("return -a")],
  ["a.py", py("return 'a'"), py("return 'b'")],
  ["a.ts", js("return a;"), js("return !a;")],
  ["a.ts", js("return a?.b;"), js("return a.b;")],
  [
    "a.go",
    "package a\n\nfunc F() int {\n\treturn 1\n}\n",
    "package a\n\nfunc F() int {\n\treturn 0\n}\n",
  ],
  ["a.html", "<p>(a)</p>\n", "<p>a</p>\n"],
  ["a.md", "a\n", "(a)\n"],
  ["a.yml", "a: 1\nb: 2\n", "a: 1\nb: 3\n"],
  ["a.json", '{"a": 1}\n', '{"a": 2}\n'],
  ["a.css", "a { color: red }\n", "a { color: blue }\n"],
  // A version that cannot be parsed may hold anything.
  ["a.py", "def f(:\n    return a\n", "def f(:\n    return (a)\n"],
];

Deno.test("dropEffectless() takes out edits that change nothing, in each language with a grammar", async () => {
  const wrong: string[] = [];
  for (const [path, before, after] of IDLE) {
    if ((await findLines(path, before, after)).length > 0) wrong.push(`${path}: ${after}`);
  }
  deepEqual(wrong, []);
});

Deno.test("dropEffectless() keeps what has an effect, and what is no code", async () => {
  const wrong: string[] = [];
  for (const [path, before, after] of REAL) {
    if ((await findLines(path, before, after)).length === 0) wrong.push(`${path}: ${after}`);
  }
  deepEqual(wrong, []);
});

Deno.test("dropEffectless() judges each function by itself: work in one does not cover for an idle edit in another", async () => {
  const before = `${py("x = a\ny = x\nreturn y")}\n${py("return 1").replace("f(", "g(")}`;
  const after = `${py("z = a\ny = z\nreturn y")}\n${py("return 2").replace("f(", "g(")}`;
  const line = (at: number): LineHunk => ({ oldStart: at, oldCount: 1, newStart: at, newCount: 1 });
  deepEqual(
    await findLines("a.py", before, after, [
      { oldStart: 2, oldCount: 2, newStart: 2, newCount: 2 },
      line(7),
    ]),
    [7],
  );
});
