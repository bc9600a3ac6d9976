/** How often words stand in a content, packed. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { packCounts, unpackCounts } from "../../../src/analysis/record/word_counts.ts";

function toChunk(body: string, comments = "") {
  return { words: { comments, body } };
}

Deno.test("unpackCounts() counts stems over all chunks, in code and in comments", () => {
  const packed = packCounts([
    toChunk("route router routes add", "routing"),
    toChunk("add handler", "add it"),
  ]);
  deepEqual(unpackCounts(packed, ["rout", "add", "handler", "missing"]), [3, 3, 1, 0]);
});

Deno.test("packCounts() gives the same bytes whatever the order of the words", () => {
  const one = packCounts([toChunk("alpha beta gamma beta")]);
  deepEqual(one, packCounts([toChunk("gamma"), toChunk("beta beta alpha")]));
  equal(packCounts([]).length, 0);
  deepEqual(unpackCounts(packCounts([]), ["alpha"]), [0]);
});

Deno.test("counts end at 255, and of very many words those that stand most often are kept", () => {
  const words = Array.from({ length: 9_000 }, (_, at) => `w${at}`);
  const packed = packCounts([toChunk([...words, ...Array(300).fill("often")].join(" "))]);
  equal(packed.length, 4 * 8_192);
  deepEqual(unpackCounts(packed, ["often"]), [255]);
});

Deno.test("unpackCounts() reads bytes that lie anywhere in their buffer", () => {
  const packed = packCounts([toChunk("alpha beta beta")]);
  const shifted = new Uint8Array(packed.length + 3);
  shifted.set(packed, 3);
  deepEqual(unpackCounts(shifted.subarray(3), ["alpha", "beta"]), [1, 2]);
});
