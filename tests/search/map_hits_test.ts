/** What was learned, found again in the code as it is now. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { createMeaningSearch } from "../../src/search/mod.ts";
import type { LearnedHit } from "../../src/search/mod.ts";
import { PLAIN_SCALES } from "../../src/search/rank.ts";
import { createBackends } from "../../src/backends/mod.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { createShop } from "./shop_project.ts";

function learn(
  symbols: readonly string[],
  score: number,
  files: readonly string[] = [],
): LearnedHit {
  return { id: `${symbols.join("_")}.md`, score, terms: ["rebate"], symbols, files };
}

Deno.test("search() answers from what was learned, with its code, and goes to the code where that is unsure", async () => {
  await using shop = await createShop();
  let learned: readonly LearnedHit[] = [];
  const meaning = createMeaningSearch({
    projectRoot: shop.temp.dir,
    listFiles: () => Promise.resolve([]),
    backends: createBackends({ env: { get: () => undefined } }),
    logger: SILENT_LOGGER,
    index: shop.index,
    isBrief: true,
    loadScales: () => Promise.resolve(PLAIN_SCALES),
    askMap: (_question, { maxHits }) => Promise.resolve(learned.slice(0, maxHits)),
  });
  const ask = async (query: string, collection: "auto" | "map" | "forest" = "auto") => {
    const found = await meaning.search({ query, collection, maxResults: 5, explain: false });
    if (found.kind === "refused") throw new Error(found.problems[0]?.message);
    return found;
  };

  learned = [learn(["parseMoney"], 0.8)];
  const sure = await ask("rebate of the price");
  deepEqual(
    [sure.collection, sure.confidence, sure.total, sure.hits[0]?.path, sure.hits[0]?.name],
    ["map", "high", 1, "src/money.ts", "parseMoney"],
  );
  equal(sure.hits[0]?.content?.includes("parseMoney"), true);
  equal(sure.hits[0]?.learnedFrom, "parseMoney.md");
  equal((await ask("rebate of the price", "forest")).collection, "forest");

  learned = [learn(["parseMoney"], 0.5)];
  equal((await ask("total price of the cart")).collection, "forest");
  deepEqual((await ask("rebate", "map")).confidence, "low");

  learned = [learn(["goneForGood"], 0.9), learn(["Letter.save"], 0.8)];
  const partly = await ask("rebate", "map");
  deepEqual([partly.total, partly.hits[0]?.name], [1, "Letter.save"]);
  deepEqual(partly.notices, ["Learned, but not in the code any more: goneForGood.md."]);

  learned = [learn(["Cart"], 0.9, ["src/legacy/cart.ts"])];
  deepEqual((await ask("rebate")).hits.map(({ path }) => path), ["src/legacy/cart.ts"]);

  learned = [learn(["goneForGood"], 0.9)];
  equal((await ask("total price of the cart")).collection, "forest");
});
