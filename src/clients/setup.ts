/** What a client needs in its files, as data: `init` writes it, `uninstall` takes it out. */

/** A value in a JSON file of a client. */
export interface JsonPiece {
  /** Names of the members down to the value, or to the array that holds it. */
  readonly at: readonly string[];
  readonly value: unknown;
  /** True for a group of hooks, an item of the array at `at`; absent for a member. */
  readonly isHookGroup?: true;
}

/** What is wanted of one file. Paths are relative to the project, or begin with `~/`. */
export type FileWish =
  /** A file of our own. `once` never touches it again, `upgrade` as long as nobody edited it. */
  | {
    readonly kind: "file";
    readonly path: string;
    readonly text: string;
    readonly policy: "once" | "upgrade";
    /** Texts that the program wrote there without `init`: they count as its own. */
    readonly formerly?: readonly string[];
  }
  | { readonly kind: "json"; readonly path: string; readonly pieces: readonly JsonPiece[] }
  /** A table at the end of a TOML file. */
  | {
    readonly kind: "toml";
    readonly path: string;
    readonly table: readonly string[];
    readonly body: string;
  }
  /** A block of Markdown between markers. */
  | { readonly kind: "block"; readonly path: string; readonly body: string };

/** The name of a client. */
export type ClientName = "claude" | "codex";

/** How the program is called from the files of a client. */
export interface ProgramCommand {
  /** Words that begin every call: `["code-intel"]`, or a runtime with the path of the source. */
  readonly words: readonly string[];
  /** True for a path of this machine: it goes into files of the person, not of the team. */
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
  /** The instruction file of the client that is there, or its usual one. */
  readonly instructionFile: string;
}

/** A skill as its template has it. */
export interface SkillText {
  readonly name: string;
  readonly description: string;
  /** What the person may type behind the name. */
  readonly argumentHint: string;
  readonly body: string;
}

/** One hook: which event, for which tools, with how much time. */
export interface HookRow {
  /** The client's name of the event. */
  readonly event: string;
  /** The word behind `code-intel hook`. */
  readonly word: string;
  /** The tools that it is for, as the client's regular expression. */
  readonly matcher?: string;
  readonly timeoutS: number;
}

/** The hooks of a client; only the names of the tools differ. */
export function toHookRows(
  tools: { readonly pre: string; readonly post: string },
): readonly HookRow[] {
  return [
    { event: "PreToolUse", word: "pre-tool-use", matcher: tools.pre, timeoutS: 15 },
    { event: "PostToolUse", word: "post-tool-use", matcher: tools.post, timeoutS: 15 },
    { event: "SessionStart", word: "session-start", timeoutS: 15 },
    { event: "SubagentStart", word: "subagent-start", timeoutS: 15 },
    { event: "Stop", word: "stop", timeoutS: 15 },
    { event: "PreCompact", word: "pre-compact", timeoutS: 30 },
  ];
}

/** The server's key in both clients. */
export const SERVER_KEY = "code-intel";

/** The first words of the program as a shell reads them. */
export function toShellWords(words: readonly string[]): string {
  return words.map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
  )
    .join(" ");
}

/** True for a group of hooks in which a handler calls this program, whoever wrote the others. */
export function isOurHookGroup(group: unknown): boolean {
  return listHandlers(group).some(isOurHandler);
}

/**
 * Positions of our handlers in a group that a person has added to; null where the group is as one hand wrote
 * it, ours or another.
 */
export function findOurHandlers(group: unknown): readonly number[] | null {
  const handlers = listHandlers(group);
  const own = handlers.flatMap((handler, index) => isOurHandler(handler) ? [index] : []);
  return own.length === 0 || own.length === handlers.length ? null : own;
}

/** A group of hooks as `init` wrote it: without the handlers that a person has added. */
export function toOurHookGroup(group: unknown): unknown {
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
  return /(?:code-intel|src[\\/]main\.ts)['"]? hook [a-z-]+ --client (?:claude|codex)$/.test(words);
}
