/** What is found where a text has errors. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { analyseText } from "../../src/analysis/analyse.ts";

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
