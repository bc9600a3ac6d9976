/** The feature of meaning: what is near counts, what is unknown neither helps nor harms. */
import { ok, strictEqual as equal } from "node:assert/strict";
import {
  computeNearness,
  createVectorFeature,
  UNKNOWN_NEARNESS,
} from "../../src/ranking/vector_feature.ts";

const SPREAD = { mean: 0.8, deviation: 0.02 };
const span = (cosine: number, startLine = 1) => ({ startLine, endLine: startLine + 149, cosine });
const near = (...cosines: number[]) => computeNearness(cosines.map((one) => span(one)), SPREAD);

Deno.test("computeNearness() grows with the nearest span, and with what the rest of the file is about", () => {
  ok(near(0.86, 0.84) > near(0.84, 0.84));
  ok(near(0.86, 0.85) > near(0.86, 0.8) && near(0.86, 0.8) > near(0.84, 0.82));
  equal(computeNearness([], SPREAD), UNKNOWN_NEARNESS);
  ok(
    Math.abs(near(0.8, 0.8, 0.8) - UNKNOWN_NEARNESS) < 1e-9,
    "an average file is as an unknown one",
  );
  equal(near(2), 1);
  equal(near(-1, -1, -1), 0);
});

Deno.test("createVectorFeature() gives a file without vectors the mean of those beside it", () => {
  const files = new Map([["a", [span(0.88)]], ["b", [span(0.84)]]]);
  const feature = createVectorFeature({ files, ...SPREAD, missing: 1 }, ["a", "b", "c"]);
  ok(feature("a") > feature("c") && feature("c") > feature("b"));
  ok(Math.abs(feature("c") - (feature("a") + feature("b")) / 2) < 1e-9);
  equal(feature("not compared"), UNKNOWN_NEARNESS);
  const empty = createVectorFeature({ files: new Map(), ...SPREAD, missing: 1 }, ["a"]);
  equal(empty("a"), empty("other"));
});
