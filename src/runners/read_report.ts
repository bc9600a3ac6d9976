/** Finds out which test runners an output is of, and reads what they said. Pure. */
import type { FileCount, TestReport } from "./report.ts";
import { RUNNERS } from "./runners.ts";

const COLOURS =
  // deno-lint-ignore no-control-regex -- escape sequences of terminals begin with a control character
  /\u001b(?:\[[0-9;:?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[()][A-Z0-9])/g;

/** A text without the escape sequences by which terminals paint. */
export function stripColours(text: string): string {
  return text.includes("\u001b") ? text.replace(COLOURS, "") : text;
}

/**
 * What the runners in an output said of their tests; null where no known one is in it. Several runners of one
 * command (`lint && test && e2e`) are added up.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { readReport } from "./read_report.ts";
 * equal(readReport("..s\n2 passed, 1 skipped in 0.01s\n")?.passed, 2);
 * equal(readReport("done\n"), null);
 * ```
 */
export function readReport(output: string): TestReport | null {
  const lines = stripColours(output).split(/\r?\n|\r/);
  const reports = RUNNERS.flatMap(({ reports = [] }) =>
    reports.flatMap((read) => read(lines) ?? [])
  );
  const [first, ...others] = reports;
  return first === undefined ? null : others.reduce(merge, first);
}

function merge(one: TestReport, other: TestReport): TestReport {
  const names = one.names === undefined || other.names === undefined ? undefined : {
    passed: [...one.names.passed, ...other.names.passed],
    skipped: [...one.names.skipped, ...other.names.skipped],
  };
  const files: Readonly<Record<string, FileCount>> = { ...one.files, ...other.files };
  const cut = [...one.cut ?? [], ...other.cut ?? []];
  return {
    runner: `${one.runner} + ${other.runner}`,
    unit: one.unit === other.unit ? one.unit : "tests",
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
    errors: one.errors + other.errors,
    failures: [...one.failures, ...other.failures],
    ...(cut.length === 0 ? {} : { cut }),
    isComplete: one.isComplete && other.isComplete,
    ...(names === undefined ? {} : { names }),
    ...(Object.keys(files).length === 0 ? {} : { files }),
  };
}
