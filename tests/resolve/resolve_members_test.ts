/** Members of what is no plain name: they lead to the member of a known type, or nowhere. */
import { check } from "./follow_places.ts";

check("never takes a member of an expression for a name without a receiver: scripts", {
  "a.ts":
    "export function save() {}\nexport class Foo {\n  save() {}\n}\nfunction get(): any {}\n" +
    "get().save();\n'x'.save();\n[1][0].save();\n`x`.save();\nget()?.save();\n(get()).save();\n" +
    "new Foo().save();\n(new Foo()).save();\n(get() as Foo).save();\n(<Foo> get()).save();\n" +
    "get() // save\n  .save();\nget()!.save();\nfor (const x of [...save()]) {}\n",
  "b.tsx":
    "export function save() {}\nexport class Foo { save() {} }\nconst a = (x as Foo).save();\n/a/.save();\n",
  "c.js":
    "import * as a from './a';\nnew Foo().save();\na.Foo.save();\nthis.a.save();\na.b.save();\n",
}, [
  ["a.ts", "save", [
    "1 -> a.ts:1",
    "3 -> a.ts:3",
    "6 -> ?",
    "7 -> ?",
    "8 -> ?",
    "9 -> ?",
    "10 -> ?",
    "11 -> ?",
    "12 -> a.ts:3",
    "13 -> a.ts:3",
    "14 -> a.ts:3",
    "15 -> a.ts:3",
    "17 -> ?",
    "18 -> ?",
    "19 -> a.ts:1",
  ]],
  ["b.tsx", "save", ["1 -> b.tsx:1", "2 -> b.tsx:2", "3 -> b.tsx:2", "4 -> ?"]],
  ["c.js", "save", ["2 -> ?", "3 -> a.ts:3", "4 -> ?", "5 -> ?"]],
]);

check("never takes a member of an expression for a name without a receiver: Python", {
  "m.py": "class Model:\n    def save(self): pass\n\ndef save(): pass\n",
  "a.py": "import app.m\nfrom m import Model, save\n\nclass Child(Model):\n    def save(self):\n" +
    "        super().save()\n        super(Child, self).save()\n        self.m.save()\n\nget().save()\n" +
    "'x'.save()\n[1][0].save()\n{}.save()\nModel().save()\nd[k].save(v)\nget().model.save()\n",
}, [
  ["a.py", "save", [
    "2 -> m.py:4",
    "5 -> a.py:5",
    "6 -> m.py:2",
    "7 -> m.py:2",
    "8 -> ?",
    "10 -> ?",
    "11 -> ?",
    "12 -> ?",
    "13 -> ?",
    "14 -> m.py:2",
    "15 -> ?",
    "16 -> ?",
  ]],
]);

check("never takes a member of an expression for the class's own: Java, C#, PHP, Ruby, Kotlin", {
  "p/Other.java": "package p;\nclass Other {\n  void save() {}\n}\n",
  "p/Own.java":
    "package p;\nclass Own {\n  void save() {}\n  void go() {\n    new Other().save();\n    ((Other) o).save();\n" +
    '    "x".save();\n    o.get().save();\n    save();\n    this.save();\n    new Other() { void save() {} }.save();\n' +
    "    p.Other.save();\n    Own.this.save();\n  }\n}\n",
  "Other.cs": "namespace N;\nclass Other {\n  void Save() {}\n}\n",
  "Own.cs":
    "namespace N;\nclass Own {\n  void Save() {}\n  void Go() {\n    new Other().Save();\n    ((Other)o).Save();\n" +
    "    (o as Other).Save();\n    o.Get().Save();\n    Save();\n    base.Save();\n  }\n}\n",
  "a.php":
    "<?php\nfunction save() {}\nclass Foo { function save() {} }\n(new Foo())->save();\nget()->save();\n",
  "a.rb":
    "class Foo\n  def save\n  end\nend\nclass Own\n  def save\n  end\n  def go\n    Foo.new.save\n" +
    "    get().save\n    [].save\n    save\n  end\nend\n",
  "k/a.kt": "package k\nclass Foo { fun save() {} }\nfun save() {}\nfun go() {\n  Foo().save()\n" +
    "  (x as Foo).save()\n  get().save()\n  save()\n}\n",
}, [
  ["p/Own.java", "save", [
    "3 -> p/Own.java:3",
    "5 -> p/Other.java:3",
    "6 -> p/Other.java:3",
    "7 -> ?",
    "8 -> ?",
    "9 -> p/Own.java:3",
    "10 -> p/Own.java:3",
    "11 -> p/Own.java:11",
    "11 -> ?",
    "12 -> p/Other.java:3",
    "13 -> p/Own.java:3",
  ]],
  ["Own.cs", "Save", [
    "3 -> Own.cs:3",
    "5 -> Other.cs:3",
    "6 -> Other.cs:3",
    "7 -> Other.cs:3",
    "8 -> ?",
    "9 -> Own.cs:3",
    "10 -> ?",
  ]],
  ["a.php", "save", ["2 -> a.php:2", "3 -> a.php:3", "4 -> a.php:3", "5 -> ?"]],
  ["a.rb", "save", [
    "2 -> a.rb:2",
    "6 -> a.rb:6",
    "9 -> a.rb:2",
    "10 -> ?",
    "11 -> ?",
    "12 -> a.rb:6",
  ]],
  ["k/a.kt", "save", [
    "2 -> k/a.kt:2",
    "3 -> k/a.kt:3",
    "5 -> k/a.kt:2",
    "6 -> k/a.kt:2",
    "7 -> ?",
    "8 -> k/a.kt:3",
  ]],
]);

check("knows what `::` alone and dots without a receiver say, and receivers that are local", {
  "a.cpp":
    "void run() {}\nstruct S { void run(); };\nvoid go(S s) { ::run(); s.run(); get().run(); }\n",
  "src/a.rs":
    "pub fn run() -> u8 { 1 }\nfn go(a: &A) {\n  run();\n  0..run();\n  a.b().run();\n  (1).run();\n}\n",
  "m.ts": "export function load() {}\n",
  "u.ts":
    "import * as m from './m';\nm.load();\nfunction go(m: any) {\n  m.load();\n}\nfor (const m of []) {\n" +
    "  m.load();\n}\n",
  "m.py": "def load(): pass\n",
  "u.py": "import m\nm.load()\ndef go(m):\n    m.load()\n[m.load() for m in x]\n",
}, [
  ["a.cpp", "run", ["1 -> a.cpp:1", "2 -> a.cpp:2", "3 -> a.cpp:1", "3 -> a.cpp:2", "3 -> ?"]],
  ["src/a.rs", "run", [
    "1 -> src/a.rs:1",
    "3 -> src/a.rs:1",
    "4 -> src/a.rs:1",
    "5 -> ?",
    "6 -> ?",
  ]],
  ["u.ts", "load", ["2 -> m.ts:1", "4 -> ?", "7 -> ?"]],
  ["u.py", "load", ["2 -> m.py:1", "4 -> ?", "5 -> ?"]],
]);
