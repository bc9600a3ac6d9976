/** Which files test runners, compilers and bundlers leave behind, by their names. Pure. */

/** Folders that hold nothing but what can be made again. */
const FOLDERS =
  /(?:^|\/)(?:__pycache__|\.(?:pytest|mypy|ruff|parcel|eslint)[-_]cache|\.cache|\.tox|\.nox|\.eggs|[^/]+\.egg-info|dist|build|out|target|obj|_build|\.build|coverage|htmlcov|\.nyc_output|\.gradle|\.kotlin|\.next|\.nuxt|\.svelte-kit|\.turbo|\.dart_tool|\.zig-cache|zig-cache|zig-out|cmake-build-[^/]+|test-results|test-reports|playwright-report|TestResults|DerivedData)\//;

/** Single files of the same kind. */
const FILES =
  /(?:^|\/)(?:\.coverage(?:\.[^/]*)?|coverage\.(?:xml|json|out|lcov)|cover\.out|lcov\.info|\.(?:eslint|stylelint|phpunit\.result\.|php-cs-fixer\.)cache|\.phpunit\.result\.cache|junit[^/]*\.xml|test-results?\.(?:xml|json|trx)|[^/]*\.(?:pyc|pyo|class|o|obj|a|tsbuildinfo|gcda|gcno|profraw|profdata|trx|lcov|log|tmp))$/i;

/**
 * Whether a file looks like the output of a run.
 *
 * @param path relative to the worktree or the project.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { isRunOutput } from "./run_outputs.ts";
 * equal(isRunOutput("src/__pycache__/a.cpython-312.pyc"), true);
 * equal(isRunOutput("src/a.py"), false);
 * ```
 */
export function isRunOutput(path: string): boolean {
  return FOLDERS.test(path) || FILES.test(path);
}
