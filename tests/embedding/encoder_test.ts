/** The model against the vectors that it gives in full precision. */
import { ok, strictEqual as equal } from "node:assert/strict";
import { createEncoder } from "../../src/embedding/encoder.ts";
import { readReferences, toCosine } from "./references.ts";

Deno.test("encode() gives the reference vectors: each within 0.985, 0.995 on average, of length 1", async () => {
  const encoder = await createEncoder();
  const cosines: number[] = [];
  for (const { kind, text, vector } of await readReferences()) {
    const own = await encoder.encode(kind, text);
    equal(own.length, 384);
    ok(Math.abs(Math.hypot(...own) - 1) < 1e-3, `length of ${text}`);
    const cosine = toCosine(own, vector);
    ok(cosine >= 0.985, `${cosine}: ${text}`);
    cosines.push(cosine);
  }
  const mean = cosines.reduce((sum, cosine) => sum + cosine, 0) / cosines.length;
  ok(mean >= 0.995, `mean ${mean}`);
  await encoder.close();
});
