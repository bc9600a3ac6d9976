/**
 * One corpus of small projects on which references and impact are asked for the same names: each place that one of them
 * proves to lead to a definition, the other proves too, and no other place.
 */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { check } from "./agreement.ts";
import { createImpactProject } from "./impact_project.ts";

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
  "src/a.ts": 'export { it } from "./b";\nexport * from "./b";\n',
  "src/b.ts": 'export { it } from "./a";\nexport * from "./a";\nexport class B {\n  run() {}\n}\n',
  "src/use.ts":
    'import { it } from "./a";\nconst one = it;\none.run();\nit.run();\nconst two = two.next().run();\n',
}, [
  ["src/b.ts", "run", []],
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

check("types of loops, results, parameters of functions and fields of Go", {
  "go.mod": "module example.com/cli\n",
  "cli/command.go":
    "package cli\n\ntype Command struct {\n\tparent *Command\n\tcommands []*Command\n\tbyName map[string]*Command\n\tOut Writer\n}\n\n" +
    'type Writer interface {\n\tFlush()\n}\n\ntype Other struct{}\n\ntype Sorted []*Command\n\nfunc (o *Other) Name() string { return "" }\n\n' +
    'func (c *Command) Name() string { return "" }\n\nfunc (c *Command) Root() *Command { return c }\n\nfunc (c *Command) Commands() []*Command { return c.commands }\n\n' +
    "func (c *Command) Find(args []string) (*Command, []string, error) { return c, nil, nil }\n\nfunc (c *Command) Visit(fn func(*Command)) {}\n",
  "cli/use.go": [
    "package cli",
    "",
    "func use(c *Command, all ...*Command) {",
    "\tfor _, sub := range c.Commands() {",
    "\t\tsub.Name()",
    "\t}",
    "\tfor _, sub := range c.byName {",
    "\t\tsub.Name()",
    "\t}",
    "\tfound, _, err := c.Find(nil)",
    "\tfound.Name()",
    "\terr.Name()",
    "\tc.Root().parent.Name()",
    "\tall[0].Name()",
    "\tc.Visit(func(one *Command) {",
    "\t\tone.Name()",
    "\t})",
    "\tc.parent.Out.Flush()",
    "\t// What a comment ends with is no receiver.",
    "\tc.Name()",
    "}",
    "",
    "func (s Sorted) less(i int) string { return s[i].Name() }",
    "",
    "func hidden(sub *Command) {",
    "\tsub.Name()",
    "\tif sub := unknown(); sub != nil {",
    "\t\tsub.Name()",
    "\t}",
    "\tfor sub := range 3 {",
    "\t\tsub.Name()",
    "\t}",
    "\tvar o Other",
    "\to.Name()",
    "}",
    "",
  ].join("\n"),
}, [
  ["cli/command.go", "Command.Name", [
    "cli/use.go:11",
    "cli/use.go:13",
    "cli/use.go:14",
    "cli/use.go:16",
    "cli/use.go:20",
    "cli/use.go:23",
    "cli/use.go:26",
    "cli/use.go:5",
    "cli/use.go:8",
  ]],
  ["cli/command.go", "Other.Name", ["cli/use.go:34"]],
  ["cli/command.go", "Writer.Flush", ["cli/use.go:18"]],
]);

check("types of expressions of TypeScript", {
  "src/kit.ts": [
    "export interface Box<T> {",
    "  open(): T;",
    "}",
    "export class Item {",
    "  next?: Item;",
    "  constructor(readonly owner: Owner) {}",
    "  get twin(): Item {",
    "    return this;",
    "  }",
    "  mark(): this {",
    "    return this;",
    "  }",
    "  static make(): Item {",
    "    return new Item(new Owner());",
    "  }",
    "}",
    "export class Owner {",
    "  items: Item[] = [];",
    "  mark() {}",
    "  load = async (): Promise<Item> => this.items[0];",
    "}",
    "export type Handler = (item: Item, owner: Owner) => void | Promise<void>;",
    "export type Options = { handler?: Handler; onDone?: (item: Item) => void } & { late(): void };",
    "export const box: Box<Item> = /* made elsewhere */ undefined as never;",
    "export const makeItem = Item.make;",
    "export { makeItem as item };",
  ].join("\n"),
  "src/all.ts": 'export * from "./kit";\nexport * as kit from "./kit";\n',
  "src/use.ts": [
    'import { box, Item, Owner } from "./all";',
    'import type { Handler, Options } from "./all";',
    'import * as all from "./all";',
    'import { kit } from "./all";',
    "const z = { ...all, other: 1 };",
    "box.open();",
    "export const handle: Handler = (item, owner) => {",
    "  item.mark();",
    "  owner.mark();",
    "};",
    "export const later = (): Handler => async (item) => {",
    "  item.twin.mark();",
    "};",
    "export async function go(owner: Owner, options: Options) {",
    "  for (const one of owner.items) {",
    "    one.mark().mark();",
    "  }",
    "  owner.items.filter(Boolean).map((each) => each.mark());",
    "  const loaded = await owner.load();",
    "  loaded.owner.mark();",
    "  const { next } = loaded;",
    "  next?.mark();",
    "  options.onDone?.(loaded);",
    "  options.late();",
    "  (loaded as unknown as Owner).mark();",
    "  z.item()",
    "    .mark();",
    "  kit.item().mark();",
    "}",
    "export function hidden(owner: Owner, given, { mark }) {",
    "  given.mark();",
    "  mark();",
    "  [1].forEach((owner) => owner.mark());",
    "  const own = (owner) => {",
    "    owner.mark();",
    "  };",
    "  return unknown(owner).mark();",
    "}",
    "export class Keeper {",
    "  #item: Item = Item.make();",
    "  keep() {",
    "    this.#item.mark();",
    "  }",
    "}",
    "export class Special extends Item {",
    "  constructor() {",
    "    super(new Owner());",
    "    super.mark();",
    "  }",
    "}",
  ].join("\n"),
  "src/renamed.ts":
    'import { makeItem as build } from "./kit";\nbuild();\nfunction own(build) {\n  build();\n}\n',
}, [
  ["src/kit.ts", "Box.open", ["src/use.ts:6"]],
  ["src/kit.ts", "Item.mark", [
    "src/use.ts:12",
    "src/use.ts:16",
    "src/use.ts:18",
    "src/use.ts:22",
    "src/use.ts:27",
    "src/use.ts:28",
    "src/use.ts:42",
    "src/use.ts:48",
    "src/use.ts:8",
  ]],
  ["src/kit.ts", "Owner.mark", ["src/use.ts:20", "src/use.ts:25", "src/use.ts:9"]],
  ["src/kit.ts", "Options.onDone", ["src/use.ts:23"]],
  ["src/kit.ts", "Options.late", ["src/use.ts:24"]],
]);

Deno.test("a sign before a name makes it another name in scripts, and a conversion of Go is no call", async () => {
  await using project = await createImpactProject({
    "src/own.ts":
      "export class $Any {}\nexport class Any {\n  #go() {}\n  go() {\n    this.#go();\n  }\n}\nnew $Any();\nnew Any();\n",
    "src/style.css": ".Any { color: red }\n",
    "src/base.ts":
      "class Base {\n  constructor() {}\n}\nclass Own extends Base {\n  constructor() {\n    super();\n  }\n}\n",
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
  deepEqual(await ask("Base.constructor"), ["src/base.ts:2 definition", "src/base.ts:6 call"]);
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
