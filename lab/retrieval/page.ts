/** Makes the tables of a measurement, for the terminal and for `docs/retrieval.md`. Pure. */
import { WEIGHTS } from "../../src/ranking/weights.ts";
import {
  computeMean,
  computeQuantile,
  computeSum,
  fillPage,
  formatFigure,
  toTable,
} from "../harness/figures.ts";
import type { FitWeights } from "../harness/fit.ts";
import { fitWeights, scoreLeftOut, scoreQueries } from "../harness/fit.ts";
import {
  listFeatures,
  toAblationTable,
  toAnnotatedTables,
  toConfidenceTable,
  toLinesTable,
  toMadeTables,
  toTrainingTable,
  weighSets,
} from "./training_tables.ts";
import type { AnnotatedSet } from "./annotated.ts";
import type { AbsentAnswer, IndexCost, Measured } from "./measure.ts";
import type { StageTimes } from "./stages.ts";
import { toStagesTable } from "./stages.ts";

/** What a page is made from. */
export interface PageInput {
  readonly measured: readonly Measured[];
  /** Questions that readers wrote about other repositories; empty where they were not asked. */
  readonly annotated: Readonly<Record<AnnotatedSet, readonly Measured[]>>;
  /** Questions that other repositories answer themselves; empty where they were not asked. */
  readonly made: readonly Measured[];
  /** Of the repositories of the made questions. */
  readonly madeCosts: readonly IndexCost[];
  /** The questions in another language; empty where there are none. */
  readonly foreign: readonly Measured[];
  /** Questions about what the repositories of the benchmark do not have. */
  readonly absent: readonly AbsentAnswer[];
  /** The table of the questions of the benchmark in other words. */
  readonly reworded: string;
  readonly costs: readonly IndexCost[];
  readonly stages: StageTimes;
  /** Resident, at the end. */
  readonly memoryBytes: number;
  /** Of how many repositories the made questions were drawn; null where all were asked. */
  readonly sample: number | null;
  /** One line: machine, versions, commit. */
  readonly where: string;
}

/** What is said of the embedding model, with its rows and without them. */
const MODEL_ROW =
  "\n- *model alone*: files by the nearest digest of the embedding model, whatever their words.";
const NO_MODEL =
  "\n\nThe rows of the embedding model alone were left out of this run, since its vectors come at some ten a second; `--vectors digests` makes them.";

/** The whole page as Markdown. */
export function toRetrievalPage(template: string, input: PageInput): string {
  const { measured, foreign, made, costs, where, annotated: { plain } } = input;
  const sets = { measured, made, plain };
  const fitted = fitKinds(measured, weighSets(sets));
  const repositories = new Set(made.map(({ repo }) => repo)).size;
  const ifMade = (make: () => string) => made.length === 0 ? null : make();
  return fillPage(template, {
    where,
    made_by: toMadeBy(input),
    model: hasModel(measured) ? MODEL_ROW : NO_MODEL,
    rows: toRowsTable(measured, fitted),
    groups: toGroupTable(measured, fitted),
    foreign: foreign.length === 0 ? null : toForeignTable(measured, foreign),
    annotated: plain.length === 0 ? null : toAnnotatedTables(input),
    made_counts: `${made.length} questions about ${repositories} repositories`,
    made: ifMade(() => toMadeTables(input)),
    lines: made.some(({ lines }) => lines !== null) ? toLinesTable(made) : null,
    confidence: toConfidenceTable(input),
    reworded: input.reworded,
    ablation: toAblationTable(sets),
    weights: toWeightsTable(fitted),
    training: ifMade(() => toTrainingTable(sets)),
    cost: toCostTable(measured, costs),
    stages: toStagesTable(input.stages),
    memory: (input.memoryBytes / 1e6).toFixed(0),
  });
}

/** The words that make this page again. */
function toMadeBy({ measured, made, sample, annotated }: PageInput): string {
  const words = [
    ...(hasModel(measured) ? ["--vectors digests"] : []),
    ...(made.length === 0 ? [] : ["--made DIR"]),
    ...(sample === null ? [] : [`--sample ${sample}`]),
    ...(annotated.plain.length === 0 ? [] : ["--annotated DIR"]),
    "--write",
  ];
  return `Made by \`deno task retrieval --repos DIR --queries DIR ${words.join(" ")}\`. ` +
    "`deno task retrieval` without words says what the folders must hold.";
}

/** How many lines of figures differ between two pages; behind "Cost" everything depends on the machine. */
export function countDifferences(page: string, other: string): number {
  const [lines = [], others = []] = [page, other].map((text) =>
    (text.split("## Cost")[0] ?? "").split("\n").filter((line) => line.startsWith("|"))
  );
  const most = Math.max(lines.length, others.length);
  return Array.from({ length: most }).filter((_, at) => lines[at] !== others[at]).length;
}

const CATEGORIES = ["architecture", "semantic", "symbol"];
type Score = readonly [name: string, score: (at: number) => number | null | undefined];

/** Rows of means: of all questions, then of each category. */
function toScoresTable(asked: readonly Measured[], scores: readonly Score[]): string {
  const groups = [null, ...CATEGORIES].map((category) =>
    [
      category ?? "all",
      [...asked.keys()].filter((at) => category === null || asked[at]?.query.category === category),
    ] as const
  );
  return toTable(
    ["", ...groups.map(([name, own]) => `${name} (${own.length})`)],
    scores.map(([name, score]) => [
      name,
      ...groups.map(([, own]) =>
        own.length === 0 ? "–" : formatFigure(computeMean(own.map((at) => score(at) ?? 0)))
      ),
    ]),
  );
}

function toRowsTable(measured: readonly Measured[], fitted: Fitted): string {
  const plain = Object.keys(measured[0]?.plain ?? {})
    .map((name): Score => [name, (at) => measured[at]?.plain[name]]);
  return toScoresTable(measured, [
    ...plain,
    ["code-intel by words, table", (at) => measured[at]?.byWords],
    ["**code-intel, table**", (at) => measured[at]?.ndcg],
    ["code-intel, fitted", (at) => fitted.whole[at]],
    ["code-intel, left out", (at) => fitted.leftOut[at]],
    ...toModelScores(measured, "code-intel with the model for every question"),
  ]);
}

function toModelScores(asked: readonly Measured[], name: string): Score[] {
  return !hasModel(asked) ? [] : [
    ["model alone", (at) => asked[at]?.vectorsAlone],
    [name, (at) => asked[at]?.withModel],
  ];
}

function toForeignTable(measured: readonly Measured[], foreign: readonly Measured[]): string {
  const english = new Map(measured.map((one) => [one.query.id, one]));
  return toScoresTable(foreign, [
    ["by words", (at) => foreign[at]?.byWords],
    ["**table**", (at) => foreign[at]?.ndcg],
    ...toModelScores(foreign, "with the model for every question"),
    ["the English questions, table", (at) => english.get(foreign[at]?.query.id ?? "")?.ndcg],
  ]);
}

/** Whether vectors of the model were made in this run. */
function hasModel(measured: readonly Measured[]): boolean {
  return measured.some(({ withModel }) => withModel !== null);
}

interface Fitted {
  readonly whole: readonly number[];
  readonly leftOut: readonly number[];
  readonly weights: Readonly<Record<string, FitWeights>>;
}

/** Each kind of question has weights of its own, fitted to its own questions and the made ones of its kind. */
function fitKinds(measured: readonly Measured[], made: readonly Measured[]): Fitted {
  const whole = new Array<number>(measured.length).fill(0);
  const leftOut = new Array<number>(measured.length).fill(0);
  const weights: Record<string, FitWeights> = {};
  for (const [kind, own] of Map.groupBy(measured.entries(), ([, { kind }]) => kind)) {
    const names = listFeatures(kind);
    const queries = own.map(([, query]) => query);
    const more = made.filter((one) => one.kind === kind);
    const fit = weights[kind] = fitWeights([...queries, ...more], names);
    const scores = scoreQueries(queries, fit);
    const left = scoreLeftOut(queries, names, more);
    own.forEach(([at], place) => {
      whole[at] = scores[place] ?? 0;
      leftOut[at] = left[place] ?? 0;
    });
  }
  return { whole, leftOut, weights };
}

function toGroupTable(measured: readonly Measured[], { leftOut }: Fitted): string {
  const scores: Score[] = [
    ["by words", (at) => measured[at]?.byWords],
    ["table", (at) => measured[at]?.ndcg],
    ["left out", (at) => leftOut[at]],
    ...(hasModel(measured)
      ? [["with the model", (at: number) => measured[at]?.withModel] as const]
      : []),
  ];
  const rows = [...Map.groupBy(measured.entries(), ([, { repo }]) => repo)].map(([repo, own]) => [
    repo,
    own[0]?.[1].query.language ?? "",
    String(own.length),
    ...scores.map(([, score]) => formatFigure(computeMean(own.map(([at]) => score(at) ?? 0)))),
  ]);
  const means = scores.map((_, at) =>
    formatFigure(computeMean(rows.map((row) => Number(row[at + 3]))))
  );
  return toTable(["repository", "language", "questions", ...scores.map(([name]) => name)], [
    ...rows,
    ["mean of repositories", "", "", ...means],
  ]);
}

function toWeightsTable({ weights }: Fitted): string {
  const known: Record<string, Record<string, number>> = WEIGHTS;
  return toTable(
    ["kind", "feature", "fitted", "table"],
    Object.entries(weights).flatMap(([kind, fitted]) =>
      Object.entries(fitted).map(([name, weight]) => [
        kind,
        name,
        weight.toFixed(2),
        String(known[kind]?.[name] ?? 0),
      ])
    ),
  );
}

function toCostTable(measured: readonly Measured[], costs: readonly IndexCost[]): string {
  const sum = (key: Exclude<keyof IndexCost, "repo">) => computeSum(costs, (cost) => cost[key]);
  const quantiles = (key: "firstMs" | "againMs" | "wordsMs") =>
    `${
      [0.5, 0.95].map((share) => computeQuantile(measured.map((one) => one[key]), share).toFixed(1))
        .join(" / ")
    } ms`;
  const seconds = sum("madeMs") / 1000;
  const analysed = `${sum("analysed")} in ${(sum("buildMs") / 1000).toFixed(1)} s`;
  const made = `${sum("made")} in ${seconds.toFixed(0)} s, ${
    (sum("made") / seconds).toFixed(1)
  } a second`;
  return toTable(["figure", "value"], [
    ["files, chunks", `${sum("files")}, ${sum("chunks")}`],
    ["contents analysed in this run", sum("analysed") === 0 ? "none" : analysed],
    ["vectors", String(sum("vectors"))],
    ["vectors made in this run", sum("made") === 0 ? "none" : made],
    ["databases", `${(sum("databaseBytes") / 1e6).toFixed(1)} MB`],
    ["question, first time, p50 / p95", quantiles("firstMs")],
    ["question, again, p50 / p95", quantiles("againMs")],
    ["question by words, again, p50 / p95", quantiles("wordsMs")],
  ]);
}
