/**
 * Which of the listed files belong to the index: `source_dirs` and `exclude_patterns` of the
 * configuration, and `.code-intelignore`, which is written like a `.gitignore`.
 */
import { isText, languageOfPath } from "../../language/languages.ts";
import { findIgnoring, readIgnoreRules, toIgnoreNotice } from "../../base/text/ignore_rules.ts";

/** Name of the file at the root of a project that names what to leave out. */
export const IGNORE_FILE = ".code-intelignore";

/** How a file that a rule leaves out is told from one that is left out for what it holds. */
export const RULE_REASONS = {
  ignored: IGNORE_FILE,
  excluded: "exclude_patterns",
  outside: "not below source_dirs",
} as const;

/** Outside too, but no answer about code misses it: documents, data, and hidden files such as those that `init` writes. */
const NO_SOURCE = "not below source_dirs, and no source";

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

// The program's own folder holds sessions and prompts, never code of the project.
const OWN_FOLDER = ".code-intel/";

/** Reads the rules. */
export function createFileRules(input: FileRuleInput): FileRules {
  const ignored = readIgnoreRules(input.ignoreText, { source: RULE_REASONS.ignored });
  // Each is a line of its own, so that its number says which one of the list is meant.
  const excluded = readIgnoreRules(input.excludePatterns.join("\n"), {
    source: RULE_REASONS.excluded,
    hasBraces: true,
  });
  const folders = input.sourceDirs.map(toFolder).filter((folder) => folder !== "");
  const leaveOut = (path: string) => {
    if (path.startsWith(OWN_FOLDER)) return "the program's own folder";
    if (folders.length > 0 && !folders.some((one) => path === one || path.startsWith(`${one}/`))) {
      return isSource(path) ? RULE_REASONS.outside : NO_SOURCE;
    }
    return (findIgnoring(path, excluded.rules) ?? findIgnoring(path, ignored.rules))?.source ??
      null;
  };
  return { leaveOut, notices: [...excluded.faults, ...ignored.faults].map(toIgnoreNotice) };
}

function isSource(path: string): boolean {
  const language = languageOfPath(path);
  return language !== undefined && !isText(language) && !/(?:^|\/)\./.test(path);
}

function toFolder(text: string): string {
  return text.split("/").filter((part) => part !== "" && part !== ".").join("/");
}
