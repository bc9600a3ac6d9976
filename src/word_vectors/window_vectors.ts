/**
 * Vectors of windows of lines by the words that stand in them, as they are stored of a content, and how near they are
 * to a question. Pure.
 *
 * What is stored does not depend on where the file lies: the words of its path are added when a question is asked.
 */
import type { WordTable } from "./word_table.ts";
import { toScale } from "./word_table.ts";

/** Lines of a window. */
export const WINDOW_LINES = 50;

/** What a word of the path counts; one of the lines counts by the logarithm of how often it stands there. */
export const PATH_WEIGHT = 4;
const SCALE_BYTES = 4;

/** How near the windows of a file are to a question. */
export interface WindowNearness {
  /** 1-based line where the window begins. */
  readonly startLine: number;
  /** −1 to 1. */
  readonly cosine: number;
}

/**
 * The vectors of windows as bytes: of each a scale and a byte a number.
 *
 * @param windows the words of each window, in order; one without known words has a vector of zeros.
 */
export function packWindows(windows: readonly (readonly string[])[], table: WordTable): Uint8Array {
  const { dimensions } = table;
  const bytes = new Uint8Array(windows.length * (SCALE_BYTES + dimensions));
  const view = new DataView(bytes.buffer);
  windows.forEach((words, place) => {
    const vector = sumWords(words, table);
    const scale = toScale(vector);
    const from = place * (SCALE_BYTES + dimensions);
    view.setFloat32(from, scale, true);
    vector.forEach((value, at) => view.setInt8(from + SCALE_BYTES + at, Math.round(value / scale)));
  });
  return bytes;
}

/** The vector of a question, of unit length; null when the table has none of its words. */
export function toAskedVector(words: readonly string[], table: WordTable): Float32Array | null {
  const vector = sumWords(words, table);
  const length = Math.sqrt(toProduct(vector, vector));
  return length === 0 ? null : vector.map((value) => value / length);
}

/** What the words of a path add to each window of the file. */
export function toPathVector(words: readonly string[], table: WordTable): Float32Array {
  const vector = new Float32Array(table.dimensions);
  for (const word of words) table.addTo(vector, word, PATH_WEIGHT);
  return vector;
}

/** How near each window with words is to a question, in their order. */
export function compareWindows(
  packed: Uint8Array,
  { asked, path }: { readonly asked: Float32Array; readonly path: Float32Array },
): WindowNearness[] {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const numbers = new Int8Array(packed.buffer, packed.byteOffset, packed.byteLength);
  const dimensions = asked.length;
  const ofPath = { asked: toProduct(asked, path), square: toProduct(path, path) };
  const found: WindowNearness[] = [];
  for (let from = 0; from < packed.length; from += SCALE_BYTES + dimensions) {
    const scale = view.getFloat32(from, true);
    let [withAsked, withPath, square] = [0, 0, 0];
    for (let at = 0; at < dimensions; at++) {
      const value = numbers[from + SCALE_BYTES + at] ?? 0;
      withAsked += value * (asked[at] ?? 0);
      withPath += value * (path[at] ?? 0);
      square += value * value;
    }
    if (square === 0) continue;
    const length = Math.sqrt(scale * scale * square + 2 * scale * withPath + ofPath.square);
    const startLine = 1 + WINDOW_LINES * from / (SCALE_BYTES + dimensions);
    found.push({
      startLine,
      cosine: length === 0 ? 0 : (scale * withAsked + ofPath.asked) / length,
    });
  }
  return found;
}

/** Each word counts by the logarithm of how often it stands there. */
function sumWords(words: readonly string[], table: WordTable): Float32Array {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const sum = new Float32Array(table.dimensions);
  for (const [word, count] of counts) table.addTo(sum, word, Math.log1p(count));
  return sum;
}

/** The sum of the products of two vectors' numbers: the cosine of two of unit length. */
export function toProduct(left: Float32Array, right: Float32Array): number {
  let product = 0;
  for (let at = 0; at < left.length; at++) product += (left[at] ?? 0) * (right[at] ?? 0);
  return product;
}
