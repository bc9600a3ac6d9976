/** Texts with the token ids and vectors that the model in full precision gives them. */
import { ok, strictEqual as equal } from "node:assert/strict";
import type { Encoder } from "../../src/embedding/encoder.ts";

/** One text of the reference. */
export interface Reference {
  readonly kind: "query" | "passage";
  readonly text: string;
  readonly ids: readonly number[];
  readonly vector: readonly number[];
}

const FILE = new URL("../fixtures/model/vectors.jsonl", import.meta.url);

/** All of them. */
export async function readReferences(): Promise<readonly Reference[]> {
  const lines = (await Deno.readTextFile(FILE)).trim().split("\n");
  return lines.map((line): Reference => JSON.parse(line));
}

/** Holds the encoder to references: each vector of length 1, its cosine at least 0.985. Gives vectors and cosines. */
export async function encodeAll(
  encoder: Encoder,
  references: readonly Reference[],
): Promise<readonly { readonly own: Float32Array; readonly cosine: number }[]> {
  const encoded = [];
  for (const { kind, text, vector } of references) {
    const own = await encoder.encode(kind, text);
    equal(own.length, 384);
    ok(Math.abs(Math.hypot(...own) - 1) < 1e-3, `length of ${text}`);
    const cosine = toCosine(own, vector);
    ok(cosine >= 0.985, `${cosine}: ${text}`);
    encoded.push({ own, cosine });
  }
  return encoded;
}

/** The cosine of two vectors, whatever their lengths are. */
export function toCosine(left: ArrayLike<number>, right: ArrayLike<number>): number {
  let [product, leftSquares, rightSquares] = [0, 0, 0];
  for (let i = 0; i < left.length; i++) {
    const [a, b] = [left[i] ?? 0, right[i] ?? 0];
    product += a * b;
    leftSquares += a * a;
    rightSquares += b * b;
  }
  return product / Math.sqrt(leftSquares * rightSquares);
}
