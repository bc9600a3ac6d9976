/** Runs a command once more that failed by the work, so that a flaky test sends no work back. */
import type { JudgedResult } from "./judge_run.ts";
import { isClean, judgeRun } from "./judge_run.ts";
import type { CommandResult } from "./run_command.ts";
import { toFailureLine, toSummary } from "./run_words.ts";

const MOST_NAMED = 3;

/**
 * The result of a command. One that failed, and would count against the work, is run once more: where
 * it then passes, that result counts and tells the first one too (`flaky`); else the first one counts.
 *
 * @param before Results of the commands before the work; absent where they are not known yet.
 */
export async function repeatRed<R extends CommandResult>(
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
  return isClean(second) ? { ...second, flaky: toFirst(first) } : first;
}

function toFirst(first: CommandResult): string {
  const named = (first.report?.failures ?? []).slice(0, MOST_NAMED).map(toFailureLine);
  return [toSummary(first), ...named].join("; ");
}
