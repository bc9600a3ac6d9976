/**
 * Tables of what was learned: how well questions about other repositories than those of the benchmark are answered, and what
 * each feature and each kind of training question adds. Pure.
 */
import { computeMean, formatFigure, toTable } from "../harness/figures.ts";
import type { LineShares, Measured } from "./measure.ts";
import type { PageInput } from "./page.ts";
import type { FeatureName } from "../../src/ranking/rank.ts";
import type { QueryKind } from "../../src/ranking/query_kind.ts";
import { WEIGHTS } from "../../src/ranking/weights.ts";
import { fitWeights, scoreQueries } from "../harness/fit.ts";

const KINDS = ["doc", "commit"];
const COLUMNS: readonly (keyof LineShares)[] = ["plain", "pointed", "printed"];

/** Of the right lines, how many are shown, by what the question was made of. */
export function toLinesTable(made: readonly Measured[]): string {
  const rows = [...KINDS, null].map((kind) => {
    const own = made.filter(({ query }) => kind === null || query.category === kind)
      .flatMap(({ lines }) => lines ?? []);
    const means = COLUMNS.map((column) => computeMean(own.map((lines) => lines[column])));
    const [plain = 0, pointed = 0] = means;
    const gain = plain === 0 ? "–" : `${((pointed / plain - 1) * 100).toFixed(1)} %`;
    return [kind ?? "both", String(own.length), ...means.map(formatFigure), gain];
  });
  const columns = ["plain choice", "pointed at", "text shown", "gain of pointed at"];
  return toTable(["made of", "questions", ...columns], rows);
}

const LEVELS = ["high", "medium", "low"];
const FIRST = 3;

/** How often the right file is among the first three, by how sure the answer is. */
export function toConfidenceTable(
  { measured, made, absent }: Pick<PageInput, "measured" | "made" | "absent">,
): string {
  const isRight = ({ query, answer }: Measured) =>
    answer.paths.slice(0, FIRST).some((path) => query.targets.includes(path));
  const cell = (own: readonly Measured[]) =>
    own.length === 0 ? ["0", "–"] : [
      String(own.length),
      formatFigure(own.filter(isRight).length / own.length),
    ];
  // In glossary words one after the other nobody asks.
  const asked = made.filter(({ query }) => query.category !== "japanese");
  const rows = LEVELS.map((level) => [
    level,
    ...cell(measured.filter(({ answer }) => answer.confidence === level)),
    ...cell(asked.filter(({ answer }) => answer.confidence === level)),
    String(absent.filter(({ answer }) => answer.confidence === level).length),
  ]);
  const nothing = `nothing there (${absent.length})`;
  return toTable(["confidence", "benchmark", "right", "made", "right", nothing], rows);
}

/** The questions that weights are fitted to: of the benchmark, made, and written plainly by readers. */
export interface TrainingSets {
  readonly measured: readonly Measured[];
  readonly made: readonly Measured[];
  readonly plain: readonly Measured[];
}

/** What made questions weigh in a fit, those of the benchmark being 1. */
const MADE_SHARE = 0.3;

/** What a question that was written by a reader weighs in a fit, one of the benchmark being 1. */
const ANNOTATED_WEIGHT = 1 / 3;

/** Parts of the repositories, each judged by what was fitted without it. */
const FOLDS = 4;

/**
 * What a fit learns from beside the benchmark: the questions that readers wrote, and made ones, each kind of source as much as
 * any other.
 */
export function weighSets({ made, plain, measured }: TrainingSets): readonly Measured[] {
  const own = Map.groupBy(measured, ({ kind }) => kind);
  const weighed = [...Map.groupBy(made, ({ kind }) => kind)].flatMap(([kind, all]) => {
    const sources = [...Map.groupBy(all, ({ query }) => query.category).values()];
    const whole = MADE_SHARE * (own.get(kind)?.length ?? all.length) / sources.length;
    return sources.flatMap((same) => same.map((one) => ({ ...one, weight: whole / same.length })));
  });
  return [...plain.map((one) => ({ ...one, weight: ANNOTATED_WEIGHT })), ...weighed];
}

/** Features that take part without any setting. */
export function listFeatures(kind: QueryKind): FeatureName[] {
  return (Object.keys(WEIGHTS[kind]) as FeatureName[])
    .filter((name) => name !== "past" && (name !== "vector" || kind === "foreign"));
}

/** The score of each question under weights fitted to the other three quarters of the repositories. */
function scoreByOthers(
  asked: readonly Measured[],
  { repos, toLearned }: {
    readonly repos: readonly string[];
    readonly toLearned: (isOut: (one: Measured) => boolean) => readonly Measured[];
  },
): ReadonlyMap<Measured, number> {
  const scores = new Map<Measured, number>();
  for (let fold = 0; fold < FOLDS; fold++) {
    const isOut = ({ repo }: Measured) => repos.indexOf(repo) % FOLDS === fold;
    const learned = toLearned(isOut);
    for (const [kind, own] of Map.groupBy(asked.filter(isOut), (one) => one.kind)) {
      const fit = fitWeights(learned.filter((one) => one.kind === kind), listFeatures(kind));
      scoreQueries(own, fit).forEach((score, at) => scores.set(own[at] as Measured, score));
    }
  }
  return scores;
}

type Grouping = readonly [
  head: string,
  key: (one: Measured) => string,
  asked?: readonly Measured[],
];

/** Tables of questions, a row for each of what a key tells apart; the benchmark is always learned from. */
function toGroupTables(
  all: readonly Measured[],
  { made, annotated: { plain }, measured }: PageInput,
  groupings: readonly Grouping[],
): string {
  const weighed = weighSets({ made, plain, measured });
  const scores = scoreByOthers(all, {
    repos: [...new Set([...plain, ...made].map(({ repo }) => repo))],
    toLearned: (isOut) => [...measured, ...weighed.filter((one) => !isOut(one))],
  });
  const mean = (values: readonly number[]) => formatFigure(computeMean(values));
  return groupings.map(([head, key, asked = all]) =>
    toTable(
      [head, "questions", "by words", "table", "left out"],
      [...Map.groupBy(asked, key)].sort(([a], [b]) => a < b ? -1 : 1).map(([name, own]) => [
        name,
        String(own.length),
        mean(own.map(({ byWords }) => byWords)),
        mean(own.map(({ ndcg }) => ndcg)),
        mean(own.map((one) => scores.get(one) ?? 0)),
      ]),
    )
  ).join("\n\n");
}

/** How well questions that readers wrote are answered. */
export function toAnnotatedTables(input: PageInput): string {
  const { plain, particular } = input.annotated;
  const ofSet = (one: Measured) => plain.includes(one) ? "plain" : "particular";
  return toGroupTables([...plain, ...particular], input, [
    ["written", ofSet],
    ["written, kind", (one) => `${ofSet(one)}, ${one.query.category}`],
    ["language, plain ones", ({ query }) => query.language, plain],
  ]);
}

/** A repository of fewer files is small, one of more large. */
const SMALL_FILES = 200;
const LARGE_FILES = 600;

/** How well questions that repositories answer themselves are answered. */
export function toMadeTables(input: PageInput): string {
  const files = new Map(input.madeCosts.map((cost) => [cost.repo, cost.files]));
  const toSize = ({ repo }: Measured) => {
    const count = files.get(repo) ?? 0;
    return count < SMALL_FILES ? "small" : count > LARGE_FILES ? "large" : "middle";
  };
  return toGroupTables(input.made, input, [
    ["made of", ({ query }) => query.category],
    ["language of the answer", ({ query }) => query.language],
    [`repository (small: under ${SMALL_FILES} files, large: over ${LARGE_FILES})`, toSize],
  ]);
}

/** What weights fitted anew give where one kind of question is not learned from. */
export function toTrainingTable({ measured, made, plain }: TrainingSets): string {
  const all = [...measured, ...plain, ...made];
  const repos = [...new Set(all.map(({ repo }) => repo))];
  const score = (learned: Pick<TrainingSets, "made" | "plain">) => {
    const weighed = [...measured, ...weighSets({ ...learned, measured })];
    const toLearned = (isOut: (one: Measured) => boolean) => weighed.filter((one) => !isOut(one));
    const scores = scoreByOthers(all, { repos, toLearned });
    return [measured, plain, made].map((set) =>
      formatFigure(computeMean(set.map((one) => scores.get(one) ?? 0)))
    );
  };
  const kinds = [...new Set(made.map(({ query }) => query.category))].sort();
  const sizes = [
    `benchmark (${measured.length})`,
    `written (${plain.length})`,
    `made (${made.length})`,
  ];
  return toTable(["learned without", ...sizes], [
    ["nothing", ...score({ made, plain })],
    ["written", ...score({ made, plain: [] })],
    ...kinds.map((kind) => {
      const others = made.filter(({ query }) => query.category !== kind);
      return [`made: ${kind}`, ...score({ made: others, plain })];
    }),
    ["all made", ...score({ made: [], plain })],
    ["all of these", ...score({ made: [], plain: [] })],
  ]);
}

/** What each feature adds, in thousandths. */
export function toAblationTable({ measured, made, plain }: TrainingSets): string {
  const score = (all: readonly Measured[], left: FeatureName | null) =>
    computeMean([...Map.groupBy(all, ({ kind }) => kind)].flatMap(([kind, own]) => {
      const kept = listFeatures(kind).filter((name) => name !== left)
        .map((name) => [name, WEIGHTS[kind][name] ?? 0]);
      return scoreQueries(own, Object.fromEntries(kept));
    }));
  const sets = ([["benchmark", measured], ["written", plain], ["made", made]] as const)
    .filter(([, all], at) => at === 0 || all.length > 0);
  const whole = sets.map(([, all]) => score(all, null));
  const names = [...new Set(measured.flatMap(({ kind }) => listFeatures(kind)))];
  return toTable(
    ["feature", ...sets.map(([name, all]) => `${name} (${all.length})`)],
    names.map((name) => [
      name,
      ...sets.map(([, all], at) => (1000 * ((whole[at] ?? 0) - score(all, name))).toFixed(1)),
    ]),
  );
}
