/** Runs commands for checks: on the tree with the change, on the tree of before, and on versions of it. */
import { omitUndefined } from "../base/text/json_record.ts";
import { hasTests, isClean, judgeRun } from "../evidence/runs/judge_run.ts";
import type { LocatedResults } from "../evidence/runs/verification.ts";
import { formatCommandLine } from "../evidence/runs/run_formats.ts";
import type { VerifyCommand } from "../evidence/runs/verify_commands.ts";
import { reorderRun } from "../runners/narrow_run.ts";
import { countRan } from "../runners/report.ts";
import { planProof, readProof } from "./changed_tests.ts";
import type { CheckContext, CheckResult } from "./check_input.ts";
import type { CheckedTree } from "./checkout_use.ts";
import { createUse } from "./checkout_use.ts";
import { tryHollow } from "./hollow_run.ts";
import { settleLost } from "./lost_tests.ts";
import { findMissingNames } from "./missing_names.ts";
import type { JudgedRun, ProofFacts } from "./verdict.ts";

type Rows = LocatedResults["results"];

/** There was nothing to look at. */
export function needless(why: string): CheckResult {
  return { kind: "needless", why };
}

/** Runs commands on the tree with the change, and where they fail or tests may be lost on the tree of before too. */
export async function runOn(
  context: CheckContext,
  facts: ProofFacts,
  check: "nearest" | "commands",
  { commands, before: old, attested = [] }: {
    readonly commands: readonly VerifyCommand[];
    /** The same without test files that are new. */
    readonly before: readonly VerifyCommand[];
    /** Results that need no run. */
    readonly attested?: Rows;
  },
): Promise<CheckResult> {
  const { memory, change: { base, tree } } = context;
  const before = await memory.readResults(base, old);
  const ran: LocatedResults | string = commands.length === 0
    ? { results: [], place: { kind: "checkout", tree, lent: [] } }
    : await runChange(context, check, { commands, before });
  if (typeof ran === "string") return { kind: "failed", why: ran };
  const located = { ...ran, results: [...attested, ...ran.results] };
  const { results, untouched, place } = located;
  if (untouched !== undefined) await memory.saveResults(base, commands, untouched);
  const isKept = check === "commands" && place?.kind === "checkout" && results.every(isClean);
  if (isKept) await memory.saveResults(tree, context.commands, results);
  const known = before ?? untouched ?? null;
  const isOpen = check === "nearest" && known === null && !results.every(isClean) &&
    place?.kind !== "checkout";
  if (isOpen) return needless("they fail, and nobody knows how they did before");
  const isOnlyHere = place?.kind === "worktree" && place.isByChange === true &&
    results.every(isClean);
  const verdict = judgeRun({ baseline: known, run: results, excusesMissing: true });
  const run: JudgedRun = {
    ...located,
    verdict: place?.kind === "checkout"
      ? await settleLost(context, facts, { check, commands, old, results: ran.results, verdict })
      : verdict,
    ran: results.reduce((sum, { report }) => sum + (report ? countRan(report) : 0), 0),
    ...(isOnlyHere ? { onlyHere: place.why } : {}),
  };
  const words = check === "nearest" ? commands.map(formatCommandLine) : [];
  const more = place?.kind === "checkout" && place.more
    ? [`in a clean checkout ${place.more}`]
    : [];
  const note = [...words, ...more].join("; ");
  return { kind: "done", facts: { [check]: run }, note };
}

/** The results; a sentence where what is not in the worktree cannot be checked out. */
async function runChange(
  context: CheckContext,
  check: "nearest" | "commands",
  { commands, before }: {
    readonly commands: readonly VerifyCommand[];
    readonly before: Rows | null;
  },
): Promise<LocatedResults | string> {
  const { change: { base, tree, isInWorktree }, found, verification, runs, runsBase } = context;
  const { useApart, coverage, checkout } = context;
  const use = createUse(verification, found)({ tree, commands });
  const request = {
    commands,
    ...omitUndefined({
      before: before ?? undefined,
      untouched: before === null && runsBase ? useApart({ tree: base, commands }) : undefined,
      coverage: check === "commands" ? coverage : undefined,
    }),
  };
  if (isInWorktree) {
    const own = typeof checkout === "string" ? checkout : { ...checkout, tree, use };
    return await runs.run({ ...request, checkout: own });
  }
  return await use(async (made) =>
    typeof made === "string" ? `no clean checkout could be made: ${made}` : await runs.run({
      ...request,
      checkout: { tree, isSure: true, use: (action) => action(made) },
    })
  );
}

/** Runs the changed tests on the sources of before, by those commands that ran tests with the change. */
export async function runChangedTests(
  context: CheckContext,
  run: JudgedRun | undefined,
  commands: readonly VerifyCommand[],
): Promise<CheckResult> {
  const tested = run === undefined
    ? commands
    : commands.filter(({ name }) =>
      run.results.some((result) => result.name === name && hasTests(result))
    );
  const proof = await planProof(context, context.change, tested);
  if (proof === null) return needless("no test changed beside the sources");
  if (run !== undefined) {
    const why = findHindrance(run);
    const unknown = why === null ? "" : `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
    const nothing = { nothing: [], proving: 0, tests: [] };
    if (why !== null) return { kind: "done", facts: { changedTests: { ...nothing, unknown } } };
  }
  const result = await runProof(context, proof);
  if (result.kind !== "done") return result;
  return {
    ...result,
    facts: { ...result.facts, unsteady: await findUnsteady(context, run, proof) },
  };
}

/** More takes too long to be run once more (guessed). */
const MOST_AGAIN_MS = 30_000;

/** Changed tests that pass, and fail in another order where the runner knows one, with `CI` unset. */
async function findUnsteady(
  context: CheckContext,
  run: JudgedRun | undefined,
  { commands }: CheckedTree,
): Promise<readonly string[]> {
  const { change, useApart, runs } = context;
  if (run === undefined || !run.results.every(isClean)) return [];
  const quick = commands.filter(({ name }) =>
    run.results.some((one) => one.name === name && one.durationMs < MOST_AGAIN_MS)
  ).map((command) => ({ ...command, run: reorderRun(command.run) }));
  if (quick.length === 0) return [];
  const use = useApart({ tree: change.tree, commands: quick });
  const results = await use(async (made) =>
    typeof made === "string"
      ? []
      : await runs.runBeside(made, quick, "in another order", { CI: "" })
  );
  const read = await readProof(context, change, results.filter(hasTests));
  if (read === null || read.unknown !== null) return [];
  return read.tests.filter((test) => !read.nothing.includes(test));
}

async function runProof(context: CheckContext, proof: CheckedTree): Promise<CheckResult> {
  const { change, runs, useApart } = context;
  const results = await useApart(proof)(async (made) =>
    typeof made === "string"
      ? `no clean checkout could be made: ${made}`
      : await runs.runBeside(made, proof.commands, "without the change")
  );
  if (typeof results === "string") return { kind: "failed", why: results };
  const read = await readProof(context, change, results);
  if (read === null) return needless("no test changed");
  const missing = findMissingNames(read, results);
  if (missing.tests.length === 0) return { kind: "done", facts: { changedTests: read } };
  // What cannot be built prints no result of any test.
  const isAll = read.unknown !== null && missing.tests.length === read.tests.length;
  const changedTests = isAll ? { ...read, proving: read.tests.length, unknown: null } : read;
  const hollow = await tryHollow(context, {
    ...{ change, missing, leftMs: context.leftMs },
    use: useApart({ tree: change.tree, commands: proof.commands }),
    run: (made) => runs.runBeside(made, proof.commands, WRONG),
  });
  return { kind: "done", facts: { changedTests, missing: { ...missing, hollow } } };
}

/** Why nothing can be tried beside the run, as the end of a sentence; null where it took place in a clean checkout. */
export function findHindrance({ place }: Pick<JudgedRun, "place">): string | null {
  if (place?.kind === "checkout") return null;
  return place?.differs === true
    ? "a clean checkout gives another result than the worktree"
    : "no clean checkout works here";
}

/** The run that counts: of the project's commands, or of the nearest tests where these were not run. */
export function findRun({ nearest, commands }: ProofFacts): JudgedRun | undefined {
  return commands ?? nearest;
}

/** What a run on a wrong version is called. */
export const WRONG = "with a wrong version of it";
