/** Makes the tables of the benchmark of real commits, for the terminal and for `docs/history.md`. Pure. */
import { LIKELY_FEATURES, LIKELY_NAMES } from "../../src/impact/likely/feature_table.ts";
import { LIKELY_MODEL } from "../../src/impact/likely/second_look.ts";
import { once } from "../../src/base/once.ts";
import type { FeatureName } from "../../src/ranking/rank.ts";
import { FEATURES } from "../../src/ranking/rank.ts";
import { WEIGHTS } from "../../src/ranking/weights.ts";
import { toAimRows, toMissedText } from "./aims.ts";
import { toQuantile } from "../retrieval/metric.ts";
import type { MeasuredCommit, PastCost } from "./measure.ts";
import type { MustScore, Ranker, Score } from "./score.ts";
import {
  fitLikely,
  fitModel,
  fitRequests,
  rankBy,
  rankLeftOut,
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
export function toHistoryPage({ measured, costs, more, where }: HistoryPageInput): string {
  const rankers = toRankers(measured, more);
  return `${
    [
      "# History",
      "Made by `deno task history --repos DIR --commits FILE --write`. `deno task history` without words says what the folder and the file must hold; nothing of them is in this repository.",
      `${where}.`,
      `${measured.length} real commits of ${costs.length} public repositories. For each one its parent is checked out, the index and the past are brought up to date, and the program's own services are asked two questions:`,
      "- *complete*: the message and the main file; which other files have to change with it (`analyze_impact`, `likely` best first)?\n- *localise*: the message alone; which files is it about (`semantic_search`)?",
      "The right files are those that the author really changed. *Recall@10* is the share of them among the first ten files of an answer; *NDCG@10* is 1.000 where they stand before all others. *Table* has the weights that the program uses; *left out* has weights that were fitted without the repository that is scored, as for a repository that nobody tuned anything for.",
      "## Aims",
      toAims(measured, rankers),
      toTraining(more),
      ...LIMITS_OF_THE_PAST,
      "## Complete",
      toCompleteTable(measured, rankers),
      "## What has to be decided",
      toMustTable(measured),
      "## Localise",
      toLocaliseTable(measured),
      "## By repository",
      toRepositoryTable(measured, rankers),
      "## Weights",
      "*Complete*:",
      toWeightsTable([...measured, ...more]),
      "*Localise*:",
      toRequestTable(measured),
      "## Cost",
      toCostTable(measured, costs),
      "## Three commits",
      "What was asked, what was named, why, and what was missed.",
      ...pickWalks(measured).map(toWalk),
    ].join("\n\n")
  }\n`;
}

/** What the figures alone do not say. */
const LIMITS_OF_THE_PAST = [
  "What is missed is mostly what neither names, nor links, nor the past tell: the second and third file of a change to all of them (`fix warnings`, `fix typing`), tests that are named for a feature, a caller of another part that the author happened to mend as well.",
  "What was tried and left out, because it did not help where one repository was left out: trees where these commits alone were learned from; names that the target and few other files have; how often a file or its folder changes at all; the share of tests among commits with messages like the request; the subject of a test's name; weights of *localise* that are chosen on its answers, which say nothing of the shares by which its second round finds ties: asked again with them it found less.",
  "*Table* is fitted to these commits too, so that its figures of *complete* are the best case. What an unseen repository may expect is what *left out* says: everything of it, weights and trees, is fitted anew without the repository that is scored.",
] as const;

function toAims(measured: readonly MeasuredCommit[], { table, leftOut }: Rankers): string {
  const localise = [rankFound, rankRequestsLeftOut(measured)] as const;
  const rows = toAimRows(measured, { complete: [table, leftOut], localise });
  return `${toTable([["figure", "aim", "table", "left out"], ...rows])}\n\n${
    toMissedText(measured)
  }`;
}

function rankRequestsLeftOut(measured: readonly MeasuredCommit[]): Ranker {
  return rankLeftOut(measured.filter(isSearched), (some) => rankRequestsBy(fitRequests(some)));
}

interface Rankers {
  readonly plain: readonly (readonly [name: string, rank: Ranker])[];
  readonly table: Ranker;
  readonly without: Ranker;
  readonly leftOut: Ranker;
}

function toRankers(
  measured: readonly MeasuredCommit[],
  more: readonly MeasuredCommit[],
): Rankers {
  const plain = ["together", "together, halved by age"] as const;
  return {
    plain: plain.map((name) => [name, ({ plain }: MeasuredCommit) => plain[name]] as const),
    table: ({ likely }) => likely.map(({ path }) => path),
    without: rankBy(withoutPast()),
    leftOut: remember(rankLeftOut(measured, (others) => rankBy(fitModel([...others, ...more])))),
  };
}

/** How much was learned from besides. */
function toTraining(more: readonly MeasuredCommit[]): string {
  const repositories = new Set(more.map(({ row }) => row.repo)).size;
  const { length } = LIKELY_MODEL.trees;
  const besides = more.length === 0
    ? "Every fit learned from these commits alone."
    : `Every fit learned from ${more.length} commits of ${repositories} other repositories too, drawn in the same way.`;
  return `${besides} The order of *complete* is that of a sum of weighted features, which ${length} small trees correct for the likeliest files: what a feature says depends there on the others.`;
}

/** A ranker that answers once for each commit: several tables ask the same. */
function remember(rank: Ranker): Ranker {
  const known = new Map<MeasuredCommit, readonly string[]>();
  return (one) => once(known, one, () => rank(one));
}

function toCompleteTable(
  measured: readonly MeasuredCommit[],
  { plain, table, without, leftOut }: Rankers,
): string {
  const rows: readonly (readonly [string, Ranker])[] = [
    ...plain.map(([name, rank]) => [`past alone: ${name}`, rank] as const),
    ["code-intel without the past", without],
    ["**code-intel**, table", table],
    ["code-intel, left out", leftOut],
  ];
  return toTable([
    ["way", "recall@10", "NDCG@10"],
    ...rows.map(([name, rank]) => [name, ...toFigures(scoreComplete(measured, rank))]),
  ]);
}

function toMustTable(measured: readonly MeasuredCommit[]): string {
  const { median, recall, precision }: MustScore = scoreMust(measured, ({ must }) => must);
  return toTable([
    ["files, median", "recall", "precision"],
    [String(median), toDigits(recall), toDigits(precision)],
  ]);
}

function isSearched({ localise }: MeasuredCommit): boolean {
  return localise !== null;
}

function toLocaliseTable(all: readonly MeasuredCommit[]): string {
  const measured = all.filter(isSearched);
  const repositories = new Set(measured.map(({ row }) => row.repo));
  if (measured.length === 0) return "Not asked in this run.";
  const rows: readonly (readonly [string, Ranker])[] = [
    ["past alone: messages", ({ plain }) => plain.messages],
    ["code-intel without the past", rankWithoutPast],
    ["**code-intel**, table", rankFound],
    ["code-intel, left out", rankRequestsLeftOut(measured)],
  ];
  const table = toTable([
    ["way", "recall@10", "NDCG@10"],
    ...rows.map(([name, rank]) => [name, ...toFigures(scoreLocalise(measured, rank))]),
  ]);
  return `${measured.length} commits of ${repositories.size} repositories were asked.\n\n${table}`;
}

const rankFound: Ranker = ({ localise }) => (localise ?? []).map(({ path }) => path);

function toRepositoryTable(
  measured: readonly MeasuredCommit[],
  { table, without, leftOut }: Rankers,
): string {
  const groups = [...Map.groupBy(measured, ({ row }) => row.repo)];
  return toTable([
    [
      "repository",
      "commits",
      "complete",
      "without the past",
      "left out",
      "must: size, recall, precision",
      "localise",
      "without the past",
    ],
    ...groups.map(([repo, own]) => {
      const must = scoreMust(own, ({ must }) => must);
      return [
        repo,
        String(own.length),
        toPair(scoreComplete(own, table)),
        toPair(scoreComplete(own, without)),
        toPair(scoreComplete(own, leftOut)),
        `${must.median}, ${toDigits(must.recall)}, ${toDigits(must.precision)}`,
        own.every(isSearched) ? toDigits(scoreLocalise(own, rankFound).ndcg) : "–",
        own.every(isSearched) ? toDigits(scoreLocalise(own, rankWithoutPast).ndcg) : "–",
      ];
    }),
  ]);
}

function toWeightsTable(measured: readonly MeasuredCommit[]): string {
  const fitted = fitLikely(measured);
  return toTable([
    ["feature", "table", "fitted", "it is large when"],
    ...LIKELY_NAMES.map((name) => {
      const { weight, what } = LIKELY_FEATURES[name];
      return [name, String(weight), fitted[name].toFixed(2), what];
    }),
  ]);
}

/** The weights by which a message is answered, beside those that these commits would have. */
function toRequestTable(all: readonly MeasuredCommit[]): string {
  const measured = all.filter(isSearched);
  if (measured.length === 0) return "Not asked in this run.";
  const fitted = fitRequests(measured);
  return toTable([
    ["feature", "table", "fitted", "it is large when"],
    ...Object.entries(WEIGHTS.request).map(([name, weight]) => [
      name,
      String(weight),
      (fitted[name] ?? 0).toFixed(2),
      FEATURES[name as FeatureName].what,
    ]),
  ]);
}

function toCostTable(measured: readonly MeasuredCommit[], costs: readonly PastCost[]): string {
  const impact = measured.map(({ impactMs }) => impactMs);
  const search = measured.filter(isSearched).map(({ searchMs }) => searchMs);
  const ms = (values: readonly number[], share: number) =>
    `${Math.round(toQuantile(values, share))} ms`;
  const read = costs.map(({ repo, commits, readMs }) =>
    `${repo} ${commits} commits in ${(readMs / 1000).toFixed(1)} s`
  );
  return [
    `Reading the past for the first time: ${read.join("; ")}.`,
    `A first impact analysis after the search: median ${ms(impact, 0.5)}, nine of ten under ${
      ms(impact, 0.9)
    }. A first search after the start: median ${ms(search, 0.5)}.`,
  ].join("\n\n");
}

/** A commit that was completed, one of the middle, and one that was missed. */
function pickWalks(measured: readonly MeasuredCommit[]): readonly MeasuredCommit[] {
  const rank: Ranker = ({ likely }) => likely.map(({ path }) => path);
  const rows = measured.filter(({ row }) => row.files.length > 2)
    .map((one) => ({ one, score: scoreComplete([one], rank).ndcg }))
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
  const missed = [...other].filter((path) => (places.get(path) ?? Infinity) > WALKED_FILES);
  return [
    `**${row.repo} ${row.commit.slice(0, 10)}**: “${subject}”, beginning at \`${row.primary}\`.`,
    lines.join("\n"),
    missed.length === 0
      ? "Nothing was missed."
      : `Missed among the first ${WALKED_FILES}: ${
        missed.map((path) => `\`${path}\` (place ${places.get(path) ?? "none"})`).join(", ")
      }.`,
  ].join("\n\n");
}

function toPair({ recall, ndcg }: Score): string {
  return `${toDigits(recall)} / ${toDigits(ndcg)}`;
}

function toFigures({ recall, ndcg }: Score): readonly string[] {
  return [toDigits(recall), toDigits(ndcg)];
}

function toDigits(value: number): string {
  return value.toFixed(3);
}

function toTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
