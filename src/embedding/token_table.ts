/**
 * The table of the model that gives each token its first vector, in blocks of four bits. It stands outside
 * the network, so that of its 54 MB only the rows of a text are read. Pure: the bytes come in.
 */
import { invariant } from "../base/errors.ts";

/** Numbers in a vector of the model. */
export const DIMENSIONS = 384;
const BLOCK_VALUES = 32;
const SCALE_BYTES = 2;
const BLOCK_BYTES = SCALE_BYTES + BLOCK_VALUES / 2;
const ROW_BYTES = (DIMENSIONS / BLOCK_VALUES) * BLOCK_BYTES;

/** The bytes of the table, wherever they are. */
export interface TableBytes {
  readonly byteLength: number;
  /** Fills `into` with the bytes from `at` on; throws when they cannot be read. */
  readInto(into: Uint8Array, at: number): void;
}

/** Looks vectors of tokens up. */
export class TokenTable {
  readonly #bytes: TableBytes;
  readonly #row = new Uint8Array(ROW_BYTES);
  /** The number that each 16-bit pattern stands for. */
  readonly #halves: Float32Array;

  /** @param bytes rows of twelve blocks {fp16 scale, 16 bytes}; read row by row. */
  constructor(bytes: TableBytes) {
    invariant(
      bytes.byteLength > 0 && bytes.byteLength % ROW_BYTES === 0,
      "the token table of the embedding model is damaged",
    );
    this.#bytes = bytes;
    this.#halves = buildHalfTable();
  }

  /** Writes the vectors of the ids one after the other: `ids.length` × {@link DIMENSIONS} numbers. */
  lookUp(ids: readonly number[]): Float32Array {
    const out = new Float32Array(ids.length * DIMENSIONS);
    ids.forEach((id, index) => this.#writeRow(id, out, index * DIMENSIONS));
    return out;
  }

  #writeRow(id: number, out: Float32Array, start: number): void {
    const bytes = this.#row;
    this.#bytes.readInto(bytes, id * ROW_BYTES);
    let at = 0;
    for (let block = start; block < start + DIMENSIONS; block += BLOCK_VALUES) {
      const scale = this.#halves[(bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)] ?? 0;
      at += SCALE_BYTES;
      // Low halves of the bytes are the first sixteen numbers, high halves the others.
      for (let i = block; i < block + BLOCK_VALUES / 2; i++, at++) {
        const pair = bytes[at] ?? 0;
        out[i] = ((pair & 15) - 8) * scale;
        out[i + BLOCK_VALUES / 2] = ((pair >> 4) - 8) * scale;
      }
    }
  }
}

/** Every number of 16 bits. By hand, because the runtime of the compiled program may lack `Float16Array`. */
function buildHalfTable(): Float32Array {
  const halves = new Float32Array(1 << 16);
  for (let bits = 0; bits < halves.length; bits++) {
    const sign = bits & 0x8000 ? -1 : 1;
    const exponent = (bits >> 10) & 31;
    const fraction = bits & 1023;
    halves[bits] = sign *
      (exponent === 0
        ? fraction * 2 ** -24
        : exponent === 31
        ? (fraction === 0 ? Infinity : NaN)
        : (1 + fraction / 1024) * 2 ** (exponent - 15));
  }
  return halves;
}
