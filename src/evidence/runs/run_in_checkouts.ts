/**
 * Runs commands one after another, in a clean checkout of what is to be committed. They run in
 * the worktree where there is no checkout, or where a red result may come from the checkout itself.
 */
import type { JudgedResult } from "./judge_run.ts";
import { isClean, isPassed, judgeRun } from "./judge_run.ts";
import type { CommandResult } from "./run_command.ts";
import { runWithReport } from "./run_command.ts";
import { formatFailureLine, formatSummary } from "./run_formats.ts";
import type { MoreWanted } from "../checkout/ways.ts";
import { MORE } from "../checkout/ways.ts";
import type { Checkout } from "../checkout/with_checkout.ts";
import { countRan } from "../../runners/report.ts";
import type { VerifyCommand } from "./verify_commands.ts";
import type { Clock } from "../../base/clock.ts";
import { RUN_VARIABLE } from "./verification_file.ts";
import { clipLine } from "../../base/text/clip.ts";
import type {
  CommandRuns,
  LocatedResults,
  RunCheckout,
  RunEnd,
  RunLocation,
  RunPurpose,
  RunRequest,
  RunVoid,
  VerificationRequest,
  VerificationResultRow,
} from "./verification.ts";

type Rows = readonly VerificationResultRow[];

const MOST_CHARS = 400;

/** Runs commands in a checkout or (null) in the worktree. */
export type RunAll = (
  checkout: Checkout | null,
  commands: readonly VerifyCommand[],
  purpose?: RunPurpose,
) => Promise<Rows>;

/**
 * Runs the commands of a request, and where they fail in a clean checkout the same on the untouched tree, unless its
 * results are known.
 *
 * @param isEnded tells that the run was ended early, so that nothing more is started.
 */
export async function runInCheckouts(
  request: RunRequest,
  run: RunAll,
  isEnded: () => boolean,
): Promise<LocatedResults> {
  const { commands, checkout, before, untouched } = request;
  const runAll = (made: Checkout | null, purpose?: RunPurpose) => run(made, commands, purpose);
  if (checkout === undefined) return { results: await runAll(null) };
  const first = typeof checkout === "string"
    ? { results: await runAll(null), place: useWorktree(checkout) }
    : await runChecked(checkout, request, { runAll, isEnded });
  const isAsked = before === undefined && first.place.kind === "checkout" &&
    !first.results.every(isClean) && !isEnded();
  const rows = isAsked ? await runUntouched(untouched, runAll, isEnded) : null;
  return { ...first, ...(rows === null ? {} : { untouched: rows }) };
}

type RunThese = (made: Checkout | null, purpose?: RunPurpose) => Promise<Rows>;

/**
 * Runs the commands once where they pass in a clean checkout, or fail in one that is known to work. Else they run in
 * the worktree too: the same result there says that the checkout is not the cause, and counts as that of the checkout.
 * Another one is by the change, or the checkout needs more of what git ignores.
 */
async function runChecked(
  { tree, isSure, isUntouched = false, use }: RunCheckout,
  { before, untouched }: RunRequest,
  { runAll, isEnded }: { readonly runAll: RunThese; readonly isEnded: () => boolean },
): Promise<{ readonly results: Rows; readonly place: RunLocation }> {
  const runClean = (wanted?: MoreWanted) =>
    use(
      async (made) =>
        typeof made === "string"
          ? `No clean checkout could be made: ${made}`
          : { results: await runAll(made), made },
      wanted,
    );
  const place = ({ made: { lent, more } }: Ran): RunLocation => ({
    ...{ kind: "checkout", tree, lent },
    ...(more === undefined ? {} : { more: more.words }),
  });
  const clean = await runClean();
  if (typeof clean !== "string") {
    const { results } = clean;
    if (isSure || isEnded() || isGreen(results)) return { results, place: place(clean) };
  }
  const here = await runAll(null);
  if (isEnded() && typeof clean === "string") return { results: here, place: useWorktree(clean) };
  if (typeof clean !== "string" && (isEnded() || isSameOutcome(clean.results, here))) {
    return { results: clean.results, place: place(clean) };
  }
  const why = typeof clean === "string"
    ? clean
    : `A clean checkout gives another result than the worktree: ${
      clean.results.map(formatResultLine).join(" | ")
    }`;
  const base = before ?? (isUntouched ? null : await runUntouched(untouched, runAll, isEnded));
  const isByChange = base !== null && typeof clean !== "string" &&
    judgeRun({ baseline: base, run: clean.results }).verdict === "failed";
  // Where nobody knows how the untouched tree does, the change alone may need what is ignored.
  const maySearch = isUntouched || (base !== null && !isByChange);
  const said = typeof clean === "string" ? why : clean.results.map((one) => one.outputTail).join();
  for (const which of maySearch ? MORE : []) {
    const tried = isEnded() ? why : await runClean({ which, said });
    if (typeof tried === "string" || !isSameOutcome(tried.results, here)) continue;
    await tried.made.more?.keep();
    return { results: tried.results, place: place(tried) };
  }
  const differs = typeof clean !== "string";
  return {
    results: here,
    place: { ...useWorktree(why), differs, ...(isByChange ? { isByChange } : {}) },
  };
}

/** The results in a checkout. */
interface Ran {
  readonly results: Rows;
  readonly made: Checkout;
}

/** The commands on the untouched tree; null where there is no checkout of it, or the run was ended meanwhile. */
async function runUntouched(
  use: VerificationRequest["untouched"],
  runAll: RunThese,
  isEnded: () => boolean,
): Promise<Rows | null> {
  if (use === undefined) return null;
  const rows = await use(async (made) =>
    typeof made === "string" ? null : await runAll(made, "on the untouched tree")
  );
  return isEnded() ? null : rows;
}

function useWorktree(why: string): Extract<RunLocation, { readonly kind: "worktree" }> {
  return { kind: "worktree", why: clipLine(why, MOST_CHARS), differs: false };
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

/** What runs need beside what is asked of them. */
export interface RunsOptions extends Pick<VerificationRequest, "tree" | "watch" | "onProgress"> {
  /** Folder in which the commands run, absolute. */
  readonly projectRoot: string;
  /** The user's state folder; null without a home folder. */
  readonly stateDir: string | null;
  readonly clock: Clock;
  readonly runId: string;
  readonly signal: AbortSignal;
  readonly now: RunProgress;
  /** True where a command that fails by the work is run once more, in case it fails by chance. */
  readonly repeatsRed: boolean;
  /** Called with the process id of each command; the run waits for it at its end. */
  readonly onStarted: (command: string, pid: number) => Promise<void>;
}

const NO_END: RunEnd = { tree: null, wrote: [], voided: null };

/** Runs commands, as often as it is asked, and watches meanwhile what they depend on. */
export class Runs implements CommandRuns {
  readonly #options: RunsOptions;
  #voided: RunVoid | null = null;

  private constructor(options: RunsOptions) {
    this.#options = options;
  }

  /** Begins the watch. */
  static async open(options: RunsOptions): Promise<Runs> {
    await options.watch?.begin();
    return new Runs(options);
  }

  /** True once the run was cancelled or is void: then nothing more is started. */
  readonly isEnded = (): boolean => this.#options.signal.aborted || this.#voided !== null;

  /** Runs what is to be committed, or the worktree. */
  async run(request: RunRequest): Promise<LocatedResults> {
    const runAll: RunAll = (checkout, commands, purpose) =>
      this.#runAll(checkout, commands, { purpose: purpose ?? null, ...request });
    return await runInCheckouts(request, runAll, this.isEnded);
  }

  /** Runs what says nothing of the work itself, in a checkout that is there. */
  async runBeside(
    checkout: Checkout,
    commands: readonly VerifyCommand[],
    purpose: RunPurpose,
    env: Readonly<Record<string, string>> = {},
  ): Promise<Rows> {
    return await this.#runAll(checkout, commands, { purpose, env });
  }

  /** Ends the watch. */
  async end(ran: readonly string[]): Promise<RunEnd> {
    const end = await this.#options.watch?.end(ran) ?? NO_END;
    return { ...end, voided: this.#voided ?? end.voided };
  }

  async #runAll(
    checkout: Checkout | null,
    commands: readonly VerifyCommand[],
    asked: AskedRun & { readonly purpose: RunPurpose | null },
  ): Promise<Rows> {
    const { watch, signal, now, tree, onStarted } = this.#options;
    now.purpose = asked.purpose;
    const results: VerificationResultRow[] = [];
    let marking = Promise.resolve();
    const started = performance.now();
    let found: RunVoid | null = null;
    for (const [index, command] of commands.entries()) {
      found = await watch?.look(commands[index - 1]?.name ?? null) ?? null;
      if (signal.aborted || found !== null) break;
      const result = await runOne(asked, this.#options, {
        command,
        checkout,
        position: { position: index + 1, total: commands.length },
        started,
        onStarted: (pid) => marking = marking.then(() => onStarted(command.name, pid)),
      });
      results.push({ ...result, treeAtStart: tree });
    }
    await marking;
    this.#voided ??= found ?? await watch?.look(results.at(-1)?.name ?? null) ?? null;
    return results;
  }
}

type AskedRun = Pick<RunRequest, "before" | "coverage"> & {
  readonly env?: Readonly<Record<string, string>>;
};

/** Runs one command; one that fails by the work twice, so that a flaky test sends no work back. */
async function runOne(
  asked: AskedRun,
  { projectRoot, stateDir, clock, runId, signal, now, repeatsRed, onProgress }: RunsOptions,
  { command, checkout, position, started, onStarted }: {
    readonly command: VerifyCommand;
    readonly checkout: Checkout | null;
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
      coverage: asked.coverage,
      cwd: checkout?.cwd ?? projectRoot,
      ...(checkout === null ? {} : { shown: { from: checkout.root, to: checkout.worktree } }),
      signal,
      clock,
      env: { ...asked.env, [RUN_VARIABLE]: runId },
      leads: checkout?.env ?? {},
      onStarted,
      onProgress: ({ lastLine }) => {
        now.lastLine = lastLine;
        const elapsedMs = Math.round(performance.now() - started);
        onProgress?.({ command: command.name, ...position, elapsedMs, lastLine });
      },
    });
  const isJudged = repeatsRed && now.purpose === null;
  return isJudged ? await repeatRed(run, { before: asked.before, signal }) : await run();
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
