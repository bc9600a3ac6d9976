/** Types and constructors of one name, methods of objects, and overloads. */
import { strictEqual as equal } from "node:assert/strict";
import { countOverloads } from "../../src/resolve/resolution_rules.ts";
import { check, readFacts } from "./follow_places.ts";

check("takes a type's name for the type, in it and outside, never for its constructor", {
  "p/Jc.java":
    "package p;\nclass Jc {\n  Jc() {}\n  Jc(int a) {}\n  Jc copy(Jc o) {\n    return new Jc();\n  }\n}\n",
  "p/Use.java": "package p;\nclass Use {\n  void jc() {}\n  Jc make() { return new Jc(1); }\n}\n",
  "Node.cs":
    "namespace N;\nclass Node {\n  public Node(int a) {}\n  public Node Copy(Node o) => new Node(1);\n  Node Next { get; }\n}\n",
  "s.cpp":
    "class S {\n public:\n  S();\n  S copy(S o) { return S(); }\n};\nS::S() {}\nstruct P { int x; } p1;\nP p;\n",
}, [
  ["p/Jc.java", "Jc", [
    "2 -> p/Jc.java:2",
    "3 -> p/Jc.java:3",
    "4 -> p/Jc.java:4",
    "5 -> p/Jc.java:2",
    "5 -> p/Jc.java:2",
    "6 -> p/Jc.java:2",
  ]],
  ["p/Use.java", "Jc", ["4 -> p/Jc.java:2", "4 -> p/Jc.java:2"]],
  ["Node.cs", "Node", [
    "2 -> Node.cs:2",
    "3 -> Node.cs:3",
    "4 -> Node.cs:2",
    "4 -> Node.cs:2",
    "4 -> Node.cs:2",
    "5 -> Node.cs:2",
  ]],
  ["s.cpp", "S", [
    "1 -> s.cpp:1",
    "3 -> s.cpp:3",
    "4 -> s.cpp:1",
    "4 -> s.cpp:1",
    "4 -> s.cpp:1",
    "6 -> s.cpp:1",
    "6 -> s.cpp:6",
  ]],
  ["s.cpp", "P", ["7 -> s.cpp:7", "8 -> s.cpp:7"]],
]);

check("keeps methods of objects and of classes without a name to themselves", {
  "o.js":
    "const o = {\n  save() {},\n  go() { save(); },\n};\nmodule.exports = { load() {} };\nload();\n" +
    "function make() {\n  save();\n  return { save() {} };\n}\n",
  "p/A.java":
    "package p;\nclass A {\n  void save() {}\n  void go() {\n    x = new B() {\n      void save() {}\n    };\n    save();\n  }\n}\n",
}, [
  ["o.js", "save", ["2 -> o.js:2", "3 -> ?", "8 -> ?", "9 -> o.js:9"]],
  ["o.js", "load", ["5 -> o.js:5", "6 -> ?"]],
  ["p/A.java", "save", ["3 -> p/A.java:3", "6 -> p/A.java:6", "8 -> p/A.java:3"]],
]);

Deno.test("countOverloads() counts what differs in its parameters, not what is declared again", async () => {
  const rows: readonly (readonly [path: string, text: string, overloads: number])[] = [
    ["A.java", "class A {\n  void f(int a) {}\n  void f(String a) {}\n  void f() {}\n}\n", 3],
    ["A.java", "class A {\n  void f(int a) {}\n}\nclass B {\n  void f() {}\n}\n", 1],
    [
      "a.ts",
      "function f(a: string): void;\nfunction f(a: number): void;\nfunction f(a: any) {}\n",
      1,
    ],
    ["a.cpp", "class S {\n  void f(int);\n};\nvoid S::f(int a) {}\n", 1],
    [
      "a.py",
      "class A:\n  @property\n  def f(self): pass\n  @f.setter\n  def f(self, v): pass\n",
      1,
    ],
  ];
  for (const [path, text, overloads] of rows) {
    const facts = await readFacts({ [path]: text }, "f");
    const [first] = facts.named("f");
    equal(first === undefined ? 0 : countOverloads(first, facts), overloads, text);
  }
});
