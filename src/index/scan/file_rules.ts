/**
 * Which of the listed files belong to the index: `source_dirs` and `exclude_patterns` of the
 * configuration, and `.code-intelignore`, which is written like a `.gitignore`.
 */
import { parseGlob } from "../../base/text/glob.ts";

/** Name of the file at the root of a project that names what to leave out. */
export const IGNORE_FILE = ".code-intelignore";

/** What the configuration says about files. */
export interface FileRuleInput {
  /** Folders that are indexed; empty for the whole project. */
  readonly sourceDirs: readonly string[];
  /** Globs of files and folders that are not. */
  readonly excludePatterns: readonly string[];
  /** Text of `.code-intelignore`; empty where there is none. */
  readonly ignoreText: string;
}

/** Says why a path is left out, or null when it belongs to the index. */
export type FileRule = (path: string) => string | null;

/** Rules ready to use, with what could not be read of them. */
export interface FileRules {
  readonly leaveOut: FileRule;
  /** Patterns that are none, in words. */
  readonly notices: readonly string[];
}

interface Pattern {
  readonly isNegated: boolean;
  readonly test: (path: string) => boolean;
}

// The program's own folder holds sessions and prompts, never code of the project.
const OWN_FOLDER = ".code-intel/";

/** Reads the rules. */
export function createFileRules(input: FileRuleInput): FileRules {
  const notices: string[] = [];
  const read = (line: string, where: string) => {
    const pattern = parsePattern(line);
    if (typeof pattern === "object") return [pattern];
    notices.push(`The pattern "${line}" of ${where} is passed over: ${pattern}.`);
    return [];
  };
  const ignored = input.ignoreText.split(/\r?\n/)
    .map((line) => line.replace(/(?<!\\)\s+$/, ""))
    .filter((line) => line !== "" && !line.startsWith("#"))
    .flatMap((line) => read(line, IGNORE_FILE));
  const excluded = input.excludePatterns.flatMap((line) => read(line, "exclude_patterns"));
  const folders = input.sourceDirs.map(toFolder).filter((folder) => folder !== "");
  const leaveOut = (path: string) => {
    if (path.startsWith(OWN_FOLDER)) return "the program's own folder";
    if (folders.length > 0 && !folders.some((one) => path === one || path.startsWith(`${one}/`))) {
      return "not below source_dirs";
    }
    if (isTaken(path, excluded)) return "exclude_patterns";
    return isTaken(path, ignored) ? IGNORE_FILE : null;
  };
  return { leaveOut, notices };
}

function toFolder(text: string): string {
  return text.split("/").filter((part) => part !== "" && part !== ".").join("/");
}

/** The last pattern that fits decides, as in git. */
function isTaken(path: string, patterns: readonly Pattern[]): boolean {
  return patterns.findLast(({ test }) => test(path))?.isNegated === false;
}

/** A pattern, or why it is none. It fits a file by its path or by one of its folders. */
function parsePattern(line: string): Pattern | string {
  const isNegated = line.startsWith("!");
  const text = line.slice(isNegated ? 1 : 0);
  const foldersOnly = text.endsWith("/");
  const glob = parseGlob(foldersOnly ? text.slice(0, -1) : text);
  if (glob.kind === "invalid") return glob.reason;
  const test = (path: string) => {
    if (!foldersOnly && glob.test(path)) return true;
    for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
      if (glob.test(path.slice(0, slash))) return true;
    }
    return false;
  };
  return { isNegated, test };
}
