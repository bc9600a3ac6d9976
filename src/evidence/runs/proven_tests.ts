/**
 * Says which new and changed tests prove the change: those that fail on the sources of before it. A test that passes
 * there too proves nothing.
 */
import type { ServerRunProof } from "../../phase/check_findings.ts";
import { compileTitle } from "../../phase/contract/named_tests.ts";
import { findTestsAt } from "../tests/read_tests.ts";
import type { JudgedResult } from "./judge_run.ts";
import { isPassed } from "./judge_run.ts";
import type { Failure, TestReport } from "../../runners/report.ts";
import { countRan } from "../../runners/report.ts";
import { RUNNERS } from "../../runners/runners.ts";

/** A test file of the session, as it is now. */
export interface ChangedTestFile {
  /** Relative to the project. */
  readonly path: string;
  readonly text: string;
  /** Lines that the session added or rewrote, counted from 1, both ends included. */
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
}

/** A test with its file. */
export interface NamedTest {
  readonly path: string;
  readonly name: string;
}

/**
 * Judges the run of the changed tests on the sources of before the change.
 *
 * @param without results of that run, at least one.
 */
export async function judgeProof(
  files: readonly ChangedTestFile[],
  without: readonly JudgedResult[],
): Promise<ServerRunProof> {
  const all = (await Promise.all(
    files.map(async ({ path, text, ranges }) =>
      (await findTestsAt(path, text, ranges)).map(({ name }) => ({ path, name }))
    ),
  )).flat();
  const tests = all.flatMap(({ path, name }) => name === null ? [] : [{ path, name }]);
  const isWhole = tests.length === all.length;
  const reports = without.flatMap(({ report }) => report ?? []);
  if (without.every(isPassed)) {
    const ran = reports.reduce((sum, report) => sum + countRan(report), 0);
    if (reports.length > 0 && ran === 0) return unknown("no test ran without the change");
    const nothing = isWhole && tests.length > 0
      ? tests.map(formatTest)
      : files.map(({ path }) => `${path}: all of its tests`);
    return { nothing, proving: 0, unknown: null, tests: tests.map(formatTest) };
  }
  if (without.some(({ timedOut, cancelled }) => timedOut || cancelled)) {
    return unknown("the run without the change took too long", tests.map(formatTest));
  }
  const broken = without.filter((result) => !isPassed(result));
  const isTold = broken.every(({ report }) => report?.isComplete === true);
  if (!isTold) {
    return unknown(
      "the run fails without the change, and its output does not name each test that fails",
      tests.map(formatTest),
    );
  }
  if (tests.length === 0) return unknown("the changed tests have no names that are known");
  const { passed, untold } = splitByVerdict(tests, reports);
  return {
    nothing: passed.map(formatTest),
    proving: tests.length - passed.length - untold.length,
    unknown: untold.length > 0
      ? `${untold.length} of the changed tests came to no verdict without the change, since something there broke or ended early`
      : isWhole
      ? null
      : "some of the changed tests have titles that only their run knows",
    tests: tests.map(formatTest),
  };
}

/** The tests that passed in a run that failed, and those of which it does not say how they did; the others failed. */
function splitByVerdict(
  tests: readonly NamedTest[],
  reports: readonly TestReport[],
): { readonly passed: readonly NamedTest[]; readonly untold: readonly NamedTest[] } {
  const ran = reports.reduce((sum, report) => sum + countRan(report), 0);
  // What breaks before its tests, such as a build, lets none of them pass.
  if (ran === 0) return { passed: [], untold: [] };
  const failures = reports.flatMap((report) => report.failures);
  const failed = failures.map(({ name }) => name);
  const left = tests.filter((test) =>
    !isNamed(test, failed) && !failures.some((failure) => isBuildOf(failure, test))
  );
  const names = reports.every((report) => report.names !== undefined)
    ? reports.flatMap((report) => report.names?.passed ?? [])
    : null;
  if (names !== null) {
    const passed = left.filter((test) => isNamed(test, names));
    return { passed, untold: left.filter((test) => !passed.includes(test)) };
  }
  // Where no test is named that passed, only a run in which nothing was hidden says that the others did.
  const broken = reports.reduce((sum, report) => sum + report.errors, 0);
  const known = failures.filter((failure) =>
    tests.some((test) => isFileOf(failure.name, test) || isBuildOf(failure, test))
  );
  const isHidden = known.length < broken || reports.some(({ cut = [] }) => cut.length > 0);
  return isHidden ? { passed: [], untold: left } : { passed: left, untold: [] };
}

function unknown(why: string, tests: readonly string[] = []): ServerRunProof {
  return { nothing: [], proving: 0, unknown: why, tests };
}

function formatTest({ path, name }: NamedTest): string {
  return `${path}: ${name}`;
}

/** The failures of a test in a run, with those of its file or of what that is built with. */
export function findFailures(
  test: NamedTest,
  reports: readonly TestReport[],
): readonly Failure[] {
  return reports.flatMap(({ failures }) => failures)
    .filter((failure) => isNamed(test, [failure.name]) || isBuildOf(failure, test));
}

/** Whether a runner names the test, or its whole file, as one that could not be loaded. */
function isNamed(test: NamedTest, failed: readonly string[]): boolean {
  const wanted = compileTitle(test.name);
  return failed.some((one) => wanted.test(one) || isFileOf(one, test));
}

function isFileOf(name: string, { path }: NamedTest): boolean {
  const stem = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  return name === path || name.endsWith(`/${path}`) || path.endsWith(`/${name}`) ||
    name === stem || name.endsWith(`.${stem}`);
}

/** Whether a failure is of what the file of the test is built with. */
function isBuildOf(failure: Failure, { path }: NamedTest): boolean {
  return RUNNERS.some((runner) => runner.isBuildOf?.(failure, path) === true);
}
