/**
 * Vectors of windows of lines by the words in them, as they are stored for a content. Also how near
 * they are to a question. Pure.
 *
 * What is stored does not depend on where the file lies: the words of its path are added when a question is asked.
 */
import { getOrInsert } from "../base/once.ts";
import type { WordTable } from "./word_table.ts";
import { computeScale, dotProductAt } from "./word_table.ts";

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
    const scale = computeScale(vector);
    const from = place * (SCALE_BYTES + dimensions);
    view.setFloat32(from, scale, true);
    vector.forEach((value, at) => view.setInt8(from + SCALE_BYTES + at, Math.round(value / scale)));
  });
  return bytes;
}

/** A question as windows are compared with it. */
export interface Asked {
  /** Of unit length. */
  readonly vector: Float32Array;
  /** The product of the vector and the row of a word; 0 for a word without one. */
  readonly productOf: (word: string) => number;
}

/** A question by its words; null when the table has none of them. */
export function buildAsked(words: readonly string[], table: WordTable): Asked | null {
  const sum = sumWords(words, table);
  const length = Math.sqrt(dotProduct(sum, sum));
  if (length === 0) return null;
  const vector = sum.map((value) => value / length);
  // Paths share most of their words.
  const products = new Map<string, number>();
  return {
    vector,
    productOf: (word) => getOrInsert(products, word, () => table.toProduct(word, vector)),
  };
}

/** What does not depend on a question. */
export interface MeasuredFile {
  /** Words of its path, which count for each window. */
  readonly pathWords: readonly string[];
  /** Lengths of the vectors of its windows with the words of the path; −1 for a window without words. */
  readonly lengths: Float32Array;
}

/** Measures the windows of a file, so that a question needs one product for each. */
export function measureWindows(
  packed: Uint8Array,
  pathWords: readonly string[],
  table: WordTable,
): MeasuredFile {
  const path = new Float32Array(table.dimensions);
  for (const word of pathWords) table.addTo(path, word, PATH_WEIGHT);
  const ofPath = dotProduct(path, path);
  const windows = new Windows(packed, table.dimensions);
  const lengths = Float32Array.from({ length: windows.count }, (_, at) => {
    const scale = windows.scaleOf(at);
    const square = windows.squareOf(at);
    if (square === 0) return -1;
    return Math.sqrt(scale * scale * square + 2 * scale * windows.productOf(at, path) + ofPath);
  });
  return { pathWords, lengths };
}

/** How near each window with words is to a question, in their order. */
export function compareWindows(
  packed: Uint8Array,
  { pathWords, lengths }: MeasuredFile,
  asked: Asked,
): WindowNearness[] {
  const ofPath = PATH_WEIGHT * pathWords.reduce((sum, word) => sum + asked.productOf(word), 0);
  const windows = new Windows(packed, asked.vector.length);
  const found: WindowNearness[] = [];
  for (const [at, length] of lengths.entries()) {
    if (length < 0) continue;
    const product = windows.scaleOf(at) * windows.productOf(at, asked.vector) + ofPath;
    found.push({ startLine: 1 + WINDOW_LINES * at, cosine: length === 0 ? 0 : product / length });
  }
  return found;
}

/** Packed windows, of which each has numbers to be multiplied by its scale. */
class Windows {
  readonly count: number;
  readonly #view: DataView;
  readonly #numbers: Int8Array;
  readonly #dimensions: number;

  constructor({ buffer, byteOffset, length }: Uint8Array, dimensions: number) {
    this.#view = new DataView(buffer, byteOffset, length);
    this.#numbers = new Int8Array(buffer, byteOffset, length);
    this.#dimensions = dimensions;
    this.count = Math.floor(length / (SCALE_BYTES + dimensions));
  }

  scaleOf(window: number): number {
    return this.#view.getFloat32(window * (SCALE_BYTES + this.#dimensions), true);
  }

  productOf(window: number, vector: Float32Array): number {
    const from = window * (SCALE_BYTES + this.#dimensions) + SCALE_BYTES;
    return dotProductAt(this.#numbers, from, vector);
  }

  squareOf(window: number): number {
    const from = window * (SCALE_BYTES + this.#dimensions) + SCALE_BYTES;
    return this.#numbers.subarray(from, from + this.#dimensions)
      .reduce((sum, value) => sum + value * value, 0);
  }
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
export function dotProduct(left: Float32Array, right: Float32Array): number {
  let product = 0;
  for (let at = 0; at < left.length; at++) product += (left[at] ?? 0) * (right[at] ?? 0);
  return product;
}
