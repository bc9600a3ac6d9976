/** Scores candidates by the weighted sum of their features, times their penalties, and explains it. Pure. */
import { FEATURES } from "./feature_table.ts";
import type { FeatureGroup, FeatureName, Features } from "./feature_table.ts";
import type { Penalty } from "./penalties.ts";
import type { KindWeights } from "./weights.ts";

/** The configuration's `search_weights`: 1 leaves a group as it is, 0 takes it out. */
export type GroupScales = Readonly<Record<FeatureGroup, number>>;

/** What a candidate is ranked by. */
export interface RankInput {
  readonly path: string;
  readonly features: Features;
  readonly penalties: readonly Penalty[];
}

/** How a score came about. */
export interface Explanation {
  /** What each feature adds; together they are the score. */
  readonly adds: Readonly<Partial<Record<FeatureName, number>>>;
  /** What the sum was multiplied by, already in `adds`. */
  readonly penalties: Readonly<Record<string, number>>;
}

/** A candidate in its place. */
export interface Ranked<T> {
  readonly item: T;
  /** From 0 to 1: the share of what a perfect candidate would have. */
  readonly score: number;
  readonly explanation: Explanation;
}

/** Groups as they are. */
export const PLAIN_SCALES: GroupScales = { vector: 1, keyword: 1, definition: 1, reference: 1 };

/** Sorts candidates, best first, equal ones by path. */
export function rank<T extends RankInput>(
  candidates: readonly T[],
  weights: KindWeights,
  scales: GroupScales = PLAIN_SCALES,
): Ranked<T>[] {
  const scaled = toScaled(weights, scales);
  const whole = scaled.reduce((total, [, weight]) => total + weight, 0);
  return candidates.map((item) => score(item, scaled, whole))
    .sort((a, b) => b.score - a.score || compare(a.item.path, b.item.path));
}

/** The share of each candidate in what is expected, from 0 to 1, where the weights were fitted to say so. */
export function toShares<T>(ranked: readonly Ranked<T>[], weights: KindWeights): number[] {
  const whole = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
  const best = ranked[0]?.score ?? 0;
  const parts = ranked.map(({ score }) => Math.exp((score - best) * whole));
  const sum = parts.reduce((total, part) => total + part, 0);
  return parts.map((part) => part / sum);
}

function toScaled(weights: KindWeights, scales: GroupScales): (readonly [FeatureName, number])[] {
  return (Object.keys(FEATURES) as FeatureName[]).flatMap((name) => {
    const weight = (weights[name] ?? 0) * scales[FEATURES[name].group];
    return weight > 0 ? [[name, weight] as const] : [];
  });
}

function score<T extends RankInput>(
  item: T,
  weights: readonly (readonly [FeatureName, number])[],
  whole: number,
): Ranked<T> {
  const factor = item.penalties.reduce((product, penalty) => product * penalty.factor, 1);
  const adds: Partial<Record<FeatureName, number>> = {};
  let total = 0;
  for (const [name, weight] of weights) {
    const part = weight * (item.features[name] ?? 0) * factor / whole;
    if (part === 0) continue;
    adds[name] = part;
    total += part;
  }
  const penalties = Object.fromEntries(item.penalties.map((own) => [own.name, own.factor]));
  return { item, score: total, explanation: { adds, penalties } };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
