/**
 * Which git commands only read. They end with the process that asked, however that ends; all others go on to their end,
 * so that no index, ref or worktree is left half written.
 */

/** Commands that read whatever their options are, as the program uses them. */
const READING: ReadonlySet<string> = new Set([
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
  // Writes objects alone: what is begun when it ends is a file that git's next collection takes away.
  "merge-tree",
  "rev-list",
  "rev-parse",
  "show",
  "var",
  "version",
]);

/** Commands that read with this word among their arguments. */
const READING_WITH: ReadonlyMap<string, RegExp> = new Map([
  ["config", /^--get(?:-|$)/],
  ["merge-file", /^-p$/],
  ["worktree", /^list$/],
]);

/** Whether a command writes nothing that it must not leave half done. */
export function isReading(args: readonly string[]): boolean {
  const command = toCommand(args);
  if (READING.has(command)) return true;
  const word = READING_WITH.get(command);
  return word !== undefined && args.some((arg) => word.test(arg));
}

/** The name of a command, behind the options of git itself. */
export function toCommand(args: readonly string[]): string {
  return args.find((arg) => !arg.startsWith("-")) ?? "";
}
