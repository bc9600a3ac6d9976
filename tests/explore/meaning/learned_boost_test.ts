/** What was learned lifts files and shuts none out. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { RatedFile } from "../../../src/ranking/code_search.ts";
import type { LearnedPlace } from "../../../src/explore/meaning/map_hits.ts";
import { mergeLearnedPlaces } from "../../../src/explore/meaning/map_hits.ts";
import type { Ranked } from "../../../src/ranking/rank.ts";

const file = (path: string, score: number) =>
  ({ item: { path }, score, explanation: { adds: {}, penalties: {} } }) as unknown as Ranked<
    RatedFile
  >;
const place = (path: string, score: number) =>
  ({ symbol: { path }, learned: { score, id: `${path}.md` } }) as unknown as LearnedPlace;

const toRows = (lifted: ReturnType<typeof mergeLearnedPlaces>) =>
  lifted.map((
    { path, score, boost },
  ) => [path, Number(score.toFixed(2)), Number(boost.toFixed(2))]);

Deno.test("mergeLearnedPlaces() leaves an order alone of which nothing was learned", () => {
  const files = [file("a.ts", 0.5), file("b.ts", 0.5)];
  deepEqual(toRows(mergeLearnedPlaces(files, [])), [["a.ts", 0.5, 0], ["b.ts", 0.5, 0]]);
});

Deno.test("mergeLearnedPlaces() lifts, adds and keeps, with scores of at most 1", () => {
  const files = [file("a.ts", 0.9), file("b.ts", 0.8), file("c.ts", 0.1)];
  const places = [place("b.ts", 0.7), place("b.ts", 1), place("d.ts", 0.8)];
  deepEqual(toRows(mergeLearnedPlaces(files, places)), [
    ["b.ts", 1, 0.2],
    ["a.ts", 0.9, 0],
    ["d.ts", 0.4, 0.4],
    ["c.ts", 0.1, 0],
  ]);
  equal(mergeLearnedPlaces(files, places)[0]?.place?.learned.score, 1, "its best agreement");
});
