/** References, impact and definitions on names of scripts: passed on under other names, hidden in blocks, `this`. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { check } from "./agreement.ts";
import { createImpactProject } from "../explore/with_programs.ts";

const RENAMED = {
  "a.ts": "export function run() {}\nfunction stop() {}\nexport { stop as halt };\n" +
    "export default class Main { go() {} }\nexport class Kit { kit() {} }\n",
  "b.ts": 'export { run as start } from "./a";\nexport { default as Lead } from "./a";\n' +
    'export * as ns from "./a";\nexport { default } from "./a";\n',
  "c.ts": [
    'import { start as begin, Lead, ns } from "./b";',
    'import { run as r, halt } from "./a";',
    'import D from "./b";',
    'import E from "./a";',
    "begin();",
    "new Lead().go();",
    "ns.run();",
    "ns.halt();",
    "new ns.default().go();",
    "r();",
    "halt();",
    "new D().go();",
    "new E().go();",
    "const z = { ...ns, other: 1 };",
    "z.run();",
    "new z.Kit().kit();",
    "export { begin as beginAgain, Lead as Front };",
  ].join("\n"),
  "d.ts": 'import { beginAgain, Front } from "./c";\nbeginAgain();\nnew Front().go();\n' +
    'import * as b from "./b";\nb.start();\nb.ns.run();\nnew b.default().go();\n' +
    "function own(beginAgain) { beginAgain(); }\n",
  "cjs.js": "class Maker { make() {} }\nmodule.exports = Maker;\n",
  "uses.js": 'const Build = require("./cjs");\nnew Build().make();\n',
};

check("names that scripts pass on under other names", RENAMED, [
  ["a.ts", "run", [
    "b.ts:1",
    "c.ts:1",
    "c.ts:10",
    "c.ts:15",
    "c.ts:17",
    "c.ts:2",
    "c.ts:5",
    "c.ts:7",
    "d.ts:1",
    "d.ts:2",
    "d.ts:5",
    "d.ts:6",
  ]],
  ["a.ts", "stop", ["c.ts:11", "c.ts:2", "c.ts:8"]],
  ["a.ts", "Main", [
    "b.ts:2",
    "b.ts:4",
    "c.ts:1",
    "c.ts:12",
    "c.ts:13",
    "c.ts:17",
    "c.ts:3",
    "c.ts:4",
    "c.ts:6",
    "d.ts:1",
    "d.ts:3",
  ]],
  ["a.ts", "Main.go", ["c.ts:12", "c.ts:13", "c.ts:6", "c.ts:9", "d.ts:3", "d.ts:7"]],
  ["a.ts", "Kit.kit", ["c.ts:16"]],
  ["cjs.js", "Maker.make", ["uses.js:2"]],
]);

check("a type and a value of one name behind modules that are passed on", {
  "core.ts": "export interface Maker<T> { new (d: string): T; init(a: T): void }\n" +
    "export interface $Box { a: string }\nexport const $Box: Maker<$Box> = null as any;\n",
  "all.ts": 'export * as core from "./core";\n',
  "use.ts": [
    'import * as z from "./all";',
    'import * as core from "./core";',
    "export const a = (b: z.core.$Box) => b.a;",
    "z satisfies z.core.$Box;",
    "export interface Own extends Base<core.$Box> {}",
    "function f(i, d) {",
    "  core.$Box.init(i, d);",
    "}",
    "const g = (i) => z.core.$Box.init(i);",
  ].join("\n"),
}, [
  ["core.ts", "$Box", ["use.ts:3", "use.ts:4", "use.ts:5", "use.ts:7", "use.ts:9"]],
  ["core.ts", "$Box.a", ["use.ts:3"]],
]);

check("names that two modules pass on, of which neither is meant", {
  "one.ts": "export const dup = () => 1;\nexport const own = () => 1;\nconst hidden = 1;\n",
  "two.ts": "export const dup = () => 2;\nexport const own = () => 2;\nexport const hidden = 2;\n",
  "all.ts": 'export * from "./one";\nexport * from "./two";\nexport { own } from "./one";\n',
  "twice.ts": 'export * from "./one";\nexport * from "./all";\n',
  "use.ts": 'import { dup, own, hidden } from "./all";\ndup();\nown();\nhidden;\n',
  "more.ts": 'import { dup, own } from "./twice";\ndup();\nown();\n',
}, [
  ["one.ts", "dup", []],
  ["two.ts", "dup", []],
  ["one.ts", "own", ["all.ts:3", "more.ts:1", "more.ts:3", "use.ts:1", "use.ts:3"]],
  ["two.ts", "own", []],
  ["two.ts", "hidden", ["use.ts:1", "use.ts:4"]],
]);

check("names that a block, a parameter or a pattern hides in its own range alone", {
  "a.ts": "export function run() {}\nexport class Dog { bark() {} }\n",
  "b.ts": [
    'import { Dog, run } from "./a";',
    "function block() {",
    "  { const run = () => 1; run(); }",
    "  run();",
    "  if (run) { class Dog { bark() {} } new Dog().bark(); }",
    "  new Dog().bark();",
    "}",
    "function parameter(run: number) {",
    "  return run;",
    "}",
    "function loop() {",
    "  for (const run of [1]) { run; }",
    "  [1].map((run) => run); run();",
    "  try { run(); } catch (run) { run; }",
    "}",
  ].join("\n"),
}, [
  ["a.ts", "run", ["b.ts:1", "b.ts:13", "b.ts:14", "b.ts:4", "b.ts:5"]],
  ["a.ts", "Dog", ["b.ts:1", "b.ts:6"]],
  ["a.ts", "Dog.bark", ["b.ts:6"]],
]);

check("what `this` is, and classes under the names of variables", {
  "dog.ts": "export class Dog {\n  bark() {}\n}\nexport const Bird = Dog;\n" +
    "export interface Iface {\n  call(): void;\n}\nexport type Fish = Iface;\n" +
    "export const tool = {\n  turn() {},\n};\n",
  "use.ts": [
    'import type { Fish } from "./dog";',
    'import { Bird, Dog, tool } from "./dog";',
    "function given(this: Dog) { this.bark(); }",
    "class Owl extends Bird {",
    "  hoot() {",
    "    this.bark();",
    "    function own() { this.bark(); }",
    "    return { bark() {}, again() { this.bark(); } };",
    "  }",
    "}",
    "new Owl().bark();",
    "const Cat = Dog;",
    "new Cat().bark();",
    "interface Shark extends Fish { bite(): void }",
    "function swim(shark: Shark) { shark.call(); }",
    "const same = tool;",
    "same.turn();",
  ].join("\n"),
}, [
  ["dog.ts", "Dog.bark", ["use.ts:11", "use.ts:13", "use.ts:3", "use.ts:6"]],
  ["dog.ts", "Iface.call", ["use.ts:15"]],
  ["dog.ts", "tool.turn", ["use.ts:17"]],
]);

check("names that begin with a dollar, which is a letter of them", {
  "kit.ts":
    "export interface $make<T> {\n  init(of: T): void;\n}\nexport const $Kit: $make<number> = null as never;\n" +
    "export const Kit = { init() {} };\n",
  "all.ts": 'export * from "./kit";\n',
  "use.ts":
    'import * as all from "./all";\nimport { $Kit, Kit } from "./kit";\nall.$Kit.init(1);\n$Kit.init(2);\nKit.init();\n' +
    "function own($Kit, $other: typeof Kit) {\n  $Kit.init();\n  $other.init();\n}\n",
}, [
  ["kit.ts", "$make.init", ["use.ts:3", "use.ts:4"]],
  ["kit.ts", "Kit.init", ["use.ts:5", "use.ts:8"]],
]);

check("what a package says that others may import of it", {
  "kit/package.json": JSON.stringify({
    name: "@acme/kit",
    exports: {
      ".": { browser: "./src/browser.ts", require: "./src/old.ts", import: "./dist/main.js" },
      "./tools/*": "./src/tools/*.ts",
      "./tools/secret/*": null,
      "./extra": { types: "./dist/extra.d.ts" },
    },
  }),
  "kit/src/main.ts": "export function cut() {}\n",
  "kit/src/browser.ts": "export function cut() {}\n",
  "kit/src/old.ts": "export function cut() {}\n",
  "kit/src/hidden.ts": "export function hide() {}\n",
  "kit/src/extra.ts": "export function add() {}\n",
  "kit/src/tools/saw.ts": "export function saw() {}\n",
  "kit/src/tools/secret/plan.ts": "export function plan() {}\n",
  "free/package.json": '{ "name": "free" }',
  "free/src/any.ts": "export function any() {}\n",
  "app/use.ts": [
    'import { cut } from "@acme/kit";',
    'import { hide } from "@acme/kit/src/hidden";',
    'import { hide as again } from "@acme/kit/hidden";',
    'import { saw } from "@acme/kit/tools/saw";',
    'import { plan } from "@acme/kit/tools/secret/plan";',
    'import { add } from "@acme/kit/extra";',
    'import { any } from "free/src/any";',
  ].join("\n"),
}, [
  ["kit/src/main.ts", "cut", ["app/use.ts:1"]],
  ["kit/src/browser.ts", "cut", []],
  ["kit/src/hidden.ts", "hide", []],
  ["kit/src/tools/saw.ts", "saw", ["app/use.ts:4"]],
  ["kit/src/tools/secret/plan.ts", "plan", []],
  ["kit/src/extra.ts", "add", ["app/use.ts:6"]],
  ["free/src/any.ts", "any", ["app/use.ts:7"]],
]);

Deno.test("find_definitions and impact know a definition by a name that it is passed on under", async () => {
  await using project = await createImpactProject(RENAMED);
  const limits = { exactMatch: false, maxResults: 10 };
  for (const [name, expected] of [["halt", "a.ts:2 stop"], ["Front", "a.ts:4 Main"]] as const) {
    const answer = await project.explorer.findDefinitions({ symbol: name, ...limits });
    ok(answer.kind === "found");
    const found = answer.definitions.map(({ path, line, name: own }) => `${path}:${line} ${own}`);
    deepEqual(found, [expected], name);
    ok(answer.notices?.some((notice) => notice.includes(`"${name}"`)), name);
    const { targets } = await project.ask({ symbols: [name] });
    deepEqual(targets.map(({ path, symbols }) => [path, ...symbols]), [
      expected.split(/:\d+ /),
    ]);
  }
});

Deno.test("impact follows the definition that holds a place, of several on its line, and names of pages apart", async () => {
  await using project = await createImpactProject({
    "base.ts": "export function base() {}\n",
    "two.ts":
      "import { base } from './base';\nexport function b() { return base(); } export function a() {}\n",
    "user.ts": "import { a } from './two';\nexport function useA() { a(); }\n",
    "other.ts": "import { b } from './two';\nexport function useB() { b(); }\n",
    "page.html": '<div id="main" class="card"></div>\n',
    "page.css": ".card { color: red }\n#main { color: blue }\n",
    "main.cpp": "int main() { return 0; }\n",
    ".gitignore": "made.ts\n",
  });
  const { files } = await project.ask({ targetFiles: ["base.ts"], symbols: ["base"], depth: 2 });
  deepEqual(files.map(({ path }) => path), ["two.ts", "other.ts"]);
  const readTargets = async (input: { symbols?: string[]; targetFiles?: string[] }) =>
    (await project.ask(input)).targets.map(({ path, scope }) => `${path} ${scope}`);
  deepEqual(await readTargets({ symbols: [".card"] }), ["page.css symbols"]);
  deepEqual(await readTargets({ symbols: ["#main"] }), ["page.css symbols", "page.html symbols"]);
  const found = await project.explorer.findReferences({
    symbol: "#main",
    includeText: false,
    maxResults: 9,
  });
  ok(found.kind === "found");
  deepEqual(found.references.map(({ path }) => path), ["page.css", "page.html"]);
  await Deno.writeTextFile(`${project.temp.dir}/made.ts`, "export const made = 1;\n");
  deepEqual(await readTargets({ targetFiles: ["made.ts"] }), ["made.ts not_indexed"]);
  const { notices } = await project.ask({ targetFiles: ["made.ts"] });
  deepEqual(notices, ["1 target is not in the index (made.ts): what uses it is not known."]);
  deepEqual(await readTargets({ targetFiles: ["later.ts"] }), ["later.ts new"]);
});

check("overloads that answer with different things, and parameters with the name of a class", {
  "shape.ts": "export class Red { paint() {} }\nexport class Blue { paint() {} }\n",
  "make.ts": [
    "import { Blue, Red } from './shape';",
    "function make(kind: 'red'): Red;",
    "function make(kind: 'blue'): Blue;",
    "function make(kind: string): Red | Blue { return kind === 'red' ? new Red() : new Blue(); }",
    "make('blue').paint();",
    "function same(kind: 'a'): Blue;",
    "function same(kind: 'b', more: number): Blue;",
    "function same(kind: string, more = 1): Blue { return new Blue(); }",
    "same('a').paint();",
    "function wide(kind?: string): Red;",
    "function wide<T extends string>(kind?: string): Blue;",
    "function wide(kind?: string): any { return new Red(); }",
    "wide().paint();",
    "export function build(Red: new () => Blue) {",
    "  new Red().paint();",
    "}",
    "export function plain() {",
    "  new Red().paint();",
    "}",
  ].join("\n"),
}, [
  ["shape.ts", "Red.paint", ["make.ts:13", "make.ts:18"]],
  ["shape.ts", "Blue.paint", ["make.ts:9"]],
]);
