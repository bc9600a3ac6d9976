/** What watching runs adds to the program: which lines ran, which test runs which function, and who calls whom. */
import type { Feature } from "../../cli/command.ts";

/** The row. */
export const RUNS_FEATURE: Feature = {
  name: "runs",
  files: [
    "src/features/runs/tracers/CodeIntelRuns.java",
    "src/features/runs/tracers/CodeIntelWeaver.java",
  ],
  commands: [],
  openRuns: async (parts) => (await import("./store/open_runs.ts")).openRuns(parts),
  planCoverage: async (input) => (await import("./lines/coverage_step.ts")).planCoverage(input),
  readRanLines: async (input) => (await import("./lines/coverage_step.ts")).readRanLines(input),
};
