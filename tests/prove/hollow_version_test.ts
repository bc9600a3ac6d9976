/** Versions of a file in which the functions that are new do nothing, in each language that has them. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { makeHollow } from "../../src/prove/hollow_version.ts";

/** The path, what was there before, the new text, the functions, and how they leave with each kind. */
type Row = readonly [
  path: string,
  before: string,
  fresh: string,
  names: readonly string[],
  value: readonly string[],
  argument: readonly string[],
];

const ROWS: readonly Row[] = [
  [
    "a.py",
    "def old():\n    return 1\n",
    "def clip(text: str, size: int) -> str:\n    return text[:size]\nclass Box:\n    def __init__(self, a):\n        self.a = a\n    def area(self, k):\n        return self.a * k\n",
    ["clip", "area"],
    ['-> str:\n    return ""\n', "area(self, k):\n        return 0\n"],
    ["-> str:\n    return text\n", "area(self, k):\n        return k\n"],
  ],
  [
    "a.js",
    "exports.old = () => 1;\n",
    "exports.clip = (text, size) => {\n  return text.slice(0, size);\n};\nexport const isOdd = (n) => n % 2 === 1;\nclass A { constructor(a) { this.a = a; } b() { this.a.go(); } }\n",
    ["clip", "isOdd", "b"],
    ["=> { return undefined;\n", "isOdd = (n) => (false);", "b() { return; this.a.go(); }"],
    ["=> { return text;\n", "isOdd = (n) => (n);"],
  ],
  [
    "a.ts",
    "",
    "export async function load(path: string): Promise<string> { return await x(path); }\nexport const n = (a: number): number => a + 1;\n",
    ["load", "n"],
    ['{ if (1 as number) return ("" as never); return await', "=> (0 as never);"],
    ["{ if (1 as number) return (path as never);", "=> (a as never);"],
  ],
  [
    "a.go",
    "package a\n\nfunc Old() int { return 1 }\n",
    "func Clip(s string, n int) string { return s[:n] }\nfunc (b *Box) Area() (int, error) { return b.a, nil }\n",
    ["Clip", "Area"],
    ["{ if true { return *new(string) }; return", "{ if true { return *new(int), *new(error) };"],
    ["{ if true { return s }; return"],
  ],
  [
    "A.java",
    "",
    "class A {\n  A(int a) { this.a = a; }\n  static String clip(String text, int size) { return text.substring(0, size); }\n  int n(long a) { return this.a; }\n}\n",
    ["clip", "n"],
    ['{ if (true) return "";', "{ if (true) return 0;", "{ this.a = a; }"],
    ["{ if (true) return text;", "n(long a) { if (true) return 0;"],
  ],
  [
    "a.c",
    "int old(void) { return 1; }\n",
    "char *copy(const char *s) { return strdup(s); }\nint add(int a, int b) { return a + b; }\n",
    ["copy", "add"],
    ["{ if (1) return (char*){0};", "{ if (1) return (int){0};"],
    ["{ if (1) return a;"],
  ],
  [
    "a.rb",
    "",
    "def clip(text, n)\n  text[0, n]\nend\n",
    ["clip"],
    ["\n  return nil\n  text"],
    ["\n  return text\n"],
  ],
];

Deno.test("makeHollow() lets the new functions alone do nothing, by their types or by their first argument", async () => {
  for (const [path, before, fresh, names, value, argument] of ROWS) {
    const after = `${before}${fresh}`;
    for (const kind of ["value", "argument"] as const) {
      const version = await makeHollow({ path, before, after }, kind);
      deepEqual(version?.names, names, path);
      const { text } = version;
      for (const part of kind === "value" ? value : argument) ok(text.includes(part), text);
      ok(text.startsWith(before), text);
    }
  }
});

Deno.test("makeHollow() finds a new function inside of one that was there", async () => {
  const before = "exports.make = () => {\n  return { get: (key) => key.a };\n};\n";
  const after = before.replace("{ get", "{ has: (key) => key.b > 1, get");
  const version = await makeHollow({ path: "a.js", before, after }, "value");
  deepEqual(version?.names, ["has"]);
  ok(version.text.includes("has: (key) => (false), get: (key) => key.a"), version.text);
  const all = await makeHollow({ path: "a.js", before: null, after }, "value");
  deepEqual(all?.names, ["make"]);
});

Deno.test("makeHollow() lets functions that say yes or no always say yes, and changed ones do nothing where asked", async () => {
  const rows = [
    ["a.py", "def odd(n):\n    return n % 2 == 1\n", "    return True\n"],
    ["a.ts", "export const odd = (n: number): boolean => n % 2 === 1;\n", "=> (true as never);"],
    [
      "a.go",
      "package a\n\nfunc Odd(n int) bool { return n%2 == 1 }\n",
      "{ if true { return true };",
    ],
  ] as const;
  for (const [path, after, part] of rows) {
    const version = await makeHollow({ path, before: null, after }, "other");
    ok(version?.text.includes(part), version?.text);
    const file = { path, before: after, after: after.replace("1", "0") };
    equal(await makeHollow(file, "value"), null);
    equal((await makeHollow(file, "value", "changed"))?.names.length, 1);
    equal(await makeHollow({ ...file, after }, "value", "changed"), null);
  }
});

Deno.test("makeHollow() makes nothing where no function is new, or where none gives back its argument", async () => {
  const text = "def old(a):\n    return a + 1\n";
  const file = { path: "a.py", before: text, after: text.replace("1", "2") };
  equal(await makeHollow(file, "value"), null);
  const plain = { path: "a.py", before: null, after: "def now():\n    return 1\n" };
  equal(await makeHollow(plain, "argument"), null);
  equal((await makeHollow(plain, "value"))?.names.length, 1);
  equal(await makeHollow({ path: "a.toml", before: null, after: "a = 1\n" }, "value"), null);
});

Deno.test("makeHollow() gives another value, the argument in a list, or one of its items, as far as types allow it", async () => {
  const rows: readonly (readonly [string, string, ...(readonly [string, string | null])[]])[] = [
    [
      "a.js",
      "export function pick(rows) {\n  return look(rows);\n}\n",
      ["other", "{ return [{}];"],
      ["wrapped", "{ return [rows];"],
      ["last", "{ return rows.at(-1);"],
      ["first", "{ return rows[0];"],
    ],
    [
      "a.js",
      "export const end = (rows) => rows[rows.length - 1];\n",
      ["last", "=> (rows.at(-1));"],
    ],
    [
      "a.ts",
      "export function pick(rows: Row[], n: number): Row[] {\n  return rows.slice(n);\n}\n",
      ["other", "return ([{}] as never);"],
      ["wrapped", "return ([rows] as never);"],
    ],
    [
      "a.py",
      "def count(rows) -> int:\n    return len(rows)\n",
      ["other", "    return 7\n"],
      ["wrapped", null],
      ["last", "    return rows[-1]\n"],
    ],
    [
      "a.go",
      "package a\n\nfunc Split(q *Box) (*Box, error) { return q, nil }\nfunc Last(all []Box) Box { return all[1] }\n",
      ["other", "return new(Box), *new(error) }"],
      ["last", "return all[len(all)-1] }"],
      ["wrapped", null],
    ],
    [
      "A.java",
      "class A {\n  List<String> find(String text) { return look(text); }\n}\n",
      ["other", "singletonList(null));"],
      ["wrapped", "return java.util.List.of(text);"],
      ["first", null],
    ],
    [
      "a.php",
      "<?php\nfunction pick(array $rows) {\n  return look($rows);\n}\n",
      ["other", "return [null];"],
      ["last", "return end($rows);"],
    ],
  ];
  for (const [path, after, ...kinds] of rows) {
    for (const [kind, text] of kinds) {
      const version = await makeHollow({ path, before: null, after }, kind as "other");
      if (text === null) equal(version, null, `${path} ${kind}`);
      else ok(version?.text.includes(text), `${path} ${kind}: ${version?.text}`);
    }
  }
});
