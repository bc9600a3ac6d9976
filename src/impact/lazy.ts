/** Impact, loaded when a change is asked about. */
import { Late, later } from "../base/later.ts";
import type { ImpactAnalyzer, ImpactOptions } from "./analyze.ts";

/** Makes the analyser of what `load` gives at the first question; what it read is remembered while the index stays the same. */
export function createLateImpact(load: () => Promise<ImpactOptions>): ImpactAnalyzer {
  const late = new Late(async () => {
    const [{ createImpactAnalyzer }, options] = await Promise.all([import("./analyze.ts"), load()]);
    return createImpactAnalyzer(options);
  });
  return later<ImpactAnalyzer>(late, { analyze: true, describeDiff: true, describePinned: true });
}
