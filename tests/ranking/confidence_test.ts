/** How sure an answer is, over a real index. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { searchCode } from "../../src/ranking/code_search.ts";
import { toConfidence, toGrounds } from "../../src/ranking/confidence.ts";
import { RankingMemory } from "../../src/ranking/content_facts.ts";
import { createShop } from "../explore/shop_project.ts";

Deno.test("toConfidence() is high for what is there, and low for what nothing speaks of", async () => {
  await using shop = await createShop();
  const memory = new RankingMemory();
  const ask = (question: string) =>
    shop.index.read((view) => {
      const { query, files } = searchCode(view, question, { memory });
      const grounds = toGrounds(view, memory, { query, files });
      const of = { query, best: files[0]?.item };
      const guessed = toConfidence(grounds, { ...of, isGuessed: true });
      return { grounds, level: toConfidence(grounds, of), guessed };
    });
  const { level, guessed } = await ask("parseMoney");
  deepEqual([level, guessed], ["high", "medium"]);
  const absent = await ask("where are zebras fed before the total is shown");
  equal(absent.level, "low");
  deepEqual(absent.grounds.unknownWords.slice(0, 2), ["zebras", "fed"]);
  const there = await ask("how the discount is taken off the total price");
  ok(there.level !== "low" && there.grounds.cover > absent.grounds.cover);
  equal((await ask("nothingOfTheKind")).level, "low");
});
