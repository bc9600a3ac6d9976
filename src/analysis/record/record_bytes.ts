/**
 * Writes and reads the fields of a record that others may have made: whatever its bytes are, reading ends within them or
 * with an {@link UnfitRecord}. Pure.
 */
import { concatBytes } from "../../base/bytes.ts";

/** Adds a number from 0 in seven bits a byte. */
export function pushNumber(bytes: number[], value: number): void {
  let rest = value;
  // Division rather than shifts: ids may be larger than 31 bits.
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
}

/** Says what of a record does not fit. */
export class UnfitRecord extends Error {
  override readonly name = "UnfitRecord";
}

/** Refuses a record unless a condition holds. */
export function expectFit(condition: boolean, message: string): asserts condition {
  if (!condition) throw new UnfitRecord(message);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** Seven bits a digit hold every number up to it. */
const LARGEST = Number.MAX_SAFE_INTEGER;
const MAX_DIGITS = 8;

/** Shorter bytes are copied one by one. */
const PART_BYTES = 64;

/** The fields of a record in the order in which they are added. */
export class RecordWriter {
  readonly #parts: Uint8Array[] = [];
  #bytes: number[] = [];
  readonly #strings = new Map<string, number>();

  /** Adds a number from 0. */
  number(value: number): void {
    pushNumber(this.#bytes, value);
  }

  /** Adds bytes with their length. */
  bytes(bytes: Uint8Array): void {
    pushNumber(this.#bytes, bytes.length);
    if (bytes.length >= PART_BYTES) this.#parts.push(this.#endPart(), bytes);
    else for (const byte of bytes) this.#bytes.push(byte);
  }

  /** Adds a text; the same text again costs its number. */
  text(text: string): void {
    const at = this.#strings.get(text) ?? this.#strings.size;
    this.#strings.set(text, at);
    pushNumber(this.#bytes, at);
  }

  /** The record: its texts, then its fields. Nothing can be added to it. */
  toBytes(): Uint8Array {
    const texts = [...this.#strings.keys()].map((text) => encoder.encode(text));
    const head: number[] = [];
    pushNumber(head, texts.length);
    for (const { length } of texts) pushNumber(head, length);
    return concatBytes([Uint8Array.from(head), ...texts, ...this.#parts, this.#endPart()]);
  }

  #endPart(): Uint8Array {
    const part = Uint8Array.from(this.#bytes);
    this.#bytes = [];
    return part;
  }
}

/** Reads what {@link RecordWriter} wrote, or fails with an {@link UnfitRecord}. */
export class RecordReader {
  readonly #bytes: Uint8Array;
  readonly #texts: readonly string[];
  #at = 0;

  /** @param bytes a whole record. */
  constructor(bytes: Uint8Array, { hasTexts = true }: { readonly hasTexts?: boolean } = {}) {
    this.#bytes = bytes;
    this.#texts = hasTexts ? this.#readTexts() : [];
  }

  /** Whether nothing is left. */
  get isDone(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** The next number, at most `largest`. */
  number(largest = LARGEST): number {
    let value = 0;
    let scale = 1;
    for (let digits = 1;; digits++, scale *= 0x80) {
      const byte = this.#bytes[this.#at++];
      expectFit(byte !== undefined && digits <= MAX_DIGITS, "it ends too early");
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
    }
    // Most of a record are numbers: the sentence is made where it is needed alone.
    if (value > largest) throw new UnfitRecord(`a number is ${value}, and at most ${largest} fits`);
    return value;
  }

  /** How many things follow, each of which takes at least a byte. */
  count(): number {
    return this.number(this.#bytes.length - this.#at);
  }

  /** The next bytes, which stay a part of the record: a copy of each costs more than reading it. */
  bytes(): Uint8Array {
    return this.#take(this.count());
  }

  /** The next text. */
  text(): string {
    const text = this.#texts[this.number()];
    expectFit(text !== undefined, "a text is missing");
    return text;
  }

  /** A text that stands at its place, with this length. */
  plainText(lengthBytes: number): string {
    return decoder.decode(this.#take(lengthBytes));
  }

  #take(lengthBytes: number): Uint8Array {
    const from = this.#at;
    expectFit(lengthBytes <= this.#bytes.length - from, "it ends too early");
    this.#at += lengthBytes;
    return this.#bytes.subarray(from, this.#at);
  }

  #readTexts(): readonly string[] {
    const lengths = Array.from({ length: this.count() }, () => this.number());
    const bytes = this.#take(lengths.reduce((sum, length) => sum + length, 0));
    const whole = decoder.decode(bytes);
    // Decoding each by itself takes several times as long; among letters of other scripts bytes are no positions.
    const isPlain = whole.length === bytes.length;
    let at = 0;
    return lengths.map((length) => {
      const from = at;
      at += length;
      return isPlain ? whole.slice(from, at) : decoder.decode(bytes.subarray(from, at));
    });
  }
}
