/** What a change can break, in small projects of many languages, over real indexes and real git. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import type { ImpactFound, ImpactInput } from "../../src/impact/analyze.ts";
import { createImpactProject } from "../explore/with_programs.ts";
import { checkLanguages, COMMON_LANGUAGES, must } from "./language_cases.ts";

const should = (found: ImpactFound) =>
  found.files.filter(({ isMust }) => !isMust).map(({ path }) => path);

Deno.test("analyze() follows imports of TypeScript, Python and Go to those that depend on a definition", async () => {
  await checkLanguages(COMMON_LANGUAGES);
});

Deno.test("analyze() tells subtypes, overrides, callers of callers and matches of names apart", async () => {
  await using project = await createImpactProject({
    "src/base.ts":
      "export class Base {\n  run() { return 1; }\n}\nexport function helper() { return new Base(); }\n",
    "src/sub.ts":
      "import { Base } from './base';\nexport class Sub extends Base {\n  run() { return 2; }\n}\n",
    "src/call.ts":
      "import { helper } from './base';\nexport function outer() { return helper(); }\n",
    "src/far.ts": "import { outer } from './call';\nexport const far = () => outer();\n",
    "src/further.ts": "import { far } from './far';\nfar();\n",
    "src/loose.ts":
      "import { helper } from './base';\nexport function go(thing: unknown) { (thing as any).run(); helper(); }\n",
    "src/stranger.ts": "export function go(thing: unknown) { (thing as any).run(); }\n",
    "src/call.test.ts": "import { outer } from './call';\nouter();\n",
    "tests/base_spec.js": "test('base', () => {});\n",
    // No link leads to it, and it is named for a file that must be verified.
    "tests/loose_spec.js": "test('loose', () => {});\n",
    "factories/BaseFactory.ts": "export const make = () => 1;\n",
    "package.json": '{ "devDependencies": { "vitest": "1" } }',
  });
  const run = await project.ask({ targetFiles: ["src/base.ts"], symbols: ["Base.run"] });
  deepEqual(must(run), ["src/sub.ts"]);
  equal(run.files[0]?.edges[0]?.kind, "override");
  ok(should(run).includes("src/loose.ts"));
  ok(!should(run).includes("src/stranger.ts"), "it cannot know the class");
  ok(run.unresolved >= 1);
  const type = await project.ask({ targetFiles: ["src/base.ts"], symbols: ["Base"] });
  equal(
    type.files.find(({ path }) => path === "src/sub.ts")?.edges.some(({ kind }) =>
      kind === "inherit"
    ),
    true,
  );
  const whole = await project.ask({ targetFiles: ["src/base.ts"] });
  deepEqual(must(whole), ["src/call.ts", "src/loose.ts", "src/sub.ts"]);
  ok(should(whole).includes("src/far.ts"));
  ok(!should(whole).includes("src/further.ts"));
  deepEqual(whole.tests, ["tests/base_spec.js", "src/call.test.ts", "tests/loose_spec.js"]);
  equal(
    whole.testRun?.command,
    "npx vitest run tests/base_spec.js src/call.test.ts tests/loose_spec.js",
  );
  deepEqual(whole.naming.factories, ["factories/BaseFactory.ts"]);
  const deep = await project.ask({ targetFiles: ["src/base.ts"], depth: 3 });
  ok(should(deep).includes("src/further.ts"));
  const flat = await project.ask({ targetFiles: ["src/base.ts"], depth: 1 });
  ok(!should(flat).includes("src/far.ts"));
});

Deno.test("analyze() relaxes pure markup, and finds what pages, sheets and scripts share", async () => {
  await using project = await createImpactProject({
    "css/app.css": ".btn-primary { color: red }\n#main { margin: 0 }\n",
    "index.html":
      '<link rel="stylesheet" href="css/app.css"><div id="main" class="btn-primary"></div>\n',
    "ui.js": "document.querySelector('.btn-primary').click();\n",
    "other.js": "const text = 'btn-primary-large';\n",
    "views/Card.vue":
      "<template><b/></template>\n<script>export default { name: 'Card' }</script>\n",
    "views/Page.vue":
      "<template><Card/></template>\n<script setup>\nimport Card from './Card.vue'\n</script>\n",
    "resources/views/partials/nav.blade.php": "<nav></nav>\n",
    "resources/views/home.blade.php": "@include('partials.nav')\n",
    "docs/guide.md": "The Primary Button is drawn by btn-primary.\n",
  });
  const sheet = await project.ask({
    targetFiles: ["css/app.css"],
    changeDescription: "Rename .btn-primary",
  });
  equal(sheet.mode, "relaxed_markup");
  deepEqual(must(sheet), []);
  deepEqual(should(sheet).sort(), ["docs/guide.md", "index.html", "ui.js"]);
  deepEqual(
    sheet.crossReferences.jsFiles.map(({ file, identifier, type }) => [file, identifier, type]),
    [
      ["ui.js", "btn-primary", "class"],
    ],
  );
  equal(sheet.documents[0]?.file, "docs/guide.md");
  // A page only names its classes, so that the way from it to sheets and scripts was missing.
  const page = await project.ask({ targetFiles: ["index.html"] });
  deepEqual(should(page).sort(), ["css/app.css", "ui.js"]);
  deepEqual(
    page.crossReferences.cssFiles.map(({ file, line, identifier, type }) =>
      `${file}:${line} ${type} ${identifier}`
    ),
    ["css/app.css:1 class btn-primary", "css/app.css:2 id main"],
  );
  const mixed = await project.ask({ targetFiles: ["views/Card.vue"] });
  equal(mixed.mode, "standard");
  deepEqual(must(mixed), ["views/Page.vue"]);
  deepEqual(must(await project.ask({ targetFiles: ["resources/views/partials/nav.blade.php"] })), [
    "resources/views/home.blade.php",
  ]);
});

Deno.test("analyze() took a changed method that stands apart from its type for one that is gone", async () => {
  const text = (go: string, cpp: string) => ({
    "open.go": `package shop\n\nfunc (s *Shop) Open(${go}) string { return s.name }\n`,
    "shop.cpp": `#include "shop.hpp"\n\nvoid Shop::open(${cpp}) {\n  run();\n}\n`,
  });
  await using project = await createImpactProject({
    "shop.go": "package shop\n\ntype Shop struct{ name string }\n",
    "shop.hpp": "class Shop {\n public:\n  void open();\n};\n",
    "near.go": "package shop\n\nfunc near(s any) { s.(*Shop).Open() }\n",
    "other.go": 'package shop\n\nimport "os"\n\nfunc other() { os.Open("a") }\n',
    ...text("", ""),
  });
  await project.temp.write(text("times int", "int times"));
  const { targets } = await project.ask({ isDiff: true });
  deepEqual(targets.map(({ path, scope, symbols }) => [path, scope, ...symbols]), [
    ["open.go", "symbols", "Shop.Open"],
    ["shop.cpp", "symbols", "Shop.open"],
  ]);
  // `os.Open` is of a package that nobody here gives; `s` may be a shop.
  const { files } = await project.ask({ symbols: ["Shop.Open"] });
  deepEqual(files.filter(({ path }) => path.endsWith(".go")).map(({ path }) => path), ["near.go"]);
});

Deno.test("analyze() reads the working diff: changed, added, removed and renamed definitions", async () => {
  await using project = await createImpactProject({
    "src/a.ts":
      "export function one() { return 1; }\n\nexport function two() { return 2; }\n\nexport function three() { return 3; }\n",
    "src/use_one.ts": "import { one } from './a';\none();\n",
    "src/use_two.ts": "import { two } from './a';\ntwo();\n",
    "src/use_three.ts": "import { three } from './a';\nthree();\n",
    "src/old.ts": "export const old = 1;\nexport const more = [1, 2, 3];\n",
    "src/use_old.ts": "import { old } from './old';\nexport const now = old;\n",
    "src/gone.ts": "export const gone = () => 1;\n",
    "src/use_gone.ts": "import { gone } from './gone';\ngone();\n",
  });
  const { temp } = project;
  deepEqual((await project.ask({ isDiff: true })).targets, []);
  await temp.write({
    "src/a.ts": "export function one() { return 10; }\n\nexport function two() { return 2; }\n",
    "src/fresh.ts": "export const fresh = 1;\n",
  });
  await temp.remove("src/gone.ts");
  await temp.git("mv", "src/old.ts", "src/young.ts");
  const found = await project.ask({ isDiff: true });
  deepEqual(must(found), [
    "src/use_gone.ts",
    "src/use_old.ts",
    "src/use_one.ts",
    "src/use_three.ts",
  ]);
  const scopes = Object.fromEntries(found.targets.map(({ path, scope }) => [path, scope]));
  deepEqual(scopes, {
    "src/a.ts": "symbols",
    "src/fresh.ts": "new",
    "src/gone.ts": "removed",
    "src/old.ts": "removed",
  });
});

Deno.test("analyze() is empty and valid for files to come, and refuses what it cannot find", async () => {
  await using project = await createImpactProject({
    "src/a.ts": "export function parseConfig() {}\n",
    "src/b.ts": "export function parseConfig() {}\n",
  });
  const fresh = await project.ask({ targetFiles: ["src/new.ts"] });
  deepEqual([fresh.targets, fresh.files, fresh.testRun], [
    [{ path: "src/new.ts", scope: "new", symbols: [] }],
    [],
    null,
  ]);
  deepEqual(fresh.notices, []);
  const below = await project.ask({ targetFiles: ["a.ts"] });
  match(below.notices[0] ?? "", /paths begin at the top of the project\. .*"src\/a\.ts"/);
  for (const near of ["lib/A.ts", "project/src/a.ts"]) {
    match((await project.ask({ targetFiles: [near] })).notices[0] ?? "", /you mean "src\/a\.ts"/);
  }
  const name = await project.ask({ targetFiles: ["parseConfig"] });
  ok(name.notices[0]?.includes("a definition of that name (src/a.ts:1, and 1 more)"));
  deepEqual(await project.refuse({ targetFiles: ["../x.ts"] }), ["path_outside"]);
  deepEqual(await project.refuse({ targetFiles: ["src/*.ts"] }), ["invalid_value"]);
  deepEqual(await project.refuse({ symbols: ["parseConfi"] }), ["symbol_not_found"]);
  const both = await project.ask({ symbols: ["parseConfig"] });
  deepEqual(both.targets.map(({ path }) => path), ["src/a.ts", "src/b.ts"]);
  ok(both.notices[0]?.includes("2 definitions"));
  const folder = await project.ask({ targetFiles: ["src"] });
  deepEqual(folder.targets.map(({ path }) => path), ["src/a.ts", "src/b.ts"]);
});

Deno.test("analyze() had no callers of an override that go through the base class, and none in the same file", async () => {
  await using project = await createImpactProject({
    "shop/base.py":
      "class Sessions:\n    def save(self, name):\n        raise NotImplementedError\n\n    def keep(self, name):\n        self.save(name)\n",
    "shop/cookies.py":
      "from .base import Sessions\n\n\nclass CookieSessions(Sessions):\n    def save(self, name):\n        return name\n\n" +
      "    def save_all(self):\n        self.save('a')\n        self.save('b')\n",
    "shop/app.py":
      "from .base import Sessions\nfrom .cookies import CookieSessions\n\n\nclass App:\n    sessions: Sessions = CookieSessions()\n\n" +
      "    def finish(self):\n        self.sessions.save('x')\n",
    "shop/loose.py":
      "from .base import Sessions\n\n\ndef finish(app):\n    app.sessions.save('x')\n",
    "tests/test_app.py": "from shop.app import App\n\n\ndef test_app():\n    App().finish()\n",
  });
  const found = await project.ask({ symbols: ["CookieSessions.save"] });
  deepEqual(must(found), ["shop/app.py", "shop/base.py"]);
  const edges = found.files.flatMap(({ path, edges }) =>
    edges.filter(({ depth, kind }) => depth === 1 && kind === "call")
      .map(({ confidence, through }) => [path, confidence, through])
  );
  deepEqual(edges, [
    ["shop/app.py", "resolved", "Sessions.save"],
    ["shop/base.py", "resolved", "Sessions.save"],
    ["shop/loose.py", "name", "Sessions.save"],
  ]);
  deepEqual(found.tests, ["tests/test_app.py"]);
  deepEqual(
    found.own.map(({ line, kind, within }) => [line, kind, within]),
    [[9, "call", "CookieSessions.save_all"], [10, "call", "CookieSessions.save_all"]],
  );
});

Deno.test("analyze() called an answer complete about a language whose names nothing follows", async () => {
  await using project = await createImpactProject({
    "points.nim": "proc addPoints*(a, b: int): int =\n  a + b\n",
    "app.nim": "import points\necho addPoints(1, 2)\n",
    "main.tf": 'variable "region" {}\n',
    "a.ts": "export const a = 1;\n",
    "b.json": '{ "a": 1 }\n',
  });
  const noGrammar = "Nim: no grammar, so names are told by their lines.";
  const notFollowed = (names: string) =>
    `${names}: what uses these names is not followed; search the text for them.`;
  const rows: readonly (readonly [Partial<ImpactInput>, string[], string[]])[] = [
    [{ targetFiles: ["points.nim"] }, ["Nim"], [noGrammar, notFollowed("Nim")]],
    [{ symbols: ["addPoints"] }, ["Nim"], [noGrammar, notFollowed("Nim")]],
    // It has a grammar, and no rule of imports.
    [{ targetFiles: ["main.tf"] }, ["HCL"], [notFollowed("HCL")]],
    [{ targetFiles: ["main.tf", "points.nim", "a.ts"] }, ["HCL", "Nim"], [
      noGrammar,
      notFollowed("HCL, Nim"),
    ]],
    [{ targetFiles: ["a.ts", "b.json"] }, [], []],
    [{ targetFiles: ["new.nim"] }, [], []],
  ];
  for (const [input, unfollowed, notices] of rows) {
    const found = await project.ask(input);
    deepEqual([found.unfollowed, found.notices], [unfollowed, notices]);
  }
});
