/** What is known of changed lines, and of which it is said that they did not run. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { CoveredRow } from "../../../../src/features/runs/lines/changed_lines_run.ts";
import {
  addUpCoverage,
  findCodeLines,
  judgeChangedLines,
  judgeRanItems,
} from "../../../../src/features/runs/lines/changed_lines_run.ts";
import { isNodeAsked } from "../../../../src/features/runs/lines/coverage_places.ts";

function row(
  name: string,
  said?: readonly [ran: string, notRun: string],
  isWhole = true,
): CoveredRow {
  const files = said === undefined ? {} : { "src/a.ts": { ran: said[0], notRun: said[1] } };
  const coverage = { read: [`${name}.info (LCOV)`], notes: [], isWhole, files };
  return { name, run: ["x", "test"], ...(said === undefined ? {} : { coverage }) };
}

const CHANGED = [
  { path: "src/a.ts", shown: "a.ts", lines: [1, 2, 3, 4] },
  { path: "src/b.ts", shown: "b.ts", lines: [7] },
];

Deno.test("a line did not run only where every test command gave its whole coverage", () => {
  const rows: readonly (readonly [readonly CoveredRow[], readonly number[], string])[] = [
    [[row("unit", ["1-2", "3"])], [2, 1, 1], "No coverage names b.ts."],
    [[row("unit", ["1", "2-3"]), row("more", ["2", "1 3"])], [2, 1, 1], "No coverage names b.ts."],
    [
      [row("unit", ["1", "2-3"]), row("e2e")],
      [1, 0, 1],
      "e2e wrote no coverage, and may have run other lines.",
    ],
    [[row("unit", ["", "1-3"], false)], [0, 0, 5], "No coverage names b.ts."],
  ];
  for (const [results, counts, why] of rows) {
    const said = judgeChangedLines(CHANGED, addUpCoverage(results), null);
    deepEqual([said?.ran, said?.notRun, said?.unknown], counts);
    equal(said?.why[0], why);
  }
  equal(judgeChangedLines(CHANGED, addUpCoverage([row("unit")]), null), null);
  deepEqual(judgeChangedLines(CHANGED, addUpCoverage([row("unit")]), 0.5)?.unknown, 5);
  const mixed = [{ path: "src/a.ts", shown: "a.ts", lines: null }];
  deepEqual(judgeChangedLines(mixed, addUpCoverage([row("unit", ["1", ""])]), null)?.why, [
    "a.ts ran together with changes of others.",
  ]);
});

Deno.test("items are marked by the known lines of their evidence", () => {
  const evidence = [[1, 2], [2, 3], [3, 3], [8, 9]].map(([start = 0, end = 0], index) => (
    { task: "t", index, path: "a.ts", start, end }
  ));
  const lines = { ranLines: { "a.ts": "1-2" }, notRunLines: { "a.ts": "3" } };
  deepEqual(judgeRanItems(evidence, lines).map(({ ran }) => ran), ["all", "some", "none"]);
});

Deno.test("findCodeLines() leaves out blanks, comments, brackets, and types that are gone when code runs", async () => {
  const text =
    "// A.\n/* B\n */\nexport interface C {\n  d: string;\n}\ntype E = string;\nconst f = `g\n`;\nif (f) {\n} else {\n}\n";
  deepEqual([...await findCodeLines("a.ts", text)], [8, 9, 10, 11]);
  deepEqual([...await findCodeLines("a.py", "# A.\nb = 1\n\n")], [2]);
});

Deno.test("Node is asked to count for its own tests alone", () => {
  const rows: readonly (readonly [readonly string[], readonly string[], boolean])[] = [
    [["npm", "test"], ["node --test"], true],
    [["node", "--test"], [], true],
    [["node_modules/.bin/mocha", "test"], [], true],
    [["npm", "test"], ["vitest run"], false],
    [["npx", "jest"], [], false],
    [["npm", "run", "lint"], ["eslint ."], false],
    [["go", "test", "./..."], [], false],
  ];
  for (const [run, behind, expected] of rows) {
    equal(isNodeAsked({ name: "check", run }, behind), expected, run.join(" "));
  }
});
