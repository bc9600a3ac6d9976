/**
 * Vectors as they are stored: a byte for each number, and the signs alone for a first pass. Pure.
 *
 * Each vector is stretched to the whole range of a byte. Angles between vectors stay what they were, and only
 * angles are asked for.
 */

const LARGEST = 127;

/** A vector in bytes. */
export function quantize(vector: Float32Array): Int8Array {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const scale = largest === 0 ? 0 : LARGEST / largest;
  return Int8Array.from(vector, (value) => Math.round(value * scale));
}

/** The signs of a vector, eight to a byte, the first in the lowest bit. */
export function readSigns(vector: Float32Array): Uint8Array {
  const signs = new Uint8Array(Math.ceil(vector.length / 8));
  vector.forEach((value, at) => {
    if (value > 0) signs[at >> 3] = (signs[at >> 3] ?? 0) | (1 << (at & 7));
  });
  return signs;
}

/** Cosine of the angle between two vectors in bytes, −1 to 1; 0 when one of them is all zero. */
export function computeCosine(left: Int8Array, right: Int8Array): number {
  let [product, leftSquares, rightSquares] = [0, 0, 0];
  for (let at = 0; at < left.length; at++) {
    const a = left[at] ?? 0;
    const b = right[at] ?? 0;
    product += a * b;
    leftSquares += a * a;
    rightSquares += b * b;
  }
  const lengths = Math.sqrt(leftSquares * rightSquares);
  return lengths === 0 ? 0 : product / lengths;
}

const ONES = Uint8Array.from({ length: 256 }, (_, byte) => {
  let ones = 0;
  for (let rest = byte; rest > 0; rest >>= 1) ones += rest & 1;
  return ones;
});

/** How many signs differ. */
export function countDifferent(left: Uint8Array, right: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < left.length; at++) count += ONES[(left[at] ?? 0) ^ (right[at] ?? 0)] ?? 0;
  return count;
}

/** What cosines have on average, and how far they lie from it. */
export function computeSpread(
  values: readonly number[],
): { readonly mean: number; readonly deviation: number } {
  if (values.length === 0) return { mean: 0, deviation: 1 };
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.sqrt(square) || 1 };
}
