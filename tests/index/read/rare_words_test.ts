/** Which words of a question choose what is scored. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { splitByRarity } from "../../../src/index/read/reader.ts";

const WORDS = [
  { word: '"get"', hits: 900 },
  { word: '"token"', hits: 40 },
  { word: '"nothing"', hits: 0 },
  { word: '"refresh"', hits: 50 },
];

Deno.test("splitByRarity() takes the rarer words as long as they have few hits together", () => {
  const split = (rareHits: number, mostHits?: number) =>
    splitByRarity(WORDS, { rareHits, ...(mostHits === undefined ? {} : { mostHits }) });
  deepEqual(split(90), { rare: '"token" OR "refresh"', common: '"get"' });
  deepEqual(split(89), { rare: '"token"', common: '"refresh" OR "get"' });
  deepEqual(split(1_000).common, null);
  deepEqual(split(89, 500), { rare: '"token"', common: '"refresh"' });
  deepEqual(split(1_000, 500), { rare: '"token" OR "refresh"', common: null });
});

Deno.test("splitByRarity() takes one word that anything has, however much it is", () => {
  deepEqual(split1(10), { rare: '"all"', common: '"most"' });
  deepEqual(splitByRarity([{ word: '"none"', hits: 0 }], { rareHits: 10 }), {
    rare: '"none"',
    common: null,
  });
});

function split1(rareHits: number) {
  return splitByRarity(
    [{ word: '"none"', hits: 0 }, { word: '"all"', hits: 20 }, { word: '"most"', hits: 30 }],
    { rareHits },
  );
}
