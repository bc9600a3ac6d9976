/** Texts with the token ids and vectors that the model in full precision gives them. */

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
