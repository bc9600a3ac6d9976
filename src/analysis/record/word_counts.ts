/**
 * How often each word stands in a content, packed: what the ranking needs to tell a file that is about a word from one that
 * merely has it. Four bytes a word: 24 bits of the hash of its stem and its count, sorted by hash. Pure.
 */
import { BoundedMap } from "../../base/once.ts";
import { getOrInsert } from "../../base/once.ts";
import { stemWord } from "../../base/text/stem.ts";

const BYTES = 4;
const MOST_COUNTED = 255;
/** Counts of a word before they are cut; files are smaller. */
const COUNT_ROOM = 2 ** 24;
/** Stems of a content that are kept, the most frequent ones: data may have a hundred thousand. */
const MAX_STEMS = 8_192;
// Words come back in file after file; about 100 bytes each (estimated).
const MAX_KNOWN = 50_000;
const known = new BoundedMap<string, number>(MAX_KNOWN);

/** The counts of all words of the chunks, in comments and in code; empty where there are none. */
export function packCounts(
  chunks: readonly { readonly words: { readonly comments: string; readonly body: string } }[],
): Uint8Array {
  const words = chunks.map((chunk) => `${chunk.words.comments} ${chunk.words.body}`).join(" ");
  // Numbers sort by themselves: the hash, and below it the count.
  const sorted = Float64Array.from(
    countWords(words),
    ([word, count]) => hashWord(word) * COUNT_ROOM + Math.min(count, COUNT_ROOM - 1),
  ).sort();
  const all = joinEqual(sorted);
  const kept = all.length <= MAX_STEMS ? all : keepMost(all);
  const packed = new Uint8Array(kept.length * BYTES);
  const view = new DataView(packed.buffer);
  for (const [at, { hash, count }] of kept.entries()) {
    view.setUint32(at * BYTES, hash * (MOST_COUNTED + 1) + Math.min(MOST_COUNTED, count));
  }
  return packed;
}

interface StemCount {
  readonly hash: number;
  readonly count: number;
}

/** Words of one stem as one; by hash, as they came. */
function joinEqual(sorted: Float64Array): StemCount[] {
  const joined: StemCount[] = [];
  let last = -1;
  let sum = 0;
  for (const one of sorted) {
    const hash = Math.floor(one / COUNT_ROOM);
    if (hash !== last && last >= 0) joined.push({ hash: last, count: sum });
    sum = (hash === last ? sum : 0) + one % COUNT_ROOM;
    last = hash;
  }
  if (last >= 0) joined.push({ hash: last, count: sum });
  return joined;
}

function keepMost(counts: readonly StemCount[]): readonly StemCount[] {
  return counts.toSorted((a, b) => b.count - a.count || a.hash - b.hash).slice(0, MAX_STEMS)
    .sort((a, b) => a.hash - b.hash);
}

/** Whether the counts are those of all words, and none was left out for their number. */
export function hasAllCounts(packed: Uint8Array): boolean {
  return packed.length < MAX_STEMS * BYTES;
}

/**
 * How often each stem stands in a content, in their order; counts of more than 255 are 255.
 *
 * @param packed what {@link packCounts} made.
 */
export function unpackCounts(packed: Uint8Array, stems: readonly string[]): number[] {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  return stems.map((stem) => {
    const wanted = hashStem(stem) * (MOST_COUNTED + 1);
    let [low, high] = [0, packed.length / BYTES];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (view.getUint32(middle * BYTES) < wanted) low = middle + 1;
      else high = middle;
    }
    const found = low * BYTES < packed.length ? view.getUint32(low * BYTES) - wanted : -1;
    return found >= 0 && found <= MOST_COUNTED ? found : 0;
  });
}

const SPACE = 0x20;

/**
 * How often each word of a text stands in it, words being what spaces part. Most words come again, so that only the first place
 * of each becomes a text: that takes about a fifth less time than a map of texts.
 */
function countWords(text: string): readonly (readonly [word: string, count: number])[] {
  const places = new PlaceTable(text);
  let start = 0;
  let hash = SEED;
  for (let at = 0; at <= text.length; at++) {
    const code = at === text.length ? SPACE : text.charCodeAt(at);
    if (code !== SPACE) {
      hash = Math.imul(hash ^ code, PRIME);
      continue;
    }
    if (at > start) places.add(hash, start, at);
    start = at + 1;
    hash = SEED;
  }
  return places.list();
}

/** The different words of a text by their first places, found by their hashes (open addressing). */
class PlaceTable {
  readonly #text: string;
  readonly #mask: number;
  /** Slots hold the number of a word from 1; 0 is free. */
  readonly #slots: Int32Array;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #counts: number[] = [];

  constructor(text: string) {
    this.#text = text;
    let size = 64;
    // A word and the space behind it are two characters at least, so that a slot is always free.
    while (size < text.length / 2 + 2) size *= 2;
    this.#mask = size - 1;
    this.#slots = new Int32Array(size);
  }

  add(hash: number, start: number, end: number): void {
    let slot = hash & this.#mask;
    for (;; slot = (slot + 1) & this.#mask) {
      const number = (this.#slots[slot] ?? 0) - 1;
      if (number < 0) break;
      if (!this.#isSame(number, start, end)) continue;
      this.#counts[number] = (this.#counts[number] ?? 0) + 1;
      return;
    }
    this.#slots[slot] = this.#counts.push(1);
    this.#starts.push(start);
    this.#ends.push(end);
  }

  list(): readonly (readonly [word: string, count: number])[] {
    return this.#counts.map((count, at) =>
      [this.#text.slice(this.#starts[at], this.#ends[at]), count] as const
    );
  }

  #isSame(number: number, start: number, end: number): boolean {
    const known = this.#starts[number] ?? 0;
    if ((this.#ends[number] ?? 0) - known !== end - start) return false;
    for (let at = 0; at < end - start; at++) {
      if (this.#text.charCodeAt(known + at) !== this.#text.charCodeAt(start + at)) return false;
    }
    return true;
  }
}

function hashWord(word: string): number {
  return getOrInsert(known, word, () => hashStem(stemWord(word)));
}

// FNV-1a of 32 bits.
const SEED = 0x811c9dc5;
const PRIME = 0x01000193;

/** Its hash, folded to 24 bits: among 300 words of a file one in 50,000 others is taken for one of them. */
function hashStem(stem: string): number {
  let hash = SEED;
  for (let at = 0; at < stem.length; at++) hash = Math.imul(hash ^ stem.charCodeAt(at), PRIME);
  return ((hash >>> 24) ^ hash) & 0xffffff;
}
