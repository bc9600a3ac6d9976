/**
 * Tells which git commands only read. These end with the process that started them; all others run
 * to their end, so that no index, ref or worktree is left half written.
 */
import { LIMITS } from "../base/settings/limits.ts";

/** Commands that only read with every option that this program uses. */
const READING: ReadonlySet<string> = new Set([
  "blame",
  "cat-file",
  "check-attr",
  "check-ignore",
  "diff",
  "diff-files",
  "diff-index",
  "diff-tree",
  "for-each-ref",
  "log",
  "ls-files",
  "ls-tree",
  "merge-base",
  // Writes only objects: an unfinished one is a file that git's next garbage collection removes.
  "merge-tree",
  "rev-list",
  "rev-parse",
  "show",
  "var",
  "version",
]);

/** Commands that only read when an argument matches. */
const READING_WITH: ReadonlyMap<string, RegExp> = new Map([
  ["config", /^--get(?:-|$)/],
  ["merge-file", /^-p$/],
  ["worktree", /^list$/],
]);

/** Whether a command may be ended at any time without leaving anything half written. */
export function isReading(args: readonly string[]): boolean {
  const command = toCommand(args);
  if (READING.has(command)) return true;
  const word = READING_WITH.get(command);
  return word !== undefined && args.some((arg) => word.test(arg));
}

/** Commands that compare the lines of files. */
const COMPARING: ReadonlySet<string> = new Set(["diff", "diff-index", "diff-tree", "log", "show"]);

/**
 * Settings of a comparison: larger files are compared as a whole, as binary ones are, because the lines of a file of
 * hundreds of megabytes take minutes and more output than is read.
 */
export function toDiffSettings(args: readonly string[]): readonly string[] {
  if (!COMPARING.has(toCommand(args))) return [];
  return ["-c", `core.bigFileThreshold=${LIMITS.comparedFileMb.value}m`];
}

/** Options of git itself whose value is the next argument. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  "-c",
  "-C",
  "--config-env",
  "--git-dir",
  "--namespace",
  "--super-prefix",
  "--work-tree",
]);

/** The name of a command, after git's own options and their values. */
export function toCommand(args: readonly string[]): string {
  return args.find((arg, at) => !arg.startsWith("-") && !WITH_VALUE.has(args[at - 1] ?? "")) ?? "";
}
