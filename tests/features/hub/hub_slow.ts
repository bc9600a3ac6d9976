/** A whole hub on a real PostgreSQL: the questions of both stores, jobs, clients over HTTP, and what fails. */
import { listProjectFiles } from "../../../src/git/trees/file_lists.ts";
import {
  deepStrictEqual as deepEqual,
  ok,
  rejects,
  strictEqual as equal,
  throws,
} from "node:assert/strict";
import { join } from "node:path";
import { OWN_THREAD } from "../../../src/analysis/analysis_pool.ts";
import { CodeIntelError } from "../../../src/base/errors.ts";
import { HubStore } from "../../../src/features/hub/hub_store.ts";
import { StoredIndex } from "../../../src/features/hub/stored_index.ts";
import { parseStorePlace } from "../../../src/features/hub/postgres/store_place.ts";
import { createCodeIndex } from "../../../src/index/code_index.ts";
import type { ChunkScore, IndexView } from "../../../src/index/read/view.ts";
import { SETTINGS } from "../../index/support.ts";
import { connectOverHttp } from "../../support/server/http_server.ts";
import { testNeeding } from "../../support/needs.ts";
import type { TestPostgres } from "../../support/postgres.ts";
import { startPostgres } from "../../support/postgres.ts";
import type { TempRepo } from "../../support/temp_repo.ts";
import { createTempRepo } from "../../support/temp_repo.ts";
import { ask, call, doAll, serveAnd, TOKEN } from "./served.ts";

const CART = [
  "/** A cart of books. */",
  "export class Cart {",
  "  /** Adds one item to the cart. */",
  "  addItem(name: string): number { return name.length; }",
  "}",
  'export const sum = (cart: Cart) => cart.addItem("x");',
  "",
].join("\n");
const USER = [
  'import { Cart } from "@shop/cart";',
  "const own = new Cart();",
  'own.addItem("book");',
  "",
].join("\n");

testNeeding(["postgres"], "a hub answers for many repositories", async (t) => {
  await using postgres = await startPostgres();
  await using shop = await createTempRepo();
  await using app = await createTempRepo();
  const folder = await Deno.makeTempDir();
  const hub = await HubStore.open(parseStorePlace(postgres.url));
  const work = (store = hub, signal = new AbortController().signal) => doAll(store, folder, signal);
  try {
    await shop.commit("Begin", { "src/cart.ts": CART, ...await readFixtures() });
    await app.commit("Begin", { "main.ts": USER });
    hub.add({ name: "shop", url: shop.dir, branch: null });
    hub.add({ name: "app", url: app.dir, branch: null });
    const done = await work();
    deepEqual(done.map(({ failure }) => failure), [null, null]);

    await t.step("both stores answer the same questions alike", () => compareStores(shop, hub));
    await t.step("a client finds users of one symbol in two repositories", async () => {
      await serveAnd(hub, async (url) => {
        for (const era of ["2025-11-25", "2026-07-28"] as const) {
          const client = await connectOverHttp({ url, token: TOKEN }, era);
          const found = await ask(client, "find_references", { symbol: "addItem" });
          deepEqual(found.map(({ repository, total }) => [repository, total]), [["app", 1], [
            "shop",
            2,
          ]]);
          const defined = await ask(client, "find_definitions", { symbol: "Cart" });
          deepEqual(defined.map(({ repository }) => repository), ["shop"]);
          const [hits] = await ask(client, "semantic_search", {
            repository: "shop",
            query: "add one item to the cart",
          });
          equal((hits?.["hits"] as { readonly path: string }[])[0]?.path, "src/cart.ts");
          await client.close();
        }
      });
    });
    await t.step("a restart of PostgreSQL between two calls loses no answer", async () => {
      await serveAnd(hub, async (url) => {
        const client = await connectOverHttp({ url, token: TOKEN }, "2026-07-28");
        await ask(client, "find_definitions", { symbol: "Cart" });
        await postgres.restart();
        equal((await ask(client, "find_definitions", { symbol: "Cart" })).length, 1);
        await postgres.restart({ isDown: true });
        const refused = await call(client, "find_definitions", { symbol: "Cart" });
        equal(refused["error"], "store_unreachable");
        ok(!JSON.stringify(refused).includes(passwordOf(postgres)));
        equal((await fetch(new URL("/health", url))).status, 503);
        await postgres.start();
        equal((await ask(client, "find_definitions", { symbol: "Cart" })).length, 1);
        await client.close();
      });
    });
    await t.step("fifty clients at once are all answered", async () => {
      await serveAnd(hub, async (url) => {
        const answers = await Promise.all(Array.from({ length: 50 }, async () => {
          const client = await connectOverHttp({ url, token: TOKEN }, "2026-07-28");
          const found = await ask(client, "find_references", { symbol: "addItem" });
          await client.close();
          return found.length;
        }));
        deepEqual(answers, Array(50).fill(2));
      });
    });
    await t.step("a client without the token learns nothing", async () => {
      await serveAnd(hub, async (url) => {
        const response = await fetch(url, { method: "POST", body: "{}" });
        equal(response.status, 401);
        await response.body?.cancel();
      });
    });
    await t.step("a refresh reads what is new, and forgets what nobody has", async () => {
      await shop.commit("Rename", { "src/cart.ts": CART.replace("addItem", "putItem") });
      equal(hub.askRefresh("shop"), 1);
      const [job] = await work();
      deepEqual(job?.report, { read: 1, analysed: 1, removed: 1, failed: [] });
      hub.askRefresh("shop");
      const again = (await work())[0]?.report;
      deepEqual(again, { read: 0, analysed: 0, removed: 0, failed: [] });
    });
    await t.step(
      "the job of a killed indexer is taken over, and the killed one changes nothing",
      async () => {
        hub.askRefresh("shop");
        const lost = hub.take();
        ok(lost !== null);
        equal(hub.take(), null, "while it has its lease nobody else takes it");
        hub.link.run("UPDATE jobs SET leased_until = clock_timestamp() - interval '1 second'");
        equal((await work())[0]?.failure, null);
        throws(() => hub.renew(lost), { code: "busy" });
        hub.askRefresh("shop");
        const held = hub.take();
        ok(held !== null);
        hub.askRefresh("shop");
        equal(hub.take(), null, "asking anew takes no lease from anybody");
        hub.link.exec("UPDATE store SET version = version + 1");
        throws(() => hub.renew(held), { code: "store_newer" });
        throws(() => hub.take(), { code: "store_newer" });
        hub.link.exec("UPDATE store SET version = version - 1");
        hub.finish(held, hub.now(), null);
        equal((await work()).length, 0, "what was asked before it ended is done");
      },
    );
    await t.step("two indexers at once do each job once", async () => {
      const other = await HubStore.open(parseStorePlace(postgres.url));
      hub.askRefresh(null);
      const both = await Promise.all([work(), work(other)]);
      other.close();
      deepEqual(both.flat().map(({ url }) => url).sort(), [app.dir, shop.dir].sort());
    });
    await t.step("a remote that is gone fails its own job alone", async () => {
      hub.add({ name: "gone", url: join(folder, "nowhere"), branch: null });
      const [job] = await work();
      ok(job?.failure?.includes("Cannot use the remote"));
      ok(hub.find("gone")?.job?.failure?.includes("Cannot use the remote"));
      equal(hub.take(), null, "it waits for its next attempt");
      equal(hub.askRefresh("gone"), 1);
      equal((await work()).length, 1, "who asks for it anew does not wait");
      equal(hub.remove("gone"), true);
    });
    await t.step("what fails says why, without the password", () => failAll(postgres, hub));
  } finally {
    hub.close();
    await Deno.remove(folder, { recursive: true });
  }
});

/** Files of several languages, so that every kind of record is asked for, and a content that two paths have. */
async function readFixtures(): Promise<Record<string, string>> {
  const same = "def add_item(cart):\n    return cart.add_item('x')\n";
  const files: Record<string, string> = { "python/copy.py": same, "python/same.py": same };
  for (const language of ["python", "go", "java"]) {
    const folder = join("tests/fixtures/languages", language);
    for await (const { name, isFile } of Deno.readDir(folder)) {
      if (isFile) files[`${language}/${name}`] = await Deno.readTextFile(join(folder, name));
    }
  }
  return files;
}

async function compareStores(repo: TempRepo, hub: HubStore): Promise<void> {
  const { repo: repository } = repo;
  const index = createCodeIndex({
    projectRoot: repository.worktree,
    folder: join(repository.commonDir, "code-intel"),
    listFiles: (list) => listProjectFiles(repository, list),
    loadSettings: () => Promise.resolve(SETTINGS),
    analyser: OWN_THREAD,
  });
  try {
    await index.sync();
    const stored = new StoredIndex(hub, "shop");
    const [own, other] = [await index.read(answerAll), await stored.read(answerAll)];
    for (const [question, answer] of Object.entries(own)) {
      deepEqual((other as Record<string, unknown>)[question], answer, question);
    }
  } finally {
    await index.close();
  }
}

/** Every question; numbers of the database are replaced by what they stand for. */
function answerAll(view: IndexView) {
  const paths = view.listFiles().map(({ path }) => path);
  const files = new Map([...view.listFileNumbers()].map(([path, number]) => [number, path]));
  const names = (of: readonly number[]) => {
    const known = view.readNames(of);
    return of.map((number) => known.get(number) ?? "?").sort();
  };
  const chunk = ({ number: _, ...rest }: ReturnType<IndexView["listChunks"]>[number]) => rest;
  // Scores are sums of floating numbers: the ninth digit is beyond both.
  const round = (score: number) => Math.round(score * 1e6) / 1e6;
  const scored = (found: readonly ChunkScore[]) =>
    found.map(({ number, score }) => {
      const [only] = view.readChunks([number]);
      return `${round(score)} ${only?.id}`;
    }).sort();
  const contents = view.listContents(view.findContents(paths));
  const pathOf = new Map(contents.map(({ content, path }) => [content, path]));
  const toPaths = (of: readonly number[]) => of.map((number) => pathOf.get(number) ?? "?").sort();
  const mentioned = view.listMentioned();
  const numbers = contents.map(({ content }) => content);
  const facts = view.readFacts({ definitions: numbers, windows: numbers, users: numbers });
  return {
    count: view.count(),
    files: view.listFiles(),
    oneFile: [view.getFile("src/cart.ts"), view.getFile("none")],
    skipped: [view.listSkipped(), view.countSkipped()],
    symbols: view.listSymbols("."),
    ofFile: paths.map((path) => view.listSymbols(path).length),
    exact: view.findSymbols({ name: "Cart" }),
    folded: view.findSymbols({ name: "ADD_ITEM", match: "folded" }),
    words: view.findSymbols({ name: "addIt", match: "words" }),
    prefix: view.findSymbols({ name: "add", match: "prefix", under: "python" }),
    occurrences: [view.findOccurrences("addItem"), view.findOccurrences("none")],
    inFile: paths.map((path) => view.listOccurrences(path)),
    names: paths.map((path) => view.listNames(path)),
    imports: paths.map((path) => view.listImports(path)),
    types: paths.map((path) => view.listTypes(path)),
    modules: view.listModules().map((module) => [module, view.findImports(module)]),
    chunks: paths.map((path) => view.listChunks(path).map(chunk)),
    chunk: view.listChunks("src/cart.ts").map(({ id }) => view.getChunk(id)?.paths),
    text: view.searchText({ text: "adding items to a cart" })
      .map(({ number: _, score, ...rest }) => ({ ...rest, score: round(score) }))
      .sort((a, b) => a.id < b.id ? -1 : 1),
    paths: [...view.searchPaths("python copies", 50)].sort(),
    score: scored(view.scoreChunks("return the item of a cart", { limit: 400 })),
    rare: [3, 400].map((limit) =>
      scored(view.scoreChunks("return the item of a cart", { limit, rareHits: 2 })).length
    ),
    rarest: scored(view.scoreChunks("return the item of a cart", { limit: 1, rareHits: 2 })),
    under: scored(view.scoreChunks("item", { limit: 400, under: "python" })),
    phrase: scored(view.scorePhrases(["add item"], { limit: 400, columns: ["name"] })).length,
    withPhrase: view.findPhrases(["one item", "", "no such words", "add item"], { limit: 100 })
      .map(toPaths),
    namers: toPaths(view.findNamers("addItem", 100)),
    wordsIn: view.findWordsIn(numbers, ["cart", "item", "none"]),
    definers: toPaths(view.findDefiners("add_item", 100)),
    defined: [...view.listDefinedNames(10_000)].sort(),
    countWith: view.countChunksWith(["cart", "", "items", "none"]),
    all: view.countAllChunks(),
    contents: contents.map(({ content: _, ...rest }) => rest),
    definitions: numbers.map((content) => facts.definitions.get(content) ?? []),
    users: numbers.map((content) => toPaths(facts.users.get(content) ?? [])),
    windows: numbers.map((content) => facts.windows.get(content)?.toHex() ?? null),
    at: view.readChunks(
      view.findChunksAt(
        numbers.flatMap((content) => [{ content, line: 2 }, { content, line: 9_999 }]),
      )
        .filter((number) => number !== null),
    ).map(({ id }) => id),
    symbolsOf: view.listSymbolsOf([...paths, "none"]),
    importsOf: view.listImportsOf([...paths, "none"]),
    typesOf: view.listTypesOf([...paths, "none"]),
    naming: view.listPlacesNaming(["addItem", "none", "Cart"]),
    fileNames: [...files.values()].sort(),
    outlines: view.listOutlines().map(({ file, name, kind, line }) =>
      `${files.get(file)}:${line} ${names([kind])} ${names([name])}`
    ).sort(),
    allImports: view.listAllImports().map(({ file, module, alias }) =>
      `${files.get(file)} ${names([module])} ${names([alias])}`
    ).sort(),
    mentions: mentioned.map(({ file, names: own }) => `${files.get(file)} ${names(own)}`).sort(),
    places: view.listPlacesOf(new Map(mentioned.map(({ file, names: own }) => [file, own])))
      .map(({ file, name, places }) => `${files.get(file)} ${names([name])} ${places.length}`)
      .sort(),
  };
}

async function failAll(postgres: TestPostgres, hub: HubStore): Promise<void> {
  const secret = passwordOf(postgres);
  const refused = async (url: string, code: string) => {
    await rejects(HubStore.open(parseStorePlace(url)), (error) => {
      ok(error instanceof CodeIntelError, String(error));
      equal(error.code, code);
      ok(error.hint !== "");
      ok(
        !`${error.message}${error.hint}${JSON.stringify(error.details)}${error.cause}`.includes(
          secret,
        ),
      );
      return true;
    });
  };
  await refused(postgres.url.replace(secret, "wrong"), "store_refused");
  await refused(postgres.url.replace(/postgres$/, "nowhere"), "store_refused");
  await refused(postgres.url.replace(`:${postgres.port}/`, ":1/"), "store_unreachable");
  hub.link.exec("UPDATE store SET version = version + 1");
  await refused(postgres.url, "store_newer");
  hub.link.exec("UPDATE store SET version = version - 1");
  await bringUp(postgres, hub);
  const hasty = await HubStore.open(parseStorePlace(postgres.url), { statementMs: 50 });
  throws(() => hasty.link.all("SELECT pg_sleep(5)"), { code: "timed_out" });
  equal(hasty.list().length, 2, "and the connection goes on");
  hasty.close();
}

/** A store of the first form gets the table of counts and the failures of branches, and finds names that hold others by their last part. */
async function bringUp(postgres: TestPostgres, hub: HubStore): Promise<void> {
  hub.link.exec(`UPDATE store SET version = 1; DROP TABLE word_counts;
    ALTER TABLE repositories DROP COLUMN problem;
    INSERT INTO names (name) VALUES ('Shop.Assoc.Many_ToMany'), ('a plain. Heading');
    INSERT INTO name_parts SELECT id, array_to_tsvector(ARRAY['shop', 'many'])
      FROM names WHERE name IN ('Shop.Assoc.Many_ToMany', 'a plain. Heading')`);
  const again = await HubStore.open(parseStorePlace(postgres.url));
  const found = again.link.all(
    "SELECT name FROM name_parts JOIN names USING (id) WHERE parts @@ '''=manytomany'''::tsquery",
  );
  deepEqual(found.map(({ name }) => name), ["Shop.Assoc.Many_ToMany"]);
  equal(again.link.number("SELECT count(*) FROM word_counts"), 0);
  equal(again.link.number("SELECT count(*) FROM repositories WHERE problem IS NOT NULL"), 0);
  again.close();
}

function passwordOf({ url }: TestPostgres): string {
  return new URL(url).password;
}
