/** Makes the tables of a measurement, for the terminal and for `docs/retrieval.md`. Pure. */
import { WEIGHTS } from "../../src/search/mod.ts";
import type { FitWeights } from "./fit.ts";
import { fitWeights, scoreLeftOut, scoreQueries } from "./fit.ts";
import type { IndexCost, Measured } from "./measure.ts";
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
  const parts = [
    "# Retrieval",
    "Made by `deno task retrieval --repos DIR --queries DIR --write`. The task says what the folders must hold.",
    `${where}.`,
    "NDCG@10 over files, binary gain, one index a repository, no vectors. *Left out*: weights fitted without the " +
    "repository that is scored. *Fitted*: the same fit over all repositories, which flatters. *Table*: the rounded " +
    "weights of `src/search/weights.ts`, which the program uses.",
    toRowsTable(measured, foreign),
    "## By language and repository",
    toGroupTable(measured),
    "## Fitted weights",
    toWeightsTable(measured),
    "## Cost",
    toCostTable(measured, costs),
  ];
  return `${parts.join("\n\n")}\n`;
}

const CATEGORIES = ["architecture", "semantic", "symbol"];

function toRowsTable(measured: readonly Measured[], foreign: readonly Measured[]): string {
  const fitted = fitKinds(measured);
  const rows: [string, (at: number) => number][] = [
    ...Object.keys(measured[0]?.plain ?? {}).map((name): [string, (at: number) => number] => [
      name,
      (at) => measured[at]?.plain[name] ?? 0,
    ]),
    ["**code-intel, table**", (at) => measured[at]?.ndcg ?? 0],
    ["code-intel, fitted", (at) => fitted.whole[at] ?? 0],
    ["code-intel, left out", (at) => fitted.leftOut[at] ?? 0],
  ];
  const own = rows.map(([name, score]) => {
    const means = [null, ...CATEGORIES].map((category) =>
      toMean(
        measured.flatMap(({ query }, at) =>
          category === null || query.category === category ? [score(at)] : []
        ),
      )
    );
    return [name, ...means.map(toFigure)];
  });
  const other = foreign.length === 0 ? [] : [[
    `code-intel, ${foreign.length} questions in Japanese`,
    toFigure(toMean(foreign.map(({ ndcg }) => ndcg))),
    ...CATEGORIES.map((category) => {
      const scores = foreign.filter(({ query }) => query.category === category)
        .map(({ ndcg }) => ndcg);
      return scores.length === 0 ? "–" : toFigure(toMean(scores));
    }),
  ]];
  const counts = CATEGORIES.map((category) =>
    `${category} (${measured.filter(({ query }) => query.category === category).length})`
  );
  return toTable([["", `all (${measured.length})`, ...counts], ...own, ...other]);
}

interface Fitted {
  readonly whole: readonly number[];
  readonly leftOut: readonly number[];
  readonly weights: Readonly<Record<string, FitWeights>>;
}

/** Each kind of question has weights of its own, fitted to its own questions. */
function fitKinds(measured: readonly Measured[]): Fitted {
  const whole = new Array<number>(measured.length).fill(0);
  const leftOut = new Array<number>(measured.length).fill(0);
  const weights: Record<string, FitWeights> = {};
  for (const [kind, own] of Map.groupBy(measured.entries(), ([, { kind }]) => kind)) {
    const names = Object.keys(WEIGHTS[kind]);
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

function toGroupTable(measured: readonly Measured[]): string {
  const { leftOut } = fitKinds(measured);
  const rows = [...Map.groupBy(measured.entries(), ([, { repo }]) => repo)].map(([repo, own]) => [
    repo,
    own[0]?.[1].query.language ?? "",
    String(own.length),
    toFigure(toMean(own.map(([, { ndcg }]) => ndcg))),
    toFigure(toMean(own.map(([at]) => leftOut[at] ?? 0))),
  ]);
  const mean = (column: number) => toFigure(toMean(rows.map((row) => Number(row[column]))));
  return toTable([
    ["repository", "language", "questions", "table", "left out"],
    ...rows,
    ["mean of repositories", "", "", mean(3), mean(4)],
  ]);
}

function toWeightsTable(measured: readonly Measured[]): string {
  const { weights } = fitKinds(measured);
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
  const first = measured.map(({ firstMs }) => firstMs);
  const again = measured.map(({ againMs }) => againMs);
  const quantiles = (values: readonly number[]) =>
    [0.5, 0.95].map((share) => toQuantile(values, share).toFixed(1)).join(" / ");
  return toTable([
    ["figure", "value"],
    ["files, chunks", `${sum(({ files }) => files)}, ${sum(({ chunks }) => chunks)}`],
    [
      "index from nothing, all repositories",
      `${(sum(({ buildMs }) => buildMs) / 1000).toFixed(1)} s`,
    ],
    ["databases", `${(sum(({ databaseBytes }) => databaseBytes) / 1e6).toFixed(1)} MB`],
    ["question, first time, p50 / p95", `${quantiles(first)} ms`],
    ["question, again, p50 / p95", `${quantiles(again)} ms`],
  ]);
}

function toFigure(value: number): string {
  return value.toFixed(3);
}

function toTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
