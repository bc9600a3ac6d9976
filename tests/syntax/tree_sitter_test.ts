/** Every vendored grammar reads its language; positions, limits, memory and sharing of one parser. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { parseText } from "../../src/syntax/tree_sitter.ts";
import { LANGUAGES } from "../../src/language/languages.ts";
import { readManifest } from "../../tools/grammars/manifest.ts";
import { readLanguageSamples } from "../support/files/language_samples.ts";

/** What the scanner of a language has trouble with: strings, indentation, markup. Others have their sample alone. */
const SAMPLES: Readonly<Record<string, string>> = {
  Bash: 'f() {\n  local a="$1"\n  cat <<EOF\n$a\nEOF\n}\nf "x" | grep x && echo ok\n',
  C: "#include <stdio.h>\nint add(int a, int b) { return a + b; }\n",
  "C#": 'namespace A;\npublic record P(int X);\nclass B { int F() => 1; string S => $"a{F()}"; }\n',
  "C++":
    "#include <vector>\nnamespace a { template <typename T> class B { B() = default; T v{}; }; }\n",
  CSS: ".a:hover > b { color: red; }\n@media (min-width: 1px) { a { margin: 0 } }\n",
  Dart: "class A extends B {\n  final int x;\n  A(this.x);\n  int f() => x ?? 1;\n}\n",
  Elixir: 'defmodule A do\n  @doc "x"\n  def f(x), do: x |> to_string()\nend\n',
  Go: "package a\n\nfunc (s *S) F(x int) (int, error) {\n\treturn x, nil\n}\n",
  HTML: '<!doctype html>\n<p class="a">x</p>\n<script>let a = 1 < 2;</script>\n',
  Haskell: "module A where\n\nf :: Int -> Int\nf x = case x of\n  0 -> 1\n  _ -> x\n",
  JSON: '{"a": [1, true, null], "b": "é"}\n',
  Java: "package a;\nclass A<T> { @Override public int f() { return 1; } }\n",
  JavaScript: "const f = async (x) => <p>{x}</p>;\nclass A { #a = 1; }\n",
  Kotlin: 'package a\nclass A(val x: Int) {\n  fun f(): String = "a${x}"\n}\n',
  HCL: 'resource "a" "b" {\n  c = [for x in var.d : "${x}-e"]\n}\n',
  Lua: "local M = {}\nfunction M.f(x)\n  return [[a]]\nend\nreturn M\n",
  Markdown: "# A\n\n- b\n\n```ts\nlet a;\n```\n",
  PHP: "<?php\nfinal class A { public function f(?int $x): int { return $x ?? 1; } }\n",
  Python: 'def f(x: int) -> str:\n    """Doc."""\n    return f"a{x}"\n',
  Ruby: "class A < B\n  def f(x) = x.map { |y| y + 1 }\nend\n",
  Rust: "impl<T> A for B<T> {\n    fn f(&self) -> Option<u8> { todo!() }\n}\n",
  Scala: "package a\nobject A extends B:\n  def f(x: Int): Int = x + 1\n",
  Svelte: '<script lang="ts">\n  let a = 1;\n</script>\n{#if a}<p>{a}</p>{/if}\n',
  Swift: "struct A: B {\n  let x: Int\n  func f() -> Int? { return nil }\n}\n",
  TOML: '[a.b]\nc = "d"\ne = [1, 2]\n',
  TSX: "export const A = ({ x }: { x: number }) => <p>{x}</p>;\n",
  TypeScript: "export function f<T>(x: T): T { return <T> x; }\n",
  Vue: '<template><p v-if="a">{{ a }}</p></template>\n<script setup>\nlet a = 1;\n</script>\n',
  YAML: "a:\n  - b: &c 1\n  - *c\n",
  Zig: 'const std = @import("std");\nfn f(x: u8) !void { _ = x; }\n',
};

Deno.test("parseText() reads a sample of every language of the manifest without an error", async () => {
  const samples = await readLanguageSamples();
  for (const { name, grammar } of LANGUAGES) {
    const sample = SAMPLES[name] ?? samples.find(({ language }) => language === name)?.text;
    if (grammar === null) {
      equal(await parseText("x", name), null, name);
      continue;
    }
    ok(sample !== undefined, `${name} has no sample`);
    using tree = await parseText(sample, name);
    ok(tree !== null && !tree.root.hasError, `${name}: ${tree?.root.toString()}`);
  }
  const used = LANGUAGES.flatMap(({ grammar }) => grammar === null ? [] : [grammar]);
  const vendored = (await readManifest()).map(({ name }) => name);
  deepEqual([...used, "web-tree-sitter"].sort(), vendored.sort());
});

Deno.test("parseText() takes names and aliases of languages, and is null for one without a grammar", async () => {
  for (const [language, isParsed] of [["Blade", false], ["none", false], ["py", true]] as const) {
    using tree = await parseText("x", language);
    equal(tree !== null, isParsed, language);
  }
});

Deno.test("parseText() counts positions in UTF-16 units, also after emoji and CRLF", async () => {
  const text = 'a = "日本😀"; b = 1\r\nc = 2\r\n';
  using tree = await parseText(text, "Python");
  const names = tree?.root.descendantsOfType("identifier") ?? [];
  deepEqual(names.map(({ startIndex }) => startIndex), ["a", "b", "c"].map((x) => text.indexOf(x)));
  deepEqual(names.map(({ startPosition: { row } }) => row), [0, 0, 1]);
  equal(names[1]?.startPosition.column, text.indexOf("b"));
});

Deno.test("parseText() says where a text is not of its language", async () => {
  using tree = await parseText("def (:\n", "Python");
  equal(tree?.root.hasError, true);
});

Deno.test("parseText() gives up at the time limit, and the next parse is not disturbed", async () => {
  const huge = "if (a) { b([1, 2, {c: `d`}]); }\n".repeat(40_000);
  const startMs = performance.now();
  equal(await parseText(huge, "JavaScript", { timeoutMs: 20 }), null);
  ok(performance.now() - startMs < 20_000);
  using tree = await parseText("let a = 1;", "JavaScript");
  equal(tree?.root.toString().includes("ERROR"), false);
  equal(tree?.root.text, "let a = 1;");
});

Deno.test("parseText() survives text that is deeply nested or no text at all", async () => {
  const hostile = ["(".repeat(200_000), "[".repeat(100_000) + "]".repeat(100_000), "\0\ud800", ""];
  for (const text of hostile) {
    for (const language of ["JavaScript", "Python", "C++"]) {
      const tree = await parseText(text, language, { timeoutMs: 1_000 });
      tree?.[Symbol.dispose]();
    }
  }
  using tree = await parseText("x = 1", "Python");
  equal(tree?.root.hasError, false);
});

Deno.test("parseText() answers many callers at once, each with its own tree", async () => {
  const languages = Object.keys(SAMPLES);
  const trees = await Promise.all(
    [...languages, ...languages].map((name) => parseText(SAMPLES[name] ?? "", name)),
  );
  trees.forEach((tree, at) => {
    const name = languages[at % languages.length] ?? "";
    equal(tree?.root.hasError, false, name);
    equal(tree?.root.endIndex, SAMPLES[name]?.length, name);
    tree?.[Symbol.dispose]();
  });
});
