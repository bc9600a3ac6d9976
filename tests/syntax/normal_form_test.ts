/** Versions of a text that differ in layout alone, in nothing that has an effect, or in more. */
import { strictEqual as equal } from "node:assert/strict";
import { isSameCode } from "../../src/syntax/normal_form.ts";

type Row = readonly [language: string, before: string, after: string];

const py = (body: string) => `def f(a, b):\n${body.replace(/^/gm, "    ")}\n`;
const js = (body: string) => `function f(a, b) {\n${body}\n}\n`;

const SAME_LAYOUT: readonly Row[] = [
  ["Python", "x = {'a': 1,}\n", 'x = {\n    "a": 1,\n}\n'],
  [
    "Python",
    "import b\nimport a\nfrom c import z, y\n",
    "import a\nimport b\nfrom c import (\n    y,\n    z,\n)\n",
  ],
  [
    "Python",
    "def f():\n  '''Doc\n  more.'''\n  return (1)\n",
    'def f():\n    """Doc\n    more."""\n    return 1\n',
  ],
  [
    "JavaScript",
    "const f = x => {return {'a': x}}",
    "const f = (x) => {\n  return { a: x };\n};\n",
  ],
  ["TypeScript", "let a = (b as C)\nfoo()", "let a = b as C;\nfoo();\n"],
  ["Go", "package a\nfunc f() int {\nreturn 1 }\n", "package a\n\nfunc f() int {\n\treturn 1\n}\n"],
  ["Rust", "fn f()->u8{g(1,)}", "fn f() -> u8 {\n    g(1)\n}\n"],
  ["Java", "class A{int f(){return (1);}}", "class A {\n  int f() {\n    return 1;\n  }\n}\n"],
  ["C", "int f(){return 1;}", "int f()\n{\n    return 1;\n}\n"],
  ["JSON", '{"a":[1,2]}', '{\n  "a": [1, 2]\n}\n'],
  ["CSS", ".a{color:red}", ".a {\n  color: red;\n}\n"],
];

const OTHER_LAYOUT: readonly Row[] = [
  ["Python", "x = 'a b'\n", "x = 'a  b'\n"],
  ["Python", "x = (1,)\n", "x = (1)\n"],
  ["Python", "x = a[1,]\n", "x = a[1]\n"],
  ["Python", "if a:\n    b()\n    c()\n", "if a:\n    b()\nc()\n"],
  ["Python", "x = 1\n", "y = 1\n"],
  ["Python", "# one\nx = 1\n", "# two\nx = 1\n"],
  ["Python", "x = {a: 1}\n", "x = {'a': 1}\n"],
  ["JavaScript", "f(`a b`)", "f(`a  b`)"],
  ["JavaScript", "x = [1,,2]", "x = [1,2]"],
  ["JavaScript", "import 'b'\nimport 'a'", "import 'a'\nimport 'b'"],
  ["JavaScript", "(a?.b).c", "a?.b.c"],
  ["JavaScript", "return_(\n1)", "return_()\n1"],
  ["Ruby", "x = 'a\#{b}'", 'x = "a#{b}"'],
  ["PHP", "<?php\n$x = 'a$b';", '<?php\n$x = "a$b";'],
  ["Go", 'package a\nvar x = "a\\n"\n', "package a\nvar x = `a\\n`\n"],
  ["YAML", "a:\n  b: 1\n", "a:\nb: 1\n"],
];

const EFFECTLESS: readonly Row[] = [
  ["Python", py("return a + b"), py("return (a + b)")],
  ["Python", py("return a + b"), py("return b + a")],
  ["Python", py("return a > b"), py("return b < a")],
  ["Python", py("return a"), py("a = a\nreturn a")],
  ["Python", py("return a"), py("if True:\n    return a")],
  ["Python", py("x = a\nreturn x"), py("total = a\nreturn total")],
  ["Python", py("return a"), py("# Adds.\nreturn a")],
  ["Python", py("return a"), py("'Adds.'\nreturn a")],
  ["Python", py("return a"), py("pass\nreturn a")],
  ["Python", py("return a + b"), py("return (a + b) if True else 0")],
  ["Python", py("return a + b"), py("return a + b + 0")],
  ["Python", py("return a + b"), py("checked = True\nreturn a + b")],
  ["Python", py("return a + b"), py("if a == a:\n    return a + b\nreturn a + b")],
  ["Python", py("return a + b"), py("try:\n    return a + b\nexcept Exception:\n    raise")],
  ["JavaScript", js("return a + b;"), js("return true ? a + b : 0;")],
  ["JavaScript", js("return a;"), js("const checked = true; return a;")],
  ["JavaScript", js("return f(a);"), js("try { return f(a); } catch (e) { throw e; }")],
  ["Python", "import a\nimport b\n", "import b\nimport a\n"],
  ["JavaScript", js("return a;"), js("a = a; return a;")],
  ["JavaScript", js("return a;"), js("if (true) { return a; }")],
  ["JavaScript", js("return a;"), js("{ return a; }")],
  ["JavaScript", js("const x = a; return x;"), js("const y = a; return y;")],
  ["JavaScript", js("return a === b;"), js("return b === a;")],
  ["TypeScript", js("let x: number = a; return x;"), js("let y: number = a; return y;")],
  [
    "Go",
    "package a\nfunc f(a int) int {\n\tx := a\n\treturn x\n}\n",
    "package a\nfunc f(a int) int {\n\ty := a\n\treturn (y)\n}\n",
  ],
  ["Rust", "fn f(a: u8) -> u8 { let x = a; x }", "fn f(a: u8) -> u8 { let y = a; y }"],
  [
    "Java",
    "class A { int f(int a) { int x = a; return x; } }",
    "class A { int f(int a) { int y = a; return y; } }",
  ],
  ["C", "int f(int a) { int x = a; return x; }", "int f(int a) { int y = a; return y; }"],
  [
    "C#",
    "class A { int F(int a) { var x = a; return x; } }",
    "class A { int F(int a) { var y = a; return y; } }",
  ],
  ["Ruby", "def f(a)\n  x = a\n  x\nend\n", "def f(a)\n  y = a\n  y\nend\n"],
  [
    "Kotlin",
    "fun f(a: Int): Int {\n  val x = a\n  return x\n}\n",
    "fun f(a: Int): Int {\n  val y = a\n  return y\n}\n",
  ],
  ["PHP", "<?php function f($a) { return $a == 1; }", "<?php function f($a) { return (1 == $a); }"],
];

const EFFECTIVE: readonly Row[] = [
  ["Python", py("return a + 'x'"), py("return 'x' + a")],
  ["Python", py("return a - b"), py("return b - a")],
  ["Python", py("return a > b"), py("return a < b")],
  ["Python", py("return a"), py("return a + 1")],
  ["Python", py("return a"), py("return a if b else 0")],
  ["Python", py("return f(a)"), py("try:\n    return f(a)\nexcept Exception:\n    return 0")],
  ["Python", py("return f(a)"), py("try:\n    return f(a)\nfinally:\n    b()")],
  ["Python", py("return a"), py("x = True\nreturn x")],
  ["Python", py("return a"), py("if a == b:\n    return a")],
  ["JavaScript", js("return a - 0.5;"), js("return a;")],
  ["JavaScript", js("return 0 - a;"), js("return a;")],
  [
    "JavaScript",
    js("return g(); function g() { return 1; }"),
    js("return g(); function g() { return 2; }"),
  ],
  [
    "C",
    "int f(int a) { goto b; return 1; b: return 2; }",
    "int f(int a) { goto b; return 1; b: return 3; }",
  ],
  ["Python", py("return a and b"), py("return b and a")],
  ["Python", py("return a"), py("if a:\n    return a")],
  ["Python", py("x = a\ny = b\nreturn x"), py("x = a\ny = b\nreturn y")],
  ["Python", py("return g(x=a)"), py("return g(y=a)")],
  ["Python", py("return a.x"), py("return a.y")],
  ["Python", py("global x\nx = a"), py("global y\ny = a")],
  ["Python", "def f(a):\n    return a\n", "def f(b):\n    return b\n"],
  ["Python", "x = 1\n", "y = 1\n"],
  ["Python", "class A:\n    pass\n", "class A:\n    x = x\n"],
  ["Python", py("return a  # noqa"), py("return a")],
  ["Python", "def size(): return 1\n", "def audience_size(): return 1\n"],
  ["JavaScript", js("x = a;"), js("y = a;")],
  ["JavaScript", js("const x = a; return {x};"), js("const y = a; return {y};")],
  ["JavaScript", js("return a === b;"), js("return a == b;")],
  [
    "Go",
    "package a\nfunc f() int {\n\treturn 1\n}\n",
    "package a\nfunc f() int {\n\treturn 2\n}\n",
  ],
];

async function expectAll(
  rows: readonly Row[],
  ignoring: "layout" | "effectless",
  expected: boolean,
): Promise<void> {
  for (const [language, before, after] of rows) {
    const answer = await isSameCode(before, after, { language, ignoring });
    equal(answer, expected, `${language}: ${before} → ${after}`);
  }
}

Deno.test("isSameCode() takes versions for the same that differ in layout alone", async () => {
  await expectAll(SAME_LAYOUT, "layout", true);
  await expectAll(SAME_LAYOUT, "effectless", true);
});

Deno.test("isSameCode() tells versions apart that differ in more than layout", async () => {
  await expectAll(OTHER_LAYOUT, "layout", false);
  await expectAll(
    EFFECTLESS.filter(([, one, other]) => !/\(a \+ b\)|import/.test(one + other)),
    "layout",
    false,
  );
});

Deno.test("isSameCode() finds that an edit has no effect", async () => {
  await expectAll(EFFECTLESS, "effectless", true);
});

Deno.test("isSameCode() finds that an edit has an effect", async () => {
  await expectAll(EFFECTIVE, "effectless", false);
});

Deno.test("isSameCode() does not know where the language has no grammar or a version is broken", async () => {
  equal(await isSameCode("a", "b", { language: "Blade", ignoring: "layout" }), null);
  equal(await isSameCode("f(", "f((", { language: "Python", ignoring: "layout" }), null);
});
