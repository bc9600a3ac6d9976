/** The model against some of the vectors that it gives in full precision; `encoder_slow.ts` has them all. */
import { ok, strictEqual as equal } from "node:assert/strict";
import { createEncoder } from "../../src/embedding/encoder.ts";
import { readReferences, toCosine } from "./references.ts";

/** One of so many references is encoded. */
const STEP = 8;

Deno.test("encode() gives the reference vectors, each within 0.985 and of length 1", async () => {
  const { Worker } = globalThis;
  const encoder = await createEncoder();
  ok(
    globalThis.Worker === Worker,
    "threads of the model's process were once Node's, without `self`",
  );
  const some = (await readReferences()).filter((_reference, at) => at % STEP === 0);
  for (const { kind, text, vector } of some) {
    const own = await encoder.encode(kind, text);
    equal(own.length, 384);
    ok(Math.abs(Math.hypot(...own) - 1) < 1e-3, `length of ${text}`);
    const cosine = toCosine(own, vector);
    ok(cosine >= 0.985, `${cosine}: ${text}`);
  }
  await encoder.close();
});
