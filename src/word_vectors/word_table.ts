/**
 * The table of word vectors: one row of small numbers a word, distilled from the embedding model and trained on
 * public code (`lab/word_vectors/`). A text's vector is the sum of its words' rows. So it costs no
 * run of the model, and exists as soon as the text does. Pure.
 */
/** The first bytes of the file: `CIwv`. */
const MAGIC = 0x76774943;
/** Raise it with the form of the file. */
const FORMAT = 1;
const HEADER_BYTES = 20;
const SCALE_BYTES = 4;

/** A table as it is made: rows of `dimensions` numbers, one after the other in the order of the words. */
export interface WordRows {
  readonly dimensions: number;
  /** Lower case, each once. */
  readonly words: readonly string[];
  readonly rows: Float32Array;
}

/** Rows of words. */
export class WordTable {
  readonly dimensions: number;
  readonly #places: ReadonlyMap<string, number>;
  readonly #scales: Float32Array;
  readonly #numbers: Int8Array;

  private constructor(
    dimensions: number,
    words: readonly string[],
    parts: { readonly scales: Float32Array; readonly numbers: Int8Array },
  ) {
    this.dimensions = dimensions;
    const places = new Map<string, number>();
    for (let at = 0; at < words.length; at++) places.set(words[at] ?? "", at);
    this.#places = places;
    this.#scales = parts.scales;
    this.#numbers = parts.numbers;
  }

  /**
   * Reads what {@link packWordTable} wrote.
   *
   * @throws when the bytes are no such table.
   */
  static parse(bytes: Uint8Array): WordTable {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < HEADER_BYTES || view.getUint32(0, true) !== MAGIC) {
      throw new Error("the table of word vectors is no such table");
    }
    const [format = 0, dimensions = 0, count = 0, textBytes = 0] = [4, 8, 12, 16]
      .map((at) => view.getUint32(at, true));
    const scalesAt = HEADER_BYTES + textBytes;
    const numbersAt = scalesAt + count * SCALE_BYTES;
    if (format !== FORMAT || bytes.length !== numbersAt + count * dimensions) {
      throw new Error(`the table of word vectors has the form ${format} or is cut off`);
    }
    const text = new TextDecoder().decode(bytes.subarray(HEADER_BYTES, scalesAt));
    const scales = Float32Array.from(
      { length: count },
      (_, row) => view.getFloat32(scalesAt + row * SCALE_BYTES, true),
    );
    const numbers = new Int8Array(bytes.buffer, bytes.byteOffset + numbersAt, count * dimensions);
    return new WordTable(dimensions, text.split("\n"), { scales, numbers });
  }

  /** All words that have a row, lower case. */
  get words(): Iterable<string> {
    return this.#places.keys();
  }

  /** Adds the row of a word, times `weight`, to a sum of {@link dimensions} numbers; a word without one adds nothing. */
  addTo(sum: Float32Array, word: string, weight: number): void {
    const place = this.#places.get(word);
    if (place === undefined) return;
    const { dimensions } = this;
    const numbers = this.#numbers;
    const factor = weight * (this.#scales[place] ?? 0);
    for (let at = 0, from = place * dimensions; at < dimensions; at++, from++) {
      sum[at] = (sum[at] ?? 0) + factor * (numbers[from] ?? 0);
    }
  }

  /** The product of the row of a word and a vector of {@link dimensions} numbers; 0 for a word without a row. */
  toProduct(word: string, vector: Float32Array): number {
    const place = this.#places.get(word);
    if (place === undefined) return 0;
    const from = place * this.dimensions;
    return dotProductAt(this.#numbers, from, vector) * (this.#scales[place] ?? 0);
  }
}

/** The product of the numbers from a place on and a vector, which are as many. */
export function dotProductAt(numbers: Int8Array, from: number, vector: Float32Array): number {
  let product = 0;
  for (let at = 0; at < vector.length; at++) {
    product += (numbers[from + at] ?? 0) * (vector[at] ?? 0);
  }
  return product;
}

const LARGEST = 127;

/** A table as bytes: a head, the words by lines, the scale of each row, the rows with a byte a number. */
export function packWordTable({ dimensions, words, rows }: WordRows): Uint8Array {
  const text = new TextEncoder().encode(words.join("\n"));
  const numbersAt = HEADER_BYTES + text.length + words.length * SCALE_BYTES;
  const bytes = new Uint8Array(numbersAt + rows.length);
  const view = new DataView(bytes.buffer);
  [MAGIC, FORMAT, dimensions, words.length, text.length]
    .forEach((value, at) => view.setUint32(at * 4, value, true));
  bytes.set(text, HEADER_BYTES);
  words.forEach((_, place) => {
    const row = rows.subarray(place * dimensions, (place + 1) * dimensions);
    const scale = computeScale(row);
    view.setFloat32(HEADER_BYTES + text.length + place * SCALE_BYTES, scale, true);
    row.forEach((value, at) =>
      view.setInt8(numbersAt + place * dimensions + at, Math.round(value / scale))
    );
  });
  return bytes;
}

/** What one step of a byte stands for, so that the largest number of a vector takes the whole byte. */
export function computeScale(vector: Float32Array): number {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  return largest === 0 ? 1 : largest / LARGEST;
}
