/** The result as a table and as Markdown: `docs/impact.md`. Pure. */
import { toTable } from "../docs/markdown.ts";
import type { Answer, Measured, Row } from "./measure.ts";
import { toScore } from "./score.ts";

const HEAD = ["repository", "way", "must: precision", "recall", "tests: precision", "recall"];

const WAYS: readonly { readonly name: string; readonly pick: (row: Row) => Answer }[] = [
  { name: "impact", pick: (row) => row.impact },
  { name: "grep for the stem of the file", pick: (row) => row.byStem },
  { name: "grep for the name", pick: (row) => row.byName },
];

/** The table, a way of looking a row. */
export function toRows(results: readonly Measured[]): readonly (readonly string[])[] {
  return [
    HEAD,
    ...results.flatMap((one) =>
      WAYS.map(({ name, pick }) => {
        const must = toScore(one.rows.map((row) => ({
          answered: pick(row).must,
          wanted: row.sample.dependents,
        })));
        const tests = toScore(one.rows.map((row) => ({
          answered: pick(row).tests,
          wanted: row.sample.tests,
        })));
        return [
          `${one.name} (${one.language})`,
          name,
          toRatio(must.precision),
          toRatio(must.recall),
          toRatio(tests.precision),
          toRatio(tests.recall),
        ];
      })
    ),
  ];
}

function toRatio(value: number): string {
  return value.toFixed(3);
}

/** Every difference of impact, a line each. */
export function listMisses(results: readonly Measured[]): readonly string[] {
  return results.flatMap(({ name, rows }) =>
    rows.flatMap(({ sample, impact }) => {
      const { definition, dependents, tests } = sample;
      const at =
        `${name} ${definition.path}:${definition.line} ${definition.kind} ${definition.name}`;
      const show = (word: string, found: ReadonlySet<string>) =>
        found.size === 0
          ? []
          : [`${at}: ${word} (${found.size}): ${[...found].slice(0, 6).join(" ")}`];
      return [
        ...show("missed", dependents.difference(impact.must).difference(impact.should)),
        ...show("only should", dependents.intersection(impact.should)),
        ...show("too much", impact.must.difference(dependents)),
        ...show("missed tests", tests.difference(impact.tests)),
        ...show("too many tests", impact.tests.difference(tests)),
      ];
    })
  );
}

/** The page. */
export function renderImpact(
  results: readonly Measured[],
  { seed, count }: { readonly seed: number; readonly count: number },
): string {
  return `${toTable(HEAD, toRows(results).slice(1))}\n${seed}${count}`;
}
