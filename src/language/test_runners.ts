/** Which commands run tests, and which test runners take the files to run at their end. Pure. */
import { languageOfPath } from "./languages.ts";
import { toTestName } from "./test_names.ts";

/** Languages whose tests the runners of scripts run. */
export const SCRIPT_LANGUAGES = ["JavaScript", "TypeScript", "TSX", "Vue", "Svelte"];

/** Words that tell a command that runs tests from a linter or a compiler. */
const TESTS =
  /(?:^|[^a-z])(?:tests?|specs?|pytest|unittest|jest|vitest|mocha|ava|rspec|phpunit|pest|ctest|busted|tox|nox)(?:[^a-z]|$)/i;
/** Runners that take files at their end, with the languages of these. */
const RUNNERS: readonly { readonly ends: RegExp; readonly languages: readonly string[] }[] = [
  { ends: /(?:^| |\/)(?:pytest|py\.test)(?: -\S+)*$/, languages: ["Python"] },
  {
    ends: /(?:^| |\/)(?:vitest run|jest|mocha|ava|deno test|bun test|node --test)(?: -\S+)*$/,
    languages: SCRIPT_LANGUAGES,
  },
  { ends: /(?:^| |\/)(?:phpunit|pest)(?: -\S+)*$/, languages: ["PHP"] },
  { ends: /(?:^| |\/)rspec(?: -\S+)*$/, languages: ["Ruby"] },
  { ends: /(?:^| )mix test(?: -\S+)*$/, languages: ["Elixir"] },
  { ends: /(?:^| )(?:dart|flutter) test(?: -\S+)*$/, languages: ["Dart"] },
];

/** A command by its name and its program with arguments. */
export interface NamedRun {
  readonly name: string;
  readonly run: readonly string[];
}

/** Whether a command runs tests, by its name and its words. */
export function isTestCommand({ name, run }: NamedRun): boolean {
  return TESTS.test([name, ...run].join(" "));
}

/** Those of the test files that the runner at the end of a command takes; null where it takes none at its end. */
export function toOwnFiles(
  run: readonly string[],
  tests: readonly string[],
): readonly string[] | null {
  const line = run.join(" ");
  const runner = RUNNERS.find(({ ends }) => ends.test(line));
  if (runner === undefined) return null;
  return tests.filter((path) => runner.languages.includes(languageOfPath(path)?.name ?? ""));
}

/** What is no test by its name helps tests: it is run alone only where nothing has such a name. */
export function toRunnable(files: readonly string[]): readonly string[] {
  const named = files.filter((path) => (toTestName(path)?.subject ?? null) !== null);
  return named.length > 0 ? named : files.filter((path) => !/(?:^|\/)conftest\.py$/.test(path));
}

/**
 * A command for some test files alone: with the files at its end where its runner takes them, else as it is; null
 * where its runner takes files and none of these.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
 * import { toNarrowRun } from "./test_runners.ts";
 * deepEqual(toNarrowRun(["pytest", "-q"], ["tests/test_a.py"]), ["pytest", "-q", "tests/test_a.py"]);
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
  return files.length === 0 ? null : [...run, ...files];
}
