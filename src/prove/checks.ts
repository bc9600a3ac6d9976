/**
 * Performs the checks of a change, for a proof without a session and for step 15: each learns facts, and decides nothing.
 * What fails is compared with the tree of before. The cheapest check comes first.
 */
import { CodeIntelError } from "../base/errors.ts";
import { areSameCode } from "../evidence/empty/same_code.ts";
import { listLeftovers } from "../evidence/leftovers/leftover_findings.ts";
import { readSteering } from "../evidence/runs/run_environment.ts";
import type { VerifyCommand } from "../evidence/runs/verify_commands.ts";
import { findWeakened } from "../evidence/tests/weakened_findings.ts";
import { languageOfPath } from "../language/languages.ts";
import { isTestSide } from "../language/test_names.ts";
import type { CheckContext, CheckInput, CheckResult } from "./check_input.ts";
import { findHindrance, findRun, needless, runChangedTests, runOn, WRONG } from "./check_runs.ts";
import { createUseApart } from "./checkout_use.ts";
import { findFormsOf } from "./form_findings.ts";
import { findGoneNames, readChangedNames } from "./gone_names.ts";
import { tryEmptied } from "./hollow_run.ts";
import type { NearTests } from "./near_tests.ts";
import { listNearTests, narrowCommands } from "./near_tests.ts";
import type { CheckName, CheckState, ProofFacts } from "./verdict.ts";
import { CHECKS, countProving, IS_RARE, MAY_BE_RARE, TIME_IS_UP } from "./verdict.ts";

type Check = (context: CheckContext, facts: ProofFacts) => Promise<CheckResult>;

/** Less time is not worth the start of a command (guessed). */
const LEAST_MS = 1_000;
/** Where all tests take less, running some of them first wins nothing (guessed). */
const QUICK_MS = 10_000;

/** Performs the checks; what fails on the way becomes a state of its check. */
export async function runChecks(input: CheckInput): Promise<{
  readonly facts: ProofFacts;
  readonly checks: readonly CheckState[];
}> {
  const startedAt = performance.now();
  const { change: { files }, verification, found, runs, onCheck } = input;
  const changed = files.map(({ path }) => path);
  let near: Promise<NearTests> | undefined;
  const context: CheckContext = {
    ...input,
    changed,
    leftMs: () => input.withinMs - (performance.now() - startedAt),
    useApart: createUseApart(verification, found),
    listNear: () => near ??= listNearTests(input),
  };
  const states: CheckState[] = [];
  const sources = changed.filter((path) =>
    !isTestSide(path) && languageOfPath(path)?.nature === "code"
  );
  const { trees, change: sides } = input;
  const isInert = await areSameCode(sources, (side, path) => trees.readText(sides[side], path));
  let facts: ProofFacts = {
    isEmpty: changed.length === 0,
    steering: Object.keys(readSteering()),
    hasSources: sources.length > 0 && !isInert,
    isInert,
  };
  for (const name of orderChecks(() => facts, input.withinMs)) {
    const hindrance = changed.length === 0
      ? "nothing changed"
      : isSure(facts)
      ? "the verdict is sure"
      : name !== "diff" && context.leftMs() < LEAST_MS
      ? TIME_IS_UP
      : runs.isEnded()
      ? "the run was ended"
      : MAY_BE_RARE.has(name) && input.rare?.has(name) === true && countProving(facts) > 0
      ? IS_RARE
      : null;
    const needless = input.leftOut?.[name];
    if (hindrance !== null || needless !== undefined) {
      const state = hindrance === null ? "needless" : "skipped";
      states.push({ name, state, seconds: 0, why: hindrance ?? needless ?? "" });
      continue;
    }
    onCheck?.(name, facts, states);
    const before = performance.now();
    const result = await RUN[name](context, facts).catch(giveFailure);
    const seconds = Math.round((performance.now() - before) / 100) / 10;
    // What the time cut off says nothing; wrong versions say themselves which were not tried.
    const isCutOff = /^(?:nearest|changed_tests|commands)$/.test(name) && context.leftMs() <= 0;
    if (isCutOff) states.push({ name, state: "skipped", seconds, why: TIME_IS_UP });
    else if (result.kind === "done") {
      facts = { ...facts, ...result.facts };
      states.push({ name, state: "done", seconds, why: result.note ?? "" });
    } else states.push({ name, state: result.kind, seconds, why: result.why });
  }
  const order = Object.keys(CHECKS);
  const checks = states.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  return { facts, checks };
}

/** Where no nearest test ran and there is time enough, a red command saves the run of the changed tests; else these come first. */
function* orderChecks(know: () => ProofFacts, withinMs: number): Generator<CheckName> {
  yield* ["diff", "nearest"] as const;
  const isSooner = know().nearest !== undefined || Number.isFinite(withinMs);
  yield* isSooner ? ["changed_tests", "commands"] as const : ["commands", "changed_tests"] as const;
  yield "wrong_versions";
}

function giveFailure(failure: unknown): CheckResult {
  if (!(failure instanceof CodeIntelError) || failure.code === "cancelled") throw failure;
  return { kind: "failed", why: failure.message };
}

/** Whether nothing that could still be found makes the verdict another one. */
function isSure({ nearest, commands }: ProofFacts): boolean {
  return [nearest, commands].some((run) => run?.verdict.verdict === "failed");
}

/** Whether the project's commands came to a result beside which something can be tried. */
function isOpen({ commands }: ProofFacts): boolean {
  const verdict = commands?.verdict.verdict;
  return verdict === "unproven" || verdict === "incomplete";
}

const RUN: Readonly<Record<CheckName, Check>> = {
  diff: async (context) => {
    const { change, change: { base, tree, files }, paths, found } = context;
    const changes = files.map(({ path, kind }) => ({ path: paths.toProject(path), kind }));
    const names = await readChangedNames(context, change);
    const [leftovers, weakened, forms, gone] = await Promise.all([
      listLeftovers(context, { from: base, to: tree, changes }),
      findWeakened(context, { from: base, to: tree, changes, names }),
      findFormsOf(context, change, found.commands),
      findGoneNames(context, change, names),
    ]);
    return { kind: "done", facts: { leftovers, ...weakened, forms: [...forms, ...gone] } };
  },
  nearest: async (context, facts) => {
    if (!facts.hasSources) return needless("no code changed beside tests");
    const { all } = await context.listNear();
    if (all.length === 0) return needless("no test is known to be near");
    if (context.commands.every((command) => findAttested(context, command) !== null)) {
      return needless("a signed statement says how the commands ended");
    }
    const commands = narrowCommands(applyTime(context), all).filter(({ isWhole }) => !isWhole);
    if (commands.length === 0) return needless("no command takes single test files");
    const known = await context.memory.readResults(context.change.base, context.commands) ?? [];
    const wholeMs = known.filter(({ name }) => commands.some((one) => one.name === name))
      .reduce((sum, { durationMs }) => sum + durationMs, 0);
    if (known.length > 0 && wholeMs < QUICK_MS) return needless("all tests take a few seconds");
    const added = context.change.files.filter(({ kind }) => kind === "added")
      .map(({ path }): string => context.paths.toProject(path));
    const old = all.filter((path) => !added.includes(path));
    const before = narrowCommands(applyTime(context), old).filter(({ isWhole }) => !isWhole);
    return await runOn(context, facts, "nearest", { commands, before });
  },
  changed_tests: async (context, facts) => {
    if (!facts.hasSources) return needless("no code changed beside tests");
    if (isOpen(facts)) return needless("the commands came to no result");
    return await runChangedTests(context, findRun(facts), applyTime(context));
  },
  commands: async (context, facts) => {
    const commands = applyTime(context);
    if (commands.length === 0) return needless("no command applies to the changed files");
    const attested = commands.flatMap((command) => findAttested(context, command) ?? []);
    const rest = commands.filter((command) => findAttested(context, command) === null);
    return await runOn(context, facts, "commands", { commands: rest, before: rest, attested });
  },
  wrong_versions: async (context, facts) => {
    const run = findRun(facts);
    if (!facts.hasSources || run === undefined) return needless("no code changed beside tests");
    if (isOpen(facts)) return needless("the commands came to no result");
    const { change, repo, paths, useApart, trial, runs, changed } = context;
    const { base, tree } = change;
    const commands = applyTime(context);
    const hindrance = findHindrance(run);
    const tried = await context.planWrongVersions?.({
      ...{ commands, repo, useApart, changed, base, tree },
      isGate: trial.isGate,
      seconds: Math.min(trial.seconds, Math.floor(context.leftMs() / 1_000)),
      near: await context.listNear(),
      toProject: (path) => paths.toProject(path),
    }) ?? null;
    const versions = await tried?.({
      results: run.results,
      hindrance,
      runAll: (made, commands) => runs.runBeside(made, commands, WRONG),
      isEnded: runs.isEnded,
    });
    const emptied = versions ?? (hindrance === null
      ? await tryEmptied(context, {
        change,
        use: useApart({ tree, commands }),
        run: (made) => runs.runBeside(made, commands, WRONG),
      })
      : null);
    return emptied === null
      ? needless("nothing in the changed lines can be made wrong")
      : { kind: "done", facts: { wrongVersions: emptied } };
  },
};

function findAttested({ attested = [] }: CheckInput, { name }: VerifyCommand) {
  return attested.find((one) => one.name === name) ?? null;
}

/** The commands, within the time that is left. */
function applyTime({ commands, leftMs }: CheckContext): readonly VerifyCommand[] {
  return commands.map((command) => ({
    ...command,
    timeoutMs: Math.min(command.timeoutMs, Math.max(LEAST_MS, leftMs())),
  }));
}
