/** The model against all vectors that it gives in full precision. */
import { ok, strictEqual as equal } from "node:assert/strict";
import { createHash } from "node:crypto";
import { createEncoder } from "../../src/embedding/encoder.ts";
import { encodeAll, readReferences } from "./references.ts";

Deno.test("encode() gives the reference vectors: each within 0.985, 0.995 on average, of length 1", async () => {
  const { Worker } = globalThis;
  const encoder = await createEncoder();
  ok(
    globalThis.Worker === Worker,
    "threads of the model's process were once Node's, without `self`",
  );
  const encoded = await encodeAll(encoder, await readReferences());
  const hash = createHash("sha256");
  for (const { own } of encoded) {
    hash.update(new Uint8Array(own.buffer, own.byteOffset, own.byteLength));
  }
  const mean = encoded.reduce((sum, { cosine }) => sum + cosine, 0) / encoded.length;
  ok(mean >= 0.995, `mean ${mean}`);
  await encoder.close();
  // `tools/binary_proof` holds the executable to the same bytes.
  equal(hash.digest("hex"), "636a700fba1b30245be14adfd8f717d40a16267710bcd2719c39a8d1293b0448");
});
