/**
 * How near files are to a question, from 0 to 1: by word vectors (`computeWordNearness`, which needs no model), and by vectors of
 * the embedding model (`createVectorFeature`). It depends on its arguments alone.
 */
import { splitParts, splitPath } from "../analysis/tokens.ts";
import type { MeasuredFile, WindowNearness } from "../word_vectors/window_vectors.ts";
import { buildAsked, compareWindows, measureWindows } from "../word_vectors/window_vectors.ts";
import type { WordTable } from "../word_vectors/word_table.ts";
import type { Comparison } from "../index/vectors/meaning_api.ts";
import type { SpanScore } from "../index/vectors/vector_table.ts";

/** A file with the packed word vectors of its windows; null where it has none. */
export interface VectorFile {
  readonly path: string;
  readonly windows: Uint8Array | null;
}

/** How near a window of a file is. */
export interface NearWindow {
  /** 1-based. */
  readonly startLine: number;
  /** Deviations above the mean of the windows of all files, within the bounds that count. */
  readonly deviations: number;
}

/** How near a file is. */
export interface FileNearness {
  /** 0 to 1; no file has less than the mean of the windows of all files, which is 0. */
  readonly value: number;
  /** Its windows, the nearest first; none where nothing is known of it. */
  readonly windows: readonly NearWindow[];
}

/** A file is as near as its nearest windows are on average. */
const NEAREST = 2;
/** Windows of a file that are distinguished. */
const TOLD_WINDOWS = 12;

/**
 * The nearness of each file, in their order; null when the table knows no word of the question.
 *
 * @param words the words of the question.
 */
export function computeWordNearness(
  words: readonly string[],
  files: readonly VectorFile[],
  table: WordTable,
): FileNearness[] | null {
  const asked = buildAsked(words.flatMap(splitParts), table);
  if (asked === null) return null;
  const compared = files.map(({ path, windows }) => {
    if (windows === null) return [];
    const near = compareWindows(windows, measureOnce({ path, windows }, table), asked);
    return near.sort((a, b) => b.cosine - a.cosine);
  });
  const { mean, deviation } = measureSpread(compared);
  const toDeviations = (cosine: number) => clamp((cosine - mean) / deviation);
  return compared.map((near) => {
    if (near.length === 0) return { value: 0, windows: [] };
    const best = near.slice(0, NEAREST);
    const cosine = best.reduce((sum, window) => sum + window.cosine, 0) / best.length;
    return {
      value: Math.max(0, toDeviations(cosine)) / HIGHEST,
      windows: near.slice(0, TOLD_WINDOWS)
        .map((one) => ({ startLine: one.startLine, deviations: toDeviations(one.cosine) })),
    };
  });
}

interface Measured extends MeasuredFile {
  readonly path: string;
  readonly table: WordTable;
}

/** By the packed windows, so that they are forgotten together; a content with several paths is measured again for each. */
const measured = new WeakMap<Uint8Array, Measured>();

/** What of a file does not depend on the question, remembered as long as its windows are. */
function measureOnce(
  { path, windows }: { readonly path: string; readonly windows: Uint8Array },
  table: WordTable,
): MeasuredFile {
  const known = measured.get(windows);
  if (known?.path === path && known.table === table) return known;
  const made = { ...measureWindows(windows, splitPath(path), table), path, table };
  measured.set(windows, made);
  return made;
}

function measureSpread(
  files: readonly (readonly WindowNearness[])[],
): { readonly mean: number; readonly deviation: number } {
  let [count, sum, squares] = [0, 0, 0];
  for (const windows of files) {
    for (const { cosine } of windows) {
      count++;
      sum += cosine;
      squares += cosine * cosine;
    }
  }
  const mean = count === 0 ? 0 : sum / count;
  return {
    mean,
    deviation: Math.sqrt(Math.max(0, squares / Math.max(1, count) - mean * mean)) || 1,
  };
}

// A question's nearest files lie about three deviations above the mean.
const LOWEST = -2;
const HIGHEST = 4;

function clamp(deviations: number): number {
  return Math.min(HIGHEST, Math.max(LOWEST, deviations));
}

/** What a span of the worktree has on average: what is known of a file without vectors. */
export const UNKNOWN_NEARNESS = (0 - LOWEST) / (HIGHEST - LOWEST);

/**
 * How near a file is, measured by how spans of the whole worktree lie to the question: its nearest span says
 * whether the answer may be here, all of them whether the file is about it. Both together order better than
 * one alone.
 */
export function computeNearness(
  spans: readonly SpanScore[],
  spread: Pick<Comparison, "mean" | "deviation">,
): number {
  const [nearest] = spans;
  if (nearest === undefined) return UNKNOWN_NEARNESS;
  const whole = spans.reduce((sum, { cosine }) => sum + cosine, 0) / spans.length;
  return (scalePart(nearest.cosine, spread) + scalePart(whole, spread)) / 2;
}

function scalePart(
  cosine: number,
  { mean, deviation }: Pick<Comparison, "mean" | "deviation">,
): number {
  return (clamp((cosine - mean) / deviation) - LOWEST) / (HIGHEST - LOWEST);
}

/**
 * The feature of each path. A path without vectors has the mean of those that have them: nothing speaks for
 * it or against it, so that an index with half of its vectors orders no worse than one without.
 *
 * @param compared the paths that were compared; others count as average spans.
 */
export function createVectorFeature(
  comparison: Comparison,
  compared: readonly string[],
): (path: string) => number {
  const known = new Map(
    [...comparison.files].map(([path, spans]) => [path, computeNearness(spans, comparison)]),
  );
  const values = [...known.values()];
  const mean = values.length === 0
    ? UNKNOWN_NEARNESS
    : values.reduce((sum, value) => sum + value, 0) / values.length;
  const wanted = new Set(compared);
  return (path) => known.get(path) ?? (wanted.has(path) ? mean : UNKNOWN_NEARNESS);
}
