/**
 * Rows of words from the embedding model: each word is pushed through it once as a question, and what tells words
 * apart is kept.
 */
import type { Encoder } from "../../src/embedding/encoder.ts";
import { DIMENSIONS } from "../../src/embedding/token_table.ts";
import { splitParts } from "../../src/analysis/tokens.ts";
import { readGlossary } from "../../src/ranking/languages/glossary_ja.ts";
import type { WordRows } from "../../src/word_vectors/word_table.ts";
import { toComponents } from "./components.ts";
import type { Pair } from "./pairs.ts";

/** In how many repositories a word stands at the least: a name of one project says nothing of another. */
const MIN_REPOSITORIES = 2;
/** The first components say how common a word is. */
const SKIPPED = 3;
/** Numbers of a row. */
const KEPT = 256;
/** A word in this share of the texts counts half of one that is rare. */
const HALF_SHARE = 0.05;

/** A word with the share of the texts that have it. */
export interface CountedWord {
  readonly word: string;
  readonly share: number;
}

/** The words of several repositories, and those that questions in Japanese are put into; the commonest first. */
export function toVocabulary(
  repositories: ReadonlyMap<string, readonly Pair[]>,
): readonly CountedWord[] {
  const counts = new Map<string, { texts: number; last: string; repositories: number }>();
  let texts = 0;
  for (const [name, pairs] of repositories) {
    texts += pairs.length;
    for (const { said, code, path } of pairs) {
      for (const word of new Set([...said, ...code, ...path])) {
        const count = counts.get(word) ?? { texts: 0, last: "", repositories: 0 };
        if (count.last !== name) count.repositories++;
        count.last = name;
        count.texts++;
        counts.set(word, count);
      }
    }
  }
  const asked = new Set([...readGlossary().values()].flat().flatMap(splitParts));
  const known = [...counts].filter(([word, count]) =>
    count.repositories >= MIN_REPOSITORIES || asked.has(word)
  );
  return [
    ...known.map(([word, count]) => ({ word, share: count.texts / texts })),
    ...[...asked].filter((word) => !counts.has(word)).map((word) => ({ word, share: 0 })),
  ].sort((a, b) => b.share - a.share || (a.word < b.word ? -1 : 1));
}

/** The rows of words by the model alone. */
export async function distilRows(
  vocabulary: readonly CountedWord[],
  encoder: Pick<Encoder, "encode">,
): Promise<WordRows> {
  const values = new Float32Array(vocabulary.length * DIMENSIONS);
  for (const [place, { word }] of vocabulary.entries()) {
    values.set(await encoder.encode("query", word), place * DIMENSIONS);
  }
  const rows = toComponents({ width: DIMENSIONS, values }, { skipped: SKIPPED, kept: KEPT }).values;
  vocabulary.forEach(({ share }, place) => {
    const weight = HALF_SHARE / (HALF_SHARE + share);
    for (let at = place * KEPT; at < (place + 1) * KEPT; at++) rows[at] = weight * (rows[at] ?? 0);
  });
  return { dimensions: KEPT, words: vocabulary.map(({ word }) => word), rows };
}
