/** One small file a language, with the definitions that are in it. */
import type { Tag } from "../../src/language/kinds.ts";

/** File, its text, and the definitions that the line patterns must find: `kind name scope`. */
export const SAMPLES: readonly (readonly [string, string, readonly string[]])[] = [
  [
    "a.py",
    "class A:\n    def f(self, x):\n        pass\n\nasync def g():\n    # def no():\n    s = 'def no2()'\nX = 1\n",
    ["class A", "method f A", "function g", "variable X"],
  ],
  [
    "a.ts",
    "export interface I { a: string }\nexport class B extends C {\n  async go(x: number): Promise<void> {\n    if (x) {\n    }\n  }\n}\nexport const k = async (x: number) => x;\ntype T = string;\nenum E { A }\n",
    ["interface I", "class B", "method go B", "function k", "type T", "enum E"],
  ],
  [
    "a.php",
    "<?php\nnamespace App\\Models;\nuse Other\\Thing;\nuse Other\\Part as Piece;\nfinal class U\n{\n    public static function go(int $x): int\n    {\n        return 1;\n    }\n}\n",
    ["namespace App\\Models", "class U", "method go U"],
  ],
  [
    "a.go",
    "package main\n\ntype S struct {\n}\n\nfunc (s *S) Do(x int) error {\n\treturn nil\n}\n\nfunc main() {\n}\n",
    ["package main", "struct S", "function Do", "function main"],
  ],
  [
    "a.rs",
    "pub struct P {\n}\nimpl P {\n    pub fn new() -> P {\n    }\n}\ntrait Q {}\nmacro_rules! m {\n}\n",
    ["struct P", "implementation P", "method new P", "trait Q", "macro m"],
  ],
  [
    "A.java",
    "public class A {\n    private int go(String s) {\n        return 1;\n    }\n    public A() {\n    }\n}\n",
    ["class A", "method go A", "method A A"],
  ],
  [
    "a.kt",
    "data class K(val a: Int)\nfun top(x: Int) = 1\nobject O {\n    fun inner() {\n    }\n}\n",
    ["class K", "method top", "object O", "method inner O"],
  ],
  ["a.scala", "class S {\n  def go(x: Int): Int = 1\n}\ntrait T\n", [
    "class S",
    "method go S",
    "trait T",
  ]],
  [
    "a.c",
    "#define MAX 3\nstruct point {\n  int x;\n};\nstatic int add(int a, int b)\n{\n  return a + b;\n}\n",
    ["macro MAX", "struct point", "function add"],
  ],
  ["a.cpp", "namespace ns {\nclass W {\n};\nint W::area(int x) {\n  return 1;\n}\n}\n", [
    "namespace ns",
    "class W",
    "function area",
  ]],
  [
    "a.cs",
    "namespace N\n{\n    public class C\n    {\n        public int Go(int x)\n        {\n        }\n    }\n}\n",
    ["namespace N", "class C N", "method Go N.C"],
  ],
  [
    "a.rb",
    "module M\n  class R\n    def ok?\n    end\n    def self.make(x)\n    end\n  end\nend\n",
    ["module M", "class R M", "method ok? M.R", "method make M.R"],
  ],
  ["a.swift", "struct S {\n    func go(x: Int) -> Int {\n    }\n}\nprotocol P {}\n", [
    "struct S",
    "method go S",
    "protocol P",
  ]],
  ["a.lua", "local function f(x)\nend\nfunction M.g(y)\nend\n", ["function f", "function g"]],
  ["a.sh", "function one {\n}\ntwo() {\n}\n", ["function one", "function two"]],
  ["a.ex", "defmodule A.B do\n  def go!(x) do\n  end\n  defp hid(x), do: x\nend\n", [
    "module A.B",
    "function go! A.B",
    "function hid A.B",
  ]],
  ["a.hs", "module Foo where\ndata T = A | B\nadd :: Int -> Int\nadd x = x\n", [
    "module Foo",
    "type T",
    "function add",
  ]],
  ["a.zig", "pub fn main() void {\n}\nconst P = struct {\n};\n", ["function main", "struct P"]],
  ["a.dart", "class D {\n  int go(int x) {\n  }\n}\nvoid main() {\n}\n", [
    "class D",
    "method go D",
    "function main",
  ]],
  ["a.css", ".btn {\n  color: red;\n}\n#main { --gap: 1px }\n", ["class .btn", "id #main"]],
  ["a.scss", "@mixin one($y) { color: $y }\n@mixin big($x) {\n}\n$gap: 1px;\n", [
    "mixin one",
    "mixin big",
    "variable $gap",
  ]],
  ["a.vue", "<script>\nexport function load(x) {\n}\n</script>\n", ["function load"]],
  ["a.svelte", "<script>\nfunction load(x) {\n}\n</script>\n", ["function load"]],
  ["a.tsx", "export function Button(props: P) {\n  return null;\n}\n", ["function Button"]],
  ["a.js", "function f(a) {\n}\nclass C {\n  m() {\n  }\n}\n", [
    "function f",
    "class C",
    "method m C",
  ]],
  ["a.html", '<div id="root"></div>\n', ["id root"]],
  ["a.blade.php", "@section('content')\n", ["section content"]],
  ["a.yaml", "name: x\njobs:\n  build: 1\n", ["key name", "key jobs", "key build jobs"]],
  ["a.json", '{\n  "name": "x"\n}\n', ["key name"]],
  ["a.toml", '[package]\nname = 1\na.b.c = 3\n"quoted-key" = 2\n', [
    "table package",
    "key name",
    "key a.b.c",
    "key quoted-key",
  ]],
  ["a.md", "# One\n\n## Two\n", ["section One", "section Two"]],
  [
    "a.sql",
    "CREATE TABLE IF NOT EXISTS users (id INT);\ncreate or replace view v as select 1;\nCREATE INDEX ix ON users (id); CREATE TRIGGER tr AFTER INSERT ON users BEGIN SELECT 1; END;\n",
    [
      "table users",
      "view v",
      "index ix",
      "trigger tr",
    ],
  ],
];

/** A definition as one line: kind, name, scope. */
export function toText(tag: Tag): string {
  return [tag.kind, tag.name, tag.scope].filter((part) => part !== undefined).join(" ");
}
