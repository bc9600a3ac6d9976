/** The explorer over a real index: what it answers, how fresh, and what takes its place. */
import {
  deepStrictEqual as deepEqual,
  match,
  ok,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { join } from "node:path";
import type { Found, QuestionRefused } from "../../src/explore/explorer.ts";
import { createIndexedProject } from "./with_programs.ts";
import { textSource } from "../support/needs.ts";

const PAGE = { maxResults: 50 };

function found<T extends Found>(answer: T | QuestionRefused): T {
  ok(answer.kind === "found", JSON.stringify(answer));
  return answer as T;
}

Deno.test("createExplorer() answers from the index and sees edits, deletions and branches at once", async () => {
  await using project = await createIndexedProject();
  const { explorer, temp } = project;
  const define = async (symbol: string) => {
    const answer = found(await explorer.findDefinitions({ ...PAGE, symbol, exactMatch: true }));
    return answer.definitions.map(({ path, line }) => `${path}:${line}`);
  };
  const first = found(
    await explorer.findDefinitions({ ...PAGE, symbol: "loadUser", exactMatch: true }),
  );
  equal(first.source, "index");
  ok(typeof first.freshness === "object");
  deepEqual([first.freshness.pending, first.freshness.ready], [0, "lexical"]);
  await temp.write({ "src/new.ts": "export function brandNew() {}\n" });
  deepEqual(await define("brandNew"), ["src/new.ts:1"]);
  await temp.write({ "src/new.ts": "\n\nexport function brandNew() {}\n" });
  deepEqual(await define("brandNew"), ["src/new.ts:3"]);
  await temp.git("switch", "-qc", "other");
  await temp.commit("Move", { "src/moved.ts": "export function moved() {}\n" });
  deepEqual(await define("moved"), ["src/moved.ts:1"]);
  await temp.git("switch", "-q", "main");
  deepEqual(await define("moved"), []);
  deepEqual(await define("brandNew"), []);
  await temp.remove("src/load.ts");
  deepEqual(await define("loadUser"), []);
});

Deno.test("findDefinitions() and findReferences() gave totals that were cut at 2,000, or too large, without a word", async () => {
  const many = Array.from({ length: 2_100 }, (_, at) => `export const partNo${at} = ${at};\n`);
  const twice = Array.from({ length: 1_100 }, (_, at) => `left.run(right${at}.run());\n`);
  await using project = await createIndexedProject({
    files: { "src/parts.ts": many.join(""), "src/twice.ts": twice.join("") },
  });
  const { explorer } = project;
  const parts = found(
    await explorer.findDefinitions({ ...PAGE, symbol: "part", exactMatch: false }),
  );
  deepEqual([parts.match, parts.total, parts.definitions.length], ["sub_word", 2_100, 50]);
  const all = { ...PAGE, includeText: false };
  const runs = found(await explorer.findReferences({ ...all, symbol: "run" }));
  ok(runs.total >= 1_100);
  match(runs.notices?.join() ?? "", /upper bound/);
  equal(found(await explorer.findReferences({ ...all, symbol: "left" })).notices, undefined);
});

Deno.test("R42: findDefinitions() over the index: exact, other cases, words, qualified names, same-named ones", async () => {
  await using project = await createIndexedProject();
  const ask = async (symbol: string, exactMatch = false) =>
    found(await project.explorer.findDefinitions({ ...PAGE, symbol, exactMatch }));
  const save = await ask("save");
  deepEqual([save.match, save.total, save.sameNamed], ["exact", 2, 2]);
  const scoped = await ask("UserService.save");
  deepEqual(scoped.definitions.map(({ scope, line }) => [scope, line]), [["UserService", 6]]);
  equal(scoped.sameNamed, 2);
  const none = await ask("Nobody.save", true);
  equal(none.total, 0);
  ok(none.notices?.some((notice) => notice.includes("but not in Nobody")));
  equal((await ask("LOADUSER")).match, "case_insensitive");
  equal((await ask("load_user")).match, "case_insensitive");
  const words = await ask("user");
  equal(words.match, "sub_word");
  deepEqual(words.definitions.map(({ name }) => name), [
    "build_user",
    "loadUser",
    "UserService",
  ]);
  equal((await ask("btn", true)).definitions[0]?.path, "src/style.css");
  equal((await ask("Run")).definitions[0]?.path, "src/dist_build/tool.go", "code before data");
  const unknown = await ask("noSuchNameAnywhere");
  deepEqual([unknown.total, unknown.notices], [0, undefined]);
  const mistyped = await ask("lodUser");
  deepEqual([mistyped.total, mistyped.notices], [0, [
    'Nothing is called "lodUser". Perhaps you mean loadUser.',
  ]]);
});

Deno.test("answers without results name what the path and the language of the question leave out", async () => {
  await using project = await createIndexedProject();
  const { explorer } = project;
  const define = async (symbol: string, rest: Readonly<Record<string, unknown>>) =>
    found(await explorer.findDefinitions({ ...PAGE, symbol, exactMatch: false, ...rest }));
  const refer = async (symbol: string, rest: Readonly<Record<string, unknown>>) =>
    found(await explorer.findReferences({ ...PAGE, symbol, includeText: false, ...rest }));
  const below = { path: "src/dist_build" };
  const places = "src/users/service.py:6, src/users/service.py:13.";
  deepEqual((await define("save", below)).notices, [
    `"save" is not defined in "src/dist_build"; 2 places elsewhere: ${places}`,
  ]);
  deepEqual((await define("AdminService.save", { ...below, language: "go" })).notices, [
    `"AdminService.save" is not defined in "src/dist_build" and files of go; 1 place elsewhere: src/users/service.py:13.`,
  ]);
  match(
    (await define("Nowhere.save", below)).notices?.join(" ") ?? "",
    /^"save" is defined 2 times/,
  );
  match((await define("loadUsre", below)).notices?.join(" ") ?? "", /you mean loadUser\./);
  deepEqual((await define("save", { path: "src/users" })).notices, undefined);
  deepEqual((await refer("loadUser", below)).notices, [
    `"loadUser" is not named in "src/dist_build"; 4 places elsewhere: src/app.ts:2, src/app.ts:7, src/app.ts:8, ….`,
  ]);
  match((await refer("loadUsre", {})).notices?.join(" ") ?? "", /you mean loadUser\./);
  const symbols = await explorer.getSymbols({ ...PAGE, path: "src/users", language: "go" });
  match(found(symbols).notices?.join(" ") ?? "", /No file of go is in "src\/users"; .* 4 symbols/);
});

Deno.test("findDefinitions() found nothing for a method that the type inherits", async () => {
  await using project = await createIndexedProject({
    files: {
      "shop/scaffold.py": "class Scaffold:\n    def route(self):\n        pass\n",
      "shop/app.py": "from .scaffold import Scaffold\n\n\nclass App(Scaffold):\n    pass\n",
      "shop/flask.py": "from .app import App\n\n\nclass Flask(App):\n    pass\n",
      "shop/other.py": "class Other:\n    def route(self):\n        pass\n",
      "web/base.ts": "export class Base {\n  run() {}\n}\n",
      "web/page.ts": "import { Base } from './base';\nexport class Page extends Base {}\n",
      "zoo/Animal.java": "package zoo;\nclass Animal {\n  void speak() {}\n}\n",
      "zoo/Cat.java": "package zoo;\nclass Cat extends Animal {}\n",
    },
  });
  const ask = async (symbol: string, exactMatch = true) =>
    found(await project.explorer.findDefinitions({ ...PAGE, symbol, exactMatch }));
  const route = await ask("Flask.route");
  deepEqual(route.definitions.map(({ path, line }) => `${path}:${line}`), ["shop/scaffold.py:2"]);
  deepEqual([route.match, route.total, route.sameNamed], ["exact", 1, 2]);
  deepEqual(route.notices, [
    "Flask (shop/flask.py:4) does not define route itself: it inherits Scaffold.route.",
  ]);
  const run = await ask("Page.run", false);
  deepEqual(run.definitions.map(({ path }) => path), ["web/base.ts"]);
  const speak = await ask("Cat.speak");
  deepEqual(speak.definitions.map(({ path }) => path), ["zoo/Animal.java"]);
  equal((await ask("Flask.nothing")).total, 0);
  equal((await ask("Nobody.route")).total, 0);
});

Deno.test("findReferences() over the index: kinds, what is resolved, and text only when asked for", async () => {
  await using project = await createIndexedProject();
  const ask = async (symbol: string, rest: Readonly<Record<string, unknown>> = {}) =>
    found(
      await project.explorer.findReferences({ ...PAGE, symbol, includeText: false, ...rest }),
    );
  const load = await ask("loadUser");
  deepEqual(
    load.references.map((one) =>
      `${one.kind} ${one.path}:${one.line}:${one.column} ${one.confidence} ${one.definedAt}`
    ),
    [
      "import src/app.ts:2:3 resolved src/load.ts:6",
      "call src/app.ts:7:16 resolved src/load.ts:6",
      "call src/app.ts:8:16 resolved src/load.ts:6",
      "definition src/load.ts:6:17 resolved src/load.ts:6",
    ],
  );
  deepEqual([load.source, load.total, load.byKind["call"]], ["index", 4, 2]);
  ok(load.references[1]?.text.includes("const user = loadUser(options)"));
  const text = await ask("loadUser", { includeText: true });
  deepEqual(
    text.references.filter(({ kind }) => kind === "text").map(({ path, line }) => [path, line]),
    [
      ["docs/guide.md", 3],
      ["src/app.ts", 8],
      ["src/load.ts", 5],
    ],
  );
  equal(text.total, 7);
  const page = await ask("loadUser", { includeText: true, maxResults: 2, offset: 2 });
  deepEqual([page.references.length, page.total], [2, 7]);
  const nothing = await ask("neverMentioned");
  deepEqual([nothing.total, nothing.source], [0, `index+${textSource()}`]);
});

Deno.test("findReferences() of a qualified name leaves out what leads to another one", async () => {
  await using project = await createIndexedProject({
    files: {
      "a.ts": "export class A {\n  go() {\n    this.go();\n  }\n}\n",
      "b.ts": "export class B {\n  go() {\n    this.go();\n  }\n}\n",
      "c.ts": "export function use(x: unknown) {\n  x.go();\n}\n",
    },
  });
  const answer = found(
    await project.explorer.findReferences({ ...PAGE, symbol: "A.go", includeText: false }),
  );
  deepEqual(answer.references.map(({ path, line, confidence }) => [path, line, confidence]), [
    ["a.ts", 2, "resolved"],
    ["a.ts", 3, "resolved"],
    ["c.ts", 2, "name"],
  ]);
  equal(answer.sameNamed, 2);
  ok(answer.notices?.[0]?.includes("2 places lead to another"));
});

Deno.test("findReferences() keeps each place of a line that leads elsewhere, and counts overloads and constructors", async () => {
  const files = {
    "r.ts": "class Repo2 { keep() { keep(); this.keep(); } } function keep() {}\n",
    "p/Other.java":
      "package p;\nclass Other {\n  Other() {}\n  void save(int a) {}\n  void save() {}\n}\n",
    "p/Own.java":
      "package p;\nclass Own {\n  void save() {}\n  void go() { new Other().save(); o.get().save(); save(); }\n}\n",
  };
  await using project = await createIndexedProject({ files });
  const ask = async (symbol: string) => {
    const answer = await project.explorer.findReferences({ ...PAGE, symbol, includeText: false });
    return found(answer);
  };
  const show = async (symbol: string) =>
    (await ask(symbol)).references.map(({ path, line, column, kind, definedAt, overloads }) =>
      `${kind} ${path}:${line}:${column} ${definedAt ?? "?"}${
        overloads === undefined ? "" : ` of ${overloads}`
      }`
    );
  deepEqual(await show("Repo2.keep"), [
    "definition r.ts:1:15 r.ts:1",
    "call r.ts:1:37 r.ts:1",
  ]);
  equal((await ask("keep")).total, 4, "two definitions and two calls of one line");
  deepEqual(await show("Other.save"), [
    "definition p/Other.java:4:8 p/Other.java:4",
    "definition p/Other.java:5:8 p/Other.java:5",
    "call p/Own.java:4:27 p/Other.java:4 of 2",
    "call p/Own.java:4:43 ?",
  ]);
  deepEqual((await show("Other.Other")).filter((one) => !one.includes(":2:7")), [
    "definition p/Other.java:3:3 p/Other.java:3",
    "call p/Own.java:4:19 ?",
  ]);
});

Deno.test("getSymbols() over the index: a file whole, a folder's top level, kinds", async () => {
  await using project = await createIndexedProject();
  const ask = async (path: string, kind?: string) =>
    found(
      await project.explorer.getSymbols({ ...PAGE, path, ...(kind === undefined ? {} : { kind }) }),
    );
  const file = await ask("src/users/service.py");
  deepEqual(file.symbols.map(({ name, scope }) => [name, scope]), [
    ["UserService", undefined],
    ["AdminService", undefined],
    ["save", "UserService"],
    ["save", "AdminService"],
  ]);
  const folder = await ask(".");
  ok(folder.symbols.every(({ scope }) => scope === undefined));
  ok(!folder.symbols.some(({ path }) => path.endsWith(".json")), "no keys of data");
  ok(!folder.symbols.some(({ path }) => path.startsWith(".github")), "nothing hidden");
  const none = await ask("src/users/service.py", "trait");
  deepEqual([none.total, none.notices?.[0]?.includes("class, method")], [0, true]);
});

Deno.test("questions go to the files while the index is not built, and say so", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 130 }, (_, at) => [`src/f${at}.ts`, `export function run${at}() {}\n`]),
  );
  // What was written in this second is read once more: the clock is ahead of that.
  const index10s = { nowMs: () => Date.now() + 10_000 };
  await using project = await createIndexedProject({ files, isBuilt: false, index: index10s });
  const { explorer, index } = project;
  const first = found(
    await explorer.findDefinitions({ ...PAGE, symbol: "run7", exactMatch: true }),
  );
  deepEqual([first.total, first.freshness], [1, "live"]);
  ok(first.notices?.[0]?.includes("no present state of"));
  const symbols = found(await explorer.getSymbols({ ...PAGE, path: "src/f3.ts" }));
  equal(symbols.symbols[0]?.name, "run3");
  const tree = found(await explorer.analyzeStructure({ ...PAGE, path: "src" }));
  equal(tree.total, 130);
  await index.sync();
  const later = found(
    await explorer.findDefinitions({ ...PAGE, symbol: "run7", exactMatch: true }),
  );
  equal(later.source, "index");
});

Deno.test("questions go to the files when the index cannot be used at all", async () => {
  await using project = await createIndexedProject({ isBuilt: false });
  const folder = join(project.temp.repo.commonDir, "code-intel");
  // A file in the place of the folder: no database can be made there, nor beside it.
  await Deno.writeTextFile(folder, "");
  const answer = found(
    await project.explorer.findDefinitions({ ...PAGE, symbol: "loadUser", exactMatch: true }),
  );
  equal(answer.total, 1);
});

Deno.test("questions about ignored files are never the index's", async () => {
  await using project = await createIndexedProject();
  const { explorer, temp } = project;
  await temp.write({ "dist/out.js": "function onlyBuilt() {}\n" });
  const input = { ...PAGE, symbol: "onlyBuilt", exactMatch: true };
  equal(found(await explorer.findDefinitions(input)).total, 0);
  equal(found(await explorer.findDefinitions({ ...input, includeIgnored: true })).total, 1);
  equal(found(await explorer.findDefinitions({ ...input, path: "dist/out.js" })).total, 1);
});

Deno.test("a cancelled question ends as cancelled, and a wrong path is refused with the near one", async () => {
  await using project = await createIndexedProject();
  const { explorer } = project;
  await rejects(
    explorer.getSymbols({ ...PAGE, path: "src" }, { signal: AbortSignal.abort() }),
    { code: "cancelled" },
  );
  const refused = await explorer.findDefinitions({
    ...PAGE,
    symbol: "x",
    path: "src/user",
    exactMatch: false,
  });
  ok(refused.kind === "refused");
  equal(refused.problems[0]?.code, "path_not_found");
});

Deno.test("names of a language without a grammar are found by their lines, and answers say so", async () => {
  const files = {
    "e.pl": "sub hello {\n  return 1;\n}\nhello();\n# hello again\n",
    "notes.xyz": "hello\nfarewell\n",
  };
  await using project = await createIndexedProject({ files });
  const { explorer } = project;
  const page = { maxResults: 10 };
  const notice = ["Perl: no grammar, so names are told by their lines."];
  const definitions = await explorer.findDefinitions({
    symbol: "hello",
    exactMatch: false,
    ...page,
  });
  ok(definitions.kind === "found");
  deepEqual(definitions.definitions.map(({ path, line }) => `${path}:${line}`), ["e.pl:1"]);
  deepEqual(definitions.notices, notice);
  const references = await explorer.findReferences({
    symbol: "hello",
    includeText: false,
    ...page,
  });
  ok(references.kind === "found");
  deepEqual(references.references.map(({ line, kind }) => `${line} ${kind}`), [
    "1 definition",
    "4 call",
  ]);
  deepEqual(references.notices, notice);
  const symbols = await explorer.getSymbols({ path: "e.pl", ...page });
  ok(symbols.kind === "found");
  deepEqual([symbols.symbols.length, symbols.source, symbols.notices], [1, "index", notice]);
  const structure = await explorer.analyzeStructure({ path: "e.pl", ...page });
  ok(structure.kind === "found");
  deepEqual(structure.notices, notice);
  // What no language is known of is told to be there.
  const missing = await explorer.findReferences({
    symbol: "farewell",
    includeText: false,
    ...page,
  });
  ok(missing.kind === "found" && missing.total === 0);
  match(
    missing.notices?.[0] ?? "",
    /1 file names it in text that is not read: notes.xyz. include_text/,
  );
  const undefinedName = await explorer.findDefinitions({
    symbol: "farewell",
    exactMatch: false,
    ...page,
  });
  ok(undefinedName.kind === "found" && undefinedName.total === 0);
  match(undefinedName.notices?.[0] ?? "", /1 file has the name \(notes.xyz\); a text search/);
  const unknown = await explorer.getSymbols({ path: "notes.xyz", ...page });
  ok(unknown.kind === "found");
  equal(unknown.source, "files");
});

Deno.test("getSymbols() names its source in an empty project too", async () => {
  await using project = await createIndexedProject({ files: {} });
  const symbols = await project.explorer.getSymbols({ path: ".", maxResults: 5 });
  ok(symbols.kind === "found");
  equal(symbols.source, "files");
});
