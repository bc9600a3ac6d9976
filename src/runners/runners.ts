/** The table of the test runners that are known. A new one is a file of `rows/` and a line here. Pure. */
import { JUNIT_XML } from "./junit_xml.ts";
import { AVA } from "./rows/ava.ts";
import { BUN } from "./rows/bun.ts";
import { CARGO } from "./rows/cargo.ts";
import { CTEST } from "./rows/ctest.ts";
import { DART } from "./rows/dart.ts";
import { DENO } from "./rows/deno.ts";
import { DOTNET } from "./rows/dotnet.ts";
import { GO } from "./rows/go.ts";
import { GRADLE } from "./rows/gradle.ts";
import { JEST } from "./rows/jest.ts";
import { MAVEN } from "./rows/maven.ts";
import { MIX } from "./rows/mix.ts";
import { MOCHA } from "./rows/mocha.ts";
import { NODE_TEST } from "./rows/node_test.ts";
import { PEST, PHPUNIT } from "./rows/phpunit.ts";
import { PLAIN } from "./rows/plain.ts";
import { PLAYWRIGHT } from "./rows/playwright.ts";
import { PYTEST } from "./rows/pytest.ts";
import { RSPEC } from "./rows/rspec.ts";
import { TAP } from "./rows/tap.ts";
import { UNITTEST } from "./rows/unittest.ts";
import { VITEST } from "./rows/vitest.ts";
import type { Runner } from "./runner.ts";

/** Every runner. Of two that fit, the first is taken. */
export const RUNNERS: readonly Runner[] = [
  PYTEST,
  UNITTEST,
  VITEST,
  JEST,
  MOCHA,
  AVA,
  PLAYWRIGHT,
  BUN,
  TAP,
  NODE_TEST,
  JUNIT_XML,
  DENO,
  CARGO,
  GO,
  MAVEN,
  GRADLE,
  DOTNET,
  PEST,
  PHPUNIT,
  RSPEC,
  CTEST,
  MIX,
  DART,
  ...PLAIN,
];

/** Programs that do nothing but run tests, as a regular expression. */
const TEST_PROGRAMS = joinNames(RUNNERS.map((row) => row.onlyTests ? row.programs : []));
/** Words that tell a command that runs tests from a linter or a compiler. */
const TESTS = new RegExp(`(?:^|[^a-z])(?:tests?|specs?|${TEST_PROGRAMS})(?:[^a-z]|$)`, "i");

/** Whether a command runs tests, by its name and its words. */
export function isTestCommand(
  { name, run }: { readonly name: string; readonly run: readonly string[] },
): boolean {
  return TESTS.test([name, ...run].join(" "));
}

/** Whether a command names a program of a runner, also inside of the text of a shell. */
export function isStartedBy(run: readonly string[], { programs }: Runner): boolean {
  const word = new RegExp(
    `(?:^|[\\s;&|/\\\\])(?:${joinNames([programs])})(?:\\.(?:cmd|bat|exe))?(?:\\s|$)`,
  );
  return programs.length > 0 && run.some((text) => word.test(text));
}

/** One regular expression of names. */
function joinNames(names: readonly (readonly string[])[]): string {
  return names.flat().map((name) => name.replace(".", "\\.")).join("|");
}

/** One regular expression of what several rows say. */
export function joinPatterns(patterns: readonly (RegExp | undefined)[]): string {
  return [...new Set(patterns.flatMap((one) => one?.source ?? []))].join("|");
}

/** Files that do nothing but steer a runner. */
export const STEERS = nameFiles(RUNNERS.map(({ settings }) => settings?.files));

/** Modules that stand before a runner of the same name. */
export const SHADOWS = nameFiles(RUNNERS.map(({ settings }) => settings?.shadows));

function nameFiles(patterns: readonly (RegExp | undefined)[]): RegExp {
  return new RegExp(`(?:^|\\/)(?:${joinPatterns(patterns)})$`);
}

/** Names of the folders that runs write into all the time, as a regular expression. */
export const CACHE_FOLDERS = joinNames(RUNNERS.map(({ caches = [] }) => caches));

/** Folders that hold nothing but what can be made again. */
const OUTPUT_FOLDERS = new RegExp(
  String
    .raw`(?:^|\/)(?:__pycache__|\.(?:pytest|mypy|ruff|parcel|eslint)[-_]cache|\.cache|\.eggs|[^/]+\.egg-info|dist|build|out|target|obj|_build|\.build|coverage|htmlcov|\.kotlin|\.next|\.nuxt|\.svelte-kit|\.turbo|\.dart_tool|\.zig-cache|zig-cache|zig-out|cmake-build-[^/]+|DerivedData|${CACHE_FOLDERS}|${
    joinPatterns(RUNNERS.map(({ leaves }) => leaves?.folders))
  })\/`,
);

/** Single files of the same kind. */
const OUTPUT_FILES = new RegExp(
  String
    .raw`(?:^|\/)(?:\.coverage(?:\.[^/]*)?|coverage\.(?:xml|json|out|lcov)|cover\.out|lcov\.info|\.(?:eslint|stylelint|php-cs-fixer\.)cache|test-results?\.(?:xml|json|trx)|[^/]*\.(?:pyc|pyo|class|o|obj|a|tsbuildinfo|gcda|gcno|profraw|profdata|lcov|log|tmp)|${
    joinPatterns(RUNNERS.map(({ leaves }) => leaves?.files))
  })$`,
  "i",
);

/**
 * Whether a file looks like the output of a test runner, a compiler or a bundler, by its name.
 *
 * @param path relative to the worktree or the project.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { isRunOutput } from "./runners.ts";
 * equal(isRunOutput("src/__pycache__/a.cpython-312.pyc"), true);
 * equal(isRunOutput("src/a.py"), false);
 * ```
 */
export function isRunOutput(path: string): boolean {
  return OUTPUT_FOLDERS.test(path) || OUTPUT_FILES.test(path);
}
