/** Answers in words over a real index and real files: hits, explanations, chunks, and honest refusals. */
import { listProjectFiles } from "../../../src/git/trees/file_lists.ts";
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { CodeIntelError } from "../../../src/base/errors.ts";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { TimeBudget } from "../../../src/explore/index_access.ts";
import type { CodeIndex, FreshOptions } from "../../../src/index/index_api.ts";
import type { GroupScales } from "../../../src/ranking/rank.ts";
import type { MeaningSearch, SemanticInput } from "../../../src/explore/meaning/meaning_types.ts";
import { createMeaningSearch } from "../../../src/explore/meaning/semantic_search.ts";
import type { ShopProject } from "../shop_project.ts";
import { createShop, SHOP } from "../shop_project.ts";
import { NO_PROGRAMS } from "../indexed_project.ts";

const PLAIN: GroupScales = { vector: 1, keyword: 1, definition: 1, reference: 1 };

function openSearch(
  { temp, index }: ShopProject,
  more: {
    readonly scales?: GroupScales;
    readonly index?: CodeIndex;
    readonly isBrief?: boolean;
    readonly patience?: TimeBudget;
  } = {},
): MeaningSearch {
  return createMeaningSearch({
    projectRoot: temp.dir,
    listFiles: (list = {}) => listProjectFiles(temp.repo, list),
    backends: NO_PROGRAMS,
    logger: SILENT_LOGGER,
    index: more.index ?? index,
    isBrief: more.isBrief ?? false,
    ...(more.patience === undefined ? {} : { patience: more.patience }),
    loadScales: () => Promise.resolve(more.scales ?? PLAIN),
  });
}

async function ask(meaning: MeaningSearch, input: Partial<SemanticInput> & { query: string }) {
  const answer = await meaning.search({
    collection: "auto",
    maxResults: 10,
    explain: false,
    ...input,
  });
  if (answer.kind === "refused") throw new Error(JSON.stringify(answer.problems));
  return answer;
}

Deno.test("search() shows each file with its best chunk, its text, and how sure it is", async () => {
  await using shop = await createShop();
  const meaning = openSearch(shop);
  const found = await ask(meaning, { query: "how the discount is taken off the total price" });
  const [hit] = found.hits;
  ok(hit !== undefined);
  deepEqual([hit.path, hit.name, found.queryKind, found.confidence, found.collection], [
    "src/cart/discount.ts",
    "applyDiscount",
    "sentence",
    "medium",
    "forest",
  ]);
  ok(hit.content?.includes("export function applyDiscount"));
  ok(hit.score > 0 && hit.score <= 1);
  deepEqual(
    found.hits.map(({ score }) => score),
    found.hits.map(({ score }) => score).sort((a, b) => b - a),
  );
  equal(found.source, "index");
  ok(typeof found.freshness === "object" && found.freshness.files === 7);
  deepEqual(found.shownFiles.length, found.hits.length);
  ok(found.shownSymbols.includes("applyDiscount"));
  equal((await ask(meaning, { query: "Cart" })).confidence, "high");
  const beyond = await ask(meaning, { query: "/home/me/src/cart/discount.ts:9999" });
  equal(beyond.hits[0]?.path, "src/cart/discount.ts");
  equal(beyond.confidence, "high");
  match(beyond.notices?.join(" ") ?? "", /^src\/cart\/discount\.ts has \d+ lines\.$/);
  deepEqual((await ask(meaning, { query: "zebra" })).hits, []);
  equal((await ask(meaning, { query: "zebra" })).confidence, "low");
  const absent = await ask(meaning, { query: "where are zebras fed before the total is shown" });
  equal(absent.confidence, "low");
  ok(
    absent.notices?.some((notice) => notice.includes('"zebras", "fed"')),
    "it says what is nowhere",
  );
});

Deno.test("search() pages without gaps, keeps to a folder, and explains every score", async () => {
  await using shop = await createShop();
  const meaning = openSearch(shop);
  const query = "total price of the cart";
  const all = await ask(meaning, { query });
  const first = await ask(meaning, { query, maxResults: 2 });
  const next = await ask(meaning, { query, maxResults: 2, offset: 2 });
  deepEqual(
    [...first.hits, ...next.hits].map(({ path }) => path),
    all.hits.slice(0, 4).map(({ path }) => path),
  );
  deepEqual([first.total, next.total], [all.total, all.total]);
  const inside = await ask(meaning, { query, path: "src/cart" });
  deepEqual(inside.hits.map(({ path }) => path).sort(), [
    "src/cart/cart.ts",
    "src/cart/discount.ts",
  ]);
  const explained = await ask(meaning, { query, explain: true });
  for (const { explain = {}, score } of explained.hits) {
    const { penalties: _penalties, ...adds } = explain;
    const sum = Object.values(adds).reduce((total, part) => total + part, 0);
    ok(Math.abs(sum - score) < 0.001, `${sum} and ${score}`);
  }
  const test = explained.hits.find(({ path }) => path === "tests/cart.test.ts");
  deepEqual(test?.explain?.penalties, { test: 0.3 });
  equal(all.hits[0]?.explain, undefined);
});

Deno.test("search() obeys search_weights, and adds the target to questions in words alone", async () => {
  await using shop = await createShop();
  const none = openSearch(shop, { scales: { ...PLAIN, keyword: 0 } });
  const found = await ask(none, { query: "parse money", explain: true });
  equal(found.hits[0]?.path, "src/money.ts");
  equal(found.hits[0]?.explain?.text, undefined);
  const meaning = openSearch(shop);
  const plain = await ask(meaning, { query: "where is it checked" });
  const aimed = await ask(meaning, { query: "where is it checked", targetFeature: "address" });
  ok(aimed.total > 0 && aimed.hits[0]?.path === "src/shipping.ts", `${plain.total}`);
  const vague = { query: "where is it checked", sessionTarget: "address" };
  const { hits, target } = await ask(meaning, vague);
  deepEqual([hits, target], [aimed.hits, "address"], "the session helps where little is said");
  const own = { query: "the total price of the cart" };
  const told = await ask(meaning, { ...own, sessionTarget: "address" });
  deepEqual([told.hits, told.target], [(await ask(meaning, own)).hits, undefined]);
  deepEqual(
    (await ask(meaning, { query: "parseMoney", targetFeature: "address" })).hits,
    (await ask(meaning, { query: "parseMoney" })).hits,
  );
});

Deno.test("search() says that nothing was learned yet, and refuses a folder that is none", async () => {
  await using shop = await createShop();
  const meaning = openSearch(shop);
  const map = await ask(meaning, { query: "cart", collection: "map" });
  deepEqual([map.hits, map.total, map.collection], [[], 0, "map"]);
  ok(map.notices?.[0]?.includes('"forest"'));
  const refused = await meaning.search({
    query: "cart",
    path: "no/such",
    collection: "auto",
    maxResults: 1,
    explain: false,
  });
  equal(refused.kind, "refused");
});

/** The same index, which says how far it is and never looks at the files again. */
function freeze(
  index: CodeIndex,
  { files, pendingTotal }: { readonly files: number; readonly pendingTotal: number },
  asked: FreshOptions[] = [],
): CodeIndex {
  return {
    sync: (options) => index.sync(options),
    listFiles: (options) => index.listFiles(options),
    looked: () => index.looked(),
    peek: (options) => index.peek(options),
    ensureFresh: (options = {}) => {
      asked.push(options);
      return Promise.resolve({
        files,
        pendingTotal,
        pending: [],
        chunks: 1,
        embedded: 0,
        ready: "lexical",
        vectorsLeft: 0,
        checkedAt: "2026-11-21T10:00:00.000Z",
        revision: Infinity,
      });
    },
    findChanged: (...changed) => index.findChanged(...changed),
    read: (query) => index.read(query),
    listContents: () => index.listContents(),
    readRecords: (blobs) => index.readRecords(blobs),
    meaning: (of) => index.meaning(of),
    hold: () => ({ [Symbol.dispose]: () => {} }),
    rest: () => index.rest(),
    status: () => index.status(),
    close: () => index.close(),
  };
}

Deno.test("a file that changes after the look is left out with a word, and its chunk is gone", async () => {
  await using shop = await createShop();
  const meaning = openSearch(shop, { index: freeze(shop.index, { files: 7, pendingTotal: 0 }) });
  const before = await ask(meaning, { query: "parseMoney" });
  ok(before.hits[0]?.content?.includes("parseMoney"));
  await shop.temp.write({ "src/money.ts": "// Moved.\nexport const parseMoney = 1;\n" });
  const after = await ask(meaning, { query: "parseMoney" });
  deepEqual(after.hits.filter(({ path }) => path === "src/money.ts"), []);
  match(after.notices?.at(-1) ?? "", /^Left out: .* 1 file .*src\/money\.ts/);
  const gone = await meaning.readChunks({ ids: [before.hits[0]?.id ?? ""] });
  equal(gone.kind === "refused" ? gone.problems[0]?.code : gone.kind, "chunk_not_found");
});

Deno.test("search() refuses while nothing is indexed, and names what it does not know yet", async () => {
  await using shop = await createShop();
  const behind = (files: number, pendingTotal: number) =>
    freeze(shop.index, { files, pendingTotal });
  const empty = openSearch(shop, { index: behind(0, 9) });
  const refused = await empty.search({
    query: "cart",
    collection: "auto",
    maxResults: 1,
    explain: false,
  });
  ok(refused.kind === "refused");
  deepEqual(refused.problems.map(({ code }) => code), ["index_not_ready"]);
  const full = new CodeIntelError("disk_full", "Cannot write the index: no space is left");
  const unusable = { ...shop.index, ensureFresh: () => Promise.reject(full) };
  const told = await openSearch(shop, { index: unusable }).search({
    query: "cart",
    collection: "auto",
    maxResults: 1,
    explain: false,
  });
  ok(told.kind === "refused");
  match(String(told.problems[0]?.message ?? ""), /no space is left$/);
  // A command line builds what is missing, for nothing goes on behind its answer, and looks again.
  const asked: FreshOptions[] = [];
  const index = freeze(shop.index, { files: 3, pendingTotal: 9 }, asked);
  const half = await ask(openSearch(shop, { index, isBrief: true }), { query: "cart" });
  ok(half.total > 0 && half.notices?.[0]?.includes("9 files"));
  deepEqual(asked.map(({ isBrief, budgetMs }) => [isBrief, budgetMs]), [
    [true, 30_000],
    [true, 30_000],
  ]);
  // What its other questions have taken is no longer there to wait.
  let nowMs = 0;
  const patience = new TimeBudget(() => nowMs);
  const spent = patience.spend();
  nowMs = 60_000;
  spent[Symbol.dispose]();
  asked.length = 0;
  await ask(openSearch(shop, { index, isBrief: true, patience }), { query: "cart" });
  deepEqual(asked.map(({ budgetMs }) => budgetMs), [1_000, 1_000]);
});

Deno.test("readChunks() shows whole chunks with their neighbours, by several ids", async () => {
  await using shop = await createShop({ "copy/money.ts": SHOP["src/money.ts"] ?? "" });
  const meaning = openSearch(shop);
  const { hits } = await ask(meaning, { query: "parseMoney" });
  const id = hits[0]?.id ?? "";
  const answer = await meaning.readChunks({ ids: [id, id], path: "src" });
  ok(answer.kind === "found");
  const [chunk] = answer.chunks;
  deepEqual([answer.total, chunk?.id, chunk?.path, chunk?.alsoIn], [1, id, "src/money.ts", [
    "copy/money.ts",
  ]]);
  ok(chunk?.content.includes('currency: "EUR"') && chunk.symbols.includes("parseMoney"));
  const own = await shop.index.read((view) => view.listChunks("src/money.ts"));
  const at = own.findIndex((one) => one.id === id);
  deepEqual([chunk?.previous, chunk?.next], [own[at - 1]?.id, own[at + 1]?.id]);
});

Deno.test("readChunks() never shows another text than the id names", async () => {
  await using shop = await createShop();
  const meaning = openSearch(shop);
  const [money, cart] = await Promise.all(
    ["parseMoney", "Cart"].map((query) => ask(meaning, { query })),
  );
  const id = money?.hits[0]?.id ?? "";
  const kept = cart?.hits[0]?.id ?? "";
  await shop.temp.write({ "src/money.ts": "// Moved.\nexport const parseMoney = 1;\n" });
  const both = await meaning.readChunks({ ids: [id, kept] });
  ok(both.kind === "found");
  deepEqual([both.missing, both.chunks.map((chunk) => chunk.id)], [[id], [kept]]);
  ok(both.notices?.[0]?.includes("no longer exist"));
  const gone = await meaning.readChunks({ ids: [id] });
  ok(gone.kind === "refused");
  deepEqual(gone.problems.map(({ code }) => code), ["chunk_not_found"]);
  ok(String(gone.problems[0]?.hint).includes("semantic_search"));
  const wrong = await meaning.readChunks({ ids: ["src/money.ts:parseMoney", kept] });
  ok(wrong.kind === "refused");
  deepEqual(wrong.problems.map(({ code }) => code), ["invalid_chunk_id"]);
});
