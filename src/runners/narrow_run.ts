/**
 * Narrows a command to some test files, where its runner takes files. Where a word of it leaves a doubt, nothing is read:
 * a command that runs everything is better than one that runs something else than was meant. Pure.
 */
import { languageOfPath } from "../language/languages.ts";
import { parseTestName } from "../language/test_names.ts";
import type { FileArguments, Runner } from "./runner.ts";
import { RUNNERS, SHADOWS, STEERS } from "./runners.ts";

/** Those of the test files that the runner of a command takes; null where it is not known to take files. */
export function keepOwnFiles(
  run: readonly string[],
  tests: readonly string[],
): readonly string[] | null {
  const words = parseRunnerCommand(run);
  if (words === null) return null;
  return tests.filter((path) =>
    words.languages.includes(languageOfPath(path)?.name ?? "") &&
    (words.places === null || isAt(words.places, path))
  );
}

/** What is no test by its name helps tests: it is run alone only where nothing has such a name, and steers no runner. */
export function keepRunnable(files: readonly string[]): readonly string[] {
  const named = files.filter((path) => (parseTestName(path)?.subject ?? null) !== null);
  return named.length > 0
    ? named
    : files.filter((path) => !STEERS.test(path) && !SHADOWS.test(path));
}

/**
 * A command for some test files alone: with the files where its runner takes them, else as it is; null where its runner
 * takes files and none of these. Files that it names already are those that it may run.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
 * import { narrowRun } from "./narrow_run.ts";
 * deepEqual(narrowRun(["pytest", "-q"], ["tests/test_a.py"]), ["pytest", "-q", "tests/test_a.py"]);
 * deepEqual(narrowRun(["pytest", "-k", "slow", "tests"], ["tests/test_a.py"]), [
 *   ...["pytest", "-k", "slow", "tests/test_a.py"],
 * ]);
 * equal(narrowRun(["pytest", "-q"], ["tests/a.test.ts"]), null);
 * deepEqual(narrowRun(["make", "test"], ["tests/test_a.py"]), ["make", "test"]);
 * ```
 */
export function narrowRun(
  run: readonly string[],
  tests: readonly string[],
): readonly string[] | null {
  const own = keepOwnFiles(run, tests);
  if (own === null) return run;
  const files = keepRunnable(own);
  return files.length === 0 ? null : parseRunnerCommand(run)?.toRun(files) ?? run;
}

/** Programs that start the one that they are given, with the words behind it as they are. */
const LAUNCHERS =
  /^(?:npx|pnpx|bunx|pnpm|yarn|npm|bun|node|poetry|uv|uvx|pipenv|pdm|hatch|rye|coverage|bundle|php|python[\d.]*|pypy[\d.]*|py|env|cross-env|xvfb-run|fvm)$/;
/** Words that may stand between such a program and the runner. */
const BETWEEN =
  /^(?:run|exec|x|-m|--|-y|--yes|--no-install|-s|--silent|-q|--quiet|--frozen|--locked|--offline|--no-sync|--experimental-[\w-]+|\w+=.*)$/;

/** A command that starts a runner. */
interface RunnerCommand {
  readonly languages: readonly string[];
  /** Files and folders that it runs already; null where it looks for its tests by itself. */
  readonly places: readonly string[] | null;
  /** The command for these files in place of its own; null where it takes a single file only, and these are more. */
  toRun(files: readonly string[]): readonly string[] | null;
}

/** Reads a command; null where it starts no runner that takes files, or where it is not sure what a word of it means. */
function parseRunnerCommand(run: readonly string[]): RunnerCommand | null {
  const found = findRunner(run);
  if (found === null) return null;
  const { runner, args, from } = found;
  const options: string[] = [];
  const places: string[] = [];
  for (let at = from; at < run.length; at++) {
    const word = run[at] ?? "";
    const before = at === from ? null : run[at - 1] ?? "";
    if (args.refused?.test(word) === true || word === "--") return null;
    if (word.startsWith("-")) options.push(word);
    else if (before !== null && args.valued.test(before)) options.push(word);
    else if (before?.startsWith("-") === true && args.flags?.test(before) !== true) return null;
    else if (!args.takesPaths || !/^[\w.@/ -]+$/.test(word)) return null;
    else places.push(trimPath(word));
  }
  const { exactly, isLast = false, takesOne = false } = args;
  return {
    languages: runner.languages,
    places: places.length === 0 ? null : places,
    toRun: (files) => {
      if (takesOne && files.length > 1) return null;
      const named = files.map((path) => path.startsWith("-") ? `./${path}` : path);
      const own = [...exactly === undefined ? [] : [exactly], ...named];
      const last = options.at(-1) ?? "";
      const isClear = isLast || !last.startsWith("-") || args.flags?.test(last) === true;
      const words = isClear ? [...options, ...own] : [...own, ...options];
      return [...run.slice(0, from), ...words];
    },
  };
}

/** The runner of a command that takes files, and where the words that are its own begin; null where none is clear. */
export function findRunner(run: readonly string[]): {
  readonly runner: Runner;
  readonly args: FileArguments;
  readonly from: number;
} | null {
  for (let at = 0; at < run.length; at++) {
    const name = programOf(run[at] ?? "");
    for (const runner of RUNNERS) {
      const { after = [] } = runner.files ?? {};
      if (
        runner.files !== undefined && runner.programs.includes(name) &&
        after.every((word, index) => run[at + 1 + index] === word)
      ) return { runner, args: runner.files, from: at + 1 + after.length };
    }
    const isPrefix = at === 0 ? LAUNCHERS.test(name) : BETWEEN.test(run[at] ?? "");
    // A script of npm takes options for itself; what a script runs is not known.
    if (!isPrefix || (name === "npm" && run[at + 1] === "run")) return null;
  }
  return null;
}

/** The command with its tests in another order, where its runner knows one; else as it is. */
export function reorderRun(run: readonly string[]): readonly string[] {
  const { row, at = 0 } = findRow(run, ({ reordered }) => reordered !== undefined);
  const from = /^(?:test|run)$/.test(run[at + 1] ?? "") ? at + 2 : at + 1;
  return row === undefined ? run : run.toSpliced(from, 0, ...row.reordered ?? []);
}

/** The command as its runner names each test, where it does so for words of its own; else as it is. */
export function nameTests(run: readonly string[]): readonly string[] {
  const { row } = findRow(run, ({ named }) => named !== undefined);
  return row === undefined || run.includes("--") ? run : [...run, ...row.named ?? []];
}

/** The first word that starts such a runner. */
function findRow(
  run: readonly string[],
  isWanted: (row: Runner) => boolean,
): { readonly row?: Runner; readonly at?: number } {
  for (const [at, word] of run.entries()) {
    const row = RUNNERS.find((one) => isWanted(one) && one.programs.includes(programOf(word)));
    if (row !== undefined) return { row, at };
  }
  return {};
}

/** The name of a program without its folder and its ending. */
export function programOf(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1).replace(/\.(?:[cm]?js|cmd|exe|phar)$/, "");
}

/** A place without `./` before it and `/` behind it. */
export function trimPath(place: string): string {
  return place.replace(/^\.\//, "").replace(/\/+$/, "");
}

/** Whether a file lies at one of the places, or in it. */
export function isAt(places: readonly string[], path: string): boolean {
  return places.some((place) => place === "." || path === place || path.startsWith(`${place}/`));
}
