/** What is remembered between questions, also when there is no more room for it. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { IndexView } from "../../src/index/read/view.ts";
import { RankingMemory } from "../../src/ranking/content_facts.ts";
import { createShop } from "../explore/shop_project.ts";

/** More than is remembered. */
const MANY = 4_100;

Deno.test("a question finds its files and counts also where remembering them takes the room of older ones", async () => {
  await using shop = await createShop();
  const memory = new RankingMemory();
  await shop.index.read((view) => {
    const contents = view.findContents(["src/money.ts", "src/cart/cart.ts"]);
    // Numbers and words that nothing has are remembered too.
    const others = Array.from({ length: MANY }, (_, at) => 1_000_000 + at);
    const words = others.map((one) => `nothing${one}`);
    const paths = (some: readonly number[]) => memory.filesOf(view, some).map(({ path }) => path);
    memory.begin(view.stamp());
    const [files, counts] = [paths(contents), memory.countsOf(view, ["cart", "money"])];
    deepEqual(files, ["src/cart/cart.ts", "src/money.ts"]);
    for (let at = 0; at < MANY; at += 100) {
      const some = others.slice(at, at + 100);
      deepEqual(paths([...some, ...contents]), files, `${at}`);
      deepEqual(countLast(memory, view, [...words.slice(at, at + 100), "cart", "money"]), counts);
    }
    deepEqual(paths(contents), files);
    deepEqual(memory.countsOf(view, ["cart", "money"]), counts);
  });
});

function countLast(memory: RankingMemory, view: IndexView, words: readonly string[]) {
  return memory.countsOf(view, words).slice(-2);
}
