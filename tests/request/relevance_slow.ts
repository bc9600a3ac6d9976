/** The scale of relevance: what its marks say of the labelled pairs, with the real model. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { createEmbedder } from "../../src/embedding/mod.ts";
import { CALIBRATIONS } from "../../src/request/relevance.ts";
import { proposeMarks, toFigures } from "../../tools/relevance/main.ts";
import type { MeasuredPair } from "../../tools/relevance/pairs.ts";
import { measurePairs, readPairs } from "../../tools/relevance/pairs.ts";

Deno.test("the marks of the model hold for the labelled pairs, in both languages", async () => {
  const embedder = createEmbedder();
  let pairs: readonly MeasuredPair[];
  try {
    pairs = await measurePairs(await readPairs(), embedder);
  } finally {
    embedder.close();
  }
  const marks = CALIBRATIONS[embedder.modelId];
  ok(marks !== undefined, "the model in use is calibrated");
  for (const language of ["en", "ja"] as const) {
    const own = pairs.filter((pair) => pair.language === language);
    ok(own.length > 250, `${language}: ${own.length} pairs`);
    const figures = toFigures(own, marks);
    ok(figures.factPrecision >= 0.95, `${language}: ${figures.factPrecision} of the facts`);
    ok(figures.factRecall >= 0.88, `${language}: ${figures.factRecall} of the related`);
    ok(figures.wronglyRejected <= 0.015, `${language}: ${figures.wronglyRejected} refused`);
  }
  const all = toFigures(pairs, marks);
  ok(all.rejectPrecision >= 0.95 && all.rejectRecall >= 0.15);
  const words = toFigures(pairs, undefined);
  ok(words.factPrecision >= 0.99 && words.factRecall >= 0.75, "words alone are sure, and fewer");
  equal(words.wronglyRejected, 0);
  const proposed = proposeMarks(pairs);
  deepEqual([proposed.reject.toFixed(2), proposed.fact.toFixed(2)], ["0.79", "0.84"]);
});
