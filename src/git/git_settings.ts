/**
 * What every git is started with: variables and settings under which a repository of strangers starts no
 * program of its own, asks nothing, fetches nothing, and hides no change. Pure but for the environment.
 */

/** Variables with which an outer git (a hook, an alias) would redirect our calls. */
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
 * Takes the redirecting variables out of this process once. A child can be given variables but not
 * be denied inherited ones, and an empty `GIT_DIR` is an error to git.
 */
export function dropInheritedVariables(): void {
  if (isEnvironmentClean) return;
  for (const name of INHERITED_VARIABLES) Deno.env.delete(name);
  isEnvironmentClean = true;
}

/** Without a terminal, an editor or a pager, nothing can wait for a person. */
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
 * For all but hooks: messages in one language, no writes in passing, and every object as it is, for
 * `git replace` would show another tree in the place of the one that the ledger knows.
 */
const PLAIN_ENVIRONMENT: Readonly<Record<string, string>> = {
  LC_ALL: "C",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_REPLACE_OBJECTS: "1",
};

/**
 * A partial clone fetches missing objects by programs that its configuration names. git 2.45 and newer know
 * the first variable; the second forbids every way of transport, and older ones end with it.
 */
const NO_NETWORK: Readonly<Record<string, string>> = {
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
};

/**
 * Settings that keep answers complete. A file monitor is a program of the repository and may lie, and stat
 * checks may be weakened by configuration; both would let a change go unseen. Submodules stay as they are.
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

/** No folder of hooks: git looks for files below a name that is no folder, and finds none. */
const NO_HOOK_FOLDER = "core.hooksPath=/dev/null";

/** Events that commands of the program can set off, for git 2.55 and newer, which has a switch for each. */
const EVENTS = ["reference-transaction", "post-index-change", "post-checkout", "pre-auto-gc"];

/** What one command asks for beside its arguments. */
export interface StartRules {
  /**
   * Which hooks of the repository may run: default none; `of_ref` those that git runs when it moves a branch;
   * `all` for `git hook run`, which also keeps the person's locale, settings and network.
   */
  readonly hooks?: "none" | "of_ref" | "all";
  /** Names of hooks that stand in the configuration (git 2.54 and newer). */
  readonly configuredHooks?: readonly string[];
}

/** The settings that stand before the command. Those given with `-c` reach the hooks' own git calls too. */
export function toSettings({ hooks = "none" }: StartRules): readonly string[] {
  if (hooks === "all") return [];
  const settings = hooks === "none" ? [...SAFE_SETTINGS, NO_HOOK_FOLDER] : SAFE_SETTINGS;
  return settings.flatMap((setting) => ["-c", setting]);
}

/** The variables of a command. */
export function toEnvironment(rules: StartRules): Readonly<Record<string, string>> {
  const { hooks = "none" } = rules;
  if (hooks === "all") return SAFE_ENVIRONMENT;
  const plain = { ...SAFE_ENVIRONMENT, ...PLAIN_ENVIRONMENT };
  return hooks === "of_ref" ? plain : { ...plain, ...NO_NETWORK, ...toSwitches(rules) };
}

/**
 * Switches configured hooks off, by name and by event. As variables, because a name may have an equals
 * sign, at which git would split an argument.
 */
function toSwitches({ configuredHooks = [] }: StartRules): Record<string, string> {
  if (configuredHooks.length === 0) return {};
  const names = [...new Set([...configuredHooks, ...EVENTS])];
  // The person may have given settings in the same way; they stay before ours.
  const first = Number(Deno.env.get("GIT_CONFIG_COUNT") ?? "0") || 0;
  const switches: Record<string, string> = { GIT_CONFIG_COUNT: `${first + names.length}` };
  names.forEach((name, at) => {
    switches[`GIT_CONFIG_KEY_${first + at}`] = `hook.${name}.enabled`;
    switches[`GIT_CONFIG_VALUE_${first + at}`] = "false";
  });
  return switches;
}

/** Reads the names of hooks from keys such as `hook.lint.command`; a name may have dots. */
export function toHookNames(keys: readonly string[]): readonly string[] {
  const names = keys.flatMap((key) => /^hook\.(.+)\.(?:command|event)$/is.exec(key)?.[1] ?? []);
  return [...new Set(names)];
}
