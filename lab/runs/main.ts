/**
 * How well records of runs name the tests that a wrong function fails: `deno task runs FOLDER…` takes checkouts with
 * their dependencies, of which a record was made, and prints a table; `--keep=FILE` keeps what was measured.
 */
import { basename, join } from "node:path";
import { endWrongUse, expectPaths, parseWords } from "../../tools/task.ts";
import { computeMean, computeQuantile, toTable } from "../harness/figures.ts";
import { keep, print } from "../harness/run.ts";
import REPOSITORIES from "./repositories.json" with { type: "json" };
import type { Measured } from "./measure.ts";
import { measureSuite, WAYS } from "./measure.ts";
import type { Score } from "./score.ts";

const USAGE = "deno task runs [--count=N] [--seed=N] [--keep=DIR] FOLDER...";

const { values, positionals: folders } = parseWords(USAGE, {
  allowPositionals: true,
  options: {
    count: { type: "string", default: "25" },
    seed: { type: "string", default: "20261128" },
    keep: { type: "string" },
  },
});
if (folders.length === 0) endWrongUse("Name a folder with a checkout and its dependencies", USAGE);
await expectPaths(USAGE, folders);
const results: Measured[] = [];
for (const folder of folders) {
  const name = basename(folder);
  const suite = REPOSITORIES.find(({ repo }) => repo.endsWith(`/${name}`));
  if (suite === undefined) endWrongUse(`${name} has no row in lab/runs/repositories.json`, USAGE);
  const file = values.keep === undefined ? undefined : join(values.keep, `${name}.json`);
  const options = { count: Number(values.count), seed: values.seed };
  results.push(await keep(file, () => measureSuite(folder, suite, options)));
}
print(toTable(listHeads(), results.map(toRow)));
const rows = results.flatMap((one) => one.rows);
for (const way of WAYS) {
  const scores = rows.map((row) => row.scores[way]);
  print(`${way}: ${rows.length} wrong versions, ${describe(scores)}`);
}

function listHeads(): readonly string[] {
  return [
    "repository",
    "tests",
    "wrong versions",
    "unnoticed",
    "unmatched",
    "calls seen",
    "unnamed",
    ...WAYS,
  ];
}

function toRow({ repo, tests, rows, unnoticed, unmatched, calls }: Measured): readonly string[] {
  const cells = WAYS.map((way) => describe(rows.map(({ scores }) => scores[way])));
  return [
    repo,
    `${tests}`,
    `${rows.length}`,
    `${unnoticed}`,
    `${unmatched}`,
    `${calls.calls}`,
    `${calls.unnamed.length}`,
    ...cells,
  ];
}

function describe(scores: readonly Score[]): string {
  const mean = (pick: (score: Score) => number) => computeMean(scores.map(pick)).toFixed(3);
  const median = (pick: (score: Score) => number) =>
    `${(100 * computeQuantile(scores.map(pick), 0.5)).toFixed(1)} %`;
  return `recall ${mean(({ recall }) => recall)}, precision ${
    mean(({ precision }) => precision)
  }, share ${median(({ share }) => share)}, time ${median(({ time }) => time)}`;
}
