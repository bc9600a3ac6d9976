/** The model against some of the vectors that it gives in full precision; `encoder_slow.ts` has them all. */
import { ok, strictEqual as equal } from "node:assert/strict";
import { createEncoder } from "../../src/embedding/encoder.ts";
import { encodeAll, readReferences } from "./references.ts";

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
  equal((await encodeAll(encoder, some)).length, 5);
  await encoder.close();
});
