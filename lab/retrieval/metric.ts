/** NDCG@10 over ranked files with binary gain, and means of it. Pure. */

const PLACES = 10;

/**
 * The score of one ranked list: each file counts at its first place, the ideal has all targets at the top.
 */
export function toNdcg(ranked: readonly string[], targets: readonly string[]): number {
  const wanted = new Set(targets);
  const gain = [...new Set(ranked)].slice(0, PLACES)
    .reduce((sum, path, at) => wanted.has(path) ? sum + toGain(at) : sum, 0);
  let ideal = 0;
  for (let at = 0; at < Math.min(PLACES, wanted.size); at++) ideal += toGain(at);
  return ideal === 0 ? 0 : gain / ideal;
}

function toGain(at: number): number {
  return 1 / Math.log2(at + 2);
}

/** The mean; 0 of nothing. */
export function toMean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The value that a share of the values is not above. */
export function toQuantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
