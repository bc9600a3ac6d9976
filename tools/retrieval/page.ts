/** Makes the tables of a measurement, for the terminal and for `docs/retrieval.md`. Pure. */
import { FEATURES, WEIGHTS } from "../../src/ranking/mod.ts";
import type { FeatureName } from "../../src/ranking/mod.ts";
import type { FitQuery, FitWeights } from "./fit.ts";
import { fitWeights, scoreLeftOut, scoreQueries } from "./fit.ts";
import type { IndexCost, Measured, VectorState } from "./measure.ts";
import { toMean, toQuantile } from "./metric.ts";

/** What a page is made from. */
export interface PageInput {
  readonly measured: readonly Measured[];
  /** The questions in another language; empty where there are none. */
  readonly foreign: readonly Measured[];
  readonly costs: readonly IndexCost[];
  /** One line: machine, versions, commit. */
  readonly where: string;
}

/** The whole page as Markdown. */
export function toRetrievalPage(input: PageInput): string {
  const { measured, foreign, costs, where } = input;
  const fitted = fitKinds(measured, { isHybrid: true });
  const words = fitKinds(measured.map(({ byWords, ...rest }) => ({ ...rest, ...byWords })), {
    isHybrid: false,
  });
  const parts = [
    "# Retrieval",
    "Made by `deno task retrieval --repos DIR --queries DIR --vectors digests --write`. The task says what the folders must hold.",
    `${where}.`,
    "NDCG@10 over files, binary gain, one index a repository. *Table*: the weights of `src/ranking/weights.ts`, which the program uses. " +
    "*Left out*: weights fitted without the repository that is scored. *Fitted*: the same fit over all repositories, which flatters. " +
    "*Vectors alone*: files by their nearest digest, whatever their words.",
    toRowsTable(measured, { fitted, words }),
    "## While the vectors arrive",
    "Just indexed, words and word vectors answer, which are there with the words. Half of the vectors: those of every second file, the mean of one half and the other; nothing is embedded for an answer.",
    toStatesTable(measured, foreign),
    "## By language and repository",
    toGroupTable(measured, fitted),
    ...(foreign.length === 0 ? [] : [
      "## Questions in Japanese",
      "The same questions put into Japanese by hand, each beside its English form.",
      toForeignTable(measured, foreign),
    ]),
    "## Fitted weights",
    toWeightsTable(fitted),
    "## Cost",
    toCostTable(measured, costs),
  ];
  return `${parts.join("\n\n")}\n`;
}

const CATEGORIES = ["architecture", "semantic", "symbol"];
const STATES: readonly VectorState[] = [
  "words alone",
  "just indexed",
  "half of the vectors",
  "all vectors",
];

type Score = (at: number) => number;

function toRowsTable(
  measured: readonly Measured[],
  { fitted, words }: { readonly fitted: Fitted; readonly words: Fitted },
): string {
  const plain = Object.keys(measured[0]?.plain ?? {}).map((name): [string, Score] => [
    name,
    (at) => measured[at]?.plain[name] ?? 0,
  ]);
  const hasVectors = measured[0]?.vectorsAlone !== null;
  const byWords: [string, Score][] = [
    ["code-intel by words, table", (at) => measured[at]?.states["words alone"] ?? 0],
    ["code-intel by words, left out", (at) => words.leftOut[at] ?? 0],
    ["code-intel, just indexed, table", (at) => measured[at]?.states["just indexed"] ?? 0],
  ];
  const hybrid: [string, Score][] = [
    ["vectors alone", (at) => measured[at]?.vectorsAlone ?? 0],
    ["**code-intel, table**", (at) => measured[at]?.ndcg ?? 0],
    ["code-intel, fitted", (at) => fitted.whole[at] ?? 0],
    ["code-intel, left out", (at) => fitted.leftOut[at] ?? 0],
  ];
  const rows = [...plain, ...byWords, ...(hasVectors ? hybrid : [])];
  return toTable([
    toHead(measured),
    ...rows.map(([name, score]) => [name, ...toMeans(measured, score)]),
  ]);
}

function toStatesTable(measured: readonly Measured[], foreign: readonly Measured[]): string {
  const rows = STATES.flatMap((state) => {
    if (measured[0]?.states[state] === undefined) return [];
    const other = foreign.length === 0
      ? "–"
      : toFigure(toMean(foreign.map(({ states }) => states[state] ?? 0)));
    return [[state, ...toMeans(measured, (at) => measured[at]?.states[state] ?? 0), other]];
  });
  return toTable([[...toHead(measured), `Japanese (${foreign.length})`], ...rows]);
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

/** Each kind of question has weights of its own, fitted to its own questions. */
function fitKinds(
  measured: readonly (FitQuery & Pick<Measured, "kind">)[],
  { isHybrid }: { readonly isHybrid: boolean },
): Fitted {
  const whole = new Array<number>(measured.length).fill(0);
  const leftOut = new Array<number>(measured.length).fill(0);
  const weights: Record<string, FitWeights> = {};
  for (const [kind, own] of Map.groupBy(measured.entries(), ([, { kind }]) => kind)) {
    const names = (Object.keys(WEIGHTS[kind]) as FeatureName[])
      .filter((name) => isHybrid || FEATURES[name].group !== "vector");
    const queries = own.map(([, query]) => query);
    const fit = fitWeights(queries, names);
    weights[kind] = fit;
    const scores = scoreQueries(queries, fit);
    const left = scoreLeftOut(queries, names);
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
    toFigure(toMean(own.map(([, { states }]) => states["just indexed"] ?? 0))),
    toFigure(toMean(own.map(([, { vectorsAlone }]) => vectorsAlone ?? 0))),
    toFigure(toMean(own.map(([, { ndcg }]) => ndcg))),
    toFigure(toMean(own.map(([at]) => leftOut[at] ?? 0))),
  ]);
  const mean = (column: number) => toFigure(toMean(rows.map((row) => Number(row[column]))));
  return toTable([
    ["repository", "language", "questions", "by words", "vectors alone", "table", "left out"],
    ...rows,
    ["mean of repositories", "", "", mean(3), mean(4), mean(5), mean(6)],
  ]);
}

function toForeignTable(measured: readonly Measured[], foreign: readonly Measured[]): string {
  const fitted = fitKinds(foreign, { isHybrid: true });
  const english = new Map(measured.map((one) => [one.query.id, one]));
  const rows: [string, Score][] = [
    ["by words", (at) => foreign[at]?.states["words alone"] ?? 0],
    ["just indexed", (at) => foreign[at]?.states["just indexed"] ?? 0],
    ["vectors alone", (at) => foreign[at]?.vectorsAlone ?? 0],
    ["**table**", (at) => foreign[at]?.ndcg ?? 0],
    ["left out", (at) => fitted.leftOut[at] ?? 0],
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

function toFigure(value: number): string {
  return value.toFixed(3);
}

function toTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
