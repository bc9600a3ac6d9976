/**
 * Measures the program and prints a table and JSON: `deno task bench`. `--repo DIR` also indexes the files
 * of a folder, `--files N` a project of that many generated files; `--only GROUP` measures nothing else; `verify` is step
 * 15 on the folders of `--repo`, which `verify_projects.json` knows.
 */
import { cpus, totalmem } from "node:os";
import { endWrongUse, parseWords } from "../../tools/task.ts";
import type { Figure } from "../harness/measure.ts";
import { RUNS } from "../harness/measure.ts";
import { print, readCommit } from "../harness/run.ts";
import { measureIndex, toCopied, toGenerated } from "./index_figures.ts";
import { measureMeaning } from "./meaning_figures.ts";
import { measureRepository } from "./repository_figures.ts";
import { measureHooks, measureSizes, measureStart } from "./server_figures.ts";
import { measureSession } from "./session_figures.ts";
import { measureVerify } from "./verify_figures.ts";

type Measure = () => Promise<readonly Figure[]>;

const OTHERS: Readonly<Record<string, Measure>> = {
  start: measureStart,
  sizes: measureSizes,
  hooks: measureHooks,
  repository: measureRepository,
  meaning: measureMeaning,
  session: measureSession,
};
const USAGE = `deno task bench [--repo DIR]... [--files N] [--only index|verify|${
  Object.keys(OTHERS).join("|")
}]`;

const { values: wanted } = parseWords(USAGE, {
  options: {
    repo: { type: "string", multiple: true, default: [] },
    files: { type: "string" },
    only: { type: "string", default: "" },
  },
});
const { only } = wanted;
const projects = [
  toGenerated(1_000),
  ...wanted.repo.map(toCopied),
  ...wanted.files === undefined ? [] : [toGenerated(Number(wanted.files))],
];
const named = only === "index" && projects.length > 1 ? projects.slice(1) : projects;
const index = named.map((project): Measure => () => measureIndex(project));
const groups: Readonly<Record<string, readonly Measure[]>> = {
  "": [...Object.values(OTHERS), ...index],
  index,
  verify: wanted.repo.map((folder): Measure => () => measureVerify(folder)),
};
const single = OTHERS[only];
const measures = groups[only] ?? (single === undefined ? null : [single]);
if (measures === null) endWrongUse(`There is no group ${only}`, USAGE);

const figures: Figure[] = [];
for (const measure of measures) {
  const added = await measure();
  figures.push(...added);
  for (const { name, value, unit, note } of added) {
    const shown = unit === "bytes" ? String(value) : value.toFixed(unit === "ratio" ? 2 : 1);
    print(`${name.padEnd(58)} ${shown.padStart(9)} ${unit.padEnd(5)} ${note}`);
  }
}
print(JSON.stringify({
  commit: await readCommit(),
  machine: {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    os: `${Deno.build.os} ${Deno.build.arch}`,
    deno: Deno.version.deno,
  },
  runs: RUNS,
  figures,
}));
