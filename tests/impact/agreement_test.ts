/**
 * One corpus of small projects on which references and impact are asked for the same names: each place that one of them
 * proves to lead to a definition, the other proves too, and no other place.
 */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import type { ImpactProject } from "./impact_project.ts";
import { createImpactProject } from "./impact_project.ts";

type Files = Readonly<Record<string, string>>;
/** A file, a definition in it, and the places `path:line` of other files that lead to it for certain. */
type Row = readonly [file: string, symbol: string, expected: readonly string[]];

/** The places that references prove to lead to the definition, without those of its own file. */
async function askReferences({ explorer }: ImpactProject, [file, symbol]: Row) {
  const answer = await explorer.findReferences({ symbol, includeText: false, maxResults: 200 });
  ok(answer.kind === "found", JSON.stringify(answer));
  return answer.references
    .filter(({ path, definedAt }) => path !== file && definedAt?.replace(/:\d+$/, "") === file)
    .map(({ path, line }) => `${path}:${line}`);
}

/** The same of impact: the places of the first step whose edges are proved. */
async function askImpact(project: ImpactProject, [file, symbol]: Row) {
  const found = await project.ask({ targetFiles: [file], symbols: [symbol], depth: 1 });
  return found.files.flatMap(({ path, edges }) =>
    edges.filter(({ confidence, kind }) => confidence === "resolved" && kind !== "override")
      .map(({ line }) => `${path}:${line}`)
  );
}

function check(title: string, files: Files, rows: readonly Row[]): void {
  Deno.test(`references and impact agree on ${title}`, async () => {
    await using project = await createImpactProject(files);
    const said: unknown[] = [];
    for (const row of rows) {
      // Whoever is asked first finds nothing remembered.
      const references = await askReferences(project, row);
      const impact = await askImpact(project, row);
      const sorted = [references, impact].map((one) => [...new Set(one)].sort());
      said.push([row[1], ...sorted]);
    }
    deepEqual(said, rows.map(([, symbol, expected]) => [symbol, expected, expected]));
  });
}

check("modules that only bear the name of an own file", {
  "src/path.ts": "export function join() {}\n",
  "src/use.ts": 'import { join } from "path";\njoin();\n',
  "src/own.ts": 'import { join } from "./path";\njoin();\n',
  "web/lodash/get.ts": "export function get() {}\n",
  "web/app.ts": 'import { get } from "lodash/get";\nget();\n',
  "react.js": "export function useState() {}\n",
  "src/view.js": 'import { useState } from "react";\nuseState();\n',
  "tools/json.py": "def dumps(x):\n    return x\n",
  "tools/run.py": "import json\n\njson.dumps(1)\n",
  "tools/from_it.py": "from json import dumps\n\ndumps(1)\n",
  "main.py": "from helper import lend\n\nlend()\n",
  "tools/helper.py": "def lend():\n    pass\n",
  "tools/near.py": "from helper import lend\n\nlend()\n",
  "tools/lua/json.lua": "local M = {}\nfunction M.encode() end\nreturn M\n",
  "main.lua": "local json = require('json')\njson.encode()\n",
  "tools/near.lua": "local json = require('json')\njson.encode()\n",
  "util/util.go": "package util\n\nfunc Reach() {}\n",
  "go.mod": "module example.com/own\n",
  "cmd/main.go":
    'package main\n\nimport "example.com/other/util"\n\nfunc main() { util.Reach() }\n',
  "cmd/own/main.go":
    'package main\n\nimport "example.com/own/util"\n\nfunc main() { util.Reach() }\n',
}, [
  ["src/path.ts", "join", ["src/own.ts:1", "src/own.ts:2"]],
  ["web/lodash/get.ts", "get", []],
  ["react.js", "useState", []],
  ["tools/json.py", "dumps", []],
  ["tools/helper.py", "lend", ["tools/near.py:1", "tools/near.py:3"]],
  ["tools/lua/json.lua", "encode", ["tools/near.lua:2"]],
  ["util/util.go", "Reach", ["cmd/own/main.go:5"]],
]);

check("what build files say of modules", {
  "tsconfig.json":
    '{ "compilerOptions": { "paths": { "@app/*": ["./packages/*/src/index.ts"], "~/*": ["./src/*"] } } }',
  "packages/core/src/index.ts": "export function boot() {}\n",
  "src/start.ts": 'import { boot } from "@app/core";\nboot();\n',
  "src/lib/tool.ts": "export class Tool {\n  turn() {}\n}\n",
  "src/deep/use.ts": 'import { Tool } from "~/lib/tool";\nnew Tool().turn();\n',
  "packages/kit/package.json": '{ "name": "@acme/kit", "main": "./dist/kit.js" }',
  "packages/kit/src/kit.ts": "export const cut = () => 1;\n",
  "src/kit_user.ts": 'import { cut } from "@acme/kit";\ncut();\n',
}, [
  ["packages/core/src/index.ts", "boot", ["src/start.ts:1", "src/start.ts:2"]],
  ["src/lib/tool.ts", "Tool.turn", ["src/deep/use.ts:2"]],
  ["packages/kit/src/kit.ts", "cut", ["src/kit_user.ts:1", "src/kit_user.ts:2"]],
]);

check("types of variables", {
  "src/status.ts": "export class Status {\n  dirty() {}\n}\nexport const shared = new Status();\n",
  "src/other.ts": "export class Other {\n  dirty() {}\n}\n",
  "src/make.ts":
    'import { Status } from "./status";\nexport function make(): Status {\n  return new Status();\n}\n',
  "src/use.ts":
    'import { Status } from "./status";\nimport { make } from "./make";\nconst status = new Status();\nstatus.dirty();\n' +
    "const made = make();\nmade.dirty();\nexport function go(given: Status, any) {\n  given.dirty();\n  any.dirty();\n}\n",
  "src/both.ts":
    'import { Other } from "./other";\nimport { Status } from "./status";\nfunction one() {\n  const it = new Other();\n  it.dirty();\n}\n' +
    "function two() {\n  const it = new Status();\n  it.dirty();\n}\n",
  "src/shared.ts":
    'import { shared } from "./status";\nshared.dirty();\nfunction own(shared) {\n  shared.dirty();\n}\n',
  "src/hidden.ts":
    'import { Status } from "./status";\nconst status = new Status();\nfunction own(status) {\n  status.dirty();\n}\n',
  "app/model.py": "class Model:\n    def save(self):\n        pass\n",
  "app/use.py":
    "from .model import Model\n\n\ndef go(given: Model, other):\n    given.save()\n    other.save()\n    own = Model()\n    own.save()\n",
  "app/__init__.py": "",
}, [
  ["src/status.ts", "Status.dirty", [
    "src/both.ts:9",
    "src/shared.ts:2",
    "src/use.ts:4",
    "src/use.ts:6",
    "src/use.ts:8",
  ]],
  ["src/other.ts", "Other.dirty", ["src/both.ts:5"]],
  ["app/model.py", "Model.save", ["app/use.py:5", "app/use.py:8"]],
]);

check("variables of one name in blocks beside each other", {
  "src/a.ts": "export class A {\n  go() {}\n}\n",
  "src/b.ts": "export class B {\n  go() {}\n}\n",
  "src/file.test.ts":
    'import { A } from "./a";\nimport { B } from "./b";\nconst app = new A();\nit("b", () => {\n  const app = new B();\n  app.go();\n});\nit("a", () => {\n  app.go();\n});\n',
  "src/block.test.ts":
    'import { A } from "./a";\nimport { B } from "./b";\ndescribe("x", () => {\n  const app = new A();\n  it("b", () => {\n    const app = new B();\n    app.go();\n  });\n  it("a", () => {\n    app.go();\n  });\n' +
    '  it("parameter", (app: B) => {\n    app.go();\n  });\n  app.go();\n});\n',
}, [
  ["src/a.ts", "A.go", ["src/block.test.ts:10", "src/block.test.ts:15", "src/file.test.ts:9"]],
  ["src/b.ts", "B.go", ["src/block.test.ts:13", "src/block.test.ts:7", "src/file.test.ts:6"]],
]);

check("a name that two files pass on to each other, and nobody defines", {
  "pkg/__init__.py": "from .a import thing\n",
  "pkg/a.py": "from . import thing\n\n\ndef run():\n    pass\n",
  "use.py": "from pkg import thing\n\nthing.run()\n",
}, [
  ["pkg/a.py", "run", []],
]);

check("variables of a package of Go", {
  "go.mod": "module example.com/cli\n",
  "cobra/command.go":
    "package cobra\n\ntype Command struct {\n\tUse string\n}\n\nfunc (c *Command) Execute() error { return nil }\n\nfunc New() *Command { return &Command{} }\n",
  "cmd/root.go":
    'package cmd\n\nimport "example.com/cli/cobra"\n\nvar rootCmd = &cobra.Command{\n\tUse: "cli",\n}\n\nvar (\n\tsubCmd = cobra.New()\n)\n\nfunc Execute() { rootCmd.Execute() }\n',
  "cmd/more.go":
    "package cmd\n\nfunc run() { rootCmd.Execute() }\n\nfunc sub() { subCmd.Execute() }\n\nfunc lent(rootCmd Other) { rootCmd.Execute() }\n\nfunc own() {\n\trootCmd := other()\n\trootCmd.Execute()\n}\n",
  "apart/apart.go": "package apart\n\nfunc run() { rootCmd.Execute() }\n",
}, [
  ["cobra/command.go", "Command.Execute", [
    "cmd/more.go:3",
    "cmd/more.go:5",
    "cmd/root.go:13",
  ]],
  ["cmd/root.go", "rootCmd", ["cmd/more.go:3"]],
]);

Deno.test("a sign before a name makes it another name in scripts, and a conversion of Go is no call", async () => {
  await using project = await createImpactProject({
    "src/own.ts":
      "export class $Any {}\nexport class Any {\n  #go() {}\n  go() {\n    this.#go();\n  }\n}\nnew $Any();\nnew Any();\n",
    "src/style.css": ".Any { color: red }\n",
    "kinds/kinds.go":
      "package kinds\n\ntype Level int\n\nfunc Low() Level {\n\treturn Level(1)\n}\n\nfunc Use() { Low() }\n",
  });
  const ask = async (symbol: string) => {
    const answer = await project.explorer.findReferences({
      symbol,
      includeText: false,
      maxResults: 50,
    });
    return answer.kind === "found"
      ? answer.references.map(({ path, line, kind }) => `${path}:${line} ${kind}`)
      : [];
  };
  deepEqual(await ask("$Any"), ["src/own.ts:1 definition", "src/own.ts:8 call"]);
  deepEqual(await ask("Any"), [
    "src/own.ts:2 definition",
    "src/own.ts:9 call",
    "src/style.css:1 definition",
  ]);
  deepEqual(await ask("#go"), ["src/own.ts:3 definition", "src/own.ts:5 call"]);
  deepEqual(await ask("Level"), [
    "kinds/kinds.go:3 definition",
    "kinds/kinds.go:5 type",
    "kinds/kinds.go:6 type",
  ]);
});

check("a value whose type is a mixin", {
  "lib/base.dart": "mixin Helper {\n  void help() {}\n}\n\nclass Other {\n  void help() {}\n}\n",
  "lib/use.dart": "import 'base.dart';\n\nvoid go(Helper h) {\n  h.help();\n}\n\n" +
    "void make() {\n  Helper k = find();\n  k.help();\n}\n",
}, [["lib/base.dart", "Helper.help", ["lib/use.dart:4", "lib/use.dart:9"]]]);

check("what a method of an implementation gives back", {
  "src/base.rs": "pub struct Log;\nimpl Log {\n    pub fn line(&self) {}\n}\n" +
    "pub struct Other;\nimpl Other {\n    pub fn line(&self) {}\n}\n",
  "src/lib.rs": "mod base;\nuse base::Log;\nstruct App;\nimpl App {\n" +
    "    fn log(&self) -> Log { Log }\n    fn go(&self) {\n        self.log().line();\n    }\n}\n",
}, [["src/base.rs", "Log.line", ["src/lib.rs:7"]]]);

check(
  "a chain that begins with the object itself, whatever sign the language gives its variables",
  {
    "src/Log.php":
      "<?php\nnamespace App;\nclass Log {\n  public function line(): void {}\n}\nclass Other {\n  public function line(): void {}\n}\n",
    "src/App.php":
      "<?php\nnamespace App;\nclass App {\n  private function log(): Log { return new Log(); }\n" +
      "  public function go(): void {\n    $this->log()->line();\n  }\n}\n",
  },
  [["src/Log.php", "Log.line", ["src/App.php:6"]]],
);
