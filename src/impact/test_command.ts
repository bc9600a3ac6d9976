/**
 * The command that runs given tests: the project's own verification commands where they fit, since what a person set up is
 * known to work; else a guess by the language and by what the build files name.
 */
import {
  isTestCommand,
  SCRIPT_LANGUAGES,
  toNarrowRun,
  toOwnFiles,
  toRunnable,
} from "../language/test_runners.ts";
import { parseGlob } from "../base/text/glob.ts";
import { dirname } from "node:path/posix";
import { languageOfPath } from "../language/languages.ts";
import { toStem } from "./naming.ts";

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
 * import { toTestRun } from "./test_command.ts";
 * const own = [{ name: "unit", run: ["uv", "run", "pytest", "-q"], paths: null }];
 * const tools = { texts: {}, hasFile: () => false };
 * deepEqual(toTestRun(["tests/test_a.py"], { own, targets: ["a.py"], tools }), {
 *   command: "uv run pytest -q tests/test_a.py",
 *   from: ["unit"],
 * });
 * ```
 */
export function toTestRun(
  tests: readonly string[],
  { own, targets, tools }: {
    readonly own: readonly OwnCommand[];
    /** Files that change: a command may apply to these and not to their tests. */
    readonly targets: readonly string[];
    readonly tools: TestTools;
  },
): TestRun | null {
  if (tests.length === 0) return null;
  let left = tests;
  const commands: string[] = [];
  const from: string[] = [];
  for (const { name, run, paths } of own) {
    if (!isTestCommand({ name, run }) || !appliesTo(paths, [...targets, ...tests])) continue;
    const files = toOwnFiles(run, tests);
    if (files !== null && files.length === 0) continue;
    commands.push((toNarrowRun(run, files ?? []) ?? run).map(quote).join(" "));
    from.push(name);
    left = files === null ? [] : left.filter((path) => !files.includes(path));
  }
  const guess = toTestCommand(left, tools);
  if (guess !== null) commands.push(guess);
  return commands.length === 0 ? null : { command: commands.join(" && "), from };
}

function appliesTo(globs: readonly string[] | null, files: readonly string[]): boolean {
  if (globs === null) return true;
  return globs.some((glob) => {
    const parsed = parseGlob(glob);
    return parsed.kind === "glob" && files.some(parsed.test);
  });
}

/** What the project is built with. */
export interface TestTools {
  /** Text of the nearest build files at the top of the project, by name. */
  readonly texts: Readonly<Record<string, string>>;
  readonly hasFile: (path: string) => boolean;
}

/** Names of the files whose text is read. */
export const TEST_SOURCES = [
  "package.json",
  "deno.json",
  "deno.jsonc",
  "pyproject.toml",
  "composer.json",
  "Cargo.toml",
  "Gemfile",
] as const;

type Maker = (files: readonly string[], tools: TestTools) => string;

/** More names on one command line are named by their folders. */
const MAX_NAMED = 40;

const MAKERS: Readonly<Record<string, Maker>> = {
  Python: (files, tools) => {
    const run = tools.hasFile("uv.lock") ? "uv run pytest" : "python3 -m pytest";
    return `${run} ${toArguments(files)}`;
  },
  Go: (files) => `go test ${toFolders(files).map((folder) => `./${folder}`).join(" ")}`,
  Rust: (files) => {
    const own = files.filter((path) => /(?:^|\/)tests\/[^/]+\.rs$/.test(path));
    const names = own.map((path) => `--test ${toStem(path)}`);
    return own.length === files.length ? `cargo test ${names.join(" ")}` : "cargo test";
  },
  Java: toJvm,
  Kotlin: toJvm,
  Scala: toJvm,
  "C#": (files) =>
    `dotnet test --filter "${files.map((path) => `FullyQualifiedName~${toStem(path)}`).join("|")}"`,
  PHP: (files, tools) =>
    `vendor/bin/${
      /"pestphp\/pest"/.test(tools.texts["composer.json"] ?? "") ? "pest" : "phpunit"
    } ${toArguments(files)}`,
  Ruby: (files) => {
    const specs = files.filter((path) => /_spec\.rb$/.test(path));
    const tests = files.filter((path) => !/_spec\.rb$/.test(path));
    return [
      ...specs.length > 0 ? [`bundle exec rspec ${toArguments(specs)}`] : [],
      ...tests.length > 0 ? [`bundle exec rake test TEST="${tests.join(" ")}"`] : [],
    ].join(" && ");
  },
  Elixir: (files) => `mix test ${toArguments(files)}`,
  Swift: () => "swift test",
  Dart: (files) => `dart test ${toArguments(files)}`,
  Lua: (files) => `busted ${toArguments(files)}`,
  Bash: (files) => `bash ${toArguments(files)}`,
  Haskell: () => "cabal test",
  Zig: (files) => files.map((path) => `zig test ${quote(path)}`).join(" && "),
  C: () => "ctest",
  "C++": () => "ctest",
};

/** One command a language, joined by `&&`; null where no file is a test that a command can run. */
export function toTestCommand(files: readonly string[], tools: TestTools): string | null {
  const byLanguage = Map.groupBy(files, (path) => {
    const name = languageOfPath(path)?.name ?? "";
    return SCRIPT_LANGUAGES.includes(name) ? "script" : name;
  });
  const commands = [...byLanguage].flatMap(([language, own]) => {
    const make = language === "script" ? toScript : MAKERS[language];
    const runnable = toRunnable(own);
    return make === undefined || runnable.length === 0 ? [] : [make(runnable, tools)];
  });
  return commands.length === 0 ? null : commands.join(" && ");
}

const RUNNERS: readonly { readonly word: RegExp; readonly run: string }[] = [
  { word: /"vitest"|\bvitest\b/, run: "npx vitest run" },
  { word: /"jest"|\bjest\b/, run: "npx jest" },
  { word: /"mocha"|\bmocha\b/, run: "npx mocha" },
  { word: /"ava"/, run: "npx ava" },
  { word: /"(?:@playwright\/test)"/, run: "npx playwright test" },
  { word: /\bbun test\b/, run: "bun test" },
  { word: /node --test|node:test/, run: "node --test" },
];

function toScript(files: readonly string[], { texts }: TestTools): string {
  const manifest = texts["package.json"] ?? "";
  const runner = RUNNERS.find(({ word }) => word.test(manifest));
  const hasDeno = texts["deno.json"] !== undefined || texts["deno.jsonc"] !== undefined;
  const run = runner?.run ??
    (hasDeno ? "deno test" : manifest === "" ? "node --test" : "npm test --");
  return `${run} ${toArguments(files)}`;
}

function toJvm(files: readonly string[], { hasFile }: TestTools): string {
  const names = files.map(toStem);
  if (hasFile("pom.xml")) {
    return `${hasFile("mvnw") ? "./mvnw" : "mvn"} -q test -Dtest=${names.join(",")}`;
  }
  const run = hasFile("gradlew") ? "./gradlew" : "gradle";
  if (hasFile("build.sbt")) return `sbt "testOnly ${names.map((name) => `*${name}`).join(" ")}"`;
  return `${run} test ${names.map((name) => `--tests '*${name}'`).join(" ")}`;
}

function toArguments(files: readonly string[]): string {
  return (files.length > MAX_NAMED ? toFolders(files) : files).map(quote).join(" ");
}

function toFolders(files: readonly string[]): readonly string[] {
  return [...new Set(files.map((path) => dirname(path)))].sort();
}

/** A word as a shell reads it back. */
export function quote(path: string): string {
  return /^[\w./@+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
