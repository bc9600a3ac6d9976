/** Finds the tests nearest to changed files by the impact analysis, for the trial of wrong versions of them. */
import { LIMITS } from "../base/settings/limits.ts";
import type { ImpactAnalyzer } from "../impact/analyze.ts";

/** Steps from the change to its tests. */
const DEPTH = 2;

/**
 * Makes the search of a project.
 *
 * @returns Test files relative to the project, nearest first; none where the analysis cannot tell in time.
 */
export function createNearTests(
  impact: ImpactAnalyzer,
  budgetMs: number = LIMITS.nearTestsMs.value,
): (files: readonly string[]) => Promise<readonly string[]> {
  return async (targetFiles) => {
    const signal = AbortSignal.timeout(budgetMs);
    const { promise, resolve } = Promise.withResolvers<readonly string[]>();
    signal.addEventListener("abort", () => resolve([]), { once: true });
    const input = { targetFiles, symbols: [], isDiff: false, changeDescription: "", depth: DEPTH };
    // Without an answer the session's own tests are all that run.
    const found = impact.analyze(input, { signal })
      .then((answer) => answer.kind === "found" ? answer.tests : []).catch(() => []);
    return await Promise.race([found, promise]);
  };
}
