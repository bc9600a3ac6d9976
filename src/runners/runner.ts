/**
 * What a runner of tests is: one row, in a file of `rows/`. All other code asks the rows, and does without what a row
 * does not say. Pure.
 */
import { basename, dirname } from "node:path/posix";
import { isRecord } from "../base/text/json_record.ts";
import { parseJsonc } from "../base/text/jsonc.ts";
import type { Failure, ReportFormat, TestReport } from "./report.ts";

/** Languages whose tests the runners of scripts run. */
export const SCRIPT_LANGUAGES = ["JavaScript", "TypeScript", "TSX", "Vue", "Svelte"];

/** One runner. */
export interface Runner {
  /** As replies call it. */
  readonly name: string;
  /** Languages of the test files that it runs. */
  readonly languages: readonly string[];
  /** Programs that start it, without folder and ending. */
  readonly programs: readonly string[];
  /** Whether its programs do nothing but run tests. Of others the command says so itself, by the word `test`. */
  readonly onlyTests?: true;
  /** Whether it comes with its language, so that nothing has to be installed. */
  readonly isBuiltIn?: true;
  /** Whether its name means nothing else, so that a sentence of a document that names it asks to run it. */
  readonly isPlainName?: true;
  /** How its command line names the files to run. */
  readonly files?: FileArguments;
  /** The command for given test files, where the project configures none. */
  readonly guess?: GuessedCommand;
  /** The commands that a new set-up proposes. */
  readonly setup?: SetupProposal;
  /** How its output is read; several where it has several forms. */
  readonly reports?: readonly ReportFormat[];
  /** The report that it writes where a variable asks for one. */
  readonly asked?: ReportRequest;
  /** The reports that it writes by itself. */
  readonly written?: WrittenReports;
  /** Where coverage is found after its run. */
  readonly coverage?: CoverageFacts;
  /** How it is watched for the functions that each test runs; absent where nothing can watch it. */
  readonly watch?: RunWatch;
  /** Files that steer it. */
  readonly settings?: RunnerSettings;
  /** What in the code of a test switches it off, or lets it fail. */
  readonly switches?: RegExp;
  /** The object of its library that replaces modules and functions, such as `vi`. */
  readonly mocks?: string;
  /** Variables by which it loads other code or runs other tests. */
  readonly variables?: readonly string[];
  /** Folders that each of its runs writes into, and that nothing is read from but by itself. */
  readonly caches?: readonly string[];
  /** What else it leaves behind: folders, and files. */
  readonly leaves?: { readonly folders?: RegExp; readonly files?: RegExp };
  /** The command without what ended its run in the middle; null where there is no such way. */
  readonly withoutEnd?: (
    run: readonly string[],
    failures: readonly Failure[],
  ) => readonly string[] | null;
  /** Words that let its tests run in another order, always the same one. */
  readonly reordered?: readonly string[];
  /** Words at its end with which it names each test. */
  readonly named?: readonly string[];
  /** A command for these tests alone where it takes names and no files; null where it cannot be narrowed. */
  readonly narrowToNames?: (run: readonly string[], tests: TestNames) => readonly string[] | null;
  /** Whether a failure means that what a test file is built with could not be built or loaded. */
  readonly isBuildOf?: (failure: Failure, path: string) => boolean;
}

/** How test files are named on a command line. */
export interface FileArguments {
  /** The words behind the program that make it run tests. */
  readonly after?: readonly string[];
  /** Options whose value is the next word. */
  readonly valued: RegExp;
  /** Options that have no value, so that the next word is a place. */
  readonly flags?: RegExp;
  /** Options with which files at the end mean something else. */
  readonly refused?: RegExp;
  /** Whether a word is a file or a folder rather than a pattern. */
  readonly takesPaths?: true;
  /** Whether files always stand behind its options. With the others the last option might take them for its value. */
  readonly isLast?: true;
  /** The option that makes it take files as they are, not as patterns. */
  readonly exactly?: string;
  /** Whether it takes a single file only. */
  readonly takesOne?: true;
}

/** Names of tests by their file; a file without names is run as a whole. */
export type TestNames = ReadonlyMap<string, readonly string[]>;

/** What a project is built with. */
export interface TestTools {
  /** Texts of the files that rows name in `guess.sources`, by name. */
  readonly texts: Readonly<Record<string, string>>;
  readonly hasFile: (path: string) => boolean;
}

/** A command for given test files. */
export interface GuessedCommand {
  /** Files at the top of the project whose text is read. */
  readonly sources?: readonly string[];
  /** Whether the project uses it for such a file; the first row of the language that fits is taken. */
  readonly fits?: (tools: TestTools, path: string) => boolean;
  readonly command: (files: readonly string[], tools: TestTools, names: TestNames) => string;
}

/** A row of `verify` in a new configuration with several ways to run it; the first that can start is proposed. */
export interface SetupCandidate {
  readonly name: string;
  readonly runs: readonly (readonly string[])[];
  /** Of which other one it is the way where that one cannot start. */
  readonly insteadOf?: string;
}

/** A folder with build files of its own. */
export interface PackageFiles {
  /** Relative to the project, with `/`; empty for the project itself. */
  readonly dir: string;
  /** Texts of files at its top, by name; a file that does not exist is absent. */
  readonly texts: Readonly<Record<string, string>>;
  /** Some of its files of tests: path in the package, and text. */
  readonly tests: readonly { readonly path: string; readonly text: string }[];
}

/** What a set-up needs. */
export interface SetupProposal {
  /** Files that make their folder a package. */
  readonly manifests?: readonly string[];
  /** More files whose text is read. */
  readonly sources?: readonly string[];
  readonly propose: (pack: PackageFiles) => readonly SetupCandidate[];
}

/** Adds to what was printed what written reports say; what was printed itself where the two do not agree. */
type ReadWritten = (printed: TestReport | null, texts: readonly string[]) => TestReport | null;

/** A report in a file, which a variable asks for. */
export interface ReportRequest {
  readonly variable: string;
  /** Words of the command, or of the variable, with which it is not asked. */
  readonly unless: RegExp;
  /** What is added to the value of the variable for a report in a file. */
  readonly request: (file: string) => string;
  readonly read: ReadWritten;
}

/** Reports in files of every module. */
export interface WrittenReports {
  /** Folders of a module in which they are, or one folder down. */
  readonly folders: readonly string[];
  readonly read: ReadWritten;
}

/** Where coverage lies, and what Node counts. */
export interface CoverageFacts {
  /** Files that are usual, from the folder of the project or of one of its packages. */
  readonly files?: readonly string[];
  /** Folders of which each file counts, or each file one folder down. */
  readonly folders?: readonly string[];
  /** Whether Node runs the text of the files: then its own counts say which lines ran. */
  readonly node?: "same text" | "other text";
}

/** How a runner is watched. The tracers themselves are in the feature that records runs. */
export interface RunWatch {
  /** The tracer of the language that its processes load, or the tool that counts for it. */
  readonly tracer: Tracer;
  /** What one record is of. */
  readonly unit: "test" | "class" | "file" | "package";
}

/**
 * `python`, `node` and `java` are loaded into the processes of the project's own command. The others need runs of their own, one
 * for each part of the suite.
 */
export type Tracer =
  | "python"
  | "node"
  | "deno"
  | "go"
  | "java"
  | "llvm"
  | "gcov"
  | "pcov"
  | "ruby";

/** Files that say which tests run and how. */
export interface RunnerSettings {
  /** Names of files that do nothing else. */
  readonly files?: RegExp;
  /** Names of modules that stand before its own; where one was there already, it is the project's code. */
  readonly shadows?: RegExp;
  /** Lines that steer it in files that say other things too. */
  readonly lines?: readonly (readonly [file: RegExp, line: RegExp])[];
}

/** Where Istanbul writes coverage, which most runners of scripts use. */
export const ISTANBUL_FILES = ["coverage/lcov.info", "coverage/cobertura-coverage.xml"];

/** How runners of scripts switch off a test, or leave out all others. */
export const BLOCK_SWITCHES =
  /\b(?:it|test|describe|context|suite|specify|step)\s*\.\s*(?:skip|todo|only|fixme|fails|failing|ignore)\b|(?<![.\w])[xf](?:it|describe|context)\s*\(|(?<![.\w])xtest\s*\(/;

/** An option with its value; nothing where the value is empty. */
export function option(name: string, value: string, rest = ""): readonly string[] {
  return value === "" ? [] : [name, `${value}${rest}`];
}

/** The usual command for a package that has one of the files; none where it cannot run there. */
export function proposeFor(
  manifests: readonly string[],
  run: (dir: string) => readonly string[],
  wrapper = "",
): SetupProposal {
  return {
    manifests,
    sources: wrapper === "" ? [] : [wrapper],
    propose: ({ dir, texts }) => {
      const isShown = manifests.some((file) => Object.hasOwn(texts, file));
      const [program = "", ...args] = isShown ? run(dir) : [];
      if (program === "") return [];
      const own = `./${dir === "" ? "" : `${dir}/`}${wrapper}`;
      return [{ name: "test", runs: [[Object.hasOwn(texts, wrapper) ? own : program, ...args]] }];
    },
  };
}

/** The command of a runner of scripts where the manifest of the package names it. */
export function guessByManifest(run: string, word: RegExp): GuessedCommand {
  return {
    sources: ["package.json"],
    fits: ({ texts }) => word.test(texts["package.json"] ?? ""),
    command: (files) => `${run} ${fileWords(files)}`,
  };
}

/** Names of tasks and scripts that verify something, in the order in which they are run. */
export const CHECK_SCRIPTS = ["typecheck", "type-check", "check", "lint", "test"] as const;
/** The script that `npm init` writes, which always fails. */
const NO_TESTS = /no test specified/;

/** Members of an object inside a JSON file, with their values as texts; without a script that is none. */
export function readMembers(
  text: string | undefined,
  member: string,
): Readonly<Record<string, string>> {
  const parsed = text === undefined ? null : parseJsonc(text);
  if (parsed?.kind !== "value" || !isRecord(parsed.value)) return {};
  const names = parsed.value[member];
  if (!isRecord(names)) return {};
  const rows = Object.entries(names).map(([name, value]) => [name, String(value)] as const);
  return Object.fromEntries(rows.filter(([, value]) => !NO_TESTS.test(value)));
}

/** More names on one command line are named by their folders. */
const MAX_NAMED = 40;

/** Files as words of a shell; their folders where there are many. */
export function fileWords(files: readonly string[]): string {
  return (files.length > MAX_NAMED ? foldersOf(files) : files).map(quotePath).join(" ");
}

/** The folders of files, each once, sorted. */
export function foldersOf(files: readonly string[]): readonly string[] {
  return [...new Set(files.map((path) => dirname(path)))].sort();
}

/** The name of a file without its ending. */
export function stemOf(path: string): string {
  return basename(path).replace(/\.[^.]+$/, "");
}

/** A word as a shell reads it back. */
export function quotePath(path: string): string {
  return /^[\w./@+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
