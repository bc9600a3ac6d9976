/**
 * How often each word stands in a content, packed: what the ranking needs to tell a file that is about a word from one that
 * merely has it. Four bytes a word: 24 bits of the hash of its stem and its count, sorted by hash. Pure.
 */
import { toStem } from "../../base/text/stem.ts";

const BYTES = 4;
const MOST_COUNTED = 255;
/** Stems of a content that are kept, the most frequent ones: data may have a hundred thousand. */
const MAX_STEMS = 8_192;
// Words come back in file after file; about 100 bytes each (estimated).
const MAX_KNOWN = 50_000;
const known = new Map<string, number>();

/** The counts of all words of the chunks, in comments and in code; empty where there are none. */
export function packCounts(
  chunks: readonly { readonly words: { readonly comments: string; readonly body: string } }[],
): Uint8Array {
  const byWord = new Map<string, number>();
  for (const { words: { comments, body } } of chunks) {
    for (const word of `${comments} ${body}`.split(" ")) {
      if (word !== "") byWord.set(word, (byWord.get(word) ?? 0) + 1);
    }
  }
  const byHash = new Map<number, number>();
  for (const [word, count] of byWord) {
    const hash = hashWord(word);
    byHash.set(hash, (byHash.get(hash) ?? 0) + count);
  }
  const kept = byHash.size <= MAX_STEMS
    ? [...byHash]
    : [...byHash].sort(([a, most], [b, more]) => more - most || a - b).slice(0, MAX_STEMS);
  const packed = new Uint8Array(kept.length * BYTES);
  const view = new DataView(packed.buffer);
  kept.sort(([a], [b]) => a - b).forEach(([hash, count], at) =>
    view.setUint32(at * BYTES, hash * (MOST_COUNTED + 1) + Math.min(MOST_COUNTED, count))
  );
  return packed;
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

function hashWord(word: string): number {
  let hash = known.get(word);
  if (hash === undefined) {
    hash = hashStem(toStem(word));
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(word, hash);
  }
  return hash;
}

/** FNV-1a of the characters, folded to 24 bits: among 300 words of a file one in 50,000 others is taken for one of them. */
function hashStem(stem: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < stem.length; at++) {
    hash = Math.imul(hash ^ stem.charCodeAt(at), 0x01000193);
  }
  return ((hash >>> 24) ^ hash) & 0xffffff;
}
