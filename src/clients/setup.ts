/** What a client needs in its files, as data: `init` writes it, `uninstall` takes it out. */

/** A value in a JSON file of a client. */
export interface JsonPiece {
  /** Names of the members down to the value, or to the array that holds it. */
  readonly at: readonly string[];
  readonly value: unknown;
  /**
   * True for a group of hooks, which is an item of the array at `at`; absent for a member of an
   * object.
   */
  readonly isHookGroup?: true;
  /** True for any other item of the array at `at`. */
  readonly isItem?: true;
  /** True for an item that is only taken out, where an earlier run put it in. */
  readonly isUnwanted?: boolean;
}

/** What is wanted in one file. Paths are relative to the project, or begin with `~/`. */
export type DesiredFile =
  /**
   * A whole file of ours. `once` is written if it is missing and never changed again; `upgrade` is
   * replaced as long as nobody edited it.
   */
  | {
    readonly kind: "file";
    readonly path: string;
    readonly text: string;
    readonly policy: "once" | "upgrade";
    /**
     * Texts that earlier runs wrote there without `init`; a file with such a text counts as ours.
     */
    readonly formerly?: readonly string[];
  }
  | {
    readonly kind: "json";
    readonly path: string;
    readonly pieces: readonly JsonPiece[];
    /** What a person has to know of the edit, in one sentence of the plan. */
    readonly note?: string;
  }
  /** A table at the end of a TOML file. */
  | {
    readonly kind: "toml";
    readonly path: string;
    readonly table: readonly string[];
    readonly body: string;
    readonly note?: string;
  }
  /** A block of Markdown between markers. */
  | { readonly kind: "block"; readonly path: string; readonly body: string };

/** The name of a client. */
export type ClientName = "claude" | "codex";

/** How the program is called from the files of a client. */
export interface ProgramCommand {
  /**
   * The words before the arguments of each call: `["code-intel"]`, or a runtime with the path of
   * the source.
   */
  readonly words: readonly string[];
  /**
   * True where the words hold a path of this machine: then they go into files of the user, not of
   * the team.
   */
  readonly isLocal: boolean;
}

/** What a set-up is made for. */
export interface SetupInput {
  readonly command: ProgramCommand;
  /** Absolute path of the project. */
  readonly projectRoot: string;
  /** Texts of the skills by name, front matter and body apart. */
  readonly skills: readonly SkillText[];
  /** Text of the block in the client's instruction file. */
  readonly block: string;
  /** The client's instruction file that exists, or else its usual one. */
  readonly instructionFile: string;
  /** True where the client shall ask before it calls a tool of the server. Default false. */
  readonly isAsking?: boolean;
}

/** A skill as read from its template. */
export interface SkillText {
  readonly name: string;
  readonly description: string;
  /** What the user may type after the name. */
  readonly argumentHint: string;
  readonly body: string;
}

/** One hook: which event, for which tools, with how much time. */
export interface HookRow {
  /** The client's name of the event. */
  readonly event: string;
  /** The word after `code-intel hook`. */
  readonly word: string;
  /** The tools that the hook is for, as a regular expression of the client; absent for all. */
  readonly matcher?: string;
  readonly timeoutS: number;
}

/** The hooks of a client; the clients differ only in the names of their tools. */
export function listHookRows(
  tools: { readonly pre: string; readonly post: string },
): readonly HookRow[] {
  return [
    { event: "PreToolUse", word: "pre-tool-use", matcher: tools.pre, timeoutS: 15 },
    { event: "PostToolUse", word: "post-tool-use", matcher: tools.post, timeoutS: 15 },
    { event: "SessionStart", word: "session-start", timeoutS: 15 },
    { event: "SubagentStart", word: "subagent-start", timeoutS: 15 },
    // A proof at the end of a turn takes at most 120 seconds and what its last command needs to end.
    { event: "Stop", word: "stop", timeoutS: 150 },
    { event: "PreCompact", word: "pre-compact", timeoutS: 30 },
  ];
}

/** Said of the edit that lets a client call the server's tools without asking. */
export const PERMISSION_NOTE =
  "the server's tools are called without asking each time; --no-permissions leaves that out";

/** The name of the server in the files of both clients. */
export const SERVER_KEY = "code-intel";

/** The program's words quoted for a shell. */
export function quoteShellWords(words: readonly string[]): string {
  return words.map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
  )
    .join(" ");
}

/**
 * True for a group of hooks with a handler that calls this program, whoever wrote the other
 * handlers.
 */
export function isOurHookGroup(group: unknown): boolean {
  return listHandlers(group).some(isOurHandler);
}

/**
 * Positions of our handlers in a group to which a person has added others; null for a group that is
 * entirely ours or entirely foreign.
 */
export function findOurHandlers(group: unknown): readonly number[] | null {
  const handlers = listHandlers(group);
  const own = handlers.flatMap((handler, index) => isOurHandler(handler) ? [index] : []);
  return own.length === 0 || own.length === handlers.length ? null : own;
}

/** The group of hooks as `init` wrote it, without handlers that a person added. */
export function keepOurHooks(group: unknown): unknown {
  const own = findOurHandlers(group);
  if (own === null) return group;
  return { ...(group as object), hooks: own.map((index) => listHandlers(group)[index]) };
}

function listHandlers(group: unknown): readonly unknown[] {
  const handlers = (group as { readonly hooks?: unknown } | null)?.hooks;
  return Array.isArray(handlers) ? handlers : [];
}

function isOurHandler(handler: unknown): boolean {
  if (typeof handler !== "object" || handler === null) return false;
  const { command, args } = handler as { readonly command?: unknown; readonly args?: unknown };
  const words = [command, ...(Array.isArray(args) ? args : [])].join(" ");
  return /(?:code-intel(?:\.exe|@[\w.+-]+)?|src[\\/]main\.ts)['"]? hook [a-z-]+ --client (?:claude|codex)$/
    .test(words);
}
