/** Which commands run tests, and which test runners take the files to run at their end. Pure. */
import { languageOfPath } from "./languages.ts";
import { toTestName } from "./test_names.ts";

/** Languages whose tests the runners of scripts run. */
export const SCRIPT_LANGUAGES = ["JavaScript", "TypeScript", "TSX", "Vue", "Svelte"];

/** A runner that takes the files to run as words of its command line. */
interface Runner {
  /** The name of the program, and the word behind it that makes it run tests. */
  readonly words: readonly string[];
  readonly languages: readonly string[];
  /** Options whose value is the next word. */
  readonly valued: RegExp;
  /** Options that have no value, so that the next word is a place. */
  readonly flags: RegExp;
  /** Options with which files at the end mean something else. */
  readonly refused?: RegExp;
  /** Whether a word is a file or a folder rather than a pattern. */
  readonly takesPaths: boolean;
  /** Whether files always stand behind its options. With the others the last option might take them for its value. */
  readonly isLast?: boolean;
  /** The option that makes it take files as they are, not as patterns. */
  readonly exactly?: string;
  /** Whether it takes a single file only. */
  readonly takesOne?: boolean;
}

const NEVER = /^(?!)/;

const RUNNERS: readonly Runner[] = [
  ...["pytest", "py.test"].map((name): Runner => ({
    words: [name],
    languages: ["Python"],
    valued:
      /^(?:-[kmncporW]|--(?:rootdir|dist|maxfail|tb|cov-(?:report|config|fail-under)|junit-?xml|durations(?:-min)?|timeout|ignore(?:-glob)?|deselect|confcutdir|basetemp|color|log(?:-cli)?-level|import-mode|override-ini|numprocesses|config-file|capture|verbosity|reruns))$/,
    flags: /^(?:-[vqxsl]+|-r\w+|-n\d+|--(?:strict-\w+|quiet|verbose|exitfirst|no-header|no-cov))$/,
    refused:
      /^(?:--(?:lf|last-failed|ff|failed-first|nf|new-first|sw|stepwise(?:-skip)?|co|collect-only|pyargs)|--testmon.*)$/,
    takesPaths: true,
  })),
  {
    words: ["vitest", "run"],
    languages: SCRIPT_LANGUAGES,
    valued: /^(?:-[ct]|--(?:config|testNamePattern|reporter|outputFile|pool|environment|bail))$/,
    flags: NEVER,
    refused: /^(?:-r|--(?:root|dir|changed|related|project|workspace|shard|exclude)(?:=.*)?)$/,
    takesPaths: false,
  },
  {
    words: ["jest"],
    languages: SCRIPT_LANGUAGES,
    valued: /^(?:-[cwt]|--(?:config|maxWorkers|testNamePattern|env|testTimeout|outputFile))$/,
    flags: NEVER,
    refused:
      /^(?:-[of]|--(?:onlyChanged|onlyFailures|lastCommit|changedSince|findRelatedTests|runTestsByPath|listTests|shard|testPathPatterns?|projects|selectProjects)(?:=.*)?)$/,
    takesPaths: false,
    exactly: "--runTestsByPath",
  },
  {
    words: ["mocha"],
    languages: SCRIPT_LANGUAGES,
    valued:
      /^(?:-[rRgftuj]|--(?:require|reporter|grep|fgrep|timeout|ui|config|package|jobs|slow))$/,
    flags: /^(?:-b|--(?:bail|recursive|exit|parallel))$/,
    refused: /^--(?:spec|file)(?:=.*)?$/,
    takesPaths: true,
  },
  {
    words: ["ava"],
    languages: SCRIPT_LANGUAGES,
    valued: /^(?:-[cmT]|--(?:config|match|timeout|concurrency))$/,
    flags: /^(?:-[stv]|--(?:serial|tap|verbose|fail-fast))$/,
    takesPaths: true,
  },
  {
    words: ["deno", "test"],
    languages: SCRIPT_LANGUAGES,
    valued: /^(?:-c|--(?:config|filter|import-map|reporter|junit-path|ignore|seed|lock|cert))$/,
    flags:
      /^(?:-[APRWENSq]+|--(?:allow-\w+|parallel|fail-fast|no-check|quiet|permit-no-files|trace-leaks|frozen|unstable-.*))(?:=.*)?$/,
    refused: /^(?:--(?:changed|doc|no-run|watch)(?:=.*)?)$/,
    takesPaths: true,
    isLast: true,
  },
  {
    words: ["bun", "test"],
    languages: SCRIPT_LANGUAGES,
    valued: /^(?:-t|--(?:timeout|test-name-pattern|preload|rerun-each|reporter|reporter-outfile))$/,
    flags: NEVER,
    takesPaths: false,
  },
  {
    words: ["node", "--test"],
    languages: SCRIPT_LANGUAGES,
    valued: /^(?:-[rC]|--(?:import|require|loader|conditions))$/,
    flags: /^--(?:test-only|test-force-exit|experimental-.*|enable-.*|no-warnings)$/,
    takesPaths: true,
    isLast: true,
  },
  ...["phpunit", "pest"].map((name): Runner => ({
    words: [name],
    languages: ["PHP"],
    valued: /^(?:-[cd]|--(?:configuration|bootstrap|filter|group|exclude-group|log-junit))$/,
    flags: /^--(?:testdox|colors|no-coverage|stop-on-.*|fail-on-.*)$/,
    refused: /^--testsuite(?:=.*)?$/,
    takesPaths: true,
    takesOne: true,
  })),
  {
    words: ["rspec"],
    languages: ["Ruby"],
    valued: /^(?:-[frIteo]|--(?:format|require|tag|example|out|seed|order|options))$/,
    flags: /^(?:-[cbw]|--(?:color|colour|no-color|fail-fast|backtrace|warnings))$/,
    refused:
      /^(?:-P|--(?:pattern|exclude-pattern|default-path|only-failures|next-failure))(?:=.*)?$/,
    takesPaths: true,
  },
  {
    words: ["mix", "test"],
    languages: ["Elixir"],
    valued: /^--(?:only|exclude|include|seed|max-cases|max-failures|timeout|formatter)$/,
    flags: /^--(?:trace|color|no-color|warnings-as-errors|cover|slowest-modules)$/,
    refused: /^--(?:stale|failed|partitions)$/,
    takesPaths: true,
  },
  ...["dart", "flutter"].map((name): Runner => ({
    words: [name, "test"],
    languages: ["Dart"],
    valued:
      /^(?:-[nNtxpjr]|--(?:name|plain-name|tags|exclude-tags|platform|concurrency|reporter))$/,
    flags: NEVER,
    takesPaths: true,
  })),
];

/** Programs that start the one that they are given, with the words behind it as they are. */
const LAUNCHERS =
  /^(?:npx|pnpx|bunx|pnpm|yarn|npm|bun|node|poetry|uv|uvx|pipenv|pdm|hatch|rye|coverage|bundle|php|python[\d.]*|pypy[\d.]*|py|env|cross-env|xvfb-run|fvm)$/;
/** Words that may stand between such a program and the runner. */
const BETWEEN =
  /^(?:run|exec|x|-m|--|-y|--yes|--no-install|-s|--silent|-q|--quiet|--frozen|--locked|--offline|--no-sync|--experimental-[\w-]+|\w+=.*)$/;

/** A command that starts a runner. */
export interface RunnerWords {
  readonly languages: readonly string[];
  /** Files and folders that it runs already; null where it looks for its tests by itself. */
  readonly places: readonly string[] | null;
  /** The command for these files in place of its own; null where it takes a single file only, and these are more. */
  toRun(files: readonly string[]): readonly string[] | null;
}

/** Reads a command; null where it starts no runner that takes files, or where it is not sure what a word of it means. */
export function readRunnerWords(run: readonly string[]): RunnerWords | null {
  const found = findRunner(run);
  if (found === null) return null;
  const { runner, from } = found;
  const options: string[] = [];
  const places: string[] = [];
  for (let at = from; at < run.length; at++) {
    const word = run[at] ?? "";
    const before = at === from ? null : run[at - 1] ?? "";
    if (runner.refused?.test(word) === true || word === "--") return null;
    if (word.startsWith("-")) options.push(word);
    else if (before !== null && runner.valued.test(before)) options.push(word);
    else if (before?.startsWith("-") === true && !runner.flags.test(before)) return null;
    else if (!runner.takesPaths || !/^[\w.@/ -]+$/.test(word)) return null;
    else places.push(toPlain(word));
  }
  const { exactly, isLast = false, takesOne = false, languages } = runner;
  return {
    languages,
    places: places.length === 0 ? null : places,
    toRun: (files) => {
      if (takesOne && files.length > 1) return null;
      const named = files.map((path) => path.startsWith("-") ? `./${path}` : path);
      const own = [...exactly === undefined ? [] : [exactly], ...named];
      const last = options.at(-1) ?? "";
      const isClear = isLast || !last.startsWith("-") || runner.flags.test(last);
      const words = isClear ? [...options, ...own] : [...own, ...options];
      return [...run.slice(0, from), ...words];
    },
  };
}

/** The runner of a command, and where the words that are its own begin. */
function findRunner(
  run: readonly string[],
): { readonly runner: Runner; readonly from: number } | null {
  for (let at = 0; at < run.length; at++) {
    const name = toProgram(run[at] ?? "");
    const runner = RUNNERS.find(({ words: [program, ...rest] }) =>
      program === name && rest.every((word, index) => run[at + 1 + index] === word)
    );
    if (runner !== undefined) return { runner, from: at + runner.words.length };
    const isPrefix = at === 0 ? LAUNCHERS.test(name) : BETWEEN.test(run[at] ?? "");
    // A script of npm takes options for itself; what a script runs is not known.
    if (!isPrefix || (name === "npm" && run[at + 1] === "run")) return null;
  }
  return null;
}

function toProgram(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1).replace(/\.(?:[cm]?js|cmd|exe|phar)$/, "");
}

function toPlain(place: string): string {
  return place.replace(/^\.\//, "").replace(/\/+$/, "");
}

/** Whether a file lies at one of the places, or in it. */
export function isAt(places: readonly string[], path: string): boolean {
  return places.some((place) => place === "." || path === place || path.startsWith(`${place}/`));
}

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
