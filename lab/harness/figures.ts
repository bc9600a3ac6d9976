/** Figures and pages that every measurement of the lab makes alike. Pure. */
export { fillPage, toTable } from "../../tools/docs/markdown.ts";

const PLACES = 10;

/**
 * NDCG@10 with binary gain: each file of the ranked list counts at its first place; the ideal has all targets at the top.
 */
export function computeNdcg(ranked: readonly string[], targets: readonly string[]): number {
  const wanted = new Set(targets);
  const toGain = (at: number) => 1 / Math.log2(at + 2);
  const gain = [...new Set(ranked)].slice(0, PLACES)
    .reduce((sum, path, at) => wanted.has(path) ? sum + toGain(at) : sum, 0);
  let ideal = 0;
  for (let at = 0; at < Math.min(PLACES, wanted.size); at++) ideal += toGain(at);
  return ideal === 0 ? 0 : gain / ideal;
}

/** The sum of what is picked of each. */
export function computeSum<T>(rows: readonly T[], pick: (row: T) => number): number {
  return rows.reduce((sum, row) => sum + pick(row), 0);
}

/** The mean; 0 of nothing. */
export function computeMean(values: readonly number[]): number {
  return values.length === 0 ? 0 : computeSum(values, (value) => value) / values.length;
}

/** The value that a share of the values is not above. */
export function computeQuantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

/** A share of two counts; none of none is all. */
export function computeShare(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}

/** A figure with three digits behind the point. */
export function formatFigure(value: number): string {
  return value.toFixed(3);
}
