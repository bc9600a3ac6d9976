/** Tables of questions about other repositories than those of the benchmark: written by readers, or made of what authors wrote. Pure. */
import type { AnnotatedSet } from "./annotated.ts";
import { fitWeights, scoreQueries } from "./fit.ts";
import type { IndexCost, Measured } from "./measure.ts";
import { toMean } from "./metric.ts";
import { toFigure, toTable } from "./table.ts";
import { FOLDS, toNames, toWeighed } from "./training_tables.ts";

/** What weights learn from, and what they are judged by. */
export interface LearnedInput {
  readonly measured: readonly Measured[];
  /** Questions that readers wrote about other repositories; empty where they were not asked. */
  readonly annotated: Readonly<Record<AnnotatedSet, readonly Measured[]>>;
  /** Questions that other repositories answer themselves; empty where they were not asked. */
  readonly made: readonly Measured[];
  /** Of the repositories of the made questions. */
  readonly madeCosts: readonly IndexCost[];
}

/** A repository of fewer files is small, one of more large. */
const SMALL_FILES = 200;
const LARGE_FILES = 600;

/** The score of each question under weights fitted to the other three quarters of the repositories, by its id. */
function scoreByOthers(
  asked: readonly Measured[],
  { made, annotated: { plain }, measured }: LearnedInput,
): ReadonlyMap<string, number> {
  const weighed = toWeighed({ made, plain, measured });
  const leftOut = new Map<string, number>();
  const repos = [...new Set([...plain, ...made].map(({ repo }) => repo))];
  for (let fold = 0; fold < FOLDS; fold++) {
    const isOut = ({ repo }: Measured) => repos.indexOf(repo) % FOLDS === fold;
    for (const [kind, own] of Map.groupBy(asked.filter(isOut), (one) => one.kind)) {
      const also = measured.filter((one) => one.kind === kind);
      const rest = weighed.filter((one) => one.kind === kind && !isOut(one));
      const fit = fitWeights([...also, ...rest], toNames(kind));
      scoreQueries(own, fit).forEach((score, at) => leftOut.set(own[at]?.query.id ?? "", score));
    }
  }
  return leftOut;
}

/** Rows of questions, a row for each of what `key` tells apart. */
function toGroups(
  head: string,
  asked: readonly Measured[],
  { key, leftOut }: {
    readonly key: (one: Measured) => string;
    readonly leftOut: ReadonlyMap<string, number>;
  },
): string {
  return toTable([
    [head, "questions", "by words", "table", "left out"],
    ...[...Map.groupBy(asked, key)].sort(([a], [b]) => a < b ? -1 : 1).map(([name, own]) => [
      name,
      String(own.length),
      toFigure(toMean(own.map(({ byWords }) => byWords))),
      toFigure(toMean(own.map(({ ndcg }) => ndcg))),
      toFigure(toMean(own.map(({ query }) => leftOut.get(query.id) ?? 0))),
    ]),
  ]);
}

/** How well questions that readers wrote are answered. */
export function toAnnotatedTables(input: LearnedInput): string {
  const { plain, particular } = input.annotated;
  const both = [...plain, ...particular];
  const leftOut = scoreByOthers(both, input);
  const nameOf = new Map([
    ...plain.map(({ query }) => [query.id, "plain"] as const),
    ...particular.map(({ query }) => [query.id, "particular"] as const),
  ]);
  const ofSet = (one: Measured) => nameOf.get(one.query.id) ?? "";
  return [
    toGroups("written", both, { key: ofSet, leftOut }),
    toGroups("written, kind", both, {
      key: (one) => `${ofSet(one)}, ${one.query.category}`,
      leftOut,
    }),
    toGroups("language, plain ones", plain, { key: ({ query }) => query.language, leftOut }),
  ].join("\n\n");
}

/** How well questions that repositories answer themselves are answered. */
export function toMadeTables(input: LearnedInput): string {
  const { made, madeCosts } = input;
  const leftOut = scoreByOthers(made, input);
  const files = new Map(madeCosts.map((cost) => [cost.repo, cost.files]));
  const toSize = (repo: string) => {
    const count = files.get(repo) ?? 0;
    return count < SMALL_FILES ? "small" : count > LARGE_FILES ? "large" : "middle";
  };
  const group = (head: string, key: (one: Measured) => string) =>
    toGroups(head, made, { key, leftOut });
  return [
    group("made of", ({ query }) => query.category),
    group("language of the answer", ({ query }) => query.language),
    group(
      `repository (small: under ${SMALL_FILES} files, large: over ${LARGE_FILES})`,
      ({ repo }) => toSize(repo),
    ),
  ].join("\n\n");
}
