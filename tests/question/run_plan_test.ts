/** A plan over a real project: what the steps find, merged and in order. */
import { listProjectFiles } from "../../src/git/trees/file_lists.ts";
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { createBackends } from "../../src/backends/detect.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import type { ExplorerOptions } from "../../src/explore/index_access.ts";
import { createMeaningSearch } from "../../src/explore/meaning/semantic_search.ts";
import { createExplorer } from "../../src/explore/project_explorer.ts";
import { runPlan } from "../../src/question/plan_merge.ts";
import { createIndexedProject } from "../explore/with_programs.ts";
import type { ShopProject } from "../explore/shop_project.ts";
import { createShop } from "../explore/shop_project.ts";
import { textSource } from "../support/needs.ts";

function toContext({ temp, index }: ShopProject): ExplorerOptions {
  return {
    projectRoot: temp.dir,
    listFiles: (list = {}) => listProjectFiles(temp.repo, list),
    backends: createBackends({ env: { get: () => undefined } }),
    logger: SILENT_LOGGER,
    index,
  };
}

const openShopExplorer = (shop: ShopProject) => createExplorer(toContext(shop));

function openShopSearch(shop: ShopProject) {
  const scales = { vector: 1, keyword: 1, definition: 1, reference: 1 };
  return createMeaningSearch({ ...toContext(shop), loadScales: () => Promise.resolve(scales) });
}

Deno.test("runPlan() puts the definition first and says which steps found a place", async () => {
  await using project = await createIndexedProject();
  const found = await runPlan(project.explorer, [
    { tool: "find_definitions", params: { symbol: "loadUser" } },
    { tool: "find_references", params: { symbol: "loadUser" } },
    { tool: "search_text", params: { pattern: ["loadUser"] } },
    { tool: "search_files", params: { pattern: "load" } },
  ], {});
  const [first, second] = found.results;
  deepEqual([first?.path, first?.line, first?.symbol, first?.role], [
    "src/load.ts",
    6,
    "loadUser",
    "definition",
  ]);
  deepEqual(first?.tools, ["find_definitions", "find_references", "search_text"]);
  equal(second?.path, "src/app.ts");
  ok(!found.results.some(({ line }) => line === 0), "no bare file beside its lines");
  deepEqual(found.outcomes.map((ran) => ran.map(({ total }) => total)), [[1], [4], [6], [1]]);
  deepEqual(
    found.results.map(({ score }) => score).toSorted((a, b) => b - a),
    found.results.map(({ score }) => score),
  );
  equal(found.source, `files+index+${textSource()}`);
  ok(typeof found.freshness === "object");
});

Deno.test("runPlan() prefers places with several words of the question, and keeps refusals as notices", async () => {
  await using project = await createIndexedProject({
    files: {
      "src/a.ts": "export function removeStaleBranch() {}\nexport function removeUser() {}\n",
      "tests/a_test.ts": "function removeStaleBranchTest() {}\n",
    },
  });
  const found = await runPlan(project.explorer, [
    { tool: "find_definitions", params: { symbol: "remove" } },
    { tool: "get_symbols", params: { path: "src/none.ts" } },
  ], { words: ["stale", "branches", "removed"] });
  deepEqual(found.results.map(({ symbol }) => symbol), [
    "removeStaleBranch",
    "removeStaleBranchTest",
    "removeUser",
  ]);
  ok(found.notices[0]?.startsWith("get_symbols:"));
});

Deno.test("runPlan() gives the files of a question in the order of semantic_search", async () => {
  await using shop = await createShop();
  const meaning = openShopSearch(shop);
  const explorer = openShopExplorer(shop);
  const question = 'Where is the "total price" of a cart added up?';
  const input = { query: question, collection: "forest", maxResults: 10, explain: false } as const;
  const best = await meaning.search(input);
  if (best.kind === "refused") throw new Error(JSON.stringify(best.problems));
  const found = await runPlan(explorer, [
    { tool: "find_definitions", params: { symbol: "price" } },
    { tool: "search_text", params: { pattern: ["total price", "cart", "added"] } },
  ], {
    words: ["total", "price", "cart", "added"],
    ranking: { meaning, question, quoted: ["total price"] },
  });
  const paths = [...new Set(found.results.map(({ path }) => path))];
  const expected = best.hits.map(({ path }) => path);
  deepEqual(paths, expected.filter((path) => paths.includes(path)));
  ok(paths.length > 3 && paths.length < expected.length, "the weakest files are left out");
  ok(!paths.includes("src/shipping.ts"));
  equal(found.source, `index+${textSource()}`);
  // What is told is what was run: sent again it has the same total.
  const [ranked, lines] = found.outcomes[1] ?? [];
  deepEqual([ranked?.tool, ranked?.params["query"]], ["semantic_search", question]);
  equal(ranked?.total, best.total);
  deepEqual(lines?.params["pattern"], ["total price"]);
  const quoted = found.results.find(({ path }) => path === "README.md");
  equal(quoted?.text, "The cart has a total price. The discount is taken off the total price.");
});

Deno.test("runPlan() looks for the words one by one where the index cannot rank", async () => {
  await using shop = await createShop();
  const problems = [{ code: "index_not_ready", message: "not built" }];
  const found = await runPlan(openShopExplorer(shop), [
    { tool: "search_text", params: { pattern: ["discount"] } },
  ], {
    words: ["discount"],
    ranking: {
      meaning: { search: () => Promise.resolve({ kind: "refused", problems }) },
      question: "the discount",
      quoted: [],
    },
  });
  ok(found.results.length > 0 && found.results.every(({ text }) => /discount/i.test(text)));
});

Deno.test("runPlan() shows the line of a chunk that holds the name that is asked for", async () => {
  const filler = '"filler", '.repeat(40);
  await using shop = await createShop({
    "src/ledger.ts": "export const RATE = 1;\n\nexport const SECOND = 2;\n\n" +
      `export const all = [${filler}], openLedger = () => all;\n\nexport const LAST = 3;\n`,
  });
  const ranking = { meaning: openShopSearch(shop), question: "openLedger", quoted: [] };
  const { results } = await runPlan(openShopExplorer(shop), [
    { tool: "search_text", params: { pattern: ["openLedger"] } },
  ], { ranking, symbols: ["openLedger"], words: [] });
  const [first] = results;
  deepEqual([first?.path, first?.line], ["src/ledger.ts", 5]);
  match(first?.text ?? "", /openLedger/);
});
