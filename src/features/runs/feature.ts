/** What watching runs adds to the program: which lines ran, which test runs which function, and who calls whom. */
import type { Feature } from "../../cli/command.ts";

/** The row. */
export const RUNS_FEATURE: Feature = {
  name: "runs",
  commands: [
    {
      name: "runs record",
      summary: "Run the tests and record which test runs which function",
      load: async () => (await import("./runs_command.ts")).RUNS_RECORD,
    },
    {
      name: "runs status",
      summary: "Show what is recorded of the tests, and what cannot be",
      load: async () => (await import("./runs_command.ts")).RUNS_STATUS,
    },
    {
      name: "tests",
      summary: "List the tests that reach a file, a line or a symbol, and the command for them",
      load: async () => (await import("./tests_command.ts")).TESTS,
    },
  ],
  files: [
    "src/features/runs/tracers/CodeIntelRuns.java",
    "src/features/runs/tracers/CodeIntelWeaver.java",
    "src/features/runs/tracers/node.cjs",
    "src/features/runs/tracers/python_tracer.py",
  ],
  openRuns: async (parts) => (await import("./store/open_runs.ts")).openRuns(parts),
  openSharedRecords: async (parts) =>
    (await import("./store/shared_runs.ts")).openSharedRuns(parts),
  checks: [{
    id: "runs",
    title: "Record of runs",
    run: async (services) => (await import("./store/open_runs.ts")).checkRuns(services),
  }],
  planCoverage: async (input) => (await import("./lines/coverage_step.ts")).planCoverage(input),
  readRanLines: async (input) => (await import("./lines/coverage_step.ts")).readRanLines(input),
};
