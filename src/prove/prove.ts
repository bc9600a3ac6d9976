/**
 * Proves a change without a session. It looks at the diff, and runs the nearest tests and the project's commands in clean
 * checkouts. What fails is compared with the tree of before. The cheapest check comes first.
 */
import type { Clock } from "../base/clock.ts";
import type { TreePath } from "../base/paths.ts";
import { omitUndefined } from "../base/text/json_record.ts";
import { isClean, judgeRun } from "../evidence/runs/judge_run.ts";
import type {
  ProjectCommands,
  ProjectVerification,
} from "../evidence/runs/project_verification.ts";
import type { TryMutants } from "../evidence/runs/run_command.ts";
import { performRun } from "../evidence/runs/run_in_checkouts.ts";
import type { Checkout } from "../evidence/checkout/with_checkout.ts";
import type { LocatedResults, RunProgress } from "../evidence/runs/run_in_checkouts.ts";
import type { RunCheckout, RunProof, VerificationRequest } from "../evidence/runs/verification.ts";
import type { VerifyCommand } from "../evidence/runs/verify_commands.ts";
import { selectCommands } from "../evidence/runs/verify_commands.ts";
import { isTestSide, parseTestName } from "../language/test_names.ts";
import { languageOfPath } from "../language/languages.ts";
import { narrowRun } from "../runners/narrow_run.ts";
import { countRan } from "../runners/report.ts";
import { planProof, readProof } from "./changed_tests.ts";
import type { ChangePlace } from "./change.ts";
import { createUse, createUseApart } from "./checkout_use.ts";
import { findFormsOf } from "./form_findings.ts";
import { findGoneNames } from "./gone_names.ts";
import { tryEmptied, tryHollow } from "./hollow_run.ts";
import { listLeftovers } from "./leftover_findings.ts";
import { findMissingNames } from "./missing_names.ts";
import type { ProofMemory } from "./proof_memory.ts";
import { TIME_IS_UP } from "./proof_memory.ts";
import type { NamedChange } from "./read_change.ts";
import type { CheckName, CheckState, JudgedRun, Proof, ProofFacts } from "./verdict.ts";
import { buildProof, CHECKS } from "./verdict.ts";
import { findWeakened } from "./weakened_findings.ts";

/** What a proof works with. */
export interface ProveInput extends ChangePlace {
  readonly change: NamedChange;
  /** The project's commands, which somebody allowed. */
  readonly found: ProjectCommands;
  readonly verification: Pick<ProjectVerification, "useCheckout">;
  readonly projectRoot: string;
  readonly stateDir: string | null;
  /** Test files nearest to changed files, both relative to the project. */
  readonly findNearTests: (files: readonly string[]) => Promise<readonly string[]>;
  /** Plans small wrong versions of the changed lines; absent where no feature does. */
  readonly planWrongVersions?: (input: {
    readonly commands: readonly VerifyCommand[];
    readonly seconds: number;
  }) => Promise<TryMutants | null>;
  readonly memory: ProofMemory;
  /** Whole commands that passed on the tree, as somebody says who is trusted: they are not run again. */
  readonly attested?: LocatedResults["results"];
  /** How long it may take; Infinity for as long as it takes. */
  readonly withinMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onProgress?: ((check: CheckName, command: string, lastLine: string) => void) | undefined;
}

/** What a check learned, or why there was nothing to look at. */
type CheckResult =
  | { readonly kind: "done"; readonly facts: Partial<ProofFacts> }
  | { readonly kind: "needless" | "failed"; readonly why: string };

/** A check. It learns facts and decides nothing. */
type Check = (context: Context, facts: ProofFacts) => Promise<CheckResult>;

interface Context extends ProveInput {
  /** Changed files, relative to the worktree. */
  readonly changed: readonly TreePath[];
  /** Milliseconds that are left. */
  readonly leftMs: () => number;
}

const MOST_NEAR = 20;
/** Less time is not worth the start of a command (guessed). */
const LEAST_MS = 1_000;
/** The longest trial of wrong versions, in seconds, where nobody says how long a proof may take. */
const WRONG_VERSION_SECONDS = 60;

/** Proves a change; what fails on the way becomes a state of its check. */
export async function prove(input: ProveInput): Promise<Proof> {
  const startedAt = performance.now();
  const leftMs = () => input.withinMs - (performance.now() - startedAt);
  const changed = input.change.files.map(({ path }) => path);
  const context: Context = { ...input, changed, leftMs };
  const states: CheckState[] = [];
  let facts: ProofFacts = {
    isEmpty: changed.length === 0,
    hasSources: changed.some((path) =>
      !isTestSide(path) && languageOfPath(path)?.nature === "code"
    ),
  };
  for (const name of Object.keys(CHECKS) as CheckName[]) {
    input.signal.throwIfAborted();
    const hindrance = changed.length === 0
      ? "nothing changed"
      : isSure(facts)
      ? "the verdict is sure"
      : name !== "diff" && leftMs() < LEAST_MS
      ? TIME_IS_UP
      : null;
    if (hindrance !== null) {
      states.push({ name, state: "skipped", seconds: 0, why: hindrance });
      continue;
    }
    const before = performance.now();
    const result = await RUN[name](context, facts);
    const seconds = Math.round((performance.now() - before) / 100) / 10;
    if (result.kind === "done") {
      facts = { ...facts, ...result.facts };
      states.push({ name, state: "done", seconds, why: "" });
    } else states.push({ name, state: result.kind, seconds, why: result.why });
  }
  return buildProof(facts, states);
}

/** Whether nothing that could still be found makes the verdict another one. */
function isSure({ nearest, commands }: ProofFacts): boolean {
  return [nearest, commands].some((run) => run?.verdict.verdict === "failed");
}

const RUN: Readonly<Record<CheckName, Check>> = {
  diff: async (context) => {
    const { change: { base, tree, files }, paths } = context;
    const changes = files.map(({ path, kind }) => ({ path: paths.toProject(path), kind }));
    const [leftovers, weakened, forms, gone] = await Promise.all([
      listLeftovers(context, { from: base, to: tree, changes }),
      findWeakened(context, { from: base, to: tree, changes }),
      findFormsOf(context, context.change, context.found.commands),
      findGoneNames(context, context.change),
    ]);
    return { kind: "done", facts: { leftovers, weakened, forms: [...forms, ...gone] } };
  },
  nearest: async (context, facts) => {
    if (!facts.hasSources) return needless("no code changed beside tests");
    const tests = await listNearTests(context);
    if (tests.length === 0) return needless("no test is known to be near");
    if (applyingCommands(context).every((command) => findAttested(context, command) !== null)) {
      return needless("a signed statement says how the commands ended");
    }
    const commands = narrowCommands(context, tests);
    if (commands.length === 0) return needless("no command takes single test files");
    return await runOn(context, "nearest", commands);
  },
  changed_tests: async (context, facts) => {
    if (!facts.hasSources) return needless("no code changed beside tests");
    const { change, found, trees, verification } = context;
    const { proof } = await planProof(context, {
      commands: applyingCommands(context),
      changed: context.changed,
      buildTree: (paths) => trees.adopt({ onto: change.base, from: change.tree, paths }),
      useApart: createUseApart(verification, found),
    });
    if (proof === undefined) return needless("no test changed beside the sources");
    return await runChangedTests(context, proof);
  },
  commands: async (context) => {
    const commands = applyingCommands(context);
    if (commands.length === 0) return needless("no command applies to the changed files");
    const attested = commands.flatMap((command) => findAttested(context, command) ?? []);
    const rest = commands.filter((command) => findAttested(context, command) === null);
    return await runOn(context, "commands", rest, attested);
  },
  wrong_versions: async (context, facts) => {
    const run = facts.nearest ?? facts.commands;
    if (!facts.hasSources || run === undefined) return needless("no code changed beside tests");
    const seconds = Number.isFinite(context.withinMs)
      ? Math.floor(context.leftMs() / 1_000)
      : WRONG_VERSION_SECONDS;
    const commands = applyingCommands(context);
    const trial = await context.planWrongVersions?.({ commands, seconds }) ?? null;
    const versions = await trial?.({
      results: run.results,
      hindrance: run.isInCheckout ? null : "no clean checkout works here",
      runAll: async (made, commands) => await runIn(context, "wrong_versions", made, commands),
      isEnded: () => context.signal.aborted,
    });
    const emptied = versions ?? await tryEmptied(context, {
      change: context.change,
      use: createUseApart(context.verification, context.found)({
        tree: context.change.tree,
        commands,
      }),
      run: (made) => runIn(context, "wrong_versions", made, commands),
    });
    return emptied === null
      ? needless("nothing in the changed lines can be made wrong")
      : { kind: "done", facts: { wrongVersions: emptied } };
  },
};

function findAttested({ attested = [] }: Context, { name }: VerifyCommand) {
  return attested.find((one) => one.name === name) ?? null;
}

function needless(why: string): CheckResult {
  return { kind: "needless", why };
}

/** The project's commands that apply to the changed files, within the time that is left. */
function applyingCommands(
  { found, changed, paths, leftMs }: Context,
): readonly VerifyCommand[] {
  const names = changed.map((path) => paths.toProject(path));
  return selectCommands(found.commands, names).map((command) => ({
    ...command,
    timeoutMs: Math.min(command.timeoutMs, Math.max(LEAST_MS, leftMs())),
  }));
}

/** Changed test files first, then those that are nearest to the changed sources. */
async function listNearTests({ changed, change, paths, findNearTests }: Context) {
  const deleted = new Set(
    change.files.filter(({ kind }) => kind === "deleted").map(({ path }) => path),
  );
  const there = changed.filter((path) => !deleted.has(path));
  const own = there.filter((path) => parseTestName(path) !== null);
  const sources = there.filter((path) => !isTestSide(path));
  const near = await findNearTests(sources.map((path) => paths.toProject(path)));
  return [...new Set([...own.map((path) => paths.toProject(path)), ...near])].slice(0, MOST_NEAR);
}

/** Those of the commands that take test files, for these alone. */
function narrowCommands(context: Context, tests: readonly string[]): readonly VerifyCommand[] {
  if (tests.length === 0) return [];
  return applyingCommands(context).flatMap((command) => {
    const run = narrowRun(command.run, tests);
    return run === null || run === command.run ? [] : [{ ...command, run }];
  });
}

/** Runs commands on the tree with the change, and where they fail on the tree of before too. */
async function runOn(
  context: Context,
  check: "nearest" | "commands",
  commands: readonly VerifyCommand[],
  attested: LocatedResults["results"] = [],
): Promise<CheckResult> {
  const { memory, change: { base, tree } } = context;
  const before = await memory.readResults(base, commands);
  const ran: LocatedResults | string = commands.length === 0
    ? { results: [], place: { kind: "checkout", tree, lent: [] } }
    : await performOn(context, check, commands, before);
  if (typeof ran === "string") return { kind: "failed", why: ran };
  const placed = { ...ran, results: [...attested, ...ran.results] };
  const { untouched } = placed;
  if (untouched !== undefined) await memory.saveResults(base, commands, untouched);
  const isKept = check === "commands" && placed.place?.kind === "checkout";
  if (isKept && placed.results.every(isClean)) {
    await memory.saveResults(tree, applyingCommands(context), placed.results);
  }
  const judged = judgeResults(placed, before);
  const onlyHere = await findOnlyHere(context, placed, commands);
  return { kind: "done", facts: { [check]: { ...judged, ...onlyHere } } };
}

/** Why a change works in this worktree alone: a clean checkout of the tree of before passes, and one of the change does not. */
async function findOnlyHere(
  context: Context,
  { place, results }: LocatedResults,
  commands: readonly VerifyCommand[],
): Promise<Pick<JudgedRun, "onlyHere">> {
  const isOther = place?.kind === "worktree" && place.differs && results.every(isClean);
  if (!isOther) return {};
  const { change: { base }, found, verification } = context;
  const before = await createUseApart(verification, found)({ tree: base, commands })(
    async (made) =>
      typeof made === "string" ? [] : await runIn(context, "commands", made, commands),
  );
  return before.length > 0 && before.every(isClean) ? { onlyHere: place.why } : {};
}

/** The results; a sentence where what is not in the worktree cannot be checked out. */
async function performOn(
  context: Context,
  check: CheckName,
  commands: readonly VerifyCommand[],
  before: LocatedResults["results"] | null,
): Promise<LocatedResults | string> {
  const { change: { base, tree, isInWorktree }, found, verification } = context;
  const use = createUse(verification, found)({ tree, commands });
  const old = before === null
    ? { untouched: createUseApart(verification, found)({ tree: base, commands }) }
    : { before };
  if (isInWorktree) {
    const checkout = found.checkout === "off"
      ? "Clean checkouts are switched off (verify_checkout)."
      : { tree, isSure: false, use };
    return await perform(context, check, { commands, checkout, ...old });
  }
  return await use(async (made) => {
    if (typeof made === "string") return `no clean checkout could be made: ${made}`;
    const checkout = { tree, isSure: true, use: (action) => action(made) } satisfies RunCheckout;
    return await perform(context, check, { commands, checkout, ...old });
  });
}

async function runChangedTests(context: Context, proof: RunProof): Promise<CheckResult> {
  const { change: { base, tree } } = context;
  const results = await proof.use(async (made) =>
    typeof made === "string" ? made : await runIn(context, "changed_tests", made, proof.commands)
  );
  if (typeof results === "string") return { kind: "failed", why: results };
  const run = { proof: results, treeAtStart: tree };
  const read = await readProof(context, run, { base, changed: context.changed });
  if (read === null) return needless("no test changed");
  const missing = findMissingNames(read, results);
  if (missing.tests.length === 0) return { kind: "done", facts: { changedTests: read } };
  // What cannot be built prints no result of any test.
  const isAll = read.unknown !== null && missing.tests.length === read.tests.length;
  const changedTests = isAll ? { ...read, proving: read.tests.length, unknown: null } : read;
  const { change, found, verification } = context;
  const hollow = await tryHollow(context, {
    ...{ change, missing },
    use: createUseApart(verification, found)({ tree, commands: proof.commands }),
    run: (made) => runIn(context, "changed_tests", made, proof.commands),
  });
  return { kind: "done", facts: { changedTests, missing: { ...missing, hollow } } };
}

/** Runs commands in a checkout that is there. */
async function runIn(
  context: Context,
  check: CheckName,
  made: Checkout,
  commands: readonly VerifyCommand[],
): Promise<LocatedResults["results"]> {
  const checkout: RunCheckout = {
    tree: context.change.tree,
    isSure: true,
    use: (action) => action(made),
  };
  return (await perform(context, check, { commands, checkout }, "baseline")).results;
}

/** Runs the commands of a request to their end. */
async function perform(
  { projectRoot, stateDir, clock, signal, change, onProgress }: Context,
  check: CheckName,
  request: Pick<VerificationRequest, "commands" | "checkout" | "untouched" | "before">,
  /** `verify` runs once more what fails by the change, in case it fails by chance. */
  kind: "verify" | "baseline" = "verify",
): Promise<LocatedResults> {
  const now: RunProgress = { command: "", purpose: null, lastLine: "" };
  const { placed } = await performRun({
    sessionId: "prove",
    kind,
    tree: change.tree,
    commandsHash: "",
    onProgress: ({ command, lastLine }) => onProgress?.(check, command, lastLine),
    ...omitUndefined(request),
  }, {
    ...{ projectRoot, stateDir, clock, signal, now },
    runId: `prove-${change.tree.slice(0, 12)}`,
    onStarted: () => Promise.resolve(),
  });
  return placed;
}

function judgeResults(
  { results, place, untouched }: LocatedResults,
  before: LocatedResults["results"] | null,
): JudgedRun {
  return {
    verdict: judgeRun({ baseline: before ?? untouched ?? null, run: results }),
    results,
    isInCheckout: place?.kind === "checkout",
    ran: results.reduce((sum, { report }) => sum + (report ? countRan(report) : 0), 0),
  };
}
