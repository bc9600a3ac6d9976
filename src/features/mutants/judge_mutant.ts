/** Says what the tests made of a mutant, held against their run without one. Pure. */
import type { JudgedResult } from "../../evidence/runs/judge_run.ts";
import { isPassed } from "../../evidence/runs/judge_run.ts";

/** `broken`: it did not build or load, so that it says nothing of the tests. */
export type MutantOutcome = "killed" | "survived" | "broken";

/**
 * The outcome by the result of one command with the mutant. A run far above its usual time is a killed mutant; one in
 * which no test failed although its runner counts them never came to its tests.
 *
 * @param clean the same command without the mutant, which passed.
 */
export function judgeMutant(clean: JudgedResult, result: JudgedResult): MutantOutcome {
  if (result.timedOut) return "killed";
  if (isPassed(result)) return "survived";
  if (result.report) return result.report.failed > 0 ? "killed" : "broken";
  return clean.report ? "broken" : "killed";
}
