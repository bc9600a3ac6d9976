/**
 * Measures the program and prints a table and JSON: `deno task bench`. `--repo DIR` also indexes the files
 * of a folder, `--files N` a project of that many generated files; `--only index`, `--only session` or `--only verify` (step
 * 15 on the folders of `--repo`, which `verify_projects.ts` knows) measures nothing else.
 */
import { cpus, totalmem } from "node:os";
import { REPOSITORY } from "../../tools/demo/server.ts";
import { parseWords } from "../../tools/task.ts";
import { measureHooks } from "./hook_figures.ts";
import { measureIndex, toCopied, toGenerated } from "./index_figures.ts";
import type { Figure } from "../../tools/measure.ts";
import { runProgram, RUNS } from "../../tools/measure.ts";
import { measureMeaning } from "./meaning_figures.ts";
import { measureRepository } from "./repository_figures.ts";
import { measureSession } from "./session_figures.ts";
import { measureSizes } from "./size_figures.ts";
import { measureStart } from "./start_figures.ts";
import { measureVerify } from "./verify_figures.ts";

const USAGE = "deno task bench [--repo DIR]... [--files N] [--only index]";

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

const { values: wanted } = parseWords(USAGE, {
  options: {
    repo: { type: "string", multiple: true, default: [] },
    files: { type: "string" },
    only: { type: "string" },
  },
});
const projects = [
  toGenerated(1_000),
  ...wanted.repo.map(toCopied),
  ...wanted.files === undefined ? [] : [toGenerated(Number(wanted.files))],
];
const named = wanted.only === "index" && projects.length > 1 ? projects.slice(1) : projects;
const INDEX = named.map((project) => () => measureIndex(project));
const OTHERS = [
  measureStart,
  measureSizes,
  measureHooks,
  measureRepository,
  measureMeaning,
  measureSession,
];
const ONLY: ReadonlyMap<string, readonly (() => Promise<readonly Figure[]>)[]> = new Map([
  ["index", INDEX],
  ["session", [measureSession]],
  ["verify", wanted.repo.map((folder) => () => measureVerify(folder))],
]);
const GROUPS = ONLY.get(wanted.only ?? "") ?? [...OTHERS, ...INDEX];

const figures: Figure[] = [];
for (const measure of GROUPS) {
  const added = await measure();
  figures.push(...added);
  for (const { name, value, unit, note } of added) {
    const shown = unit === "bytes" ? String(value) : value.toFixed(unit === "ratio" ? 2 : 1);
    print(`${name.padEnd(58)} ${shown.padStart(9)} ${unit.padEnd(5)} ${note}`);
  }
}
const commit = await runProgram("git", ["rev-parse", "HEAD"], REPOSITORY);
const changed = await runProgram("git", ["status", "--porcelain"], REPOSITORY);
print(JSON.stringify({
  commit: commit.trim() + (changed.trim() === "" ? "" : " with changes"),
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
