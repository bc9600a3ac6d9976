/** What other repositories say to questions, on real folders with real indexes. */
import {
  deepStrictEqual as deepEqual,
  doesNotMatch,
  match,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { APP, createYard, DECOY, UTIL } from "./support.ts";

const ALL = ["util", "app", "decoy"] as const;

Deno.test("findReferences() lists the users of what a repository exports, in five ecosystems, and never who uses the same name of another package", async () => {
  await using yard = await createYard({ util: UTIL, app: APP, decoy: DECOY });
  await yard.build(...ALL);
  const util = yard.open("util");
  await util.add([yard.root("app"), yard.root("decoy")]);
  const rows: readonly (readonly [symbol: string, places: readonly string[]])[] = [
    ["load", [
      `web/src/main.ts:1 import: import { load as read, Store } from "@acme/util";`,
      `web/src/main.ts:5 call: store.saveTs(read("a"));`,
    ]],
    ["Store.saveTs", [`web/src/main.ts:5 call: store.saveTs(read("a"));`]],
    ["trimTs", [
      `web/src/main.ts:2 import: import { trimTs } from "@acme/util/text";`,
      `web/src/main.ts:6 call: return trimTs("b");`,
    ]],
    ["Open", [`svc/main.go:9 call: s := util.Open("a")`]],
    ["Shelf.Put", [`svc/main.go:10 call: s.Put("b")`]],
    ["read_all", [
      "job/job.py:1 import: from acme_util import read_all",
      `job/job.py:5 call: book = read_all("a")`,
    ]],
    ["Book.turn", [`job/job.py:6 call: book.turn("b")`]],
    ["Loader.fetch", [
      `jvm/src/main/java/com/acme/app/Main.java:7 call: Loader.fetch("a");`,
    ]],
    ["Loader.keep", [`jvm/src/main/java/com/acme/app/Main.java:9 call: l.keep("b");`]],
    ["pack", [
      "bin/src/main.rs:1 import: use acme_util::pack;",
      `bin/src/main.rs:4 call: let c = pack("a");`,
    ]],
    ["Crate.ship", [`bin/src/main.rs:5 call: c.ship("b");`]],
    ["shorten", [
      "bin/src/main.rs:2 import: use acme_util::text::shorten;",
      `bin/src/main.rs:6 call: shorten("d");`,
    ]],
  ];
  for (const [symbol, places] of rows) {
    const { others, notices } = await util.findReferences(symbol);
    const expected = [{ repository: "app", root: "../app", total: places.length, places }];
    deepEqual({ symbol, others, notices }, { symbol, others: expected, notices: [] });
  }
});

Deno.test("findReferences() leads the places of a project to what another repository defines", async () => {
  await using yard = await createYard({ util: UTIL, app: APP, decoy: DECOY });
  await yard.build(...ALL);
  const app = yard.open("app");
  await app.add([yard.root("decoy"), yard.root("util")]);
  const rows: readonly (readonly [symbol: string, place: string, leadsTo: string])[] = [
    ["load", "web/src/main.ts:5", "util:npm/src/load.ts:1"],
    ["Put", "svc/main.go:10", "util:go/load.go:5"],
    ["read_all", "job/job.py:5", "util:py/src/acme_util/core.py:5"],
    [
      "keep",
      "jvm/src/main/java/com/acme/app/Main.java:9",
      "util:java/src/main/java/com/acme/util/Loader.java:5",
    ],
    ["ship", "bin/src/main.rs:5", "util:rs/src/lib.rs:4"],
  ];
  for (const [symbol, place, leadsTo] of rows) {
    const { others, leading } = await app.findReferences(symbol);
    equal(leading.get(place), leadsTo, symbol);
    // Of the definitions with this name it is the one of `util` that the project uses.
    deepEqual(others.map(({ repository }) => repository), ["util"], symbol);
  }
  // What the project neither defines nor uses is told of every repository that has it.
  const { others } = await app.findReferences("Shelf");
  deepEqual(others.map(({ repository }) => repository), ["decoy", "util"]);
});

Deno.test("findDefinitions() and search() name the repository of each place", async () => {
  await using yard = await createYard({ util: UTIL, app: APP, decoy: DECOY });
  await yard.build(...ALL);
  const app = yard.open("app");
  deepEqual(await app.findDefinitions("Loader"), { others: [], notices: [] });
  await app.add([yard.root("util"), yard.root("decoy")]);
  deepEqual((await app.findDefinitions("Loader")).others, [
    {
      repository: "util",
      root: "../util",
      total: 1,
      places: ["java/src/main/java/com/acme/util/Loader.java:3 class Loader"],
    },
    {
      repository: "decoy",
      root: "../decoy",
      total: 1,
      places: ["jvm/src/main/java/com/decoy/util/Loader.java:3 class Loader"],
    },
  ]);
  deepEqual((await app.findDefinitions("Crate.ship")).others.map(({ places }) => places), [
    ["rs/src/lib.rs:4 method Crate.ship(&self, x: &str)"],
  ]);
  const [best] = (await app.search("where is a book turned")).others;
  equal(best?.repository, "util");
  match(best?.places[0] ?? "", /^py\/src\/acme_util\/core\.py:\d+-\d+ /);
});

Deno.test("searchLines() reads lines of other repositories from the disk, within the files and kinds that are asked for", async () => {
  await using yard = await createYard({ util: UTIL, app: APP, decoy: DECOY });
  await yard.build("util", "app", "decoy");
  const app = yard.open("app");
  await app.add([yard.root("util"), yard.root("decoy")]);
  const plain = { caseSensitive: true, fixed: false, wholeWord: false, contextLines: 0 };
  const lines = async (query: Partial<Parameters<typeof app.searchLines>[0]>) => {
    const { others, notices } = await app.searchLines({ ...plain, patterns: ["x"], ...query });
    deepEqual(notices, []);
    return others.map(({ repository, total, places }) => [repository, total, ...places]);
  };
  const def = "py/src/acme_util/core.py:5:def read_all(path):";
  deepEqual(await lines({ patterns: ["^def read_"] }), [["util", 1, def]]);
  deepEqual(await lines({ patterns: ["shorten\\(s"], fileType: "py" }), [
    ["decoy", 1, "job/job.py:6:def shorten(s):"],
  ]);
  deepEqual(await lines({ patterns: ["shorten(s"], fixed: true, globs: ["*.rs"] }), [
    ["util", 1, "rs/src/text.rs:1:pub fn shorten(s: &str) -> &str { s }"],
    ["decoy", 1, "bin/src/main.rs:3:fn shorten(s: &str) -> &str { s }"],
  ]);
  yard.write("util", { "py/src/acme_util/core.py": "\n\ndef read_all(path, mode):\n" });
  deepEqual(await lines({ patterns: ["^def read_"] }), [
    ["util", 1, "py/src/acme_util/core.py:3:def read_all(path, mode):"],
  ]);
  deepEqual(await lines({ patterns: ["("] }), []);
});

Deno.test("the index of a member whose paths lead out of it shows nothing of what lies there", async () => {
  const use = `import { load } from "@acme/util";\nload("a");\n`;
  await using yard = await createYard({
    util: UTIL,
    bad: {
      "package.json": `{"dependencies": {"@acme/util": "1"}}`,
      "a.ts": use,
      "b.ts": use,
      "c.ts": use,
    },
    secret: { "key.ts": "\nload('the secret');\n" },
  });
  await yard.build("util", "bad");
  const util = yard.open("util");
  await util.add([yard.root("bad")]);
  const db = new DatabaseSync(join(yard.indexFolder(yard.root("bad")), "index.db"));
  const rename = db.prepare("UPDATE paths SET path = ? WHERE path = ?");
  rename.run("../secret/key.ts", "a.ts");
  rename.run("c/../../secret/key.ts", "b.ts");
  db.close();
  const lines = {
    patterns: ["load"],
    caseSensitive: true,
    fixed: true,
    wholeWord: false,
    contextLines: 0,
  };
  const told = [
    await util.findDefinitions("load"),
    await util.findReferences("load"),
    await util.search("load"),
    await util.searchLines(lines),
  ];
  match(JSON.stringify(told), /c\.ts:2/);
  doesNotMatch(JSON.stringify(told), /the secret/);
});

Deno.test("findUsers() finds who still uses what is removed, and what two repositories give under one name leads nowhere", async () => {
  await using yard = await createYard({ util: UTIL, app: APP, fork: UTIL });
  await yard.build("util", "app", "fork");
  const util = yard.open("util");
  await util.add([yard.root("app")]);
  const [symbol] = await removeLoad();
  const seeds = { symbols: symbol === undefined ? [] : [symbol], files: [] };
  const told = await util.findUsers(seeds);
  deepEqual(told.others.map(({ places }) => places[1]), [
    `web/src/main.ts:5 call load in main: store.saveTs(read("a"));`,
  ]);
  await util.add([yard.root("fork")]);
  deepEqual((await util.findReferences("Open")).others.map(({ repository }) => repository), []);
  deepEqual((await util.listAmbiguous()).map(({ parts }) => parts)[0], ["", "fork"]);

  /** The definition as it was, and an index of the state after it. */
  async function removeLoad() {
    const { Member } = await import("../../../src/features/workspace/member.ts");
    const root = yard.root("util");
    const toFolders = () => [yard.indexFolder(root)];
    const member = new Member({ name: "", root, isNested: false, toFolders });
    equal(member.open(), "ready");
    const { hits } = member.snapshot(() => member.view.findSymbols({ name: "load" }));
    member.close();
    yard.write("util", { "npm/src/load.ts": "export const other = 1;\n" });
    await yard.build("util");
    return hits;
  }
});

Deno.test("a member without a usable index, or that is gone, is named with the next step while the others answer", async () => {
  const small = { "a.py": "def shared_name(): ...\n" };
  const names = ["gone", "missing", "older", "newer", "damaged", "linked", "good"];
  await using yard = await createYard(
    Object.fromEntries(["own", ...names].map((name) => [name, small])),
  );
  await yard.build("own", "gone", "older", "newer", "damaged", "good");
  const own = yard.open("own");
  await own.add(names.map(yard.root));
  const database = (name: string) => join(yard.indexFolder(yard.root(name)), "index.db");
  await Deno.remove(yard.root("gone"), { recursive: true });
  for (const [name, version] of [["older", 1], ["newer", 999]] as const) {
    const db = new DatabaseSync(database(name));
    db.exec(`PRAGMA user_version = ${version}`);
    db.close();
  }
  await Deno.writeTextFile(database("damaged"), "SQLite format 3\0 and nothing of it".repeat(500));
  await Deno.mkdir(yard.indexFolder(yard.root("linked")), { recursive: true });
  await Deno.symlink(database("good"), database("linked"));
  const before = await Deno.readFile(database("damaged"));
  const { others, notices } = await own.findDefinitions("shared_name");
  deepEqual(others.map(({ repository }) => repository), ["good"]);
  deepEqual(notices.map((notice) => notice.replace(/`.*`/, "…")), [
    'The member "gone" of the workspace is not at ../gone any more: … takes it out.',
    '"missing" has no index yet: … brings it up to date.',
    'The index of "older" is of an older version of code-intel: … brings it up to date.',
    'The index of "newer" is of a newer version of code-intel, and was not asked.',
    'The index of "damaged" cannot be read: … brings it up to date.',
    'The index of "linked" cannot be read: … brings it up to date.',
  ]);
  deepEqual(await Deno.readFile(database("damaged")), before, "reading mends nothing");
  const states = (await own.describe() ?? []).map(({ name, state }) => [name, state]);
  deepEqual(states, [
    ["gone", "gone"],
    ["missing", "no_index"],
    ["older", "older"],
    ["newer", "newer"],
    ["damaged", "unusable"],
    ["linked", "unusable"],
    ["good", "ready"],
  ]);
});

Deno.test("a member that became a bare repository, a link or an empty folder is told as gone, and keeps its index", async () => {
  const small = { "a.py": "def shared_name(): ...\n" };
  const names = ["bare", "linked", "empty", "good"];
  await using yard = await createYard(
    Object.fromEntries(["own", "other", ...names].map((name) => [name, small])),
  );
  await yard.build("own", ...names);
  const own = yard.open("own");
  await own.add(names.map(yard.root));
  const databases = () =>
    Promise.all(
      names.map((name) => Deno.readFile(join(yard.indexFolder(yard.root(name)), "index.db"))),
    );
  const before = await databases();
  for (const name of ["bare", "linked", "empty"]) {
    await Deno.remove(yard.root(name), { recursive: true });
  }
  for (const inside of ["objects", "refs"]) {
    await Deno.mkdir(join(yard.root("bare"), inside), { recursive: true });
  }
  yard.write("bare", {
    "HEAD": "ref: refs/heads/main\n",
    "hooks/a.py": "def shared_name(): ...\n",
  });
  await Deno.symlink(yard.root("other"), yard.root("linked"));
  await Deno.mkdir(yard.root("empty"));
  const { others, notices } = await own.findDefinitions("shared_name");
  deepEqual(others.map(({ repository }) => repository), ["good"]);
  const rest = (name: string) => `: \`code-intel workspace remove ${name}\` takes it out.`;
  deepEqual(notices, [
    `The member "bare" of the workspace at ../bare is not asked, since it is a bare repository, which has no files to read${
      rest("bare")
    }`,
    `The member "linked" of the workspace at ../linked is not asked, since a link leads from there to another folder${
      rest("linked")
    }`,
    `The member "empty" of the workspace at ../empty is not asked, since it has neither a git repository nor a manifest of a package${
      rest("empty")
    }`,
  ]);
  deepEqual(await databases(), before);
  await rejects(own.bring(yard.root("bare"), new AbortController().signal), /bare repository/);
  const states = (await own.describe() ?? []).map(({ state }) => state);
  deepEqual(states, ["gone", "gone", "gone", "ready"]);
});

Deno.test("a file that changed since the index saw it is said, and a repository inside of the project is a member by itself", async () => {
  await using yard = await createYard({
    own: { "a.py": "x = 1\n", "inner/b.py": "def inside(): ...\n", "inner/.git": "gitdir: x\n" },
  });
  await yard.build("own", "own/inner");
  const own = yard.open("own");
  await own.add([]);
  deepEqual(await own.findDefinitions("inside"), {
    others: [{
      repository: "inner",
      root: "inner",
      total: 1,
      places: ["b.py:1 function inside()"],
    }],
    notices: [],
  });
  yard.write("own", { "inner/b.py": "\n\ndef inside(): ...\n" });
  deepEqual((await own.findDefinitions("inside")).notices, [
    '1 of the files shown of "inner" changed since its index saw them: lines may have moved.',
  ]);
  await own.bring(yard.root("own/inner"), new AbortController().signal);
  deepEqual((await own.findDefinitions("inside")).others[0]?.places, ["b.py:3 function inside()"]);
});

Deno.test("describe() names whom a member imports itself, and not whom these import", async () => {
  const toFiles = (name: string, uses: readonly string[]) => ({
    "package.json": JSON.stringify({
      name,
      main: "a.ts",
      dependencies: Object.fromEntries(uses.map((one) => [one, "1"])),
    }),
    "a.ts": `${uses.map((one) => `import { x } from "${one}";\n`).join("")}export const x = 1;\n`,
  });
  await using yard = await createYard({
    base: toFiles("@a/base", []),
    middle: toFiles("@a/middle", ["@a/base"]),
    top: toFiles("@a/top", ["@a/middle"]),
  });
  await yard.build("base", "middle", "top");
  const base = yard.open("base");
  await base.add([yard.root("middle"), yard.root("top")]);
  const found = (await base.describe() ?? []).map(({ name, imports }) => [name, imports]);
  deepEqual(found, [["middle", [""]], ["top", ["middle"]]]);
});

Deno.test("findReferences() finds users that a require gives another name, and none of another package", async () => {
  const uses = (module: string) =>
    `const { load: read, Store: Shop } = require("${module}");\nread("a");\nconst shop = new Shop();\nshop.put(1);\nfunction run() {\n  const { load: inner } = require("${module}");\n  return inner("b");\n}\n`;
  await using yard = await createYard({
    util: {
      "package.json": `{"name": "@acme/util", "main": "load.js"}`,
      "load.js":
        "function load(p) {\n  return p;\n}\nclass Store {\n  put(x) {}\n}\nmodule.exports = { load, Store };\n",
    },
    app: {
      "package.json": `{"name": "app", "dependencies": {"@acme/util": "1", "other": "1"}}`,
      "one.js": uses("@acme/util"),
      "other.js": uses("other"),
    },
  });
  await yard.build("util", "app");
  const util = yard.open("util");
  await util.add([yard.root("app")]);
  const places = async (symbol: string) => (await util.findReferences(symbol)).others[0]?.places;
  deepEqual(await places("load"), [
    `one.js:1 read: const { load: read, Store: Shop } = require("@acme/util");`,
    `one.js:2 call: read("a");`,
    `one.js:6 read: const { load: inner } = require("@acme/util");`,
    `one.js:7 call: return inner("b");`,
  ]);
  deepEqual(await places("Store"), [
    `one.js:1 read: const { load: read, Store: Shop } = require("@acme/util");`,
    `one.js:3 call: const shop = new Shop();`,
  ]);
  deepEqual(await places("put"), [`one.js:4 call: shop.put(1);`]);
});
