/**
 * Puts the files that may have to change with the targets in one order, each with its reason: what the graph proves,
 * what the past saw, what names say, and which files answer the request. It depends on its arguments alone.
 */
import { getOrInsert } from "../../base/once.ts";
import type { CommitHistory, FollowedCommit } from "../../history/past.ts";
import type { QuestionHistory } from "../../history/question_past.ts";
import { computeWeight, HALF_LIFE } from "../../history/past.ts";
import type { AskedFeature, LikelyFeature, LikelyFeatures } from "./feature_table.ts";
import type { AffectedFile } from "../affected.ts";
import { fileStem } from "../naming.ts";
import type { Features } from "../../ranking/rank.ts";
import { rateByHistory } from "../../ranking/request_features.ts";
import type { LikelyParts } from "./second_look.ts";
import { LIKELY_MODEL, scoreLikely } from "./second_look.ts";
import { createLiteralScale } from "../../ranking/query_kind.ts";

/** How one file and the targets lived together, for the reason that is shown. */
export interface SharedPast {
  /** Commits that changed both, of those that changed a target. */
  readonly times: number;
  readonly of: number;
}

/** The past, as far as one question needs it. */
export interface AskedPast {
  readonly past: CommitHistory;
  /** The past, asked with the request. */
  readonly voice: QuestionHistory;
}

/** What the past says of one file. */
export interface PastView {
  readonly features: LikelyFeatures;
  readonly shared: SharedPast | null;
}

// Added to counts, so that one commit is no certainty.
const DOUBT = { mostly: 3, lift: 2, kind: 0.05, habit: 3 };
// A file that changed with the targets 150 times as often as by chance has 1.
const LOG_LIFT = 5;
const HABIT_COMMITS = 60;

/** What the past says of files that changed together with the targets, by path. */
export function rateHistory(
  { past, voice: { nearness } }: AskedPast,
  targets: readonly string[],
): ReadonlyMap<string, PastView> {
  const places = [...new Set(targets.flatMap((path) => past.byPath.get(path) ?? []))];
  const sums = new Map<string, Sums>();
  let near = 0;
  for (const place of places) {
    const commit = past.commits[place];
    if (commit === undefined) continue;
    const likeness = computeWeight(commit.changed, place, HALF_LIFE) * (nearness.get(place) ?? 0);
    near += likeness;
    for (const path of commit.paths) {
      const sum = getOrInsert(
        sums,
        path,
        () => ({ near: 0, nearest: 0, times: 0, last: place }),
      );
      sum.near += likeness;
      sum.nearest = Math.max(sum.nearest, likeness);
      sum.times += 1;
      sum.last = Math.min(sum.last, place);
    }
  }
  for (const path of targets) sums.delete(path);
  return new Map([...sums].map(([path, sum]): [string, PastView] => {
    const own = past.byPath.get(path)?.length ?? 0;
    const chance = (places.length + DOUBT.lift) * (own + DOUBT.lift) / past.commits.length;
    return [path, {
      features: {
        lift: Math.log1p(sum.times / chance) / LOG_LIFT,
        mostly: sum.times / (DOUBT.mostly + own),
        alike: sum.nearest,
        kind: sum.near / (near + DOUBT.kind),
        last_time: 1 / Math.log2(2 + sum.last),
      },
      shared: { times: sum.times, of: places.length },
    }];
  }));
}

interface Sums {
  near: number;
  nearest: number;
  times: number;
  /** The place of the last common commit. */
  last: number;
}

/** How often tests change with the targets, from 0 to 1; where these changed seldom, with any code. */
export function computeTestHabit(
  past: CommitHistory,
  targets: readonly string[],
  { isTest, isCode }: {
    readonly isTest: (path: string) => boolean;
    readonly isCode: (path: string) => boolean;
  },
): number {
  const hasTest = ({ paths }: FollowedCommit) => paths.some(isTest);
  const work = past.commits.slice(0, 10 * HABIT_COMMITS).filter(({ paths }) => {
    const code = paths.filter(isCode);
    return code.length > 1 && !code.every(isTest);
  });
  const usual = (work.filter(hasTest).length + 2) / (work.length + 4);
  const own = [...new Set(targets.flatMap((path) => past.byPath.get(path) ?? []))]
    .slice(0, HABIT_COMMITS).flatMap((place) => past.commits[place] ?? []);
  return (own.filter(hasTest).length + DOUBT.habit * usual) / (own.length + DOUBT.habit);
}

/** What the order is made from. */
export interface LikelySource {
  readonly targets: readonly string[];
  /** Every file of the project. */
  readonly list: readonly string[];
  readonly affected: readonly AffectedFile[];
  /** Tests that are named for a target. */
  readonly ownTests: readonly string[];
  /** Terms of the request; none where nothing was said. */
  readonly terms: readonly string[];
  /** How files answer the request by their words, as the search has it. */
  readonly answers: ReadonlyMap<string, Features>;
  /** Which files have which of the names that the request writes as code. */
  readonly literals: ReadonlyMap<string, ReadonlySet<string>>;
  /** The past; null where it is young or not known. */
  readonly asked: AskedPast | null;
  readonly isTest: (path: string) => boolean;
  readonly isCode: (path: string) => boolean;
  /** Turns a name into terms. */
  readonly toTerms: (name: string) => readonly string[];
}

/** A file that may have to change too. */
export interface LikelyFile {
  readonly path: string;
  /** Its share of what is expected, from 0 to 1: the likely files of a question share 1. */
  readonly share: number;
  /** `7 of 12 commits`, `calls login`, `its test`: the strongest first. */
  readonly reasons: readonly string[];
  readonly features: LikelyFeatures;
}

/** The files in the order of their likelihood. */
export function rankLikely(source: LikelySource): LikelyFile[] {
  // The trees were fitted where a past speaks; without one the weights alone count.
  const { weights, trees } = LIKELY_MODEL;
  const model = { weights, trees: source.asked === null ? [] : trees };
  const scored = scoreLikely(rateLikely(source), model);
  const most = scored[0]?.score ?? 0;
  const whole = scored.reduce((sum, { score }) => sum + Math.exp(score - most), 0);
  return scored.map(({ file: { path, features, shared, edge }, score, parts }) => ({
    path,
    share: Math.exp(score - most) / whole,
    reasons: chooseReasons(parts, { shared, edge }),
    features,
  }));
}

interface Rated {
  readonly path: string;
  readonly features: LikelyFeatures;
  readonly shared: SharedPast | null;
  readonly edge: AffectedFile["edges"][number] | undefined;
}

function rateLikely(source: LikelySource): Rated[] {
  const { targets, affected, answers, asked, isCode, isTest } = source;
  const present = new Set(source.list);
  const views = asked === null ? new Map<string, never>() : rateHistory(asked, targets);
  const names = computeNameFeatures(source);
  const byPath = new Map(affected.map((file) => [file.path, file]));
  const own = new Set(source.ownTests);
  const terms = new Set(source.terms);
  const habit = asked === null ? 0.5 : computeTestHabit(asked.past, targets, { isTest, isCode });
  const isAsked = (path: string) => present.has(path) && isCode(path) && !targets.includes(path);
  const first = asked?.voice.first ?? [];
  const found = [views, byPath, names, answers].flatMap((some) => [...some.keys()]);
  const paths = [...new Set([...found, ...own, ...first])].filter(isAsked);
  const said = asked === null ? [] : rateByHistory(paths, asked.voice);
  const isTested = targets.every(isTest);
  const literals = computeLiteralFeatures(source, paths);
  return paths.map((path, at) => {
    const view = views.get(path);
    const file = byPath.get(path);
    const { text = 0, name_words = 0, name_cover = 0, pair = 0, identifier = 0 } =
      answers.get(path) ?? {};
    const { past: message = 0, lately = 0 } = said[at] ?? {};
    const isOfTest = isTest(path);
    const test = isOfTest && !isTested ? 1 : 0;
    const features: Record<string, number> = {
      ...view?.features,
      ...computeGraphFeatures(file),
      ...names.get(path),
      ...computeWordFeatures(path, terms, source.toTerms),
      message,
      lately,
      own_test: own.has(path) ? 1 : 0,
      folder: Math.max(...targets.map((target) => measureNearness(target, path))),
      text,
      name_words,
      name_cover,
      pair,
      identifier,
      ...literals[at],
      test_habit: test * habit,
      test_words: test * text,
      tested: isTested && !isOfTest ? 1 : 0,
    };
    const kept = Object.entries(features).filter(([, value]) => value !== 0);
    const edge = file?.edges[0];
    return { path, features: Object.fromEntries(kept), shared: view?.shared ?? null, edge };
  });
}

const NONE: ReadonlySet<string> = new Set();

/** What files have of the names that the request writes as code, and of those that a target has too. */
function computeLiteralFeatures(
  { literals, targets }: LikelySource,
  paths: readonly string[],
): readonly Part[] {
  const sets = paths.map((path) => literals.get(path) ?? NONE);
  const own = new Set(targets.flatMap((path) => [...literals.get(path) ?? []]));
  const weigh = createLiteralScale([...sets, own]);
  return sets.map((set) => ({ literal: weigh(set), same_literal: weigh(set, own) }));
}

type Part = Partial<Record<LikelyFeature, number>>;

function computeGraphFeatures(file: AffectedFile | undefined): Part {
  const direct = file?.edges.filter(({ depth }) => depth === 1) ?? [];
  return {
    proven: direct.some(({ confidence }) => confidence !== "name") ? 1 : 0,
    named: direct.some(({ confidence }) => confidence === "name") ? 1 : 0,
  };
}

/** Files whose name shares words with that of a target; a word that few files have says more. */
function computeNameFeatures({ targets, list, toTerms }: LikelySource): ReadonlyMap<string, Part> {
  const toWords = (path: string) => new Set(toTerms(fileStem(path)));
  const words = list.map(toWords);
  const counts = new Map<string, number>();
  for (const own of words) for (const word of own) counts.set(word, (counts.get(word) ?? 0) + 1);
  const weigh = (some: Iterable<string>) =>
    [...some].reduce((sum, word) => sum + Math.log1p(list.length / (counts.get(word) ?? 1)), 0);
  const found = new Map<string, Part>();
  for (const target of targets.map(toWords)) {
    for (const [at, own] of words.entries()) {
      const common = target.intersection(own);
      if (common.size === 0) continue;
      const name = weigh(common) / weigh(target.union(own));
      const path = list[at] ?? "";
      found.set(path, { name: Math.max(name, found.get(path)?.name ?? 0) });
    }
  }
  return found;
}

function computeWordFeatures(
  path: string,
  terms: ReadonlySet<string>,
  toTerms: LikelySource["toTerms"],
): Part {
  if (terms.size === 0) return {};
  const isMet = (text: string) => toTerms(text).some((term) => terms.has(term));
  return {
    path_word: isMet(fileStem(path)) ? 1 : 0,
    folder_word: isMet(path.split("/").slice(0, -1).join(" ")) ? 1 : 0,
  };
}

/** How near two files lie, from 0 to 1: the share of their folders that is common. */
function measureNearness(target: string, path: string): number {
  const [a, b] = [target, path].map((one) => one.split("/").slice(0, -1));
  if (a === undefined || b === undefined) return 0;
  const differs = a.findIndex((folder, at) => b[at] !== folder);
  const common = differs < 0 ? a.length : differs;
  return (2 * common + 1) / (a.length + b.length + 1);
}

const VERBS: Readonly<Record<AffectedFile["edges"][number]["kind"], string>> = {
  call: "calls",
  import: "imports",
  type: "has the type",
  read: "reads",
  write: "writes",
  inherit: "is made from",
  override: "overrides",
  markup: "names",
  text: "names",
};
const MAX_REASONS = 3;

/** What is worth saying of a file, the strongest first. */
function chooseReasons(
  parts: LikelyParts,
  { shared, edge }: Pick<Rated, "shared" | "edge">,
): readonly string[] {
  const add = (...names: readonly AskedFeature[]) =>
    names.reduce((sum, name) => sum + (parts[name] ?? 0), 0);
  const rows: readonly (readonly [score: number, reason: string | null])[] = [
    [
      add("lift", "mostly", "alike", "kind", "last_time"),
      shared === null ? null : `${shared.times} of ${shared.of} commits`,
    ],
    [add("message"), "commits with messages like this one"],
    [
      add("proven", "named"),
      edge === undefined || edge.depth > 1 ? null : `${VERBS[edge.kind]} ${edge.symbol}`,
    ],
    [add("own_test"), "its test"],
    [add("name") - 0.1, "a name like the target's"],
    [
      add("text", "name_words", "name_cover", "path_word", "pair", "identifier", "test_words") -
      0.8,
      "has the words of the request",
    ],
    [add("literal", "same_literal") - 0.2, "has names of the request"],
    [add("lately") - 0.4, "changed lately"],
    [add("kin") - 0.1, "named like another likely file"],
    [add("beside") - 0.1, "beside likely files"],
  ];
  return rows.filter(([score, reason]) => score > 0.05 && reason !== null)
    .sort((a, b) => b[0] - a[0]).slice(0, MAX_REASONS).flatMap(([, reason]) => reason ?? []);
}
