/** What one text gives: symbols, occurrences and how it was read. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { analyseText } from "../../src/analysis/analyse.ts";
import type { Analysis } from "../../src/analysis/analysis.ts";

function check(path: string, text: string, expected: string, isPartial = true): void {
  Deno.test(`analyseText() of ${path} finds ${expected}`, async () => {
    const analysis = await analyseText(text, { path, chunkMaxTokens: 512 });
    const { symbols } = analysis;
    const shown = symbols.map(({ name, kind, line, parent }) =>
      `${kind} ${parent === null ? "" : `${symbols[parent]?.name}.`}${name}:${line}`
    );
    deepEqual(shown, expected.split(", "));
    equal(analysis.isPartial, isPartial);
    for (const { name, line } of symbols) {
      const places = analysis.occurrences.filter((one) => one.line === line && one.name === name);
      if (!name.includes(" ") && !/^Companion$|^~/.test(name)) equal(places.length > 0, true, name);
    }
  });
}

check(
  "broken.kt",
  "class Good {\n  fun a() {}\n}\n\nclass Lost { fun x( } {\n  fun inner() { val local = 1 }\n  val prop = 1\n}\n\nclass After {\n  fun b() {}\n}\n",
  "class Good:1, method Good.a:2, class Lost:5, method Lost.inner:6, property Lost.prop:7, class After:10, method After.b:11",
);
check(
  "broken.c",
  "int ok(void) { return 1; }\n\nint lost(int a {\n  int local = 2;\n  return a;\n}\n\nint after(void)\n{\n  return 3;\n}\n",
  "function ok:1, function lost:3, function after:8",
);
check(
  "broken.py",
  "def ok():\n    pass\n\nclass Lost(:\n    def m(self):\n        pass\n\ndef after():\n    pass\n",
  "function ok:1, class Lost:4, method Lost.m:5, function after:8",
);
check(
  "held.py",
  "class A:\n    def ok(self):\n        pass\n\n    def lost(self:\n        pass\n\n    def after(self):\n        pass\n",
  "class A:1, method A.ok:2, method A.lost:5, method A.after:8",
);
// One line each: the grammar wants line ends that Kotlin does not.
check(
  "line.kt",
  "data class D6<T>(val a: Int, var b: T) { companion object { const val X = 1; fun of() = 1 } }\nclass Z6\n",
  "class D6:1, property D6.a:1, property D6.b:1, object D6.Companion:1, constant Companion.X:1, method Companion.of:1, class Z6:2",
  false,
);
check(
  "enum.kt",
  "enum class E5 { A { override fun q() {} }; abstract fun q() }\nclass Z5\n",
  "enum E5:1, enumerator E5.A:1, function A.q:1, method E5.q:1, class Z5:2",
  false,
);
check(
  "a.cs",
  "class A {\n  public static A operator +(A a, A b) { return a; }\n  public static implicit operator bool(A a) => true;\n  ~A() { var y = 1; }\n}\n",
  "class A:1, method A.operator +:2, method A.operator bool:3, method A.~A:4",
  false,
);
check(
  "macros.c",
  "static int __init my_init(void)\n{ return 0; }\nint (*fptr)(int) = foo;\nint (*table[3])(int) = {0};\nvoid __user *get_it(int a) { return 0; }\n",
  "function my_init:1, variable fptr:3, variable table:4, function get_it:5",
);
check(
  "alias.py",
  "type Alias[K] = list[K]\ntype Plain = int\n",
  "type Alias:1, type Plain:2",
  false,
);
check(
  "a.dart",
  "typedef int Old(int x);\ntypedef void Cb<T>(T x);\ntypedef New<T> = List<T>;\ntypedef Plain = int;\nclass A {\n  A operator +(A o) => o;\n  bool operator ==(Object o) => true;\n}\n",
  "typedef Old:1, typedef Cb:2, typedef New:3, typedef Plain:4, class A:5, method A.operator +:6, method A.operator ==:7",
  false,
);

const CHUNK_MAX_TOKENS = 512;

function analyse(path: string, text: string): Promise<Analysis> {
  return analyseText(text, { path, chunkMaxTokens: CHUNK_MAX_TOKENS });
}

async function names(path: string, text: string): Promise<string[]> {
  const { symbols } = await analyse(path, text);
  return symbols.map(({ name, kind, parent, scope }) => {
    const holder = parent === null ? scope : symbols[parent]?.name;
    return `${kind} ${holder === undefined ? "" : `${holder}.`}${name}`;
  });
}

const SYMBOLS: readonly (readonly [path: string, text: string, expected: readonly string[]])[] = [
  ["a.ts", "export class A { x = 1; m() { const l = 1 } }\nconst f = () => 1, k = 2;", [
    "class A",
    "property A.x",
    "method A.m",
    "function f",
    "constant k",
  ]],
  ["a.js", "var app = {};\napp.use = function use(fn) { var l };\nexports.x = (a) => a;", [
    "variable app",
    "method app.use",
    "function x",
  ]],
  ["a.py", "class A:\n    k = 1\n    def m(self):\n        l = 1\nTOP = 2", [
    "class A",
    "field A.k",
    "method A.m",
    "variable TOP",
  ]],
  ["a.go", "package p\nfunc (a *A) Do() {}\ntype B struct{ x int }\nfunc (b B) Go() {}", [
    "package p",
    "method A.Do",
    "struct B",
    "field B.x",
    "method B.Go",
  ]],
  ["A.java", "package p;\nclass A { int x; A() {} void m() { int l; } enum E { ONE } }", [
    "package p",
    "class A",
    "field A.x",
    "method A.A",
    "method A.m",
    "enum A.E",
    "enumerator E.ONE",
  ]],
];

for (const [path, text, expected] of SYMBOLS) {
  Deno.test(`analyseText() finds the definitions of ${path}, locals left out`, async () => {
    deepEqual(await names(path, text), expected);
  });
}

Deno.test("analyseText() tells what a place does with a name, and what stands before the dot", async () => {
  const { occurrences } = await analyse(
    "a.ts",
    "// foo\nlet a: T = this.b.c(`${d} e`, new F());\na = 1;",
  );
  deepEqual(
    occurrences.map(({ name, kind, line, column, receiver }) =>
      `${line}:${column} ${kind} ${receiver === undefined ? "" : `${receiver}.`}${name}`
    ),
    [
      "2:5 definition a",
      "2:8 type T",
      "2:17 read this.b",
      "2:19 call this.b.c",
      "2:24 read d",
      "2:35 call F",
      "3:1 write a",
    ],
  );
});

Deno.test("analyseText() counts columns in UTF-16 units, whatever stands before", async () => {
  const { symbols } = await analyse("a.ts", 'const 名前 = "日本語😀"; function 関数() {}');
  deepEqual(symbols.map(({ name, column }) => [name, column]), [["名前", 7], ["関数", 30]]);
});

Deno.test("analyseText() gives what can be read of a text with errors", async () => {
  const { isPartial, parser, symbols } = await analyse(
    "a.py",
    "def f(:\n    pass\n\ndef g():\n    return 1\n",
  );
  equal(isPartial, true);
  equal(parser, "tree-sitter");
  equal(symbols.some(({ name }) => name === "g"), true);
});

Deno.test("analyseText() reads a language without a grammar by rules", async () => {
  const { parser, symbols, occurrences } = await analyse(
    "a.sql",
    "CREATE TABLE users (id int); -- users\n",
  );
  equal(parser, "regex");
  deepEqual(symbols.map(({ name, kind }) => [name, kind]), [["users", "table"]]);
  deepEqual(occurrences.filter(({ name }) => name === "users").map(({ kind }) => kind), [
    "definition",
  ]);
});

Deno.test("analyseText() cuts text of no language into chunks and knows nothing else", async () => {
  const { language, parser, symbols, chunks } = await analyse("notes.txt", "one\n\ntwo\n");
  deepEqual([language, parser, symbols], [null, "none", []]);
  deepEqual(chunks.map(({ startLine, endLine }) => [startLine, endLine]), [[1, 3]]);
});

Deno.test("analyseText() takes the language that is asked for before the path's", async () => {
  const analysis = await analyseText("def f(): pass", {
    path: "a",
    language: "py",
    chunkMaxTokens: 512,
  });
  equal(analysis.language, "Python");
});

Deno.test("analyseText() has nothing to say about an empty text", async () => {
  const { lineCount, symbols, occurrences, chunks, isPartial } = await analyse("a.ts", "");
  deepEqual([lineCount, symbols, occurrences, chunks, isPartial], [0, [], [], [], false]);
});

Deno.test("analyseText() reads a header with C++ in it as C++, others as C", async () => {
  deepEqual(await names("a.h", "namespace n { class A { int f(); }; }"), [
    "namespace n",
    "class n.A",
    "method A.f",
  ]);
  deepEqual(await names("b.h", "struct a { int x; };\nint f(int);"), [
    "struct a",
    "field a.x",
    "prototype f",
  ]);
});

Deno.test("analyseText() reads past macros and conditions that cut a definition in pieces", async () => {
  const header = "LIB_BEGIN\nclass LIB_API Shop {\n  LIB_INLINE int sell();\n};\nLIB_END\n";
  deepEqual(await names("a.hpp", header), ["class Shop", "method Shop.sell"]);
  const sharp = "class A\n#if X\n  : B\n#else\n  : C\n#endif\n{\n  public void M() { }\n}\n";
  const { symbols, isPartial } = await analyse("a.cs", sharp);
  deepEqual(symbols.map(({ name, kind }) => `${kind} ${name}`), ["class A", "method M"]);
  // What the other branch names is missing.
  equal(isPartial, true);
});

Deno.test("analyseText() says where each import leads, with the line of its name", async () => {
  const { imports } = await analyse(
    "a.ts",
    'import d, {\n  a as b,\n} from "./m";\nexport * from "./n";\n',
  );
  deepEqual(imports, [
    { module: "./m", name: "default", alias: "d", line: 1 },
    { module: "./m", name: "a", alias: "b", line: 2 },
    { module: "./n", name: "*", alias: "", line: 4, isReexport: true },
  ]);
});

Deno.test("analyseText() takes no word of a comment or string for code, but what a string computes", async () => {
  const rows: readonly (readonly [path: string, text: string])[] = [
    ["a.ts", "// gone\n/* gone */ x = 'gone' + `gone ${kept}`;"],
    ["a.py", "# gone\nx = 'gone' + f'gone {kept}'"],
    ["a.rb", "# gone\nx = 'gone' + \"gone #{kept}\""],
    ["a.kt", '// gone\nval x = "gone ${kept}"'],
    ["a.cs", '// gone\nclass A { string x = "gone" + $"gone {kept}"; }'],
    ["a.php", "<?php // gone\n$x = 'gone' . \"gone {$kept}\";"],
    ["a.swift", '// gone\nlet x = "gone \\(kept)"'],
    ["a.ex", '# gone\nx = "gone #{kept}"'],
    ["a.sh", '# gone\nx="gone $kept"'],
    ["a.dart", "// gone\nvar x = 'gone ${kept}';"],
    ["a.scala", '// gone\nval x = s"gone ${kept}"'],
  ];
  for (const [path, text] of rows) {
    const { occurrences } = await analyse(path, text);
    const found = occurrences.map(({ name }) => name);
    equal(found.includes("gone"), false, `${path}: ${found}`);
    equal(found.includes("kept"), true, `${path}: ${found}`);
  }
});

Deno.test("analyseText() reads Swift past conditions, and Dart past a library without a name", async () => {
  const swift =
    "struct A {\n  #if os(iOS)\n  func b(\n  #else\n  func c(\n  #endif\n    x: Int) {}\n}\n";
  deepEqual(await names("a.swift", swift), ["struct A", "method A.b"]);
  deepEqual(await names("a.dart", "library;\n\nclass A {}\n"), ["class A"]);
});

Deno.test("analyseText() lets no variable hold the type that is written before its name", async () => {
  const rows: readonly (readonly [path: string, text: string, expected: readonly string[]])[] = [
    ["q.cpp", "struct Q { void m(); } q1;\nvoid Q::m() {}\n", ["q1", "Q", "m in Q", "m in Q"]],
    ["n.c", "typedef struct node { int a; } node_t, *node_p;\n", [
      "node_t",
      "node_p",
      "node",
      "a in node",
    ]],
    ["u.c", "typedef struct { int a; } box;\n", ["box", "a in box"]],
    ["i.c", "struct out { struct in { int a; } b; };\n", [
      "out",
      "b in out",
      "in in out",
      "a in in",
    ]],
  ];
  for (const [path, text, expected] of rows) {
    const { symbols } = await analyseText(text, { path, chunkMaxTokens: 512 });
    const shown = symbols.map(({ name, parent }) =>
      parent === null ? name : `${name} in ${symbols[parent]?.name}`
    );
    deepEqual(shown, expected, text);
  }
});

Deno.test("analyseText() takes a name that a condition of Swift binds in a case for a local one", async () => {
  const text = [
    "func tell(_ event: Event) -> String? {",
    "    if case let .next(value) = event { return value }",
    "    if let other = event.name { return other }",
    "    return value",
    "}",
    "",
  ].join("\n");
  const { occurrences } = await analyseText(text, { path: "tell.swift", chunkMaxTokens: 512 });
  const locals = occurrences.filter(({ name }) => name === "value" || name === "other")
    .map(({ name, line, isLocal }) => `${name} ${line} ${isLocal === true}`);
  deepEqual(locals, [
    "value 2 true",
    "value 2 true",
    "other 3 true",
    "other 3 true",
    "value 4 false",
  ]);
});
