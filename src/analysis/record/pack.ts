/**
 * Small numbers as bytes: the packed lists of the index. A number takes seven bits a byte, lowest
 * first; the highest bit says that more follow. Pure.
 */
import type { Occurrence, TypeFact } from "../analysis.ts";
import { TYPE_FACT_KINDS } from "../analysis.ts";
import { expectFit, pushNumber, RecordReader } from "./record_bytes.ts";

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

/**
 * Packs lists of places, each of which must be in order of its lines. The results are parts of one piece of memory: a
 * content has a hundred names, and as many pieces cost most of what sending it to another thread takes.
 */
export function packPlaces(lists: readonly (readonly Place[])[]): Uint8Array[] {
  const bytes: number[] = [];
  const ends = lists.map((places) => {
    pushPlaces(bytes, places);
    return bytes.length;
  });
  const all = Uint8Array.from(bytes);
  return ends.map((end, at) => all.subarray(ends[at - 1] ?? 0, end));
}

function pushPlaces(bytes: number[], places: readonly Place[]): void {
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
}

/** Reads one list of those that {@link packPlaces} wrote. */
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

const FACT_KIND_BITS = 4;

/** Packs facts about types, which must be in the order of their lines: words and ranges once, then the facts. */
export function packTypes(facts: readonly TypeFact[]): Uint8Array {
  const words = new Numbering<string>();
  const ranges = new Numbering<string>();
  const rows: number[] = [];
  let lastLine = 0;
  for (const { name, line, column, kind, text, within } of facts) {
    const code = TYPE_FACT_KINDS.indexOf(kind) | (within === undefined ? 0 : 1 << FACT_KIND_BITS);
    for (const number of [line - lastLine, column, code, words.of(name), words.of(text)]) {
      pushNumber(rows, number);
    }
    if (within !== undefined) pushNumber(rows, ranges.of(within.join(" ")));
    lastLine = line;
  }
  const bytes: number[] = [];
  pushNumber(bytes, words.all.length);
  for (const word of words.all) {
    const encoded = encoder.encode(word);
    pushNumber(bytes, encoded.length);
    for (const byte of encoded) bytes.push(byte);
  }
  pushNumber(bytes, ranges.all.length);
  for (const range of ranges.all) {
    const [from = 0, to = 0] = range.split(" ").map(Number);
    pushNumber(bytes, from);
    pushNumber(bytes, to - from);
  }
  const packed = new Uint8Array(bytes.length + rows.length);
  packed.set(bytes);
  packed.set(rows, bytes.length);
  return packed;
}

/** Reads what {@link packTypes} wrote. */
export function unpackTypes(bytes: Uint8Array): readonly TypeFact[] {
  const reader = new NumberReader(bytes);
  const words = Array.from({ length: reader.next() }, () => reader.text(reader.next()));
  const ranges = Array.from({ length: reader.next() }, (): readonly [number, number] => {
    const from = reader.next();
    return [from, from + reader.next()];
  });
  const facts: TypeFact[] = [];
  let line = 0;
  while (!reader.isDone) {
    line += reader.next();
    const column = reader.next();
    const code = reader.next();
    const name = words[reader.next()] ?? "";
    const text = words[reader.next()] ?? "";
    const kind = TYPE_FACT_KINDS[code & ((1 << FACT_KIND_BITS) - 1)] ?? "type";
    const within = code >> FACT_KIND_BITS === 0 ? undefined : ranges[reader.next()];
    facts.push({ name, line, column, kind, text, ...(within === undefined ? {} : { within }) });
  }
  return facts;
}

/** Numbers things in the order in which they come. */
class Numbering<T> {
  readonly #numbers = new Map<T, number>();

  get all(): readonly T[] {
    return [...this.#numbers.keys()];
  }

  of(one: T): number {
    const known = this.#numbers.get(one) ?? this.#numbers.size;
    this.#numbers.set(one, known);
    return known;
  }
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

/**
 * Refuses packed places that others may have made and {@link unpackPlaces} would misread.
 *
 * @throws {UnfitRecord}
 */
export function checkPlaces(bytes: Uint8Array, lineCount: number): void {
  const reader = new RecordReader(bytes, { hasTexts: false });
  let line = 0;
  while (!reader.isDone) {
    line += reader.number(lineCount - line);
    expectFit(line > 0, "a name stands at no line");
    reader.number();
    const code = reader.number(((LOCAL_CODE + 1) << KIND_BITS) - 1);
    const receiver = code >> KIND_BITS;
    expectFit((code & ((1 << KIND_BITS) - 1)) < KINDS.length, "a kind of place is unknown");
    if (receiver === 1 || receiver === OF_LOCAL_CODE) reader.plainText(reader.count());
    else {
      const isKnown = receiver - 2 < COMMON_RECEIVERS.length || receiver === LOCAL_CODE;
      expectFit(isKnown, "a receiver is unknown");
    }
  }
}

/**
 * The same for facts about types and {@link unpackTypes}; no bytes are no facts.
 *
 * @throws {UnfitRecord}
 */
export function checkTypes(bytes: Uint8Array, lineCount: number): void {
  if (bytes.length === 0) return;
  const reader = new RecordReader(bytes, { hasTexts: false });
  const words = reader.count();
  for (let at = 0; at < words; at++) reader.plainText(reader.count());
  const ranges = reader.count();
  for (let at = 0; at < ranges; at++) [reader.number(), reader.number()];
  let line = 0;
  while (!reader.isDone) {
    line += reader.number(lineCount - line);
    reader.number();
    const code = reader.number((2 << FACT_KIND_BITS) - 1);
    expectFit((code & ((1 << FACT_KIND_BITS) - 1)) < TYPE_FACT_KINDS.length, "a fact is unknown");
    reader.number(words - 1);
    reader.number(words - 1);
    if (code >> FACT_KIND_BITS !== 0) reader.number(ranges - 1);
  }
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
