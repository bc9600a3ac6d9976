/** What coverage adds to the program: which of the changed lines the commands of step 15 ran. */
import type { Feature } from "../../cli/command.ts";

/** The row. */
export const COVERAGE_FEATURE: Feature = {
  name: "coverage",
  commands: [],
  planCoverage: async (input) => (await import("./coverage_step.ts")).planCoverage(input),
  readRanLines: async (input) => (await import("./coverage_step.ts")).readRanLines(input),
};
