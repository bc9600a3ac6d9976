/**
 * Compares what a test runner said before the work and after it, test by test where it named them. Pure.
 */
import type { Failure, TestReport } from "../../runners/report.ts";
import { countRan } from "../../runners/report.ts";

/** How the failures of two runs differ. */
export interface FailureChange {
  /** Failures of the later run that the earlier one has not. */
  readonly fresh: readonly Failure[];
  /** Number of failures that both have. */
  readonly same: number;
  /** Number of failures that only the earlier one has. */
  readonly mended: number;
  /** False where one of the runs failed without naming all that failed: then `fresh` may lack some. */
  readonly isKnown: boolean;
}

/** What differs from run to run in names that runners make of values: a time of day, with its date, and an address. */
const OF_ONE_RUN =
  /(?:\d{4}-\d\d-\d\d[T ])?\b\d\d:\d\d:\d\d(?:\.\d+)?(?: \d{4}-\d\d-\d\d)?|\b0x[0-9a-f]{8,}/gi;

/** The name of a test without what belongs to one run alone. */
function toStableName(name: string): string {
  return name.replaceAll(OF_ONE_RUN, "…");
}

/** Compares failures by their names. */
export function compareFailures(before: TestReport, now: TestReport): FailureChange {
  const then = new Set(before.failures.map(({ name }) => toStableName(name)));
  const fresh = now.failures.filter(({ name }) => !then.has(toStableName(name)));
  const same = now.failures.length - fresh.length;
  const isKnown = [before, now].every(({ isComplete, failures }) =>
    isComplete && failures.length > 0
  );
  return { fresh, same, mended: Math.max(0, then.size - same), isKnown };
}

/** Tests that the earlier run had and the later one has not. */
export interface LostTests {
  /** `gone`: not named any more; `skipped`: skipped now; `fewer`: a count fell, and no test is named. */
  readonly kind: "gone" | "skipped" | "fewer";
  /** Names of tests; for `fewer` one sentence a file, or one for the whole run. */
  readonly tests: readonly string[];
}

/**
 * Tests that no longer run: by name where both runs name all of theirs, else by test file, else by the whole
 * count. A test that fails now is not lost.
 */
export function findLostTests(before: TestReport, now: TestReport): readonly LostTests[] {
  if (before.unit !== now.unit) return [];
  if (before.names !== undefined && now.names !== undefined) return byName(before, now);
  const files = before.files === undefined || now.files === undefined ? null : byFile(before, now);
  const sentences = files ?? byCount(before, now);
  return sentences.length === 0 ? [] : [{ kind: "fewer", tests: sentences }];
}

function byName(before: TestReport, now: TestReport): readonly LostTests[] {
  const ran = (
    report: TestReport,
  ) => [...report.names?.passed ?? [], ...report.failures.map(({ name }) => name)];
  const skippedNow = new Set((now.names?.skipped ?? []).map(toStableName));
  const known = new Set([...ran(now).map(toStableName), ...skippedNow]);
  // A file that could not be loaded is no test, and is often named by its path.
  const errors = new Set(before.errors > 0 ? before.failures.map(({ name }) => name) : []);
  const skipped = ran(before).filter((name) => skippedNow.has(toStableName(name)));
  const gone = [...ran(before), ...before.names?.skipped ?? []]
    .filter((name) => !known.has(toStableName(name)) && !errors.has(name));
  return [
    ...(gone.length === 0 ? [] : [{ kind: "gone" as const, tests: gone }]),
    ...(skipped.length === 0 ? [] : [{ kind: "skipped" as const, tests: skipped }]),
  ];
}

function byFile(before: TestReport, now: TestReport): readonly string[] {
  return Object.entries(before.files ?? {}).flatMap(([file, then]) => {
    const count = now.files?.[file] ?? { passed: 0, failed: 0, skipped: 0 };
    return toSentence(file, { then: countRan(then), now: countRan(count) });
  });
}

function byCount(before: TestReport, now: TestReport): readonly string[] {
  return toSentence(`all ${now.unit}`, { then: countRan(before), now: countRan(now) });
}

function toSentence(
  what: string,
  { then, now }: { readonly then: number; readonly now: number },
): readonly string[] {
  return now < then ? [`${what}: ${then} ran before the work, ${now} now`] : [];
}
