/** The result as a table and as Markdown: `docs/impact.md`. Pure. */
import { toTable } from "../../tools/docs/markdown.ts";
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

/** Why an answer differs from the truth, by what the compared definition is; counted for the page. */
function toCauses(results: readonly Measured[]): readonly (readonly string[])[] {
  const rows = results.flatMap(({ name, rows }) => {
    const byKind = Map.groupBy(rows, ({ sample }) => sample.definition.kind);
    return [...byKind].sort(([a], [b]) => a < b ? -1 : 1).map(([kind, own]) => {
      const count = (pick: (row: Row) => number) =>
        String(own.reduce((sum, row) => sum + pick(row), 0));
      return [
        name,
        kind,
        String(own.length),
        count(({ sample }) => sample.dependents.size),
        count(({ sample, impact }) => sample.dependents.intersection(impact.must).size),
        count(({ sample, impact }) => sample.dependents.intersection(impact.should).size),
        count(({ sample, impact }) =>
          sample.dependents.difference(impact.must).difference(impact.should).size
        ),
        count(({ sample, impact }) => impact.must.difference(sample.dependents).size),
      ];
    });
  });
  return rows;
}

/** The page. */
export function renderImpact(
  results: readonly Measured[],
  { seed, count, other }: {
    readonly seed: number;
    readonly count: number;
    readonly other: { readonly seed: number; readonly results: readonly Measured[] };
  },
): string {
  const parts = [
    "# Impact",
    "<!-- Made by `deno task impact --docs FOLDER…`; do not edit. -->",
    "How well `analyze_impact` finds what depends on a definition, in code that nobody here wrote. The truth is made by the\n" +
    "language's own tools, which know types; the graph knows only what declarations say.",
    toTable(
      ["repository", "files", "definitions", "truth made by", "revision"],
      results.map((one) => [
        one.name,
        String(one.files),
        String(one.definitions),
        one.tool,
        `\`${one.revision}\``,
      ]),
    ),
    "## Result",
    `${count} definitions a repository, drawn with the seed ${seed} from those that other files name (tests, documents and examples define none of ` +
    "them). `must_verify`\nis compared with the other files that name the definition; `affected_tests` with the tests that name it, or name a definition whose " +
    "body does. All\nanswers of a repository are counted together. Depth 2. The greps are `rg -w` over the same files: for the stem of the defining file (also in\n" +
    "PascalCase), and for the name itself; tests among their hits count as affected.",
    toTable(HEAD, toRows(results).slice(1)),
    "## Another draw",
    `The graph was improved by looking at the misses of the draw above. This one, with the seed ${other.seed}, was not looked at.`,
    toTable(HEAD, toRows(other.results).slice(1)),
    "## By kind of definition",
    "Dependents by the truth: how many are in `must_verify`, how many only in `should_verify` (a match of names), how many in neither; and files in\n" +
    "`must_verify` that are none.",
    toTable(
      ["repository", "kind", "drawn", "dependents", "must", "should", "missed", "too much"],
      toCauses(results),
    ),
    "## What is missed, and why",
    ...CAUSES,
  ];
  return `${parts.join("\n\n")}\n`;
}

/** Looked at one by one in the differences that `--verbose` lists. */
const CAUSES: readonly string[] = [
  "- **Types that no declaration says.** What a generic function makes of its arguments (`sync.OnceValue(f)`), conditional types, and parameters of functions\n" +
  "  inside of objects that are written as arguments: the compiler infers them. The graph follows declared types, what stands for their parameters, results of\n" +
  "  signatures, constructors and chains of calls, and leaves the rest as a match of names (`should_verify`), or counts it (`unresolved`) where the name is common.\n" +
  "- **Members that are defined anew.** A type that has its own member in the place of an inherited one, and a call that leads to the member of the base, are\n" +
  "  answers of impact, and no names of the definition to the compiler: most of what is too much.\n" +
  "- **Tests.** `affected_tests` follows what is proven, so that each of the above cuts off what lies behind it. It has more than the truth where a\n" +
  "  test is named for the file, and in Python where methods are followed: `ast` knows no types, so that its truth ends at methods (save `__init__`), and tests\n" +
  "  that call them, as most do on what a fixture gives them, are none to it.\n" +
  "- **The truth.** The compiler sees no packages that are not installed, `go/types` takes other modules as empty and skips files for other builds, and\n" +
  "  `ast` follows names, imports and attributes of modules alone, so that methods of Python are not drawn.",
];
