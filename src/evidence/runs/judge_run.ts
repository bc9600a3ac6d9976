/**
 * Judges what the runs of the verification commands prove, test by test where the runner named them, compared with the
 * baseline run. Pure.
 */
import type { Failure, TestReport } from "../../runners/report.ts";
import { countFailed, countRan } from "../../runners/report.ts";
import { isTestCommand } from "../../runners/runners.ts";

/** How the failures of two runs differ. */
export interface FailureChange {
  /** Failures of the later run that the earlier one has not. */
  readonly fresh: readonly Failure[];
  /** Number of failures that both have. */
  readonly same: number;
  /** Number of failures that only the earlier one has. */
  readonly mended: number;
  /** False where one of the runs failed without naming all that failed: then `fresh` may lack some. */
  readonly isKnown: boolean;
}

/** What differs from run to run in names that runners make of values: a time of day, with its date, and an address. */
const OF_ONE_RUN =
  /(?:\d{4}-\d\d-\d\d[T ])?\b\d\d:\d\d:\d\d(?:\.\d+)?(?: \d{4}-\d\d-\d\d)?|\b0x[0-9a-f]{8,}/gi;

/** The name of a test without what belongs to one run alone. */
function stabiliseName(name: string): string {
  return name.replaceAll(OF_ONE_RUN, "…");
}

/** Compares failures by their names. */
export function compareFailures(before: TestReport, now: TestReport): FailureChange {
  const then = new Set(before.failures.map(({ name }) => stabiliseName(name)));
  const fresh = now.failures.filter(({ name }) => !then.has(stabiliseName(name)));
  const same = now.failures.length - fresh.length;
  const isKnown = [before, now].every(({ isComplete, failures }) =>
    isComplete && failures.length > 0
  );
  return { fresh, same, mended: Math.max(0, then.size - same), isKnown };
}

/** Tests that the earlier run had and the later one has not. */
export interface LostTests {
  /** `gone`: not named any more; `skipped`: skipped now; `fewer`: a count fell, and no test is named. */
  readonly kind: "gone" | "skipped" | "fewer";
  /** Names of tests; for `fewer` one sentence a file, or one for the whole run. */
  readonly tests: readonly string[];
}

/**
 * Tests that no longer run: by name where both runs name all of theirs, else by test file, else by the whole
 * count. A test that fails now is not lost.
 */
export function findLostTests(before: TestReport, now: TestReport): readonly LostTests[] {
  if (before.unit !== now.unit) return [];
  if (before.names !== undefined && now.names !== undefined) return byName(before, now);
  const files = before.files === undefined || now.files === undefined ? null : byFile(before, now);
  const sentences = files ?? byCount(before, now);
  return sentences.length === 0 ? [] : [{ kind: "fewer", tests: sentences }];
}

function byName(before: TestReport, now: TestReport): readonly LostTests[] {
  const ran = (
    report: TestReport,
  ) => [...report.names?.passed ?? [], ...report.failures.map(({ name }) => name)];
  const skippedNow = new Set((now.names?.skipped ?? []).map(stabiliseName));
  const known = new Set([...ran(now).map(stabiliseName), ...skippedNow]);
  // A file that could not be loaded is no test, and is often named by its path.
  const errors = new Set(before.errors > 0 ? before.failures.map(({ name }) => name) : []);
  const skipped = ran(before).filter((name) => skippedNow.has(stabiliseName(name)));
  const gone = [...ran(before), ...before.names?.skipped ?? []]
    .filter((name) => !known.has(stabiliseName(name)) && !errors.has(name));
  return [
    ...(gone.length === 0 ? [] : [{ kind: "gone" as const, tests: gone }]),
    ...(skipped.length === 0 ? [] : [{ kind: "skipped" as const, tests: skipped }]),
  ];
}

function byFile(before: TestReport, now: TestReport): readonly string[] {
  return Object.entries(before.files ?? {}).flatMap(([file, then]) => {
    const count = now.files?.[file] ?? { passed: 0, failed: 0, skipped: 0 };
    return formatLoss(file, { then: countRan(then), now: countRan(count) });
  });
}

function byCount(before: TestReport, now: TestReport): readonly string[] {
  return formatLoss(`all ${now.unit}`, { then: countRan(before), now: countRan(now) });
}

function formatLoss(
  what: string,
  { then, now }: { readonly then: number; readonly now: number },
): readonly string[] {
  return now < then ? [`${what}: ${then} ran before the work, ${now} now`] : [];
}

/** The part of a command's result that the judgement needs. */
export interface JudgedResult {
  readonly name: string;
  /** Exit status; null when the program could not be started or was killed. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** False when the program could not be started; absent when it was. */
  readonly isStarted?: boolean;
  readonly cancelled: boolean;
  /** Why there is no exit status, as the end of a sentence. */
  readonly failure?: string | null;
  /** The end of its output. */
  readonly outputTail?: string;
  readonly outputBytes?: number;
  /** What its test runner said; null or absent where no known one did. */
  readonly report?: TestReport | null;
}

/** What the result of one command says, held against the same command on the untouched tree. */
export interface CommandJudgement {
  readonly name: string;
  /**
   * `still_red`: every failure was there before the work, by name. `unproven`: nothing shows whether
   * the work is right: no test ran, or it failed before too and nothing names what failed.
   */
  readonly verdict: "passed" | "failed" | "still_red" | "unproven";
  /** Why, as the end of a sentence about the command; empty for one that simply passed or failed. */
  readonly why: string;
  /** What failed, new failures first. */
  readonly failures: readonly Failure[];
  /** How many of `failures`, from the first on, were not there before the work. */
  readonly freshCount: number;
  /** True where the failures are known to be the ones of before the work. */
  readonly isNothingNew: boolean;
  /** Tests that ran before the work and do not run now. */
  readonly lost: readonly LostTests[];
}

/** What a run proves. */
export interface RunVerdict {
  /** `incomplete` when a command was cancelled or none was run: the run proves nothing. */
  readonly verdict: "passed" | "failed" | "still_red" | "unproven" | "incomplete";
  /** Commands that failed by the work. */
  readonly failed: readonly string[];
  /** Commands that failed in the baseline run already. */
  readonly stillRed: readonly string[];
  /** Each command that was not cancelled. */
  readonly commands: readonly CommandJudgement[];
}

/** A run, and the run on the untouched tree; null where that one is not known. */
export interface JudgeInput {
  readonly baseline: readonly JudgedResult[] | null;
  readonly run: readonly JudgedResult[];
  /** True where a program that was not there before either is no failure by the work, but nothing is known. */
  readonly excusesMissing?: boolean;
}

/** Whether a command ended by itself with status 0. */
export function isPassed(result: JudgedResult): boolean {
  return result.exitCode === 0 && !result.timedOut && !result.cancelled;
}

/** The same, and what its output says agrees: a hook of a runner can turn any end into 0. */
export function isClean(result: JudgedResult): boolean {
  return isPassed(result) && (!result.report || countFailed(result.report) === 0);
}

/** Whether a command ran tests: as its runner says, else by its words. */
export function hasTests(result: JudgedResult & { readonly run: readonly string[] }): boolean {
  return result.report ? countRan(result.report) > 0 : isTestCommand(result);
}

/**
 * Compares two runs by the names of their commands, and by the names of the tests that failed. A
 * baseline command that was cancelled or could not be started does not count as failed before, so
 * it excuses nothing; nor does an unknown baseline, nor an exit status alone.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { judgeRun } from "./judge_run.ts";
 * const red = { name: "test", exitCode: 1, timedOut: false, cancelled: false };
 * equal(judgeRun({ baseline: null, run: [red] }).verdict, "failed");
 * equal(judgeRun({ baseline: [red], run: [red] }).verdict, "unproven");
 * ```
 */
export function judgeRun({ baseline, run, excusesMissing }: JudgeInput): RunVerdict {
  const before = new Map(
    (baseline ?? []).filter(({ cancelled, isStarted }) => !cancelled && isStarted !== false)
      .map((result) => [result.name, result]),
  );
  const missing = new Set(
    (baseline ?? []).filter(({ isStarted }) => excusesMissing && isStarted === false)
      .map(({ name }) => name),
  );
  const commands = run.filter(({ cancelled }) => !cancelled).map((result) =>
    result.isStarted === false && missing.has(result.name)
      ? judgeMissing(result)
      : judgeCommand(before.get(result.name) ?? null, result)
  );
  const named = (verdict: CommandJudgement["verdict"]) =>
    commands.filter((command) => command.verdict === verdict).map(({ name }) => name);
  const isRed = (name: string) => run.some((result) => result.name === name && !isPassed(result));
  return {
    verdict: combineVerdicts(run, commands),
    failed: named("failed"),
    stillRed: [...named("still_red"), ...named("unproven").filter(isRed)],
    commands,
  };
}

function combineVerdicts(
  run: readonly JudgedResult[],
  commands: readonly CommandJudgement[],
): RunVerdict["verdict"] {
  const has = (verdict: CommandJudgement["verdict"]) =>
    commands.some((command) => command.verdict === verdict);
  if (has("failed")) return "failed";
  if (run.length === 0 || run.some(({ cancelled }) => cancelled)) return "incomplete";
  const unproven = commands.filter(({ verdict }) => verdict === "unproven").map(({ name }) => name);
  const isRed = run.some((result) => unproven.includes(result.name) && !isClean(result));
  // A command without tests takes nothing away from the tests of another one.
  const isTested = run.some(({ report }) => report && countRan(report) > 0);
  if (unproven.length > 0 && (isRed || !isTested)) return "unproven";
  return has("still_red") ? "still_red" : "passed";
}

/** A program that was not there before the work either says nothing of it. */
function judgeMissing({ name, failure }: JudgedResult): CommandJudgement {
  const why = `${failure ?? "could not be started"}: install it, or correct the command`;
  const nothing = { failures: [], freshCount: 0, isNothingNew: false, lost: [] };
  return { name, verdict: "unproven", why, ...nothing };
}

type Judged = Pick<CommandJudgement, "verdict" | "why"> & Partial<CommandJudgement>;

function judgeCommand(before: JudgedResult | null, now: JudgedResult): CommandJudgement {
  const isGreen = isPassed(now);
  const judged = isGreen ? judgeGreen(before, now) : judgeRed(before, now);
  const lost = judged.verdict === "failed" || !before?.report || !now.report
    ? []
    : findLostTests(before.report, now.report);
  return {
    name: now.name,
    failures: now.report?.failures ?? [],
    freshCount: before === null || isGreen ? 0 : now.report?.failures.length ?? 0,
    isNothingNew: false,
    lost,
    ...judged,
  };
}

function judgeGreen(before: JudgedResult | null, now: JudgedResult): Judged {
  const { report } = now;
  if (report && !isClean(now)) {
    const failed = countFailed(report);
    const why = `${failed} failed, although it ended with 0`;
    if (before === null) return { verdict: "unproven", why };
    const fresh = before.report ? compareFailures(before.report, report).fresh.length : failed;
    // Tests of test tools print failures of others; those were there before the work, too.
    if (!isPassed(before) || fresh > 0) return { verdict: "failed", why, freshCount: fresh };
  }
  const then = before?.report ? countRan(before.report) : 0;
  if (report && countRan(report) === 0) {
    return then > 0
      ? { verdict: "failed", why: `no test ran; ${then} ran before the work` }
      : { verdict: "unproven", why: "no test ran, so it proves nothing" };
  }
  const isSilent = !report && then > 0 && before !== null && isPassed(before);
  return isSilent
    ? { verdict: "unproven", why: `its output names no test any more; ${then} ran before the work` }
    : { verdict: "passed", why: "" };
}

function judgeRed(before: JudgedResult | null, now: JudgedResult): Judged {
  const none = now.report && countRan(now.report) === 0 ? "no test ran" : "";
  if (before === null || now.isStarted === false) {
    return { verdict: "failed", why: none };
  }
  if (isPassed(before)) return { verdict: "failed", why: none || "it passed before the work" };
  if (hasSameText(before, now)) {
    const why = "its output is the same as before the work";
    return { verdict: "still_red", why, freshCount: 0, isNothingNew: true };
  }
  if (!before.report || !now.report) {
    return before.report && !now.report
      ? { verdict: "failed", why: "its output names no test any more" }
      : { verdict: "unproven", why: "it failed before the work too, and nothing says what failed" };
  }
  return compareRed(before.report, now.report);
}

/** What is no failure of its own: times, folders of one run, and where in a file something stands. */
const OF_TEXT = /\b\d+(?:[.,]\d+)?\s?(?:ms|s|seconds)\b|\/tmp\/[^\s:'")]*|(?:^\s*|:)\d+:\d+\b/g;
const NAMES_FILE = /[\w-]\.[a-z]{1,4}\b/i;
/** What is cut may have said more. */
const MOST_TEXT_BYTES = 64 * 1024;

/** Whether a run that names no tests says line by line what it said before the work, and names a file. */
function hasSameText(before: JudgedResult, now: JudgedResult): boolean {
  if (before.report || now.report || before.exitCode !== now.exitCode) return false;
  const [then, text] = [before, now].map(({ outputTail = "", outputBytes = 0 }) =>
    outputBytes > MOST_TEXT_BYTES ? "" : outputTail.split("\n")
      .map((line) => stabiliseName(line).replaceAll(OF_TEXT, "…").trim())
      .filter((line) => line !== "").sort().join("\n")
  );
  return text !== undefined && NAMES_FILE.test(text) && text === then;
}

function isCut({ cut = [] }: TestReport): boolean {
  return cut.length > 0;
}

function compareRed(before: TestReport, now: TestReport): Judged {
  const { fresh, same, mended, isKnown } = compareFailures(before, now);
  const ordered = [
    ...fresh,
    ...now.failures.filter(({ name }) => !fresh.some((one) => one.name === name)),
  ];
  const shared = { failures: ordered, freshCount: fresh.length };
  const [ran, total] = [countRan(before), countFailed(now)];
  if (countRan(now) === 0 && ran > 0) {
    return { ...shared, verdict: "failed", why: `no test ran; ${ran} ran before the work` };
  }
  // Tests behind the end did not run, so that nobody knows what else fails, or failed before.
  if (isCut(before) || (isCut(now) && fresh.length === 0)) {
    const which = isCut(before) ? "on the untouched tree it" : "it";
    return {
      ...shared,
      verdict: "unproven",
      why: `${which} stopped before its end, so nothing is known of the tests behind that`,
    };
  }
  if (fresh.length > 0 && before.isComplete) {
    const old = same === 0 ? "" : `, ${same} failed before the work too`;
    return { ...shared, verdict: "failed", why: `${fresh.length} new${old}` };
  }
  if (!isKnown) {
    const then = countFailed(before);
    return total > then
      ? { ...shared, verdict: "failed", why: `${then} failed before the work` }
      : {
        ...shared,
        verdict: "unproven",
        why: "it failed before the work too, and not everything that failed is named",
      };
  }
  if (countRan(now) === 0) {
    return {
      ...shared,
      verdict: "unproven",
      why: "it broke at the same place before the work, and no test ran",
      isNothingNew: true,
    };
  }
  const why = mended === 0
    ? `the same ${same} as before the work`
    : `all of them failed before the work, ${mended} more did then`;
  return { ...shared, verdict: "still_red", why, isNothingNew: true };
}
