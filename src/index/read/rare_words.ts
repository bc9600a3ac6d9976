/**
 * Splits the words of a question by how rare they are. Scoring what has any of them costs as much as there is of it, while the
 * rarer words say most. Pure.
 */

/** Words of a question, as expressions of the full text. */
export interface SplitWords {
  /** Its rarer words. */
  readonly rare: string;
  /** Those that so much has that little of it can be among the best without a rarer one; null without any. */
  readonly common: string | null;
}

/**
 * The rarer words, as long as all of them together have at most `rareHits`, and one that anything has at least; the others are
 * common, up to `mostHits` of all words, beyond which words are left out.
 */
export function splitByRarity(
  words: readonly { readonly word: string; readonly hits: number }[],
  { rareHits, mostHits = Infinity }: { readonly rareHits: number; readonly mostHits?: number },
): SplitWords {
  const sorted = words.toSorted((one, other) => one.hits - other.hits);
  let total = 0;
  const totals = sorted.map(({ hits }) => total += hits);
  const first = sorted.findIndex(({ hits }) => hits > 0);
  const take = (most: number) =>
    sorted.filter((_, at) => (totals[at] ?? 0) <= most || at <= first).map(({ word }) => word);
  const asked = take(mostHits);
  const rare = take(Math.min(rareHits, mostHits));
  return { rare: rare.join(" OR "), common: asked.slice(rare.length).join(" OR ") || null };
}
