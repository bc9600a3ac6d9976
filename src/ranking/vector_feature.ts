/** Turns the cosines of a file's spans into its feature `vector`, from 0 to 1. Pure. */
import type { Comparison } from "../index/vectors/meaning_api.ts";
import type { SpanScore } from "../index/vectors/vector_table.ts";

// A question's nearest files lie about three deviations above the mean.
const LOWEST = -2;
const HIGHEST = 4;

/** What a span of the worktree has on average: what is known of a file without vectors. */
export const UNKNOWN_NEARNESS = (0 - LOWEST) / (HIGHEST - LOWEST);

/**
 * How near a file is, measured by how spans of the whole worktree lie to the question: its nearest span says
 * whether the answer may be here, all of them whether the file is about it. Both together order better than
 * one alone.
 */
export function toNearness(
  spans: readonly SpanScore[],
  spread: Pick<Comparison, "mean" | "deviation">,
): number {
  const [nearest] = spans;
  if (nearest === undefined) return UNKNOWN_NEARNESS;
  const whole = spans.reduce((sum, { cosine }) => sum + cosine, 0) / spans.length;
  return (toPart(nearest.cosine, spread) + toPart(whole, spread)) / 2;
}

function toPart(
  cosine: number,
  { mean, deviation }: Pick<Comparison, "mean" | "deviation">,
): number {
  const deviations = (cosine - mean) / deviation;
  return (Math.min(HIGHEST, Math.max(LOWEST, deviations)) - LOWEST) / (HIGHEST - LOWEST);
}

/**
 * The feature of each path. A path without vectors has the mean of those that have them: nothing speaks for
 * it or against it, so that an index with half of its vectors orders no worse than one without.
 *
 * @param compared the paths that were compared; others count as average spans.
 */
export function toVectorFeatures(
  comparison: Comparison,
  compared: readonly string[],
): (path: string) => number {
  const known = new Map(
    [...comparison.files].map(([path, spans]) => [path, toNearness(spans, comparison)]),
  );
  const values = [...known.values()];
  const mean = values.length === 0
    ? UNKNOWN_NEARNESS
    : values.reduce((sum, value) => sum + value, 0) / values.length;
  const wanted = new Set(compared);
  return (path) => known.get(path) ?? (wanted.has(path) ? mean : UNKNOWN_NEARNESS);
}
