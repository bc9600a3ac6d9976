/** Tables of what was learned: what each feature and each kind of training question adds, and what made the numbers. Pure. */
import { WEIGHTS } from "../../src/ranking/weights.ts";
import type { FeatureName } from "../../src/ranking/rank.ts";
import type { QueryKind } from "../../src/ranking/query_kind.ts";
import { fitWeights, scoreQueries } from "./fit.ts";
import type { Measured } from "./measure.ts";
import { toMean } from "./metric.ts";
import { toFigure, toTable } from "./table.ts";

/** What the numbers are that were learned or chosen on questions, and from what. */
export const TRAINED = toTable([
  ["numbers", "made by", "from"],
  [
    "rows of words, `assets/`",
    "`deno task word-vectors`, four seeds, 60 steps of Adam",
    "46 repositories, none of the benchmark (decision 0048)",
  ],
  [
    "weights of `sentence`",
    "`lab/retrieval/fit.ts`, without chance, and rounded",
    "the benchmark and the 920 plain questions that readers wrote about 46 repositories (decision 0061)",
  ],
  [
    "weights of `error`, names",
    "the same",
    "the benchmark and 4,954 made questions about 46 repositories (decision 0052)",
  ],
  [
    "weights of `translated`",
    "the same, two of them by hand",
    "the benchmark in Japanese, and made questions in glossary words",
  ],
  ["weights of chunks", "chosen on a grid", "made questions about 16 repositories (decision 0055)"],
  [
    "how sure an answer is",
    "a logistic fit",
    "the benchmark, plain questions of readers, made ones, and 60 about what is not there (decision 0061)",
  ],
]);

/** What made questions weigh in a fit, those of the benchmark being 1. */
const MADE_SHARE = 0.3;

/** What a question that was written by a reader weighs in a fit, one of the benchmark being 1. */
const ANNOTATED_WEIGHT = 1 / 3;

/**
 * What a fit learns from beside the benchmark: the questions that readers wrote, and made ones, each kind of source as much as
 * any other.
 */
export function toWeighed(
  { made, plain, measured }: {
    readonly made: readonly Measured[];
    readonly plain: readonly Measured[];
    readonly measured: readonly Measured[];
  },
): readonly Measured[] {
  const own = Map.groupBy(measured, ({ kind }) => kind);
  const weighed = [...Map.groupBy(made, ({ kind }) => kind)].flatMap(([kind, all]) => {
    const sources = [...Map.groupBy(all, ({ query }) => query.category).values()];
    const whole = MADE_SHARE * (own.get(kind)?.length ?? all.length) / sources.length;
    return sources.flatMap((same) => same.map((one) => ({ ...one, weight: whole / same.length })));
  });
  return [...plain.map((one) => ({ ...one, weight: ANNOTATED_WEIGHT })), ...weighed];
}

/** Features that take part without any setting. */
export function toNames(kind: QueryKind): FeatureName[] {
  return (Object.keys(WEIGHTS[kind]) as FeatureName[])
    .filter((name) => name !== "past" && (name !== "vector" || kind === "foreign"));
}

/** Parts of the repositories, each judged by what was fitted without it. */
export const FOLDS = 4;

/** What weights fitted anew give where one kind of question is not learned from. */
export function toTrainingTable(
  { measured, made, plain }: {
    readonly measured: readonly Measured[];
    readonly made: readonly Measured[];
    readonly plain: readonly Measured[];
  },
): string {
  const all = [...measured, ...plain, ...made];
  const repos = [...new Set(all.map(({ repo }) => repo))];
  const isOut = ({ repo }: Measured, fold: number) => repos.indexOf(repo) % FOLDS === fold;
  const score = (learned: { readonly made: typeof made; readonly plain: typeof plain }) => {
    const weighed = toWeighed({ ...learned, measured });
    const scores = new Map<Measured, number>();
    for (let fold = 0; fold < FOLDS; fold++) {
      const out = all.filter((one) => isOut(one, fold));
      for (const [kind, own] of Map.groupBy(out, (one) => one.kind)) {
        const rest = [...measured, ...weighed]
          .filter((one) => one.kind === kind && !isOut(one, fold));
        const fit = fitWeights(rest, toNames(kind));
        scoreQueries(own, fit).forEach((found, at) => {
          const one = own[at];
          if (one !== undefined) scores.set(one, found);
        });
      }
    }
    return [measured, plain, made].map((set) =>
      toFigure(toMean(set.map((one) => scores.get(one) ?? 0)))
    );
  };
  const kinds = [...new Set(made.map(({ query }) => query.category))].sort();
  return toTable([
    [
      "learned without",
      `benchmark (${measured.length})`,
      `written (${plain.length})`,
      `made (${made.length})`,
    ],
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
export function toAblationTable(
  { measured, made, plain }: {
    readonly measured: readonly Measured[];
    readonly made: readonly Measured[];
    readonly plain: readonly Measured[];
  },
): string {
  const score = (all: readonly Measured[], left: FeatureName | null) =>
    [...Map.groupBy(all, ({ kind }) => kind)].flatMap(([kind, own]) => {
      const kept = toNames(kind).filter((name) => name !== left)
        .map((name) => [name, WEIGHTS[kind][name] ?? 0]);
      return scoreQueries(own, Object.fromEntries(kept));
    });
  const named = [["written", plain], ["made", made]] as const;
  const others = named.filter(([, all]) => all.length > 0);
  const sets = [measured, ...others.map(([, all]) => all)];
  const whole = sets.map((all) => toMean(score(all, null)));
  const names = [...new Set(measured.flatMap(({ kind }) => toNames(kind)))];
  return toTable([
    [
      "feature",
      `benchmark (${measured.length})`,
      ...others.map(([name, all]) => `${name} (${all.length})`),
    ],
    ...names.map((name) => [
      name,
      ...sets.map((all, at) => (1000 * ((whole[at] ?? 0) - toMean(score(all, name)))).toFixed(1)),
    ]),
  ]);
}
