/** Makes the tables of a measurement, for the terminal and for `docs/retrieval.md`. Pure. */
import { WEIGHTS } from "../../src/ranking/weights.ts";
import type { FitWeights } from "./fit.ts";
import { fitWeights, scoreLeftOut, scoreQueries } from "./fit.ts";
import type { AbsentAnswer, IndexCost, Measured } from "./measure.ts";
import { toConfidenceTable, toLinesTable } from "./answer_tables.ts";
import { toMean, toQuantile } from "./metric.ts";
import { toRewordedTable } from "./reworded.ts";
import type { RewordedRow } from "./reworded.ts";
import { toStagesTable } from "./stages.ts";
import type { StageTimes } from "./stages.ts";
import { toFigure, toTable } from "./table.ts";
import type { LearnedInput } from "./learned_tables.ts";
import { toAnnotatedTables, toMadeTables } from "./learned_tables.ts";
import {
  toAblationTable,
  toNames,
  toTrainingTable,
  toWeighed,
  TRAINED,
} from "./training_tables.ts";

/** What a page is made from. */
export interface PageInput extends LearnedInput {
  /** The questions in another language; empty where there are none. */
  readonly foreign: readonly Measured[];
  /** Questions about what the repositories of the benchmark do not have. */
  readonly absent: readonly AbsentAnswer[];
  /** The questions of the benchmark in other words. */
  readonly reworded: readonly RewordedRow[];
  readonly costs: readonly IndexCost[];
  readonly stages: StageTimes;
  /** Resident, at the end. */
  readonly memoryBytes: number;
  /** Of how many repositories the made questions were drawn; null where all were asked. */
  readonly sample: number | null;
  /** One line: machine, versions, commit. */
  readonly where: string;
}

/** What the figures are. */
const INTRODUCTION =
  "How well a question in words leads to the files that answer it: 240 questions about 12 public repositories, for each of which the right files are known. " +
  "The figure is NDCG@10 over files: 1.000 means that the right files stand first among the ten that are shown, 0.000 that none of them is among the ten. " +
  "Each repository has an index of its own.";

/** What the rows are. */
const LEGEND = ([
  ["rg, FTS5 BM25", "what a plain text search finds, for comparison"],
  ["by words, table", "the program without its word vectors"],
  [
    "table",
    "the program as it is, without any setting: words and word vectors, in Japanese too. Its weights are those of `src/ranking/weights.ts`; the embedding model is asked for other languages only",
  ],
  [
    "fitted",
    "weights that were fitted to these very questions, with a third of their weight each to those that readers wrote about other repositories, and with three tenths of their weight in all to those that other repositories answer themselves (both below), not rounded",
  ],
  [
    "left out",
    "the same fit, each time without the repository that is scored: what to expect of a repository that nobody tuned anything for",
  ],
] as const).map(([row, meaning]) => `- *${row}*: ${meaning}.`).join("\n");

/** What is said of the embedding model, with its rows and without them. */
const MODEL_ROW =
  "- *model alone*: files by the nearest digest of the embedding model, whatever their words.";
const NO_MODEL =
  "The rows of the embedding model alone were left out of this run, since its vectors come at some ten a second; `--vectors digests` makes them.";

/** The whole page as Markdown. */
export function toRetrievalPage(input: PageInput): string {
  const { measured, foreign, made, costs, where } = input;
  const { plain } = input.annotated;
  const fitted = fitKinds(measured, toWeighed({ made, plain, measured }));
  const parts = [
    "# Retrieval",
    toMadeBy(input),
    `${where}.`,
    INTRODUCTION,
    ...(hasModel(measured) ? [`${LEGEND}\n${MODEL_ROW}`] : [LEGEND, NO_MODEL]),
    toRowsTable(measured, fitted),
    "## By language and repository",
    toGroupTable(measured, fitted),
    ...(foreign.length === 0 ? [] : [
      "## Questions in Japanese",
      "The same questions put into Japanese by hand, each beside its English form.",
      toForeignTable(measured, foreign),
    ]),
    ...(plain.length === 0 ? [] : [
      "## Questions that readers wrote",
      "Questions about other repositories, written by language models that read these and asked what a developer would ask, as those of the benchmark were (`lab/retrieval/annotated/`). " +
      "*Plain*: with lines of the benchmark for a style and no other advice. *Particular*: by readers who were asked for less obvious files and for words of their own. No weight was fitted to particular ones. " +
      "*Left out* has weights fitted to the other three quarters of the repositories and to the benchmark. The rows of words were trained on other texts of these repositories.",
      toAnnotatedTables(input),
    ]),
    ...(made.length === 0 ? [] : [
      "## Questions that repositories answer themselves",
      `${made.length} questions about ${
        new Set(made.map(({ repo }) => repo)).size
      } repositories, drawn by chance from those that the weights learned from. A repository answers them itself: a question is the first sentence of a doc comment, the subject of a commit, ` +
      "the name of a test, the message of a failure, the heading of a document or a name, and the right file is the one that it came from, from whose text it is taken out before it is asked. " +
      "Some of each kind are put into Japanese words. *Left out* has weights fitted to the other three quarters of the repositories.",
      toMadeTables(input),
    ]),
    ...(made.some(({ lines }) => lines !== null)
      ? [
        "## Lines",
        "Of the lines that are right, the share among the first 200 that the answer of `semantic_search` points at, in its order; " +
        "of a doc comment these are its definition, of a commit what it wrote and is still there. *Plain choice*: of the same files the three best chunks of each of the first three by their words, of the others one. " +
        "*Text shown*: among the lines whose text the answer has. The aim was a gain of 20 % over the plain choice.",
        toLinesTable(made),
      ]
      : []),
    "## Confidence",
    "How often the right file is among the first three, by the `confidence` of the answer. The last column are questions about things that the repositories do not have. What is said of them was fitted to these sixty too (decision 0061).",
    toConfidenceTable(input),
    "## Questions in other words",
    "Sentences of the benchmark that each way of writing changes. A word that no file has is asked for in another spelling, in its long or short form, or as the word of a name that is one slip away.",
    toRewordedTable(input.reworded),
    "## Without one feature",
    "What each feature of the ranking adds: by how many thousandths the figure falls when its weight is set to nothing, on these 240 questions and on those of the sections above.",
    toAblationTable({ measured, made, plain }),
    "## Fitted weights",
    toWeightsTable(fitted),
    ...(made.length === 0 ? [] : [
      "## Without one kind of training question",
      "Weights fitted anew to three quarters of all repositories, those of the benchmark among them, and judged on the other quarter, each in turn; from what they learn one kind of question is left out.",
      toTrainingTable({ measured, made, plain }),
    ]),
    "## Trained numbers",
    TRAINED,
    COST_TITLE,
    toCostTable(measured, costs),
    "Time of the stages of a question that was asked once before, and memory of the process that asked all of them, the tool with its tables among it:",
    toStagesTable(input.stages),
    `Memory: ${(input.memoryBytes / 1e6).toFixed(0)} MB.`,
  ];
  return `${parts.join("\n\n")}\n`;
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

/** Behind it everything depends on the machine. */
const COST_TITLE = "## Cost";

/** How many lines of figures differ between two pages; those of time and place are not compared. */
export function countDifferences(page: string, other: string): number {
  const [lines, others] = [page, other].map((text) =>
    (text.split(COST_TITLE)[0] ?? "").split("\n").filter((line) => line.startsWith("|"))
  );
  const most = Math.max(lines?.length ?? 0, others?.length ?? 0);
  return Array.from({ length: most }).filter((_, at) => lines?.[at] !== others?.[at]).length;
}

const CATEGORIES = ["architecture", "semantic", "symbol"];
type Score = (at: number) => number;

function toRowsTable(measured: readonly Measured[], fitted: Fitted): string {
  const plain = Object.keys(measured[0]?.plain ?? {}).map((name): [string, Score] => [
    name,
    (at) => measured[at]?.plain[name] ?? 0,
  ]);
  const own: [string, Score][] = [
    ["code-intel by words, table", (at) => measured[at]?.byWords ?? 0],
    ["**code-intel, table**", (at) => measured[at]?.ndcg ?? 0],
    ["code-intel, fitted", (at) => fitted.whole[at] ?? 0],
    ["code-intel, left out", (at) => fitted.leftOut[at] ?? 0],
  ];
  const model: [string, Score][] = [
    ["model alone", (at) => measured[at]?.vectorsAlone ?? 0],
    ["code-intel with the model for every question", (at) => measured[at]?.withModel ?? 0],
  ];
  const rows = [...plain, ...own, ...(hasModel(measured) ? model : [])];
  return toTable([
    toHead(measured),
    ...rows.map(([name, score]) => [name, ...toMeans(measured, score)]),
  ]);
}

/** Whether vectors of the model were made in this run. */
function hasModel(measured: readonly Measured[]): boolean {
  return measured.some(({ withModel }) => withModel !== null);
}

function toHead(measured: readonly Measured[]): string[] {
  const counts = CATEGORIES.map((category) =>
    `${category} (${measured.filter(({ query }) => query.category === category).length})`
  );
  return ["", `all (${measured.length})`, ...counts];
}

/** The mean of all questions, then of each category. */
function toMeans(measured: readonly Measured[], score: Score): string[] {
  return [null, ...CATEGORIES].map((category) => {
    const own = measured.flatMap(({ query }, at) =>
      category === null || query.category === category ? [score(at)] : []
    );
    return own.length === 0 ? "–" : toFigure(toMean(own));
  });
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
    const names = toNames(kind);
    const queries = own.map(([, query]) => query);
    const more = made.filter((one) => one.kind === kind);
    const fit = fitWeights([...queries, ...more], names);
    weights[kind] = fit;
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
  const rows = [...Map.groupBy(measured.entries(), ([, { repo }]) => repo)].map(([repo, own]) => [
    repo,
    own[0]?.[1].query.language ?? "",
    String(own.length),
    toFigure(toMean(own.map(([, { byWords }]) => byWords))),
    toFigure(toMean(own.map(([, { ndcg }]) => ndcg))),
    toFigure(toMean(own.map(([at]) => leftOut[at] ?? 0))),
    ...(hasModel(measured)
      ? [toFigure(toMean(own.map(([, { withModel }]) => withModel ?? 0)))]
      : []),
  ]);
  const columns = [
    "by words",
    "table",
    "left out",
    ...(hasModel(measured) ? ["with the model"] : []),
  ];
  const means = columns.map((_, at) => toFigure(toMean(rows.map((row) => Number(row[at + 3])))));
  return toTable([
    ["repository", "language", "questions", ...columns],
    ...rows,
    ["mean of repositories", "", "", ...means],
  ]);
}

function toForeignTable(measured: readonly Measured[], foreign: readonly Measured[]): string {
  const english = new Map(measured.map((one) => [one.query.id, one]));
  const rows: [string, Score][] = [
    ["by words", (at) => foreign[at]?.byWords ?? 0],
    ["**table**", (at) => foreign[at]?.ndcg ?? 0],
    ...(hasModel(foreign)
      ? [
        ["model alone", (at) => foreign[at]?.vectorsAlone ?? 0],
        ["with the model for every question", (at) => foreign[at]?.withModel ?? 0],
      ] satisfies [string, Score][]
      : []),
    ["the English questions, table", (at) => english.get(foreign[at]?.query.id ?? "")?.ndcg ?? 0],
  ];
  return toTable([
    toHead(foreign),
    ...rows.map(([name, score]) => [name, ...toMeans(foreign, score)]),
  ]);
}

function toWeightsTable({ weights }: Fitted): string {
  const rows = Object.entries(weights).flatMap(([kind, fitted]) =>
    Object.entries(fitted).map(([name, weight]) => [
      kind,
      name,
      weight.toFixed(2),
      String((WEIGHTS as Record<string, Record<string, number>>)[kind]?.[name] ?? 0),
    ])
  );
  return toTable([["kind", "feature", "fitted", "table"], ...rows]);
}

function toCostTable(measured: readonly Measured[], costs: readonly IndexCost[]): string {
  const sum = (pick: (cost: IndexCost) => number) =>
    costs.reduce((total, cost) => total + pick(cost), 0);
  const quantiles = (pick: (one: Measured) => number) =>
    [0.5, 0.95].map((share) => toQuantile(measured.map(pick), share).toFixed(1)).join(" / ");
  const analysed = sum((cost) => cost.analysed);
  const made = sum((cost) => cost.made);
  const seconds = sum((cost) => cost.madeMs) / 1000;
  return toTable([
    ["figure", "value"],
    ["files, chunks", `${sum(({ files }) => files)}, ${sum(({ chunks }) => chunks)}`],
    [
      "contents analysed in this run",
      analysed === 0
        ? "none"
        : `${analysed} in ${(sum(({ buildMs }) => buildMs) / 1000).toFixed(1)} s`,
    ],
    ["vectors", String(sum(({ vectors }) => vectors))],
    [
      "vectors made in this run",
      made === 0
        ? "none"
        : `${made} in ${seconds.toFixed(0)} s, ${(made / seconds).toFixed(1)} a second`,
    ],
    ["databases", `${(sum(({ databaseBytes }) => databaseBytes) / 1e6).toFixed(1)} MB`],
    ["question, first time, p50 / p95", `${quantiles(({ firstMs }) => firstMs)} ms`],
    ["question, again, p50 / p95", `${quantiles(({ againMs }) => againMs)} ms`],
    ["question by words, again, p50 / p95", `${quantiles(({ wordsMs }) => wordsMs)} ms`],
  ]);
}
