/** Compares the tests that really fail with those that an answer names. Pure. */

/** A test of the suite, as the record has it. */
export interface SuiteTest {
  readonly name: string;
  /** Relative to the project. */
  readonly file: string;
  readonly ms: number;
}

/** What one wrong version shows of one way to choose tests. */
export interface Score {
  /** Share of the failing tests that are named. */
  readonly recall: number;
  /** Share of the named tests that fail. */
  readonly precision: number;
  /** Share of the suite's tests that run until the first failing one, in the order of the answer; 1 where none is named. */
  readonly share: number;
  /** The same of the suite's time. */
  readonly time: number;
}

/**
 * Scores the tests that an answer names, in its order.
 *
 * @param failing names of the suite's tests that fail; at least one.
 */
export function scoreTests(
  named: readonly SuiteTest[],
  failing: ReadonlySet<string>,
  suite: readonly SuiteTest[],
): Score {
  const hits = named.filter(({ name }) => failing.has(name)).length;
  const first = named.findIndex(({ name }) => failing.has(name));
  const sum = (tests: readonly SuiteTest[]) => tests.reduce((all, { ms }) => all + ms, 0);
  const whole = sum(suite);
  return {
    recall: hits / failing.size,
    precision: named.length === 0 ? 0 : hits / named.length,
    share: first < 0 ? 1 : (first + 1) / suite.length,
    time: first < 0 || whole === 0 ? 1 : sum(named.slice(0, first + 1)) / whole,
  };
}

/** The tests of files, in the order of the files. */
export function listTestsOf(
  files: readonly string[],
  suite: readonly SuiteTest[],
): readonly SuiteTest[] {
  const byFile = Map.groupBy(suite, ({ file }) => file);
  return [...new Set(files)].flatMap((file) => byFile.get(file) ?? []);
}

/**
 * The tests of the suite that a report's failures name: by the whole name, by its end, or by the file where the
 * failure is of a file.
 */
export function matchFailures(
  failures: readonly string[],
  suite: readonly SuiteTest[],
): readonly string[] {
  const names = new Set(suite.map(({ name }) => name));
  const files = Map.groupBy(suite, ({ file }) => file);
  return [
    ...new Set(failures.flatMap((failure) => {
      if (names.has(failure)) return [failure];
      const ofFile = files.get(failure);
      if (ofFile !== undefined) return ofFile.map(({ name }) => name);
      const near = suite.filter(({ name, file }) =>
        name.endsWith(failure) || failure.endsWith(name) || failure.startsWith(`${file} `) ||
        failure.startsWith(`${file}:`) || failure.startsWith(`${file}/`)
      );
      return near.length > 0 ? near.map(({ name }) => name) : [];
    })),
  ];
}
