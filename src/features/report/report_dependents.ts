/** Asks the impact analysis for the files that lead straight to one file, for reports. */
import type { ImpactAnalyzer } from "../../impact/analyze.ts";

/** Makes the question; a file that the index does not know has no answer. */
export function createDependentsFinder(
  impact: Pick<ImpactAnalyzer, "analyze">,
): (
  path: string,
) => Promise<readonly { readonly path: string; readonly isProven: boolean }[] | null> {
  return async (path) => {
    const answer = await impact.analyze({
      targetFiles: [path],
      symbols: [],
      isDiff: false,
      changeDescription: "",
      depth: 1,
    });
    if (answer.kind !== "found") return null;
    return answer.files
      .filter(({ edges }) => edges.some(({ depth }) => depth === 1))
      .map(({ path: from, isMust }) => ({ path: from, isProven: isMust }));
  };
}
