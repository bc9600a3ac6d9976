/** Reports of test runners for tests. */
import type { TestReport } from "../../../src/runners/report.ts";

/** A report in which every test is named. */
export function toReport(
  { passed = [], skipped = [], failed = [] }: {
    readonly passed?: readonly string[];
    readonly skipped?: readonly string[];
    readonly failed?: readonly string[];
  },
): TestReport {
  return {
    runner: "runner",
    unit: "tests",
    passed: passed.length,
    failed: failed.length,
    skipped: skipped.length,
    errors: 0,
    failures: failed.map((name) => ({ name, line: "" })),
    isComplete: true,
    names: { passed, skipped },
  };
}
