/** The result as a table and as Markdown: `docs/impact.md`. Pure. */
import { computeShare, computeSum, fillPage, formatFigure, toTable } from "../harness/figures.ts";
import type { Measured, Row, Way } from "./measure.ts";

/** The first columns of the result. */
export const HEAD = [
  "repository",
  "way",
  "must: precision",
  "recall",
  "tests: precision",
  "recall",
];

const WAYS: Readonly<Record<Way, string>> = {
  impact: "impact",
  byStem: "grep for the stem of the file",
  byName: "grep for the name",
};

type Pair = readonly [answered: ReadonlySet<string>, wanted: ReadonlySet<string>];

/** The table, a way of looking a row; all answers of a repository are counted together. */
export function toRows(results: readonly Measured[]): readonly (readonly string[])[] {
  return results.flatMap(({ name, language, rows }) =>
    (Object.keys(WAYS) as Way[]).map((way) => [
      `${name} (${language})`,
      WAYS[way],
      ...toScore(rows.map((row): Pair => [row[way].must, row.sample.dependents])),
      ...toScore(rows.map((row): Pair => [row[way].tests, row.sample.tests])),
    ])
  );
}

/** Precision and recall over all answers together. */
function toScore(pairs: readonly Pair[]): readonly string[] {
  const right = computeSum(pairs, ([answered, wanted]) => answered.intersection(wanted).size);
  return [
    formatFigure(computeShare(right, computeSum(pairs, ([answered]) => answered.size))),
    formatFigure(computeShare(right, computeSum(pairs, ([, wanted]) => wanted.size))),
  ];
}

/** Every difference of impact, a line each. */
export function listMisses(results: readonly Measured[]): readonly string[] {
  return results.flatMap(({ name, rows }) =>
    rows.flatMap((row) => {
      const { path, line, kind, name: symbol } = row.sample.definition;
      const { tests } = row.sample;
      const differences = {
        "missed": toMissed(row),
        "only should": row.sample.dependents.intersection(row.impact.should),
        "too much": row.impact.must.difference(row.sample.dependents),
        "missed tests": tests.difference(row.impact.tests),
        "too many tests": row.impact.tests.difference(tests),
      };
      return Object.entries(differences).filter(([, found]) => found.size > 0)
        .map(([word, found]) =>
          `${name} ${path}:${line} ${kind} ${symbol}: ${word} (${found.size}): ${
            [...found].slice(0, 6).join(" ")
          }`
        );
    })
  );
}

function toMissed({ sample: { dependents }, impact }: Row): ReadonlySet<string> {
  return dependents.difference(impact.must).difference(impact.should);
}

/** Why an answer differs from the truth, by what the compared definition is; counted for the page. */
function toKinds(results: readonly Measured[]): readonly (readonly string[])[] {
  const counts: readonly ((row: Row) => ReadonlySet<string>)[] = [
    ({ sample }) => sample.dependents,
    ({ sample, impact }) => sample.dependents.intersection(impact.must),
    ({ sample, impact }) => sample.dependents.intersection(impact.should),
    toMissed,
    ({ sample, impact }) => impact.must.difference(sample.dependents),
  ];
  return results.flatMap(({ name, rows }) =>
    [...Map.groupBy(rows, ({ sample }) => sample.definition.kind)]
      .sort(([a], [b]) => a < b ? -1 : 1)
      .map(([kind, own]) => [
        name,
        kind,
        String(own.length),
        ...counts.map((pick) => String(computeSum(own, (row) => pick(row).size))),
      ])
  );
}

/** The page. */
export function renderImpact(
  template: string,
  results: readonly Measured[],
  { seed, count, other }: {
    readonly seed: number;
    readonly count: number;
    readonly other: { readonly seed: number; readonly results: readonly Measured[] };
  },
): string {
  const columns = ["dependents", "must", "should", "missed", "too much"];
  return fillPage(template, {
    repositories: toTable(
      ["repository", "files", "definitions", "truth made by", "revision"],
      results.map(({ name, files, definitions, tool, revision }) => [
        name,
        String(files),
        String(definitions),
        tool,
        `\`${revision}\``,
      ]),
    ),
    count: String(count),
    seed: String(seed),
    result: toTable(HEAD, toRows(results)),
    other_seed: String(other.seed),
    other_result: toTable(HEAD, toRows(other.results)),
    kinds: toTable(["repository", "kind", "drawn", ...columns], toKinds(results)),
  });
}
