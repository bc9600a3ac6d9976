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
 * The rarer words, as long as all of them together have at most `rareHits`, and one at least; the others are common, the rarest
 * of them first, up to `mostHits` of all words, beyond which words are left out. Words that nothing has are left out too, where
 * there are others.
 */
export function splitByRarity(
  words: readonly { readonly word: string; readonly hits: number }[],
  { rareHits, mostHits = Infinity }: { readonly rareHits: number; readonly mostHits?: number },
): SplitWords {
  const some = words.filter(({ hits }) => hits > 0);
  const sorted = (some.length === 0 ? words : some).toSorted((one, other) => one.hits - other.hits);
  let total = 0;
  const totals = sorted.map(({ hits }) => total += hits);
  const take = (most: number) =>
    sorted.filter((_, at) => at === 0 || (totals[at] ?? 0) <= most).map(({ word }) => word);
  const asked = take(mostHits);
  const rare = take(Math.min(rareHits, mostHits));
  return { rare: rare.join(" OR "), common: asked.slice(rare.length).join(" OR ") || null };
}
