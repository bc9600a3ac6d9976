/** Which commands run tests, and which test runners take the files to run at their end. Pure. */
import { languageOfPath } from "./languages.ts";
import { isAt, readRunnerWords } from "./runner_words.ts";
import { toTestName } from "./test_names.ts";

/** Words that tell a command that runs tests from a linter or a compiler. */
const TESTS =
  /(?:^|[^a-z])(?:tests?|specs?|pytest|unittest|jest|vitest|mocha|ava|rspec|phpunit|pest|ctest|busted|tox|nox)(?:[^a-z]|$)/i;
/** A command by its name and its program with arguments. */
export interface NamedRun {
  readonly name: string;
  readonly run: readonly string[];
}

/** Whether a command runs tests, by its name and its words. */
export function isTestCommand({ name, run }: NamedRun): boolean {
  return TESTS.test([name, ...run].join(" "));
}

/** Those of the test files that the runner of a command takes; null where it is not known to take files. */
export function toOwnFiles(
  run: readonly string[],
  tests: readonly string[],
): readonly string[] | null {
  const words = readRunnerWords(run);
  if (words === null) return null;
  return tests.filter((path) =>
    words.languages.includes(languageOfPath(path)?.name ?? "") &&
    (words.places === null || isAt(words.places, path))
  );
}

/** What is no test by its name helps tests: it is run alone only where nothing has such a name. */
export function toRunnable(files: readonly string[]): readonly string[] {
  const named = files.filter((path) => (toTestName(path)?.subject ?? null) !== null);
  return named.length > 0 ? named : files.filter((path) => !/(?:^|\/)conftest\.py$/.test(path));
}

/**
 * A command for some test files alone: with the files where its runner takes them, else as it is; null where its runner
 * takes files and none of these. Files that it names already are those that it may run.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
 * import { toNarrowRun } from "./test_runners.ts";
 * deepEqual(toNarrowRun(["pytest", "-q"], ["tests/test_a.py"]), ["pytest", "-q", "tests/test_a.py"]);
 * deepEqual(toNarrowRun(["pytest", "-k", "slow", "tests"], ["tests/test_a.py"]), [
 *   ...["pytest", "-k", "slow", "tests/test_a.py"],
 * ]);
 * equal(toNarrowRun(["pytest", "-q"], ["tests/a.test.ts"]), null);
 * deepEqual(toNarrowRun(["make", "test"], ["tests/test_a.py"]), ["make", "test"]);
 * ```
 */
export function toNarrowRun(
  run: readonly string[],
  tests: readonly string[],
): readonly string[] | null {
  const own = toOwnFiles(run, tests);
  if (own === null) return run;
  const files = toRunnable(own);
  return files.length === 0 ? null : readRunnerWords(run)?.toRun(files) ?? run;
}
