/** Names of parameters, variables of blocks and keys never lead to a definition of the same name. */
import { check } from "./follow_places.ts";

const only = (...lines: readonly number[]) => lines.map((line) => `${line} -> ?`);

check("takes variables of loops, catches and patterns, and keys of TypeScript for what they are", {
  "a.ts": "function f() {}\nfor (const f of []) {\n  f();\n}\nfor (let f = 0; f < 1; f++) {}\n" +
    "try {} catch (f) {\n  f;\n}\nconst o = { f: 1 };\nconst { f: q } = o;\ntype X = { f: 1; g(f: string): void };\n" +
    "const g = (f: number) => f();\nconst h = f => f;\nfor (const { f } of []) f();\nfunction two({ f, a }, [b] = f) {\n  f;\n}\n" +
    "f();\n{\n  f();\n}\nfunction inner() {\n  if (x) {\n    const f = 1;\n    f;\n  }\n}\nclass A { f = f(); }\n",
  "t.tsx":
    "function f() {}\nconst a = <B f={1} g={f} />;\nfunction use<F>(x: F) {}\ninterface F {}\nlet y: F;\n",
  "m.js":
    "function f() {}\nfunction go(f) {\n  function f() {}\n}\nfunction far(f) {\n  function near() {\n    function f() {}\n    f();\n  }\n}\n" +
    "function uses() {\n  const { a } = require('./x');\n  return [f, { f }];\n}\n",
}, [
  ["a.ts", "f", [
    "1 -> a.ts:1",
    ...only(2, 3, 5, 5, 5, 6, 7, 9, 10),
    "11 -> a.ts:11",
    ...only(11, 12, 12, 13, 13, 14, 14, 15, 15, 16),
    "18 -> a.ts:1",
    "20 -> a.ts:1",
    ...only(24, 25),
    "28 -> a.ts:28",
    "28 -> a.ts:1",
  ]],
  ["t.tsx", "f", ["1 -> t.tsx:1", "2 -> ?", "2 -> t.tsx:1"]],
  ["t.tsx", "F", [...only(3, 3), "4 -> t.tsx:4", "5 -> t.tsx:4"]],
  ["m.js", "f", [
    "1 -> m.js:1",
    "2 -> ?",
    "3 -> m.js:3",
    "5 -> ?",
    "7 -> m.js:7",
    "8 -> m.js:7",
    "13 -> m.js:1",
    "13 -> m.js:1",
  ]],
]);

check("takes variables of Python's handlers, loops, comprehensions and calls for what they are", {
  "a.py":
    "def f(): pass\n\ndict(f=1)\n{f: 1 for f in []}\nf()\nx = lambda f: f\n\ndef go(f=f, *a):\n    f()\n",
  "loop.py": "def f(): pass\n\nfor f in []:\n    f()\n",
  "with.py": "def f(): pass\n\nwith x as f:\n    f\n",
  "try.py": "def f(): pass\n\ntry:\n    pass\nexcept E as f:\n    f\n",
  "again.py": "f = None\nfor f in []:\n    f()\n",
}, [
  ["a.py", "f", [
    "1 -> a.py:1",
    ...only(3, 4, 4),
    "5 -> a.py:1",
    ...only(6, 6, 8),
    "8 -> a.py:1",
    "9 -> ?",
  ]],
  ["loop.py", "f", ["1 -> loop.py:1", ...only(3, 4)]],
  ["with.py", "f", ["1 -> with.py:1", ...only(3, 4)]],
  ["try.py", "f", ["1 -> try.py:1", ...only(5, 6)]],
  ["again.py", "f", ["1 -> again.py:1", "2 -> again.py:1", "3 -> again.py:1"]],
]);

check("takes parameters and variables of Java and C# for what they are", {
  "A.java":
    "class A {\n  int f;\n  void g() {\n    run(f -> f);\n    try {} catch (E f) { f.x(); }\n    for (int f : x) { f++; }\n" +
    "    run((f, h) -> f);\n    use(f);\n    if (o instanceof B f) {}\n  }\n  @K(f = 1)\n  void t() { f = 2; }\n}\n",
  "B.java":
    "class B {\n  void f() {}\n  void g(int f) {\n    f();\n    use(f);\n    this.f();\n  }\n}\n",
  "A.cs":
    "class A {\n  int f;\n  void G() {\n    Run(f => f);\n    Run((f, h) => f);\n    foreach (var f in x) { f.X(); }\n" +
    "    try {} catch (E f) {}\n    Run(f: 1);\n    var o = new O { f = 1 };\n  }\n  void H() { Run(f); }\n}\n",
}, [
  ["A.java", "f", [
    "2 -> A.java:2",
    ...only(4, 4, 5, 5, 6, 6, 7, 7),
    "8 -> ?",
    ...only(9, 11),
    "12 -> A.java:2",
  ]],
  ["B.java", "f", ["2 -> B.java:2", "3 -> ?", "4 -> B.java:2", "5 -> ?", "6 -> B.java:2"]],
  ["A.cs", "f", [
    "2 -> A.cs:2",
    ...only(4, 4, 5, 5, 6, 6, 7, 8, 9),
    "11 -> A.cs:2",
  ]],
]);

check(
  "takes bound names and keys of Go, Rust, C++, Kotlin, PHP, Ruby, Lua and Swift for what they are",
  {
    "a/a.go":
      "package a\n\nfunc f() {}\n\nfunc g(x T) {\n\tfor f := range x {\n\t\tf()\n\t}\n\tif f := 1; f > 0 {\n\t}\n\tT{f: 1}\n\tf()\n}\n\n" +
      "func h(f int) { f++ }\n",
    "src/a.rs":
      "fn f() {}\nfn g(f: u8) { f; }\nfn h() {\n  for f in x { f; }\n  let c = |f| f;\n  match x { Some(f) => f, }\n  S { f: 1 };\n  f();\n}\n",
    "a.cpp":
      "void f() {}\nvoid g(int f) { f; }\nvoid h() {\n  for (auto &f : x) { f; }\n  T t{.f = 1};\n  f();\n}\n",
    "a.kt":
      "package a\nfun f() {}\nfun g(f: Int) = f\nfun h() {\n  for (f in x) { f }\n  x.map { f -> f }\n  g(f = 1)\n  f()\n}\n",
    "a.php":
      "<?php\nfunction f() {}\nfunction g($f) {\n  $f;\n  foreach ($x as $f) {}\n  h(f: 1);\n  f();\n}\n",
    "a.rb":
      "def f\nend\ndef g(f)\n  f\nend\ndef h\n  x.each { |f| f }\n  y\nrescue E => f\n  f\nend\n",
    "a.lua":
      "function f() end\nfunction g(f) f() end\nfor f in x do f() end\nlocal t = { f = 1 }\nf()\n",
  },
  [
    ["a/a.go", "f", ["3 -> a/a.go:3", ...only(6, 7, 9, 9, 11), "12 -> a/a.go:3", ...only(15, 15)]],
    ["src/a.rs", "f", [
      "1 -> src/a.rs:1",
      ...only(2, 2, 4, 4, 5, 5, 6, 6, 7),
      "8 -> src/a.rs:1",
    ]],
    ["a.cpp", "f", ["1 -> a.cpp:1", ...only(2, 2, 4, 4, 5), "6 -> a.cpp:1"]],
    ["a.kt", "f", ["2 -> a.kt:2", ...only(3, 3, 5, 5, 6, 6, 7), "8 -> a.kt:2"]],
    ["a.php", "f", ["2 -> a.php:2", ...only(3, 4, 5, 6), "7 -> a.php:2"]],
    ["a.rb", "f", ["1 -> a.rb:1", ...only(3, 4, 7, 7, 9, 10)]],
    ["a.lua", "f", ["1 -> a.lua:1", ...only(2, 2, 3, 3, 4), "5 -> a.lua:1"]],
  ],
);
