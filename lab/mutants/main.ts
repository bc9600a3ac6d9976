/**
 * `deno task mutants [--seed N] [--count N] [--checkout DIR] [FOLDERS]`: puts one-line mutants into a copy of the core, each by itself, runs
 * the tests that may notice, and prints what became of them, the survivors with their lines, and the rate of each folder.
 */
import { join, resolve } from "node:path";
import { toChange } from "../../src/features/mutants/mutant_rules.ts";
import { dropInheritedVariables } from "../../src/git/git_settings.ts";
import { withTempOfRun } from "../../tools/quick_tests/temp_of_run.ts";
import { endWrongUse, expectPaths, parseWords } from "../../tools/task.ts";
import { print, REPOSITORY } from "../harness/run.ts";
import type { ChosenMutant } from "./core_mutants.ts";
import { rankMutants } from "./core_mutants.ts";
import { CORE, TestsOf } from "./tests_of.ts";
import type { Outcome } from "./try_mutant.ts";
import { copyCheckout, Trial } from "./try_mutant.ts";

const USAGE = "deno task mutants [--seed N] [--count N] [--checkout DIR] [FOLDERS]";
const OUTCOMES: readonly Outcome[] = ["killed", "timed out", "survived", "no test"];

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseWords(USAGE, {
    args: [...args],
    options: {
      seed: { type: "string", default: "1" },
      count: { type: "string", default: "25" },
      checkout: { type: "string", default: REPOSITORY },
    },
    allowPositionals: true,
  });
  const count = Number(values.count);
  if (!(count > 0)) endWrongUse("--count takes a number greater than 0", USAGE);
  const root = resolve(values.checkout);
  const folders = positionals.length > 0 ? positionals : CORE;
  await expectPaths(USAGE, folders.map((folder) => join(root, "src", folder)));
  const tried = await withTempOfRun((env) =>
    tryAll({ root, folders, seed: values.seed, count }, env)
  );
  for (const [folder, outcomes] of tried) print(toRow(folder, outcomes));
  print(toRow("all", [...tried.values()].flat()));
  return 0;
}

/** What is tried. */
interface Sample {
  readonly root: string;
  readonly folders: readonly string[];
  readonly seed: string;
  readonly count: number;
}

/** The outcomes by folder; what does not have the right types is no work of the tests, and the next one is tried. */
async function tryAll(
  { root, folders, seed, count }: Sample,
  env: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, readonly Outcome[]>> {
  const tried = new Map<string, Outcome[]>(folders.map((folder) => [folder, []]));
  await using copy = await copyCheckout(root);
  const trial = new Trial(copy.root, await TestsOf.read(copy.root), env);
  const ranked = new Map<string, Iterator<ChosenMutant>>();
  for (const folder of folders) {
    ranked.set(folder, (await rankMutants(root, folder, seed)).values());
  }
  for (let round = 0; round < count; round++) {
    for (const [folder, mutants] of ranked) {
      const outcome = await tryNext(trial, mutants);
      if (outcome !== undefined) tried.get(folder)?.push(outcome);
    }
  }
  return tried;
}

async function tryNext(
  trial: Trial,
  mutants: Iterator<ChosenMutant>,
): Promise<Outcome | undefined> {
  for (let next = mutants.next(); !next.done; next = mutants.next()) {
    const startedAt = performance.now();
    const outcome = await trial.try(next.value);
    if (outcome === "no type") continue;
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    print(`${outcome.padEnd(9)} ${seconds.padStart(6)} s  ${toPlace(next.value)}`);
    return outcome;
  }
}

function toPlace({ path, line, kind, ...mutant }: ChosenMutant): string {
  const change = toChange({ ...mutant, path, line, kind: "bound" });
  return `${path}:${line} [${kind}] ${change.replaceAll(/\s+/g, " ")}`;
}

function toRow(name: string, outcomes: readonly Outcome[]): string {
  const counts = OUTCOMES.map((kind) => outcomes.filter((one) => one === kind).length);
  const [killed = 0, late = 0] = counts;
  const rate = (killed + late) / Math.max(1, outcomes.length);
  const words = OUTCOMES.map((kind, at) => `${counts[at]} ${kind}`).join(", ");
  return `${name.padEnd(10)} ${(rate * 100).toFixed(0).padStart(3)} %  ${words}`;
}

dropInheritedVariables();
Deno.exitCode = await main(Deno.args);
