/** The command that runs given tests: by their language and by what the build files name. */
import { dirname } from "node:path/posix";
import { languageOfPath } from "../language/languages.ts";
import { SCRIPT_LANGUAGES } from "../language/runner_words.ts";
import { toRunnable } from "../language/test_runners.ts";
import { toStem } from "./file_stem.ts";

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
