/** Answers without an index: the same as with it, and what holds for every question: the project, links, cancellation, odd names. */
import {
  deepStrictEqual as deepEqual,
  match,
  ok,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { join } from "node:path";
import type { SearchTextInput } from "../../src/explore/explorer.ts";
import { TimeBudget } from "../../src/explore/index_access.ts";
import { SHOP } from "./shop_project.ts";
import { createPlainExplorer, createUnbuiltProject, eachWay } from "./sample_project.ts";

const TEXT: SearchTextInput = {
  patterns: ["x"],
  caseSensitive: true,
  fixed: true,
  wholeWord: false,
  contextLines: 0,
  maxResults: 100,
};

Deno.test("R52: createExplorer() looks into its project by default, not into the folder of the process", async () => {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "distance-app-build-" }));
  try {
    await Deno.writeTextFile(join(dir, "only.py"), "def only_here(): pass\n");
    await using project = createPlainExplorer(dir);
    const { explorer } = project;
    const text = await explorer.searchText({ ...TEXT, patterns: ["def "] });
    ok(text.kind === "found");
    deepEqual(text.matches.map((match) => match.path), ["only.py"]);
    // R49: the name of the project is no reason to leave its files out.
    const found = await explorer.findDefinitions({
      symbol: "only_here",
      exactMatch: true,
      maxResults: 9,
    });
    equal(found.kind === "found" && found.total, 1);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

eachWay(
  "createExplorer() shows nothing through links and nothing of deleted files",
  async ({ explorer, temp }) => {
    await Deno.symlink("/etc/passwd", join(temp.dir, "passwd.txt"));
    await Deno.symlink(join(temp.dir, "src"), join(temp.dir, "linked"));
    await temp.remove("src/load.ts");
    const text = await explorer.searchText({ ...TEXT, patterns: ["root:"] });
    equal(text.kind === "found" && text.total, 0);
    const names = await explorer.findDefinitions({
      symbol: "loadUser",
      exactMatch: true,
      maxResults: 9,
    });
    equal(names.kind === "found" && names.total, 0);
    // A link inside the project is the folder that it leads to.
    const linked = await explorer.searchText({
      ...TEXT,
      path: "linked",
      patterns: ["package tool"],
    });
    deepEqual(linked.kind === "found" && linked.shownFiles, ["src/dist_build/tool.go"]);
  },
);

eachWay(
  "createExplorer() ends every question when the call is cancelled",
  async ({ explorer }) => {
    const options = { signal: AbortSignal.abort() };
    const page = { maxResults: 5 };
    const cancelled = { code: "cancelled" };
    await rejects(explorer.searchText(TEXT, options), cancelled);
    await rejects(
      explorer.findDefinitions({ ...page, symbol: "save", exactMatch: true }, options),
      cancelled,
    );
    await rejects(
      explorer.findReferences({ ...page, symbol: "save", includeText: true }, options),
      cancelled,
    );
  },
);

eachWay(
  "createExplorer() takes names of files that look like options or hold odd signs",
  async ({ explorer, temp }) => {
    await temp.write({
      "--pre=x.py": "def odd_one(): pass\n",
      "sp ace é.py": "def odd_two(): pass\n",
      "-": "odd_\n",
    });
    const found = await explorer.findDefinitions({
      symbol: "odd",
      exactMatch: false,
      maxResults: 9,
    });
    deepEqual(found.kind === "found" && found.definitions.map((one) => one.path), [
      "--pre=x.py",
      "sp ace é.py",
    ]);
    const text = await explorer.searchText({ ...TEXT, patterns: ["odd_"] });
    deepEqual(text.kind === "found" && text.shownFiles, ["-", "--pre=x.py", "sp ace é.py"]);
  },
);

const MORE_FILES = {
  "go/shop.go":
    "package shop\n\ntype Shop struct{}\n\nfunc (s *Shop) Open() error {\n\treturn nil\n}\n\n" +
    "func run() {\n\tvar s Shop\n\ts.Open()\n}\n",
  "shop/scaffold.py": "class Scaffold:\n    def route(self):\n        pass\n",
  "shop/flask.py":
    "from .scaffold import Scaffold\n\n\nclass Flask(Scaffold):\n    pass\n\n\nFlask().route()\n",
  "web/barrel.ts": "export { Cart as Basket } from '../src/cart/cart.ts';\n",
  "e.pl": "sub hello {\n  return 1;\n}\nhello();\n",
  // Files through which a name comes that they do not have.
  "web/all.ts": "export * from '../src/money.ts';\n",
  "web/use.ts": "import { parseMoney } from './all.ts';\nparseMoney('1');\n",
  "shop/all.py": "from .scaffold import *\n",
  "shop/use.py": "from .all import Scaffold\n\nScaffold()\n",
};

Deno.test("an answer from files that are read is the answer of the index", async () => {
  await using project = await createUnbuiltProject({ ...SHOP, ...MORE_FILES });
  const { explorer, index } = project;
  const definitions = [
    "Cart",
    "totalPrice",
    "Parcel.save",
    "cart.Cart",
    "TOTALPRICE",
    "parse_money",
  ];
  const askAll = async () => {
    const page = { maxResults: 50 };
    const asked: Record<string, unknown> = {};
    for (const symbol of [...definitions, "price", "Shop.Open", "Flask.route", "hello", "none"]) {
      asked[`def ${symbol}`] = await explorer.findDefinitions({
        ...page,
        symbol,
        exactMatch: false,
      });
    }
    for (
      const symbol of [
        ...["Cart", "totalPrice", "Cart.totalPrice", "Shop", "Open", "hello", "save"],
        ...["parseMoney", "Scaffold"],
      ]
    ) {
      for (const includeText of [false, true]) {
        asked[`refs ${symbol} ${includeText}`] = await explorer.findReferences({
          ...page,
          symbol,
          includeText,
        });
      }
    }
    for (const path of ["src", ".", "src/shipping.ts", "README.md", "e.pl"]) {
      asked[`symbols ${path}`] = await explorer.getSymbols({ ...page, path });
      asked[`structure ${path}`] = await explorer.analyzeStructure({ ...page, path });
    }
    asked["function"] = await explorer.getFunctionAtLine({
      path: "src/money.ts",
      line: 5,
      contextLines: 1,
    });
    return asked;
  };
  const before = await askAll();
  await index.sync();
  const after = await askAll();
  for (const [question, answer] of Object.entries(before)) {
    const [live, indexed] = [answer, after[question]] as Readonly<Record<string, unknown>>[];
    ok(live !== undefined && indexed !== undefined);
    equal(live["freshness"], "live", question);
    ok(!String(live["source"]).includes("index") && live["source"] !== "", question);
    ok(indexed["total"] === 0 || String(indexed["source"]).startsWith("index"), question);
    deepEqual(toResult(live), toResult(indexed), question);
  }
  equal((before["def Flask.route"] as { readonly total: number }).total, 1);
});

/** An answer without what says how it was found. */
function toResult(answer: Readonly<Record<string, unknown>>): unknown {
  const { source: _source, freshness: _freshness, notices: _notices, ...rest } = answer;
  return rest;
}

Deno.test("an answer from files that are read says what limits it", async () => {
  const files = Object.fromEntries(
    Array.from(
      { length: 30 },
      (_, at) => [`src/use${at}.ts`, `import { made } from "./made.ts";\n`],
    ),
  );
  await using project = await createUnbuiltProject({
    ...files,
    "src/made.ts": "export function made() {}\n",
    "src/big.ts": `export function huge() {}\n${"// made\n".repeat(150_000)}`,
  });
  const { explorer, temp } = project;
  const input = { symbol: "made", exactMatch: true, maxResults: 9 };
  const answer = await explorer.findDefinitions(input);
  ok(answer.kind === "found");
  deepEqual(answer.definitions.map(({ path }) => path), ["src/made.ts"]);
  deepEqual(answer.notices?.slice(1), ["Passed over: 1 file over 1048576 bytes."]);
  match(answer.notices?.[0] ?? "", /^The index .*has no present state of \d+ files/);
  // A link is no file of the project.
  await Deno.symlink(join(temp.dir, "src/made.ts"), join(temp.dir, "src/link.ts"));
  const linked = await explorer.getSymbols({ path: "src", kind: "function", maxResults: 9 });
  ok(linked.kind === "found" && linked.total === 1);
  ok(linked.notices?.includes("1 link or special file was not searched."));
});

Deno.test("a question that has no time left says which files it has not searched", async () => {
  const patience = new TimeBudget();
  patience.limit = () => -1;
  const files = { "a.py": "def here(): return 1\n", "b.py": "here()\n" };
  await using project = await createUnbuiltProject(files, { patience });
  const found = await project.explorer.findDefinitions({
    symbol: "here",
    exactMatch: true,
    maxResults: 9,
  });
  ok(found.kind === "found");
  equal(found.total, 0);
  const unread = /\d+ files were not read within the time of an answer/;
  match(found.notices?.join() ?? "", unread);
  const asked = await project.explorer.findReferences({
    symbol: "here",
    includeText: true,
    maxResults: 9,
  });
  ok(asked.kind === "found");
  match(asked.notices?.join() ?? "", unread);
});
