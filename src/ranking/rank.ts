/**
 * The table of features, the habits that count against a file, and the scores of candidates: the weighted sum of their
 * features, times their penalties, with the explanation. Pure.
 */
import { isText, languageByName } from "../language/languages.ts";
import { parseTestName } from "../language/test_names.ts";

/** Why a file counts less. */
export interface Penalty {
  readonly name: string;
  /** What its score is multiplied by. */
  readonly factor: number;
}

/** Name of the penalty of documents and data. */
export const PROSE = "prose";

/** A file that may be the answer. */
export interface RankedFile {
  readonly path: string;
  readonly language: string | null;
  /** Whether much of it says that something is defined elsewhere, as headers do. */
  readonly announces?: boolean;
}

interface PenaltyRow extends Penalty {
  readonly applies: (path: string, file: RankedFile) => boolean;
  /** Stems of words by which a question asks for such files. */
  readonly asked: readonly string[];
}

const FOLDERS =
  /(?:^|\/)(?:legacy|deprecated|examples?|samples?|demos?|benchmarks?|vendor|fixtures?)\//i;

const ROWS: readonly PenaltyRow[] = [
  {
    name: "test",
    factor: 0.3,
    applies: (path) =>
      parseTestName(path) !== null || /(?:^|\/)(?:testdata|__mocks__|test_\w+)\//.test(path),
    asked: ["test", "spec", "mock", "fixtur", "unittest"],
  },
  {
    name: "aside",
    factor: 0.3,
    applies: (path) => FOLDERS.test(path),
    asked: [
      "legaci",
      "deprec",
      "exampl",
      "sampl",
      "demo",
      "benchmark",
      "bench",
      "vendor",
      "fixtur",
    ],
  },
  {
    name: "init",
    factor: 0.5,
    applies: (path) => /(?:^|\/)__init__\.py$/.test(path),
    asked: ["init"],
  },
  {
    name: "declaration",
    factor: 0.7,
    applies: (path) => /\.d\.[cm]?ts$/.test(path),
    asked: ["declar"],
  },
  {
    name: "announces",
    factor: 0.75,
    applies: (_path, { announces = false }) => announces,
    asked: ["declar", "header", "prototyp"],
  },
];

const VERSION = /^(.*(?:^|\/))v(\d+)(?=\/)/;
const OLDER: Penalty = { name: "older_version", factor: 0.7 };
// The questions are about code; what describes it or holds data comes after it.
const PROSE_PENALTY: Penalty = { name: PROSE, factor: 0.3 };

/** The penalties of each path; which version is old depends on the others. */
export function findPenalties(
  files: readonly RankedFile[],
  words: readonly string[],
): Penalty[][] {
  const newest = new Map<string, number>();
  for (const { path } of files) {
    const [, folder, version] = VERSION.exec(path) ?? [];
    if (folder !== undefined) {
      newest.set(folder, Math.max(newest.get(folder) ?? 0, Number(version)));
    }
  }
  const rows = ROWS.filter(({ asked }) => !asked.some((word) => words.includes(word)));
  return files.map((file) => {
    const { path, language } = file;
    const found: Penalty[] = rows.filter(({ applies }) => applies(path, file))
      .map(({ name, factor }) => ({ name, factor }));
    const [, folder = "", version] = VERSION.exec(path) ?? [];
    const isOld = version !== undefined && Number(version) < (newest.get(folder) ?? 0);
    if (isOld && !words.includes(`v${version}`)) found.push(OLDER);
    if (language === null || isText(languageByName(language))) found.push(PROSE_PENALTY);
    return found;
  });
}

/** A group that the configuration scales: `search_weights`. */
export type FeatureGroup = "vector" | "keyword" | "definition" | "reference";

/** Every feature: its group, and what makes it 1. */
export const FEATURES = {
  text: { group: "keyword", what: "its best chunks have the words, most of all candidates" },
  mentions: {
    group: "keyword",
    what:
      "it has the words of the question more often than any other candidate, the rarer the more",
  },
  spread: { group: "keyword", what: "more of its chunks have them than of any other candidate" },
  phrase: { group: "keyword", what: "a chunk has runs of words of the message as they stand" },
  name_cover: { group: "keyword", what: "the question holds every word of the file's name" },
  name_words: { group: "keyword", what: "every word of the question is in the file's name" },
  folder_words: { group: "keyword", what: "every word of the question is in its folders" },
  subject: { group: "keyword", what: "the first word of the question is in the file's name" },
  path: { group: "keyword", what: "it is the path that is asked for" },
  definition: { group: "definition", what: "names defined here are the words of the question" },
  pair: { group: "definition", what: "words side by side in the question are so in names here" },
  identifier: { group: "definition", what: "an identifier of the question is defined here" },
  literal: {
    group: "definition",
    what: "it has the names that the question writes as code, the rarer the more",
  },
  exact: { group: "definition", what: "the name that is asked for is defined here" },
  uses: { group: "reference", what: "more files name its definitions than of any other candidate" },
  size: { group: "reference", what: "it has many lines" },
  past: {
    group: "reference",
    what: "past commits with messages like the question changed it, more than any other file",
  },
  lately: { group: "reference", what: "the last commit changed it" },
  seldom: {
    group: "reference",
    what: "few commits changed it, so that one like the question tells",
  },
  together: {
    group: "reference",
    what: "commits like the question changed it together with the files that fit best",
  },
  kin: { group: "reference", what: "files with its name fit best: its test, its header" },
  uses_it: { group: "reference", what: "it names what the files that fit best define" },
  word_vector: { group: "vector", what: "its words mean what those of the question mean" },
  vector: { group: "vector", what: "its meaning is nearest to the question's" },
} as const satisfies Readonly<
  Record<string, { readonly group: FeatureGroup; readonly what: string }>
>;

/** Name of a feature. */
export type FeatureName = keyof typeof FEATURES;

/** Weights of one kind of question; a feature that is absent does not count. */
export type KindWeights = Readonly<Partial<Record<FeatureName, number>>>;

/** The features of one candidate; those that are 0 may be absent. */
export type Features = Readonly<Partial<Record<FeatureName, number>>>;

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
  const scaled = scaleWeights(weights, scales);
  const whole = scaled.reduce((total, [, weight]) => total + weight, 0);
  return candidates.map((item) => score(item, scaled, whole))
    .sort((a, b) => b.score - a.score || compare(a.item.path, b.item.path));
}

/** The share of each candidate in what is expected, from 0 to 1, where the weights were fitted to say so. */
export function computeShares<T>(ranked: readonly Ranked<T>[], weights: KindWeights): number[] {
  const whole = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
  const best = ranked[0]?.score ?? 0;
  const parts = ranked.map(({ score }) => Math.exp((score - best) * whole));
  const sum = parts.reduce((total, part) => total + part, 0);
  return parts.map((part) => part / sum);
}

function scaleWeights(
  weights: KindWeights,
  scales: GroupScales,
): (readonly [FeatureName, number])[] {
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
