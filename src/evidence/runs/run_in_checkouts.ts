/**
 * Performs a run: its commands one after another, in a clean checkout of what is to be committed.
 * They run in the worktree where there is no checkout, or where a red result may come from the
 * checkout itself.
 */
import type { JudgedResult } from "./judge_run.ts";
import { isClean, isPassed, judgeRun } from "./judge_run.ts";
import type { CommandResult } from "./run_command.ts";
import { runWithReport } from "./run_command.ts";
import { formatFailureLine, formatSummary } from "./run_formats.ts";
import type { Checkout } from "../checkout/with_checkout.ts";
import { isTestCommand } from "../../runners/runners.ts";
import { countRan } from "../../runners/report.ts";
import type { VerifyCommand } from "./verify_commands.ts";
import type { Clock } from "../../base/clock.ts";
import { RUN_VARIABLE } from "./verification_file.ts";
import { clipLine } from "../../base/text/clip.ts";
import type {
  RunCheckout,
  RunEnd,
  RunLocation,
  RunProof,
  RunVoid,
  VerificationRequest,
  VerificationResultRow,
  VerificationRun,
} from "./verification.ts";

type Rows = readonly VerificationResultRow[];
type RunProven = Rows | string | null;

const MOST_CHARS = 400;

/** The results that count, where they are from, and what the changed tests do without the change. */
export type LocatedResults = Pick<
  VerificationRun,
  "results" | "place" | "proof" | "mutants" | "untouched"
>;

/** What a run is for beside the verdict, as a person reads it who sees it going on. */
export type RunPurpose =
  | "on the untouched tree"
  | "without the change"
  | "with a wrong version of it";

/** Runs commands, by default all of the request, in a checkout or (null) in the worktree. */
export type RunAll = (
  checkout: Checkout | null,
  commands?: readonly VerifyCommand[],
  purpose?: RunPurpose,
) => Promise<Rows>;

/**
 * Runs the commands of a request. Where nothing new fails in a clean checkout, it also runs the
 * changed tests without the change. Then the nearest tests run with small wrong versions of the
 * change.
 *
 * @param isEnded tells that the run was ended early, so that nothing more is started.
 */
export async function runInCheckouts(
  { checkout, proof, mutants, ...request }: Pick<
    VerificationRequest,
    "checkout" | "proof" | "mutants" | "before" | "untouched"
  >,
  runAll: RunAll,
  isEnded: () => boolean,
): Promise<LocatedResults> {
  if (checkout === undefined) return { results: await runAll(null) };
  const first = typeof checkout === "string"
    ? { results: await runAll(null), place: useWorktree(checkout) }
    : await runChecked(checkout, runAll, isEnded);
  const isAsked = request.before === undefined && first.place.kind === "checkout" &&
    !first.results.every(isClean) && !isEnded();
  const untouched = isAsked ? await runUntouched(request.untouched, runAll, isEnded) : null;
  const placed = { ...first, ...(untouched === null ? {} : { untouched }) };
  const before = request.before ?? untouched;
  const { verdict } = judgeRun({ baseline: before, run: placed.results });
  const isGood = placed.results.every(isClean) || verdict === "passed" || verdict === "still_red";
  if (!isGood) return placed;
  const isInCheckout = placed.place.kind === "checkout";
  const why = placed.place.kind === "worktree" && placed.place.differs
    ? "a clean checkout gives another result than the worktree"
    : "no clean checkout works here";
  const proven = proof === undefined || isEnded()
    ? null
    : isInCheckout
    ? await runProof(proof, placed.results, runAll)
    : `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
  const tried = mutants === undefined || isEnded() ? null : await mutants({
    results: placed.results,
    hindrance: isInCheckout ? null : why,
    runAll: (at, commands) => runAll(at, commands, "with a wrong version of it"),
    isEnded,
  });
  return {
    ...placed,
    ...(proven === null ? {} : { proof: proven }),
    ...(tried === null ? {} : { mutants: tried }),
  };
}

/**
 * Runs the commands once where they pass in a clean checkout, or fail in one that is known to work. Else they run in
 * the worktree too: the same result there says that the checkout is not the cause, and counts as that of the checkout.
 */
async function runChecked(
  { tree, isSure, use }: RunCheckout,
  runAll: RunAll,
  isEnded: () => boolean,
): Promise<{ readonly results: Rows; readonly place: RunLocation }> {
  const clean = await use(async (made) =>
    typeof made === "string"
      ? `No clean checkout could be made: ${made}`
      : { results: await runAll(made), lent: made.lent }
  );
  if (typeof clean === "string") {
    return { results: await runAll(null), place: useWorktree(clean) };
  }
  const { results, lent } = clean;
  const place: RunLocation = { kind: "checkout", tree, lent };
  if (isSure || isEnded() || isGreen(results)) return { results, place };
  const here = await runAll(null);
  if (isEnded() || isSameOutcome(results, here)) return { results, place };
  const said = results.map(formatResultLine).join(" | ");
  const why = `A clean checkout gives another result than the worktree: ${said}`;
  return { results: here, place: { ...useWorktree(why), differs: true } };
}

/** The commands on the untouched tree; null where there is no checkout of it, or the run was ended meanwhile. */
async function runUntouched(
  use: VerificationRequest["untouched"],
  runAll: RunAll,
  isEnded: () => boolean,
): Promise<Rows | null> {
  if (use === undefined) return null;
  const rows = await use(async (made) =>
    typeof made === "string" ? null : await runAll(made, undefined, "on the untouched tree")
  );
  return isEnded() ? null : rows;
}

function useWorktree(why: string): Extract<RunLocation, { readonly kind: "worktree" }> {
  return { kind: "worktree", why: clipLine(why, MOST_CHARS), differs: false };
}

/** Runs the changed tests without the change, by those commands that ran tests with it. */
async function runProof(proof: RunProof, results: Rows, runAll: RunAll): Promise<RunProven> {
  const tested = new Set(
    results.filter((result) => result.report ? countRan(result.report) > 0 : isTestCommand(result))
      .map(({ name }) => name),
  );
  const commands = proof.commands.filter(({ name }) => tested.has(name));
  if (commands.length === 0) return null;
  return await proof.use(async (made) =>
    typeof made === "string"
      ? clipLine(`No clean checkout could be made: ${made}`, MOST_CHARS)
      : await runAll(made, commands, "without the change")
  );
}

/** Whether all commands passed, and none of them without a test that it should have. */
function isGreen(results: Rows): boolean {
  return results.every((result) =>
    isPassed(result) && (!result.report || countRan(result.report) > 0)
  );
}

/** Whether two runs say the same: passed and failed alike, and by name the same failures. */
export function isSameOutcome(
  one: readonly JudgedResult[],
  other: readonly JudgedResult[],
): boolean {
  return one.length === other.length && one.every((result, at) => {
    const twin = other[at];
    return twin !== undefined && twin.name === result.name &&
      serialiseOutcome(result) === serialiseOutcome(twin);
  });
}

function serialiseOutcome(result: JudgedResult): string {
  const { report } = result;
  const failed = (report?.failures ?? []).map(({ name }) => name).sort();
  const ran = report ? countRan(report) : null;
  return JSON.stringify([isPassed(result), ran, failed, result.isStarted !== false]);
}

function formatResultLine(result: CommandResult): string {
  const failed = (result.report?.failures ?? []).slice(0, 3).map(({ name }) => name);
  const last = result.outputTail.trim().split("\n").at(-1) ?? "";
  const said = failed.length > 0 ? failed.join(", ") : isPassed(result) ? "" : last;
  return `${result.name}: ${formatSummary(result)}${said === "" ? "" : ` [${said}]`}`;
}

/** What a run does at the moment, for who asks. */
export interface RunProgress {
  command: string;
  purpose: RunPurpose | null;
  lastLine: string;
}

/** What a run needs beside its request. */
export interface PerformOptions {
  /** Folder in which the commands run, absolute. */
  readonly projectRoot: string;
  /** The user's state folder; null without a home folder. */
  readonly stateDir: string | null;
  readonly clock: Clock;
  readonly runId: string;
  readonly signal: AbortSignal;
  readonly now: RunProgress;
  /** Called with the process id of each command; the run waits for it at its end. */
  readonly onStarted: (command: string, pid: number) => Promise<void>;
}

const NO_END: RunEnd = { tree: null, wrote: [], voided: null };

/** Runs the commands of a request, and watches what they depend on. */
export async function performRun(
  request: VerificationRequest,
  options: PerformOptions,
): Promise<{ readonly placed: LocatedResults; readonly end: RunEnd }> {
  const { watch } = request;
  const { signal, now } = options;
  let voided: RunVoid | null = null;
  await watch?.begin();
  const runAll: RunAll = async (checkout, commands = request.commands, purpose) => {
    now.purpose = purpose ?? null;
    const results: VerificationResultRow[] = [];
    let marking = Promise.resolve();
    const started = performance.now();
    let found: RunVoid | null = null;
    for (const [index, command] of commands.entries()) {
      found = await watch?.look(commands[index - 1]?.name ?? null) ?? null;
      if (signal.aborted || found !== null) break;
      const result = await runOne(request, options, {
        command,
        checkout,
        // What is tried beside the commands themselves says nothing of the work.
        isOwn: commands === request.commands,
        position: { position: index + 1, total: commands.length },
        started,
        onStarted: (pid) => marking = marking.then(() => options.onStarted(command.name, pid)),
      });
      results.push({ ...result, treeAtStart: request.tree });
    }
    await marking;
    voided ??= found ?? await watch?.look(results.at(-1)?.name ?? null) ?? null;
    return results;
  };
  const placed = await runInCheckouts(request, runAll, () => signal.aborted || voided !== null);
  const end = await watch?.end(placed.results.map(({ name }) => name)) ?? NO_END;
  return { placed, end: { ...end, voided: voided ?? end.voided } };
}

/** Runs one command; one that fails by the work twice, so that a flaky test sends no work back. */
async function runOne(
  request: VerificationRequest,
  { projectRoot, stateDir, clock, runId, signal, now }: PerformOptions,
  { command, checkout, isOwn, position, started, onStarted }: {
    readonly command: VerifyCommand;
    readonly checkout: Checkout | null;
    readonly isOwn: boolean;
    readonly position: { readonly position: number; readonly total: number };
    readonly started: number;
    readonly onStarted: (pid: number) => void;
  },
): Promise<CommandResult> {
  now.command = command.name;
  now.lastLine = "";
  const run = () =>
    runWithReport(command, {
      place: { checkout: checkout?.root ?? null, worktree: projectRoot, stateDir },
      coverage: isOwn ? request.coverage : undefined,
      cwd: checkout?.cwd ?? projectRoot,
      ...(checkout === null ? {} : { shown: { from: checkout.root, to: checkout.worktree } }),
      signal,
      clock,
      env: { [RUN_VARIABLE]: runId },
      leads: checkout?.env ?? {},
      onStarted,
      onProgress: ({ lastLine }) => {
        now.lastLine = lastLine;
        const elapsedMs = Math.round(performance.now() - started);
        request.onProgress?.({ command: command.name, ...position, elapsedMs, lastLine });
      },
    });
  const isJudged = request.kind === "verify" && now.purpose === null;
  return isJudged ? await repeatRed(run, { before: request.before, signal }) : await run();
}

const MOST_NAMED = 3;

/**
 * The result of a command. One that failed, and would count against the work, is run once more: where
 * it then passes, that result counts and tells the first one too (`flaky`); else the first one counts.
 *
 * @param before Results of the commands before the work; absent where they are not known yet.
 */
async function repeatRed<R extends CommandResult>(
  run: () => Promise<R>,
  { before, signal }: {
    readonly before: readonly JudgedResult[] | undefined;
    readonly signal: AbortSignal;
  },
): Promise<R> {
  const first = await run();
  const hasEnded = first.isStarted && !first.timedOut && !first.cancelled && !signal.aborted;
  const isDue = hasEnded &&
    judgeRun({ baseline: before ?? null, run: [first] }).verdict === "failed";
  if (!isDue) return first;
  const second = await run();
  return isClean(second) ? { ...second, flaky: formatFirstRun(first) } : first;
}

function formatFirstRun(first: CommandResult): string {
  const named = (first.report?.failures ?? []).slice(0, MOST_NAMED).map(formatFailureLine);
  return [formatSummary(first), ...named].join("; ");
}
