/**
 * Measures one checkout: small wrong versions of its functions, the tests that really fail with each, and the tests that
 * names, records of runs, and both would have run.
 */
import { join } from "node:path";
import { SYSTEM_CLOCK } from "../../src/base/clock.ts";
import { compareFailures, isPassed } from "../../src/evidence/runs/judge_run.ts";
import type { CommandResult } from "../../src/evidence/runs/run_command.ts";
import { runWithReport } from "../../src/evidence/runs/run_command.ts";
import { FEATURES } from "../../src/features/features.ts";
import { findMutants, isSound } from "../../src/features/mutants/find_mutants.ts";
import type { Mutant } from "../../src/features/mutants/mutant_rules.ts";
import { applyMutant } from "../../src/features/mutants/mutant_rules.ts";
import type { SymbolHit } from "../../src/index/read/view.ts";
import type { SeenState } from "../../src/index/seen_runs.ts";
import { isCallable } from "../../src/language/kinds.ts";
import { isTestSide } from "../../src/language/test_names.ts";
import type { Services } from "../../src/services/services_api.ts";
import { createServices } from "../../src/services/services.ts";
import { shuffle } from "../harness/chance.ts";
import { isOwnCode } from "../harness/clones.ts";
import { print } from "../harness/run.ts";
import type { Score, SuiteTest } from "./score.ts";
import { listTestsOf, matchFailures, scoreTests } from "./score.ts";

/** A checkout with its suite. */
export interface Suite {
  readonly repo: string;
  readonly language: string;
  readonly run: readonly string[];
}

/** By what tests are chosen. */
export const WAYS = ["names", "runs", "both"] as const;

/** One wrong version that a test notices. */
export interface Row {
  readonly symbol: string;
  readonly failing: number;
  readonly scores: Readonly<Record<typeof WAYS[number], Score>>;
}

/** One checkout, measured. */
export interface Measured extends Suite {
  readonly tests: number;
  readonly plainMs: number;
  readonly rows: readonly Row[];
  /** Wrong versions that no test noticed, or whose failures name no recorded test. */
  readonly unnoticed: number;
  /** Failing tests whose name no record has: they count for no way. */
  readonly unmatched: number;
  readonly calls: SeenCalls;
}

/** Calls between files that runs showed. */
export interface SeenCalls {
  readonly calls: number;
  /** Those whose line does not have the name of what is called: `path:line caller > callee`. */
  readonly unnamed: readonly string[];
}

const TIMEOUT_MS = 600_000;
/** A wrong version may run for ever: so many times as long as the right one, and a pause, are enough. */
const SLOWER = 5;
const PAUSE_MS = 20_000;
/** So many wrong versions are tried for each that is wanted. */
const MOST_TRIES = 3;

/** Measures the checkout in a folder, of which a record has been made (`code-intel runs record`). */
export async function measureSuite(
  folder: string,
  suite: Suite,
  { count, seed }: { readonly count: number; readonly seed: string },
): Promise<Measured> {
  const root = await Deno.realPath(folder);
  const open = (features: typeof FEATURES) =>
    createServices({ projectDir: root, logger: { note: () => {} }, offered: [], features });
  const [seeing, plain] = [await open(FEATURES), await open([])];
  try {
    await seeing.index.sync({});
    const state = await (await seeing.openRuns()).load();
    if (state === null) throw new Error(`${folder} has no record: code-intel runs record`);
    const functions = await listFunctions(seeing);
    const all = state.findTests(functions.map(toName)).tests;
    const base = await runSuite(root, suite);
    const chosen = shuffle(functions, (hit) => `${seed} ${hit.path} ${hit.qualifiedName}`);
    const rows: Row[] = [];
    let [unnoticed, unmatched] = [0, 0];
    for (const hit of chosen) {
      if (rows.length >= count || rows.length + unnoticed >= count * MOST_TRIES) break;
      const failing = await tryWrongVersion(root, suite, { hit, base, all, seed });
      if (failing === null) continue;
      unmatched += failing.unmatched;
      if (failing.names.length === 0) unnoticed++;
      else rows.push(await scoreVersion({ hit, failing: failing.names, all, state, plain }));
    }
    return {
      ...suite,
      tests: all.length,
      plainMs: base.durationMs,
      rows,
      unnoticed,
      unmatched,
      calls: await listCalls(root, functions, state),
    };
  } finally {
    await Promise.all([seeing.close(), plain.close()]);
  }
}

function toName({ path, qualifiedName }: SymbolHit) {
  return { path, name: qualifiedName };
}

/** The calls that runs showed, and which of them no text names. */
async function listCalls(
  root: string,
  functions: readonly SymbolHit[],
  state: SeenState,
): Promise<SeenCalls> {
  const lines = new Map<string, readonly string[]>();
  const unnamed: string[] = [];
  let calls = 0;
  for (const hit of functions) {
    for (const { caller, line } of state.findCallers(toName(hit))) {
      calls++;
      if (!lines.has(caller.path)) {
        const text = await Deno.readTextFile(join(root, caller.path)).catch(() => "");
        lines.set(caller.path, text.split("\n"));
      }
      const text = lines.get(caller.path)?.[(line ?? 1) - 1] ?? "";
      // A constructor is called by the name of its class.
      if (hit.qualifiedName.split(".").slice(-2).some((name) => text.includes(name))) continue;
      unnamed.push(`${caller.path}:${line} ${caller.name} > ${hit.path}: ${hit.qualifiedName}`);
    }
  }
  return { calls, unnamed };
}

/** Functions of the project's own sources. */
async function listFunctions({ index }: Services): Promise<readonly SymbolHit[]> {
  const hits = await index.read((view) => view.listSymbols("."));
  return hits.filter(({ kind, path, startLine, endLine }) =>
    isCallable(kind) && endLine > startLine && !isTestSide(path) && isOwnCode(path)
  );
}

async function runSuite(
  root: string,
  { run }: Suite,
  timeoutMs = TIMEOUT_MS,
): Promise<CommandResult> {
  const command = { name: "test", run, paths: null, writes: [], timeoutMs };
  const place = { checkout: null, worktree: root, stateDir: null };
  const { signal } = new AbortController();
  return await runWithReport(command, { place, cwd: root, signal, clock: SYSTEM_CLOCK });
}

/** Names of recorded tests that fail with one wrong version of a function; null where it has none that can be tried. */
async function tryWrongVersion(
  root: string,
  suite: Suite,
  { hit, base, all, seed }: {
    readonly hit: SymbolHit;
    readonly base: CommandResult;
    readonly all: readonly SuiteTest[];
    readonly seed: string;
  },
): Promise<{ readonly names: readonly string[]; readonly unmatched: number } | null> {
  const nobody = { names: [], unmatched: 0 };
  const file = join(root, hit.path);
  const text = await Deno.readTextFile(file);
  const ranges = [{ start: hit.line, end: hit.endLine }];
  const found = shuffle<Mutant>(
    await findMutants({ path: hit.path, text, ranges }),
    ({ start, after }) => `${seed} ${start} ${after}`,
  );
  const [mutant] = found;
  if (mutant === undefined || !await isSound({ path: hit.path, text }, mutant)) return null;
  await Deno.writeTextFile(file, applyMutant(text, mutant));
  try {
    const result = await runSuite(root, suite, base.durationMs * SLOWER + PAUSE_MS);
    if (isPassed(result)) return nobody;
    const before = base.report ?? null;
    const now = result.report ?? null;
    if (now === null) return nobody;
    const fresh = before === null ? now.failures : compareFailures(before, now).fresh;
    print(`${suite.repo} ${hit.path}:${mutant.line} ${hit.qualifiedName}: ${fresh.length} fail`);
    const lost = fresh.filter(({ name }) => matchFailures([name], all).length === 0);
    return { names: matchFailures(fresh.map(({ name }) => name), all), unmatched: lost.length };
  } finally {
    await Deno.writeTextFile(file, text);
  }
}

async function scoreVersion({ hit, failing, all, state, plain }: {
  readonly hit: SymbolHit;
  readonly failing: readonly string[];
  readonly all: readonly SuiteTest[];
  readonly state: SeenState;
  readonly plain: Services;
}): Promise<Row> {
  const runs = state.findTests([toName(hit)]).tests;
  const answer = await plain.impact.analyze({
    targetFiles: [],
    symbols: [hit.qualifiedName],
    isDiff: false,
    changeDescription: "",
    depth: 3,
  });
  const names = answer.kind === "found" ? listTestsOf(answer.tests, all) : [];
  const seen = new Set(runs.map(({ name }) => name));
  const both = [...runs, ...names.filter(({ name }) => !seen.has(name))];
  const failed = new Set(failing);
  return {
    symbol: `${hit.path}: ${hit.qualifiedName}`,
    failing: failing.length,
    scores: {
      names: scoreTests(names, failed, all),
      runs: scoreTests(runs, failed, all),
      both: scoreTests(both, failed, all),
    },
  };
}
