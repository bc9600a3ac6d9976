/**
 * Small numbers as bytes: the packed lists of the index. A number takes seven bits a byte, lowest
 * first; the highest bit says that more follow. Pure.
 */
import type { Occurrence } from "./analysis.ts";

/** A place of an occurrence, without its name. */
export type Place = Omit<Occurrence, "name">;

// The order is part of the format.
const KINDS: readonly Occurrence["kind"][] = [
  "call",
  "import",
  "type",
  "write",
  "read",
  "definition",
];
// Receivers that stand everywhere take one byte; the order is part of the format.
const COMMON_RECEIVERS = [
  "this",
  "self",
  "super",
  "$this",
  "cls",
  "Self",
  "static",
  "parent",
  // Something without a name.
  "",
];
/** Codes of local names: without a receiver, and with one that is written out. */
const LOCAL_CODE = 15;
const OF_LOCAL_CODE = 14;
const KIND_BITS = 3;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Packs places, which must be in order of their lines. */
export function packPlaces(places: readonly Place[]): Uint8Array {
  const bytes: number[] = [];
  let lastLine = 0;
  for (const { line, column, kind, receiver, isLocal } of places) {
    pushNumber(bytes, line - lastLine);
    pushNumber(bytes, column);
    const common = receiver === undefined ? -1 : COMMON_RECEIVERS.indexOf(receiver);
    // 0: none; 1: written out; from 2: a common one.
    const code = isLocal === true
      ? receiver === undefined ? LOCAL_CODE : OF_LOCAL_CODE
      : receiver === undefined
      ? 0
      : common + 2;
    pushNumber(bytes, KINDS.indexOf(kind) | code << KIND_BITS);
    if ((code === 1 || code === OF_LOCAL_CODE) && receiver !== undefined) {
      const text = encoder.encode(receiver);
      pushNumber(bytes, text.length);
      bytes.push(...text);
    }
    lastLine = line;
  }
  return Uint8Array.from(bytes);
}

/** Reads what {@link packPlaces} wrote. */
export function unpackPlaces(bytes: Uint8Array): Place[] {
  const reader = new NumberReader(bytes);
  const places: Place[] = [];
  let line = 0;
  while (!reader.isDone) {
    line += reader.next();
    const column = reader.next();
    const code = reader.next();
    const kind = KINDS[code & ((1 << KIND_BITS) - 1)] ?? "read";
    const receiver = code >> KIND_BITS;
    if (receiver === 0) places.push({ line, column, kind });
    else if (receiver === LOCAL_CODE) places.push({ line, column, kind, isLocal: true });
    else if (receiver === OF_LOCAL_CODE) {
      places.push({ line, column, kind, receiver: reader.text(reader.next()), isLocal: true });
    } else {
      const text = receiver === 1 ? reader.text(reader.next()) : COMMON_RECEIVERS[receiver - 2];
      places.push({ line, column, kind, receiver: text ?? "" });
    }
  }
  return places;
}

/** Packs numbers that never fall, such as sorted ids, as their differences. */
export function packRising(numbers: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  let last = 0;
  for (const number of numbers) {
    pushNumber(bytes, number - last);
    last = number;
  }
  return Uint8Array.from(bytes);
}

/** Reads what {@link packRising} wrote. */
export function unpackRising(bytes: Uint8Array): number[] {
  const reader = new NumberReader(bytes);
  const numbers: number[] = [];
  let last = 0;
  while (!reader.isDone) {
    last += reader.next();
    numbers.push(last);
  }
  return numbers;
}

function pushNumber(bytes: number[], value: number): void {
  let rest = value;
  // Division rather than shifts: ids may be larger than 31 bits.
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
}

class NumberReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isDone(): boolean {
    return this.#at >= this.#bytes.length;
  }

  next(): number {
    let value = 0;
    for (let scale = 1;; scale *= 0x80) {
      const byte = this.#bytes[this.#at++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  text(lengthBytes: number): string {
    const end = this.#at + lengthBytes;
    const text = decoder.decode(this.#bytes.subarray(this.#at, end));
    this.#at = end;
    return text;
  }
}
