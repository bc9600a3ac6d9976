/** What was learned, found again in the code as it is now. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { createMeaningSearch } from "../../../src/explore/meaning/semantic_search.ts";
import type { LearnedTerm } from "../../../src/explore/meaning/map_hits.ts";
import { PLAIN_SCALES } from "../../../src/ranking/rank.ts";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { createShop } from "../shop_project.ts";
import { NO_PROGRAMS } from "../indexed_project.ts";

function learn(
  symbols: readonly string[],
  score: number,
  files: readonly string[] = [],
): LearnedTerm {
  return { id: `${symbols.join("_")}.md`, score, terms: ["rebate"], symbols, files };
}

Deno.test("search() puts what was learned first, with its code, and the code beside it", async () => {
  await using shop = await createShop();
  let learned: readonly LearnedTerm[] = [];
  const meaning = createMeaningSearch({
    projectRoot: shop.temp.dir,
    listFiles: () => Promise.resolve([]),
    backends: NO_PROGRAMS,
    logger: SILENT_LOGGER,
    index: shop.index,
    isBrief: true,
    loadScales: () => Promise.resolve(PLAIN_SCALES),
    askMap: (_question, { maxHits }) => Promise.resolve(learned.slice(0, maxHits)),
  });
  const ask = async (query: string, collection: "auto" | "map" | "forest" = "auto") => {
    const found = await meaning.search({ query, collection, maxResults: 5, explain: false });
    if (found.kind === "refused") throw new Error(String(found.problems[0]?.message));
    return found;
  };

  learned = [learn(["parseMoney"], 0.8)];
  const sure = await ask("rebate of the price");
  deepEqual(
    [sure.collection, sure.confidence, sure.hits[0]?.path, sure.hits[0]?.name],
    ["map+forest", "high", "src/money.ts", "parseMoney"],
  );
  const plain = await ask("rebate of the price", "forest");
  equal(sure.total >= plain.total, true, "nothing that the code answers is shut out");
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
  equal((await ask("rebate")).hits[0]?.path, "src/legacy/cart.ts");

  learned = [learn(["goneForGood"], 0.9)];
  equal((await ask("total price of the cart")).collection, "forest");
});

Deno.test("one learned term blinds no question that is about something else, whatever the session is about", async () => {
  await using shop = await createShop();
  const asked: string[] = [];
  const create = (isLearned: boolean) =>
    createMeaningSearch({
      projectRoot: shop.temp.dir,
      listFiles: () => Promise.resolve([]),
      backends: NO_PROGRAMS,
      logger: SILENT_LOGGER,
      index: shop.index,
      isBrief: true,
      loadScales: () => Promise.resolve(PLAIN_SCALES),
      // As the Map does: a term that stands in the question makes the agreement sure.
      askMap: (question) => {
        asked.push(question);
        const isAbout = isLearned && question.includes("money");
        return Promise.resolve(isAbout ? [learn(["parseMoney"], 1)] : []);
      },
    });
  const ask = async (isLearned: boolean, query: string, explain = false) => {
    const input = { query, collection: "auto", maxResults: 5, explain } as const;
    const found = await create(isLearned).search({ ...input, sessionTarget: "money" });
    if (found.kind === "refused") throw new Error(String(found.problems[0]?.message));
    return found;
  };
  const question = "where is the total price of the cart";
  const [without, with_] = [await ask(false, question), await ask(true, question)];
  deepEqual(with_.hits, without.hits, "as if nothing had been learned");
  equal(with_.collection, "forest");
  equal(asked.every((text) => text === question), true, "the Map is asked the question alone");
  const lifted = await ask(true, "where is money counted", true);
  const [first] = lifted.hits;
  deepEqual([first?.path, first?.learnedFrom], ["src/money.ts", "parseMoney.md"]);
  equal((first?.explain?.learned ?? 0) > 0, true, "the boost is explained");
  const adds = Object.entries(first?.explain ?? {}).filter(([name]) => name !== "penalties");
  const sum = adds.reduce((total, [, part]) => total + Number(part), 0);
  equal(Math.abs(sum - (first?.score ?? 0)) < 0.001, true, "and the parts are the score");
  equal(lifted.hits.length > 1, true, "the code answers beside it");
});
