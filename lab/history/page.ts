/** Makes the tables of the benchmark of real commits, for the terminal and for `docs/history.md`. Pure. */
import { LIKELY_FEATURES, LIKELY_NAMES } from "../../src/impact/likely/feature_table.ts";
import { LIKELY_MODEL } from "../../src/impact/likely/second_look.ts";
import { getOrInsert } from "../../src/base/once.ts";
import { parseTestName } from "../../src/language/test_names.ts";
import type { FeatureName } from "../../src/ranking/rank.ts";
import { FEATURES } from "../../src/ranking/rank.ts";
import { WEIGHTS } from "../../src/ranking/weights.ts";
import {
  computeMean,
  computeQuantile,
  fillPage,
  formatFigure,
  toTable,
} from "../harness/figures.ts";
import type { MeasuredCommit, PastCost } from "./measure.ts";
import type { Ranker, Score } from "./score.ts";
import {
  fitLikely,
  fitModel,
  fitRequests,
  rankBy,
  rankByOthers,
  rankRequestsBy,
  rankWithoutPast,
  scoreComplete,
  scoreLocalise,
  scoreMust,
  withoutPast,
} from "./score.ts";

/** What a page is made from. */
export interface HistoryPageInput {
  readonly measured: readonly MeasuredCommit[];
  readonly costs: readonly PastCost[];
  /** Commits of still other repositories, from which every fit learns too. */
  readonly more: readonly MeasuredCommit[];
  /** One line: machine, versions, commit. */
  readonly where: string;
}

/** The whole page as Markdown. */
export function toHistoryPage(
  template: string,
  { measured, costs, more, where }: HistoryPageInput,
): string {
  const searched = measured.filter(({ localise }) => localise !== null);
  const ways = toWays(measured, searched, more);
  const ifSearched = (make: () => string) =>
    searched.length === 0 ? "Not asked in this run." : make();
  const besides = new Set(more.map(({ row }) => row.repo)).size;
  return fillPage(template, {
    where,
    count: String(measured.length),
    repositories: String(costs.length),
    aims: toAims(measured, searched, ways),
    missed: toMissedText(measured),
    besides: more.length === 0
      ? "Every fit learned from these commits alone."
      : `Every fit learned from ${more.length} commits of ${besides} other repositories too, drawn in the same way.`,
    trees: String(LIKELY_MODEL.trees.length),
    complete: toScoreTable(ways.complete, (rank) => scoreComplete(measured, rank)),
    must: toTable(["files, median", "recall", "precision"], [toMust(measured)]),
    localise: ifSearched(() =>
      `${searched.length} commits of ${
        new Set(searched.map(({ row }) => row.repo)).size
      } repositories were asked.\n\n${
        toScoreTable(ways.localise, (rank) => scoreLocalise(searched, rank))
      }`
    ),
    groups: toRepositoryTable(measured, ways),
    weights: toCompleteWeights([...measured, ...more]),
    request_weights: ifSearched(() => toRequestWeights(searched)),
    cost: toCost(measured, searched, costs),
    walks: pickWalks(measured).map(toWalk).join("\n\n"),
  });
}

/** The ways that are compared; their names begin with what they are in the table. */
interface Ways {
  readonly complete: readonly Way[];
  readonly localise: readonly Way[];
}

type Way = readonly [name: string, rank: Ranker];

const WITHOUT = "code-intel without the past";
const TABLE = "**code-intel**, table";
const LEFT_OUT = "code-intel, left out";

function pick(ways: readonly Way[], name: string): Ranker {
  return ways.find(([own]) => own === name)?.[1] ?? (() => []);
}

function toWays(
  measured: readonly MeasuredCommit[],
  searched: readonly MeasuredCommit[],
  more: readonly MeasuredCommit[],
): Ways {
  const learned = (others: readonly MeasuredCommit[]) => rankBy(fitModel([...others, ...more]));
  const plain = (["together", "together, halved by age"] as const)
    .map((name): Way => [`past alone: ${name}`, ({ plain }) => plain[name]]);
  return {
    complete: [
      ...plain,
      [WITHOUT, rankBy(withoutPast())],
      [TABLE, rankLikely],
      [LEFT_OUT, remember(rankByOthers(measured, learned))],
    ],
    localise: [
      ["past alone: messages", ({ plain }) => plain.messages],
      [WITHOUT, rankWithoutPast],
      [TABLE, ({ localise }) => (localise ?? []).map(({ path }) => path)],
      [LEFT_OUT, rankByOthers(searched, (some) => rankRequestsBy(fitRequests(some)))],
    ],
  };
}

const rankLikely: Ranker = ({ likely }) => likely.map(({ path }) => path);

/** A ranker that answers once for each commit: several tables ask the same. */
function remember(rank: Ranker): Ranker {
  const known = new Map<MeasuredCommit, readonly string[]>();
  return (one) => getOrInsert(known, one, () => rank(one));
}

/** What the program should reach over all commits: figure, aim, reached, reached with one repository left out. */
function toAims(
  measured: readonly MeasuredCommit[],
  searched: readonly MeasuredCommit[],
  { complete, localise }: Ways,
): string {
  const [completed, found] = [
    [TABLE, LEFT_OUT].map((name) => scoreComplete(measured, pick(complete, name))),
    [TABLE, LEFT_OUT].map((name) => scoreLocalise(searched, pick(localise, name))),
  ] as const;
  const rows = [
    ["*complete*, recall@10", 0.85, completed, "recall"],
    ["*complete*, NDCG@10", 0.75, completed, "ndcg"],
    ["*localise*, NDCG@10", 0.7, found, "ndcg"],
  ] as const;
  return toTable(
    ["figure", "aim", "table", "left out"],
    rows.map(([name, aim, scores, key]) => [
      name,
      aim.toFixed(2),
      ...scores.map((score) =>
        `${formatFigure(score[key])} (${score[key] < aim ? "missed" : "reached"})`
      ),
    ]),
  );
}

const DEPTHS = [10, 20, 50] as const;

/** Where the other files stand that had to change, and which of them are not among the first ten. */
function toMissedText(measured: readonly MeasuredCommit[]): string {
  const rows = measured.map(({ row, likely }) => {
    const truth = row.files.filter((path) => path !== row.primary);
    const places = new Map(likely.map(({ path }, at) => [path, at]));
    return { truth, toPlace: (path: string) => places.get(path) ?? Infinity };
  });
  const share = (depth: number) =>
    formatFigure(
      computeMean(
        rows.map(({ truth, toPlace }) =>
          truth.filter((path) => toPlace(path) < depth).length / truth.length
        ),
      ),
    );
  const missed = rows.flatMap(({ truth, toPlace }) => truth.filter((path) => toPlace(path) >= 10));
  const tests = missed.filter((path) => parseTestName(path) !== null).length;
  const depths = DEPTHS.map((depth) => `${share(depth)} among the first ${depth}`).join(", ");
  return `Of the other files of a commit, ${depths}, and ${
    share(Number.MAX_VALUE)
  } are ranked at all, which is the most that another order could reach. ` +
    `Of the ${missed.length} files that are missed, ${tests} are tests and ${
      missed.length - tests
    } sources.`;
}

function toScoreTable(ways: readonly Way[], score: (rank: Ranker) => Score): string {
  return toTable(
    ["way", "recall@10", "NDCG@10"],
    ways.map(([name, rank]) => {
      const { recall, ndcg } = score(rank);
      return [name, formatFigure(recall), formatFigure(ndcg)];
    }),
  );
}

function toMust(measured: readonly MeasuredCommit[]): readonly string[] {
  const { median, recall, precision } = scoreMust(measured, ({ must }) => must);
  return [String(median), formatFigure(recall), formatFigure(precision)];
}

function toRepositoryTable(
  measured: readonly MeasuredCommit[],
  { complete, localise }: Ways,
): string {
  const groups = [...Map.groupBy(measured, ({ row }) => row.repo)];
  const columns = ["complete", "without the past", "left out"];
  const last = ["must: size, recall, precision", "localise", "without the past"];
  return toTable(
    ["repository", "commits", ...columns, ...last],
    groups.map(([repo, own]) => [
      repo,
      String(own.length),
      ...[TABLE, WITHOUT, LEFT_OUT].map((name) => {
        const { recall, ndcg } = scoreComplete(own, pick(complete, name));
        return `${formatFigure(recall)} / ${formatFigure(ndcg)}`;
      }),
      toMust(own).join(", "),
      ...[TABLE, WITHOUT].map((name) =>
        own.every(({ localise }) => localise !== null)
          ? formatFigure(scoreLocalise(own, pick(localise, name)).ndcg)
          : "–"
      ),
    ]),
  );
}

const WEIGHT_HEAD = ["feature", "table", "fitted", "it is large when"];

function toCompleteWeights(measured: readonly MeasuredCommit[]): string {
  const fitted = fitLikely(measured);
  return toTable(
    WEIGHT_HEAD,
    LIKELY_NAMES.map((name) => {
      const { weight, what } = LIKELY_FEATURES[name];
      return [name, String(weight), fitted[name].toFixed(2), what];
    }),
  );
}

/** The weights by which a message is answered, beside those that these commits would have. */
function toRequestWeights(searched: readonly MeasuredCommit[]): string {
  const fitted = fitRequests(searched);
  return toTable(
    WEIGHT_HEAD,
    Object.entries(WEIGHTS.request).map(([name, weight]) => [
      name,
      String(weight),
      (fitted[name] ?? 0).toFixed(2),
      FEATURES[name as FeatureName].what,
    ]),
  );
}

function toCost(
  measured: readonly MeasuredCommit[],
  searched: readonly MeasuredCommit[],
  costs: readonly PastCost[],
): string {
  const ms = (values: readonly number[], share: number) =>
    `${Math.round(computeQuantile(values, share))} ms`;
  const impact = measured.map(({ impactMs }) => impactMs);
  const search = searched.map(({ searchMs }) => searchMs);
  const read = costs.map(({ repo, commits, readMs }) =>
    `${repo} ${commits} commits in ${(readMs / 1000).toFixed(1)} s`
  );
  return `Reading the past for the first time: ${read.join("; ")}.\n\n` +
    `A first impact analysis after the search: median ${ms(impact, 0.5)}, nine of ten under ${
      ms(impact, 0.9)
    }. A first search after the start: median ${ms(search, 0.5)}.`;
}

/** A commit that was completed, one of the middle, and one that was missed. */
function pickWalks(measured: readonly MeasuredCommit[]): readonly MeasuredCommit[] {
  const rows = measured.filter(({ row }) => row.files.length > 2)
    .map((one) => ({ one, score: scoreComplete([one], rankLikely).ndcg }))
    .sort((a, b) => b.score - a.score || (a.one.row.commit < b.one.row.commit ? -1 : 1));
  return [0, Math.floor(rows.length / 2), rows.length - 1].flatMap((at) => rows[at]?.one ?? []);
}

const WALKED_FILES = 5;

function toWalk({ row, request, likely }: MeasuredCommit): string {
  const other = new Set(row.files.filter((path) => path !== row.primary));
  const [subject = ""] = request.split("\n");
  const lines = likely.slice(0, WALKED_FILES).map(({ path, share, reasons }, at) =>
    `${at + 1}. \`${path}\` (${Math.round(100 * share)} %): ${reasons.join("; ")}${
      other.has(path) ? " — **changed**" : ""
    }`
  );
  const places = new Map(likely.map(({ path }, at) => [path, at + 1]));
  const missed = [...other].filter((path) => (places.get(path) ?? Infinity) > WALKED_FILES)
    .map((path) => `\`${path}\` (place ${places.get(path) ?? "none"})`);
  return [
    `**${row.repo} ${row.commit.slice(0, 10)}**: “${subject}”, beginning at \`${row.primary}\`.`,
    lines.join("\n"),
    missed.length === 0
      ? "Nothing was missed."
      : `Missed among the first ${WALKED_FILES}: ${missed.join(", ")}.`,
  ].join("\n\n");
}
