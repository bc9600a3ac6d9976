/** Which changes of a file are none of its code. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { areSameCode } from "../../../src/evidence/empty/same_code.ts";

type Row = readonly [path: string, before: string, after: string];

/** Comments, layout and types. */
const SAME: readonly Row[] = [
  ["a.py", "def f(a):\n    return a\n", "def f(a):\n    # what it is\n    return a\n"],
  ["a.py", "x = f()  # type: ignore\n", "x = f()\n"],
  ["a.py", "x = f(1, 2)\n", "x = f(\n    1,\n    2,\n)\n"],
  [
    "a.ts",
    "export function f(a: number) {\n  return a;\n}\n",
    "export function f(a: unknown): number { return a; }\n",
  ],
  [
    "a.ts",
    "const a = new Map();\n",
    "interface B { c: string }\nconst a = new Map<string, B>();\n",
  ],
  [
    "a.go",
    "package a\n\nfunc F() int { return 1 }\n",
    "package a\n\n// F is one.\nfunc F() int {\n\treturn 1\n}\n",
  ],
  ["a.js", "f(1)\n", "/* one */ f(1)\n"],
];

/** What runs, or steers what runs. */
const OTHER: readonly Row[] = [
  ["a.py", "if a:\n    b()\nc()\n", "if a:\n    b()\n    c()\n"],
  ["a.py", 'x = "a b"\n', 'x = "a  b"\n'],
  ["a.py", "x = (1)\n", "x = (1,)\n"],
  ["a.py", "x: int = 1\n", "x: str = 1\n"],
  ["a.py", "# -*- coding: utf-8 -*-\nx = 1\n", "# -*- coding: latin-1 -*-\nx = 1\n"],
  ["a.py", "def f(:\n", "def f(:\n# a\n"],
  ["a.js", "f([1])\n", "f([1, ,])\n"],
  ["a.js", "f(`a b`)\n", "f(`a  b`)\n"],
  ["a.js", "f(/a b/)\n", "f(/a  b/)\n"],
  [
    "a.ts",
    "@Injectable()\nclass A { constructor(b: B) {} }\n",
    "@Injectable()\nclass A { constructor(b: C) {} }\n",
  ],
  ["a.go", "package a\n", "//go:build never\n\npackage a\n"],
  ["a.go", 'package a\n// int one = 1;\nimport "C"\n', 'package a\n// int one = 2;\nimport "C"\n'],
  ["a.rs", "/// ```\n/// f(1)\n/// ```\nfn f() {}\n", "/// ```\n/// f(2)\n/// ```\nfn f() {}\n"],
  ["a.unknown", "a\n", "a \n"],
];

Deno.test("areSameCode() leaves out comments, layout and types, and nothing that a run sees", async () => {
  const check = async ([path, before, after]: Row) =>
    await areSameCode([path], (side) => Promise.resolve(side === "base" ? before : after));
  const wrong: unknown[] = [];
  for (const row of SAME) if (!await check(row)) wrong.push(["other", row]);
  for (const row of OTHER) if (await check(row)) wrong.push(["same", row]);
  deepEqual(wrong, []);
  const both = async (path: string) => await Promise.resolve(path);
  deepEqual(await areSameCode(["a.py", "b.py"], (_side, path) => both(path)), true);
  deepEqual(await areSameCode([], () => Promise.resolve("")), false);
  deepEqual(
    await areSameCode(["a.py"], (side) => Promise.resolve(side === "base" ? null : "")),
    false,
  );
});
