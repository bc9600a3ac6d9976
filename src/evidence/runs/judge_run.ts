/**
 * Judges what the runs of the verification commands prove, compared with the baseline run. Pure.
 */

/** The part of a command's result that the judgement needs. */
export interface JudgedResult {
  readonly name: string;
  /** Exit status; null when the program could not be started or was killed. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** False when the program could not be started; absent when it was. */
  readonly isStarted?: boolean;
  readonly cancelled: boolean;
}

/** What a run proves. */
export interface RunVerdict {
  /** `incomplete` when a command was cancelled or none was run: the run proves nothing. */
  readonly verdict: "passed" | "failed" | "still_red" | "incomplete";
  /** Commands that failed and had not failed in the baseline run. */
  readonly failed: readonly string[];
  /** Commands that failed in the baseline run already. */
  readonly stillRed: readonly string[];
}

/** A run, and the run on the untouched tree; null where that one is not known. */
export interface JudgeInput {
  readonly baseline: readonly JudgedResult[] | null;
  readonly run: readonly JudgedResult[];
}

/** Whether a command ended by itself with status 0. */
export function isPassed(result: JudgedResult): boolean {
  return result.exitCode === 0 && !result.timedOut && !result.cancelled;
}

/**
 * Compares two runs by the names of their commands. A baseline command that was cancelled or could
 * not be started does not count as failed before, so it excuses nothing; nor does an unknown
 * baseline.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { judgeRun } from "./judge_run.ts";
 * const red = { name: "test", exitCode: 1, timedOut: false, cancelled: false };
 * equal(judgeRun({ baseline: null, run: [red] }).verdict, "failed");
 * equal(judgeRun({ baseline: [red], run: [red] }).verdict, "still_red");
 * ```
 */
export function judgeRun({ baseline, run }: JudgeInput): RunVerdict {
  const redBefore = new Set(
    (baseline ?? []).filter((result) =>
      !result.cancelled && result.isStarted !== false && !isPassed(result)
    )
      .map(({ name }) => name),
  );
  const bad = run.filter((result) => !result.cancelled && !isPassed(result));
  const names = bad.map(({ name }) => name);
  const failed = names.filter((name) => !redBefore.has(name));
  const stillRed = names.filter((name) => redBefore.has(name));
  return { verdict: toVerdict(run, { failed, stillRed }), failed, stillRed };
}

function toVerdict(
  run: readonly JudgedResult[],
  { failed, stillRed }: Pick<RunVerdict, "failed" | "stillRed">,
): RunVerdict["verdict"] {
  if (failed.length > 0) return "failed";
  if (run.length === 0 || run.some(({ cancelled }) => cancelled)) return "incomplete";
  return stillRed.length > 0 ? "still_red" : "passed";
}
