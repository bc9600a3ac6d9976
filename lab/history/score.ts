/** The figures of measured commits: NDCG@10 and recall@10 with binary gain, and what has to be decided. Pure. */
import type { LikelyModel } from "../../src/impact/likely/second_look.ts";
import { ASKED_NAMES, LIKELY_NAMES } from "../../src/impact/likely/feature_table.ts";
import {
  addNeighbourFeatures,
  LIKELY_MODEL,
  scoreByWeights,
  scoreLikely,
} from "../../src/impact/likely/second_look.ts";
import { WEIGHTS } from "../../src/ranking/weights.ts";
import { computeMean, computeNdcg } from "../harness/figures.ts";
import type { FitQuery, FitWeights } from "../harness/fit.ts";
import { fitScaled } from "../harness/fit.ts";
import { fitTrees } from "./boost.ts";
import type { FoundFile, MeasuredCommit } from "./measure.ts";

/** A ranked list of one commit. */
export type Ranker = (one: MeasuredCommit) => readonly string[];

/** Two figures of a way. */
export interface Score {
  readonly recall: number;
  readonly ndcg: number;
}

const PLACES = 10;

/** How a way completes the commits: the other files beside the main one. */
export function scoreComplete(commits: readonly MeasuredCommit[], rank: Ranker): Score {
  return score(commits, rank, ({ row }) => toOthers(row));
}

/** How a way finds the files of the commits from the message alone. */
export function scoreLocalise(commits: readonly MeasuredCommit[], rank: Ranker): Score {
  return score(commits, rank, ({ row }) => row.files);
}

function score(
  commits: readonly MeasuredCommit[],
  rank: Ranker,
  toTruth: (one: MeasuredCommit) => readonly string[],
): Score {
  const rows = commits.map((one) => {
    const truth = toTruth(one);
    const ranked = [...new Set(rank(one))];
    const first = new Set(ranked.slice(0, PLACES));
    const met = truth.filter((path) => first.has(path)).length;
    return { recall: met / truth.length, ndcg: computeNdcg(ranked, truth) };
  });
  return {
    recall: computeMean(rows.map(({ recall }) => recall)),
    ndcg: computeMean(rows.map(({ ndcg }) => ndcg)),
  };
}

/** What has to be decided: how much, and how much of it was right. */
export interface MustScore {
  readonly median: number;
  readonly recall: number;
  readonly precision: number;
}

/** Scores what has to be decided; precision is the mean over the commits with anything to decide. */
export function scoreMust(commits: readonly MeasuredCommit[], rank: Ranker): MustScore {
  const rows = commits.map((one) => {
    const other = new Set(toOthers(one.row));
    const must = rank(one).filter((path) => path !== one.row.primary);
    const met = must.filter((path) => other.has(path)).length;
    return { size: must.length, met, recall: met / other.size };
  });
  const sizes = rows.map(({ size }) => size).sort((a, b) => a - b);
  return {
    median: sizes[Math.floor(sizes.length / 2)] ?? 0,
    recall: computeMean(rows.map(({ recall }) => recall)),
    precision: computeMean(rows.filter(({ size }) => size > 0).map(({ met, size }) => met / size)),
  };
}

/** The likely files in the order that another model gives. */
export function rankBy(model: LikelyModel): Ranker {
  return ({ likely }) => scoreLikely(likely, model).map(({ file }) => file.path);
}

/** The weights of the table without what the past says; the trees were fitted to it and are left out. */
export function withoutPast(): LikelyModel {
  const past = [
    "lift",
    "mostly",
    "alike",
    "kind",
    "last_time",
    "message",
    "lately",
    "test_habit",
  ];
  const { weights } = LIKELY_MODEL;
  const rows = LIKELY_NAMES.map((name) => [name, past.includes(name) ? 0 : weights[name]]);
  return { weights: Object.fromEntries(rows) as LikelyModel["weights"], trees: [] };
}

const PAST_FEATURES = ["past", "lately", "seldom", "together"];

/** The order that the same answer of the search has when what the past adds is taken away. */
export const rankWithoutPast: Ranker = ({ localise }) =>
  (localise ?? []).map(({ path, score, adds }) => ({
    path,
    score: PAST_FEATURES.reduce((rest, name) => rest - (adds[name] ?? 0), score),
  })).sort((a, b) => b.score - a.score).map(({ path }) => path);

/** Weights fitted on some commits. */
export function fitLikely(commits: readonly MeasuredCommit[]): LikelyModel["weights"] {
  const queries = commits.map(({ row, likely }): FitQuery => ({
    repo: row.repo,
    targets: toOthers(row),
    files: likely.map(({ path, features }) => ({ path, features, factor: 1 })),
  }));
  return fitScaled(queries, LIKELY_NAMES) as LikelyModel["weights"];
}

/** Weights, and the trees that correct them, fitted on some commits; trees alone where the weights are given. */
export function fitModel(
  commits: readonly MeasuredCommit[],
  weights: LikelyModel["weights"] = fitLikely(commits),
): LikelyModel {
  const lists = commits.map(({ row, likely }) => {
    const targets = new Set(toOthers(row));
    const looked = addNeighbourFeatures(scoreByWeights(likely, weights));
    const files = looked.map(({ one, asked }) => ({
      score: one.score,
      isTarget: targets.has(one.file.path),
      features: asked,
    }));
    return { files };
  });
  return { weights, trees: fitTrees(lists, ASKED_NAMES) };
}

function toOthers({ files, primary }: MeasuredCommit["row"]): readonly string[] {
  return files.filter((path) => path !== primary);
}

const REQUEST_WEIGHTS = Object.entries(WEIGHTS.request);
const REQUEST_WHOLE = REQUEST_WEIGHTS.reduce((sum, [, weight]) => sum + weight, 0);

/** What the features of a found file were before they were weighed; a penalty stays in them. */
function toFound({ adds }: FoundFile): Readonly<Record<string, number>> {
  return Object.fromEntries(
    REQUEST_WEIGHTS.map(([name, weight]) => [name, (adds[name] ?? 0) * REQUEST_WHOLE / weight]),
  );
}

/** Weights of requests fitted on the files that the search named, where it read the message as a request. */
export function fitRequests(commits: readonly MeasuredCommit[]): FitWeights {
  const queries = commits.map(({ row, localise }): FitQuery => ({
    repo: row.repo,
    targets: row.files,
    files: (localise ?? []).map((file) => ({
      path: file.path,
      features: toFound(file),
      factor: 1,
    })),
  }));
  return fitScaled(queries, REQUEST_WEIGHTS.map(([name]) => name));
}

/** The files that the search named, in the order that other weights give. */
export function rankRequestsBy(weights: FitWeights): Ranker {
  const score = (file: FoundFile) =>
    Object.entries(toFound(file)).reduce(
      (sum, [name, value]) => sum + (weights[name] ?? 0) * value,
      0,
    );
  return ({ localise }) =>
    (localise ?? []).map((file) => ({ path: file.path, score: score(file) }))
      .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
      .map(({ path }) => path);
}

/** Ranks each repository by what was fitted on all others. */
export function rankByOthers(
  commits: readonly MeasuredCommit[],
  fit: (others: readonly MeasuredCommit[]) => Ranker,
): Ranker {
  const rankers = new Map([...Map.groupBy(commits, ({ row }) => row.repo).keys()].map((repo) => {
    const others = commits.filter(({ row }) => row.repo !== repo);
    return [repo, fit(others)];
  }));
  return (one) => rankers.get(one.row.repo)?.(one) ?? [];
}
