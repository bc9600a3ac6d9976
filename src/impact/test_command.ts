/**
 * The command that runs given tests. What a person set up is known to work; a command made from the language and the
 * build files is a guess.
 */
import { parseGlob } from "../base/text/glob.ts";
import type { RecordedCommand } from "../index/seen_runs.ts";
import { languageOfPath } from "../language/languages.ts";
import { keepOwnFiles, keepRunnable, narrowRun } from "../runners/narrow_run.ts";
import { narrowScript, runByScript } from "../runners/project_script.ts";
import type { Runner, TestNames, TestTools } from "../runners/runner.ts";
import { quotePath } from "../runners/runner.ts";
import { isTestCommand, RUNNERS } from "../runners/runners.ts";

/** Names of the files whose text is read. */
const TEST_SOURCES = [...new Set(RUNNERS.flatMap(({ guess }) => guess?.sources ?? []))];

/** What the project is built with, by the files that it has. */
export async function readTestTools(
  list: readonly string[],
  readText: (path: string) => Promise<string>,
): Promise<TestTools> {
  const known = new Set(list);
  const names = TEST_SOURCES.filter((name) => known.has(name));
  const read = await Promise.all(names.map(readText));
  const texts = Object.fromEntries(names.map((name, at) => [name, read[at] ?? ""]));
  return { texts, hasFile: (path) => known.has(path) };
}

/** A verification command of the configuration. */
export interface OwnCommand {
  readonly name: string;
  /** Program and arguments. */
  readonly run: readonly string[];
  /** Globs of the changes that it applies to; null for all. */
  readonly paths: readonly string[] | null;
}

/** What runs the affected tests, and the names of the configured commands that it is made of. */
export interface TestRun {
  readonly command: string;
  readonly from: readonly string[];
}

/**
 * The command that runs the tests: the project's own where it has one for these files, with the files
 * where it takes them; what none of its own runs is guessed.
 *
 * @param tests in the order in which they are to be run.
 * @param own verification commands, in their order.
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { buildTestRun } from "./test_command.ts";
 * const own = [{ name: "unit", run: ["uv", "run", "pytest", "-q"], paths: null }];
 * const tools = { texts: {}, hasFile: () => false };
 * deepEqual(buildTestRun(["tests/test_a.py"], { own, targets: ["a.py"], tools }), {
 *   command: "uv run pytest -q tests/test_a.py",
 *   from: ["unit"],
 * });
 * ```
 */
export function buildTestRun(
  tests: readonly string[],
  { own, targets, tools, names = NO_NAMES }: {
    readonly own: readonly OwnCommand[];
    /** Files that change: a command may apply to these and not to their tests. */
    readonly targets: readonly string[];
    readonly tools: TestTools;
    /** For runners that take names and no files. */
    readonly names?: TestNames;
  },
): TestRun | null {
  if (tests.length === 0) return null;
  let left = tests;
  const commands: string[] = [];
  const from: string[] = [];
  for (const { name, run, paths } of own) {
    if (!isTestCommand({ name, run }) || !appliesTo(paths, [...targets, ...tests])) continue;
    const script = narrowScript(run, tests, tools);
    const named = script === null ? narrowToNames(run, tests, names) : null;
    const files = script?.files ?? named?.files ?? keepOwnFiles(run, tests);
    if (files !== null && files.length === 0) continue;
    const words = named?.run ?? narrowRun(run, files ?? []) ?? run;
    commands.push(script?.command ?? words.map(quotePath).join(" "));
    from.push(name);
    left = files === null ? [] : left.filter((path) => !files.includes(path));
  }
  const guess = guessTestCommand(left, tools, names);
  if (guess !== null) commands.push(guess);
  return commands.length === 0 ? null : { command: commands.join(" && "), from };
}

const NO_NAMES: TestNames = new Map();

/** The command with the names of tests, and their files; null where its runner takes none. */
function narrowToNames(run: readonly string[], tests: readonly string[], names: TestNames) {
  for (const row of RUNNERS) {
    const files = tests.filter((path) => row.languages.includes(languageOfPath(path)?.name ?? ""));
    const named = new Map(files.map((path) => [path, names.get(path) ?? []]));
    const narrowed = files.length === 0 ? null : row.narrowToNames?.(run, named) ?? null;
    if (narrowed !== null) return { run: narrowed, files };
  }
  return null;
}

function appliesTo(globs: readonly string[] | null, files: readonly string[]): boolean {
  if (globs === null) return true;
  return globs.some((glob) => {
    const parsed = parseGlob(glob);
    return parsed.kind === "glob" && files.some(parsed.test);
  });
}

/**
 * The project's own script where one starts a runner of these files, else one command a runner, joined by `&&`; null where
 * no file is a test that a command can run.
 */
export function guessTestCommand(
  files: readonly string[],
  tools: TestTools,
  names: TestNames = NO_NAMES,
): string | null {
  const languages = Map.groupBy(files, (path) => languageOfPath(path)?.family ?? path);
  const runnable = [...languages.values()].flatMap(keepRunnable);
  const script = runByScript(runnable, tools);
  const rest = runnable.filter((path) => script?.files.includes(path) !== true);
  const byRunner = Map.groupBy(rest, (path) => findGuess(path, tools));
  const guesses = [...byRunner].flatMap(([runner, own]) =>
    runner?.guess?.command(own, tools, names) ?? []
  );
  const commands = script === null ? guesses : [script.command, ...guesses];
  return commands.length === 0 ? null : commands.join(" && ");
}

/** The runner that the project shows for a file, or else the usual one of its language. */
function findGuess(path: string, tools: TestTools): Runner | undefined {
  const language = languageOfPath(path)?.name ?? "";
  const rows = RUNNERS.filter(({ languages, guess }) =>
    guess !== undefined && languages.includes(language)
  );
  return rows.find(({ guess }) => guess?.fits?.(tools, path)) ??
    rows.find(({ guess }) => guess?.fits === undefined);
}

/** Words by which a command runs some of its tests. */
const CHOOSES =
  /^(?:-[kgtm]|--(?:grep|fgrep|filter|test-?name-?pattern|group|lf|last-failed|only-?changed|shard)|--?(?:run|skip))(?:=|$)/i;

function isChoosing(run: readonly string[]): boolean {
  return run.some((word, at) =>
    CHOOSES.test(word) && !(word === "-m" && /(?:python|pypy|py)[\d.]*$/.test(run[at - 1] ?? ""))
  );
}

/**
 * The configured commands; where there are none, those that were recorded: they are known to start. One for each file is
 * enough: that which ran most of them. One that takes no files is run as a whole.
 */
export function chooseCommands(
  configured: readonly OwnCommand[],
  { recorded, tests }: {
    readonly recorded: readonly RecordedCommand[];
    readonly tests: readonly string[];
  },
): readonly OwnCommand[] {
  if (configured.length > 0) return configured;
  let left = tests;
  const usual = recorded.filter(({ run }) => !isChoosing(run))
    .sort((one, other) => other.files.size - one.files.size);
  return usual.flatMap(({ run, files: held }) => {
    const own = left.filter((path) => held.has(path));
    const taken = narrowToNames(run, left, NO_NAMES)?.files ?? keepOwnFiles(run, left) ?? left;
    left = left.filter((path) => !taken.includes(path));
    return own.length === 0 ? [] : [{ name: "test (recorded)", run, paths: null }];
  });
}
