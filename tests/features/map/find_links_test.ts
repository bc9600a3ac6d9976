/** Links between files of several languages: what imports and packages prove, and what is left out rather than guessed. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { OWN_THREAD } from "../../../src/analysis/analysis_pool.ts";
import { findLinks } from "../../../src/features/map/find_links.ts";
import { createTemporaryIndex } from "../../../src/index/peek.ts";
import { FactCache, IndexFacts } from "../../../src/resolve/index_facts.ts";
import { isBuildFile, readBuildFacts } from "../../../src/resolve/modules/build_files.ts";
import { createModuleMap } from "../../../src/resolve/modules/module_map.ts";

/** Each link as `from > to by calls+uses`. */
async function check(files: Readonly<Record<string, string>>, expected: readonly string[]) {
  using peek = createTemporaryIndex({ root: "", analyser: OWN_THREAD });
  for (const [path, text] of Object.entries(files)) await peek.addText(text, { path });
  const build = new Map(Object.entries(files).filter(([path]) => isBuildFile(path)));
  const modules = createModuleMap(Object.keys(files), readBuildFacts(build));
  const links = await peek.read((view) => {
    const memory = new FactCache();
    const facts = new IndexFacts({ view, memory, modules, removed: [], proof: null });
    return findLinks({ view, facts, outlines: view.listOutlines() });
  });
  deepEqual(
    links.map(({ from, to, by, calls, uses }) => `${from} > ${to} ${by} ${calls}+${uses}`),
    expected,
  );
}

Deno.test("findLinks() follows imports of scripts, with the names that are called and mentioned", () =>
  check({
    "a.ts":
      "import { make, Shape } from './b.ts';\nimport * as c from './c.ts';\nexport function go(shape: Shape) {\n  make(shape);\n  return c.turn(1);\n}\n",
    "b.ts":
      "export interface Shape {}\nexport function make(shape: Shape) {}\nexport function other() {}\n",
    // A parameter of the same name, and a member of something else, are no names of c.ts.
    "c.ts": "export function turn(n: number) {}\n",
    "d.ts":
      "import './c.ts';\nexport function go(turn: () => void, x: any) {\n  turn();\n  x.turn();\n}\n",
    // Nothing is imported here.
    "e.ts": "declare function make(): void;\nmake();\nother();\n",
  }, [
    "a.ts > b.ts import 1+1",
    "a.ts > c.ts import 1+0",
    "d.ts > c.ts import 0+0",
  ]));

Deno.test("findLinks() finds the one file of a package that defines a name, and none where two do", () =>
  check({
    "go.mod": "module example.org/m\n",
    "main.go":
      'package main\n\nimport "example.org/m/shop"\n\nfunc main() {\n\thelp()\n\tshop.Buy()\n\tshop.Twice()\n}\n',
    "help.go": "package main\n\nfunc help() {}\n",
    "shop/buy.go": "package shop\n\nfunc Buy() { price() }\n",
    "shop/price.go": "package shop\n\nfunc price() {}\n",
    "shop/one_linux.go": "package shop\n\nfunc Twice() {}\n",
    "shop/one_windows.go": "package shop\n\nfunc Twice() {}\n",
  }, [
    "main.go > help.go package 1+0",
    "main.go > shop/buy.go package 1+0",
    "shop/buy.go > shop/price.go package 1+0",
  ]));

Deno.test("findLinks() believes a type without an import only where code names what it never imported", () =>
  check({
    "Dog.cs": "namespace A { public class Dog {} }\n",
    "Use.cs": "namespace A { public class Use { Dog d; } }\n",
    "dog.py": "class Dog: pass\n",
    "use.py": "d = Dog()\n",
  }, ["Use.cs > Dog.cs name 0+1"]));
