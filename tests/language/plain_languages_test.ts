/** Definitions of languages without a grammar, by their lines. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { languageOfPath } from "../../src/language/languages.ts";
import { findTagsByRegex } from "../../src/analysis/rule_analysis.ts";

function check(path: string, text: string, expected: string): void {
  Deno.test(`findTagsByRegex() finds the definitions of ${path}`, () => {
    const language = languageOfPath(path);
    ok(language !== undefined);
    deepEqual(
      findTagsByRegex(path, text, language).map(({ kind, name }) => `${kind} ${name}`),
      expected.split(", "),
    );
  });
}

check(
  "lib/e.pl",
  "package Shop::Till;\nuse strict;\n# sub no\nour $limit = 3;\nsub hello {\n  my $x = shift;\n}\nsub Foo::bar { hello() }\n",
  "module Shop::Till, variable limit, function hello, function Foo::bar",
);
check("a.r", "f.x <- function(a) {\n  a\n}\ny <- 3\n", "function f.x");
check(
  "core.clj",
  "(ns shop.core)\n(defn sell! [x] x)\n(def limit 3)\n",
  "module shop.core, function sell!, function limit",
);
check(
  "a.ml",
  "let rec fact n = n\nlet x = 1\nmodule M = struct end\ntype t = int\n",
  "function fact, variable x, module M, type t",
);
check(
  "s.erl",
  "-module(s).\nloop(X) -> X;\nloop(Y) ->\n  Y.\n",
  "module s, function loop, function loop",
);
check("g.ps1", "function Get-Thing {\n  param($x)\n}\n", "function Get-Thing");
check(
  "api.proto",
  "message Item {\n  string name = 1;\n}\nservice Shop {\n  rpc Sell (Item) returns (Item);\n}\n",
  "struct Item, interface Shop, method Sell",
);
check("Makefile", "CC := gcc\nall: a.o b.o\n\t$(CC) -o x\n", "variable CC, target all");
check(
  "main.tf",
  'resource "aws_s3_bucket" "logs" {\n}\nvariable "region" {\n}\n',
  "block logs, block region",
);
check("V.m", "@implementation View\n- (void)draw:(int)x {\n}\n@end\n", "class View, method draw");
check(
  "u.pas",
  "unit Shop;\nprocedure TShop.Sell(x: Integer);\n{ function no }\n",
  "module Shop, function TShop.Sell",
);
check(
  "a.jl",
  "function area(x)\n  x\nend\nstruct Point\n  x\nend\n",
  "function area, struct Point",
);
check(
  "CMakeLists.txt",
  "project(shop)\nadd_library(core a.c)\nfunction(sell x)\n",
  "target shop, target core, function sell",
);
check("a.vim", 'function! s:Sell(x)\n"function no\nendfunction\n', "function Sell");
