/**
 * Fits weights to questions: cross entropy between the softmax of the scores and an even share for each
 * target (ListNet), weights never below zero, by Adam. Without chance: the same rows give the same
 * weights. Pure.
 */
import { computeMean, computeNdcg } from "./figures.ts";

/** One file of one question. */
export interface FitFile {
  readonly path: string;
  readonly features: Readonly<Partial<Record<string, number>>>;
  /** Product of its penalties. */
  readonly factor: number;
}

/** One question with its candidates. */
export interface FitQuery {
  readonly repo: string;
  readonly targets: readonly string[];
  readonly files: readonly FitFile[];
  /** How much it counts in a fit; default 1. */
  readonly weight?: number;
}

/** Weights by name of the feature. */
export type FitWeights = Readonly<Record<string, number>>;

const STEPS = 300;
const RATE = 0.3;
const DECAY = 0.002;
/** Files of a smaller share pull at no weight that anybody sees; most of a question's files have none. */
const NEGLIGIBLE = 1e-7;

interface Matrix {
  /** Features times factor, a row a file. */
  readonly values: Float64Array;
  readonly rows: number;
  readonly targets: readonly number[];
  readonly weight: number;
}

/** The weights that order the files of the questions best, the first feature's being 1. */
export function fitWeights(queries: readonly FitQuery[], names: readonly string[]): FitWeights {
  const weights = fitScaled(queries, names);
  const unit = weights[names[0] ?? ""] || 1;
  return Object.fromEntries(names.map((name) => [name, (weights[name] ?? 0) / unit]));
}

/** The same as they were fitted: the softmax of their scores says how likely each file is. */
export function fitScaled(queries: readonly FitQuery[], names: readonly string[]): FitWeights {
  const data = queries.map((query) => toMatrix(query, names)).filter(({ targets }) =>
    targets.length > 0
  );
  const weights = new Float64Array(names.length).fill(1);
  const whole = data.reduce((sum, { weight }) => sum + weight, 0);
  const speed = new Float64Array(names.length);
  const force = new Float64Array(names.length);
  for (let step = 1; step <= STEPS; step++) {
    const slope = toSlope(data, weights);
    weights.forEach((weight, at) => {
      const change = (slope[at] ?? 0) / whole + DECAY * weight;
      speed[at] = 0.9 * (speed[at] ?? 0) + 0.1 * change;
      force[at] = 0.999 * (force[at] ?? 0) + 0.001 * change * change;
      const mean = (speed[at] ?? 0) / (1 - 0.9 ** step);
      const spread = Math.sqrt((force[at] ?? 0) / (1 - 0.999 ** step)) + 1e-8;
      weights[at] = Math.max(0, weight - RATE * mean / spread);
    });
  }
  return Object.fromEntries(names.map((name, at) => [name, weights[at] ?? 0]));
}

/** The mean score of each question under weights. */
export function scoreQueries(queries: readonly FitQuery[], weights: FitWeights): number[] {
  return queries.map(({ files, targets }) => {
    const scored = files.map((file) => ({ path: file.path, score: toScore(file, weights) }));
    scored.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
    return computeNdcg(scored.map(({ path }) => path), targets);
  });
}

/**
 * The score of each question under weights fitted to the other repositories.
 *
 * @param more questions of still other repositories, which every fit learns from too.
 */
export function scoreLeftOut(
  queries: readonly FitQuery[],
  names: readonly string[],
  more: readonly FitQuery[] = [],
): number[] {
  const scores = new Array<number>(queries.length).fill(0);
  for (const repo of new Set(queries.map((query) => query.repo))) {
    const weights = fitWeights([...queries.filter((query) => query.repo !== repo), ...more], names);
    queries.forEach((query, at) => {
      if (query.repo === repo) scores[at] = computeMean(scoreQueries([query], weights));
    });
  }
  return scores;
}

function toScore({ features, factor }: FitFile, weights: FitWeights): number {
  let sum = 0;
  for (const name in weights) sum += (weights[name] ?? 0) * (features[name] ?? 0);
  return sum * factor;
}

function toMatrix(query: FitQuery, names: readonly string[]): Matrix {
  const { files, targets, weight = 1 } = query;
  const values = new Float64Array(files.length * names.length);
  files.forEach((file, row) =>
    names.forEach((name, at) => {
      values[row * names.length + at] = (file.features[name] ?? 0) * file.factor;
    })
  );
  const wanted = new Set(targets);
  const hit = files.flatMap(({ path }, row) => wanted.has(path) ? [row] : []);
  return { values, rows: files.length, targets: hit, weight };
}

function toSlope(data: readonly Matrix[], weights: Float64Array): Float64Array {
  const slope = new Float64Array(weights.length);
  for (const { values, rows, targets, weight } of data) {
    const width = weights.length;
    const shares = new Float64Array(rows);
    for (let row = 0; row < rows; row++) {
      for (let at = 0; at < width; at++) {
        shares[row] = (shares[row] ?? 0) + (weights[at] ?? 0) * (values[row * width + at] ?? 0);
      }
    }
    const top = shares.reduce((best, value) => Math.max(best, value), -Infinity);
    let sum = 0;
    for (let row = 0; row < rows; row++) sum += shares[row] = Math.exp((shares[row] ?? 0) - top);
    const add = (row: number, share: number) => {
      for (let at = 0; at < width; at++) {
        slope[at] = (slope[at] ?? 0) + weight * share * (values[row * width + at] ?? 0);
      }
    };
    for (let row = 0; row < rows; row++) {
      const share = (shares[row] ?? 0) / sum;
      if (share > NEGLIGIBLE) add(row, share);
    }
    for (const row of targets) add(row, -1 / targets.length);
  }
  return slope;
}
