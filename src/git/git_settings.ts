/**
 * The variables and settings of every git command, and which commands only read. With them a foreign repository can
 * start no program of its own; git asks nothing, fetches nothing and hides no change. Pure, except that it reads the
 * environment.
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
  const command = findCommandName(args);
  if (READING.has(command)) return true;
  const word = READING_WITH.get(command);
  return word !== undefined && args.some((arg) => word.test(arg));
}

/** Commands that compare the lines of files. */
const COMPARING: ReadonlySet<string> = new Set(["diff", "diff-index", "diff-tree", "log", "show"]);

/**
 * Settings of a comparison: larger files are compared as a whole, as binary ones are. The lines of
 * a file of hundreds of megabytes take minutes and more output than is read.
 */
export function chooseDiffSettings(args: readonly string[]): readonly string[] {
  if (!COMPARING.has(findCommandName(args))) return [];
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
export function findCommandName(args: readonly string[]): string {
  return args.find((arg, at) => !arg.startsWith("-") && !WITH_VALUE.has(args[at - 1] ?? "")) ?? "";
}

/** Variables by which an outer git (a hook, an alias) would redirect our commands. */
const INHERITED_VARIABLES = [
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_COMMON_DIR",
  "GIT_DIR",
  "GIT_GLOB_PATHSPECS",
  "GIT_GRAFT_FILE",
  "GIT_ICASE_PATHSPECS",
  "GIT_IMPLICIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_INDEX_VERSION",
  "GIT_INTERNAL_SUPER_PREFIX",
  "GIT_LITERAL_PATHSPECS",
  "GIT_NAMESPACE",
  "GIT_NOGLOB_PATHSPECS",
  "GIT_OBJECT_DIRECTORY",
  "GIT_PREFIX",
  "GIT_QUARANTINE_PATH",
  "GIT_REFLOG_ACTION",
  "GIT_SHALLOW_FILE",
  "GIT_TRACE",
  "GIT_WORK_TREE",
  "GIT_EXTERNAL_DIFF",
  "GIT_DIFF_OPTS",
] as const;

let isEnvironmentClean = false;

/**
 * Removes the redirecting variables from this process. A child process cannot be kept from
 * inheriting them, and git takes an empty `GIT_DIR` for an error.
 */
export function dropInheritedVariables(): void {
  if (isEnvironmentClean) return;
  for (const name of INHERITED_VARIABLES) Deno.env.delete(name);
  isEnvironmentClean = true;
}

/** Without terminal, editor and pager, no command can wait for a person. */
const SAFE_ENVIRONMENT: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_EDITOR: ":",
  GIT_SEQUENCE_EDITOR: ":",
  GIT_PAGER: "cat",
  GIT_ASKPASS: "true",
  SSH_ASKPASS: "true",
  GIT_MERGE_AUTOEDIT: "no",
};

/**
 * Variables of all commands but hooks: messages in one language, no optional writes, no replaced
 * objects and no grafts (the path leads to no file). Replaced objects and grafts exist in one clone
 * only. `git replace` would show another tree than the one that the ledger knows. A graft would
 * show other parents than everybody else sees.
 */
const PLAIN_ENVIRONMENT: Readonly<Record<string, string>> = {
  LC_ALL: "C",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_GRAFT_FILE: "/dev/null/none",
};

/**
 * A partial clone fetches missing objects with programs that its configuration names. Git 2.45 and
 * newer obey the first variable; the second one forbids every transport, so that older versions
 * fail instead.
 */
const NO_NETWORK: Readonly<Record<string, string>> = {
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
};

/**
 * Settings that keep answers complete. A file monitor is a program of the repository that may lie,
 * and the configuration may weaken the comparison of stat data; both could hide a change.
 * Submodules are left alone.
 */
const SAFE_SETTINGS = [
  "core.quotePath=false",
  "core.fsmonitor=false",
  "core.trustctime=true",
  "core.checkStat=default",
  "core.splitIndex=false",
  "submodule.recurse=false",
  "i18n.commitEncoding=UTF-8",
  "i18n.logOutputEncoding=UTF-8",
  "advice.addEmbeddedRepo=false",
];

/** Git looks for hook files below this path, which is no folder, and finds none. */
const NO_HOOK_FOLDER = "core.hooksPath=/dev/null";

/**
 * Events that this program's commands may cause; git 2.55 and newer can switch off each of them.
 */
const EVENTS = ["reference-transaction", "post-index-change", "post-checkout", "pre-auto-gc"];

/** What a command needs beside its arguments. */
export interface StartRules {
  /**
   * Which hooks of the repository may run. Default none; `of_ref`: those that git runs when a
   * branch moves; `all`: for `git hook run`, which also gets the user's locale, settings and
   * network.
   */
  readonly hooks?: "none" | "of_ref" | "all";
  /** Names of hooks in the configuration (git 2.54 and newer). */
  readonly configuredHooks?: readonly string[];
}

/**
 * The settings before the command. Settings given with `-c` also reach git commands that hooks run.
 */
export function buildSettings({ hooks = "none" }: StartRules): readonly string[] {
  if (hooks === "all") return [];
  const settings = hooks === "none" ? [...SAFE_SETTINGS, NO_HOOK_FOLDER] : SAFE_SETTINGS;
  return settings.flatMap((setting) => ["-c", setting]);
}

/** The variables of a command. */
export function buildEnvironment(rules: StartRules): Readonly<Record<string, string>> {
  const { hooks = "none" } = rules;
  if (hooks === "all") return SAFE_ENVIRONMENT;
  const plain = { ...SAFE_ENVIRONMENT, ...PLAIN_ENVIRONMENT };
  return hooks === "of_ref" ? plain : { ...plain, ...NO_NETWORK, ...buildHookSwitches(rules) };
}

/** The variables that lead git to a directory of the program's own, where no settings of the user or the machine count. */
export function buildPrivateEnvironment(
  gitDir: string,
  worktree: string,
): Readonly<Record<string, string>> {
  return {
    GIT_DIR: gitDir,
    GIT_WORK_TREE: worktree,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_COUNT: "0",
    GIT_CONFIG_PARAMETERS: "",
    GIT_ATTR_NOSYSTEM: "1",
  };
}

/**
 * Switches configured hooks off, by name and by event. Variables are used because a name may
 * contain an equals sign, at which git would split an argument.
 */
function buildHookSwitches({ configuredHooks = [] }: StartRules): Record<string, string> {
  if (configuredHooks.length === 0) return {};
  const names = [...new Set([...configuredHooks, ...EVENTS])];
  // Settings that the user gave by such variables stay, and ours come after them.
  const first = Number(Deno.env.get("GIT_CONFIG_COUNT") ?? "0") || 0;
  const switches: Record<string, string> = { GIT_CONFIG_COUNT: `${first + names.length}` };
  names.forEach((name, at) => {
    switches[`GIT_CONFIG_KEY_${first + at}`] = `hook.${name}.enabled`;
    switches[`GIT_CONFIG_VALUE_${first + at}`] = "false";
  });
  return switches;
}

/** Reads the names of hooks from keys such as `hook.lint.command`; a name may have dots. */
export function parseHookNames(keys: readonly string[]): readonly string[] {
  const names = keys.flatMap((key) => /^hook\.(.+)\.(?:command|event)$/is.exec(key)?.[1] ?? []);
  return [...new Set(names)];
}
