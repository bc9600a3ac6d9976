/** What a client tells a hook, in one form for all clients; patches among it. Pure. */
import type { ShellContext } from "./shell_commands.ts";
import { choosePathRules, parseCommands } from "./shell_commands.ts";
import { asRecord } from "../base/text/json_record.ts";
import type { ClientName } from "../clients/setup.ts";
import { quoteShellWords } from "../clients/setup.ts";

const HEADER = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+?)\r?$/gm;

/** Every path of a patch, each once, and both paths of a move. Relative paths stay relative. */
export function listPatchPaths(patch: string): readonly string[] {
  return [...new Set([...patch.matchAll(HEADER)].map(([, path = ""]) => path.trim()))];
}

/**
 * Every path, absolute, of the patches that a command line applies. A patch is the text that
 * `apply_patch` reads, or its argument; one that reaches it another way, such as a pipe, is looked
 * for in the whole line.
 */
export function listShellPatches(line: string, place: ShellContext): readonly string[] {
  const { resolve } = choosePathRules(place.root);
  const paths = parseCommands(line, place)
    .filter(({ name }) => /^apply_?patch(?:\.bat|\.cmd)?$/.test(name))
    .flatMap(({ args, input, folder }) => {
      const own = listPatchPaths([input, ...args].join("\n"));
      const named = own.length > 0 ? own : listPatchPaths(line);
      return named.map((path) => resolve(folder, path));
    });
  return [...new Set(paths)];
}

/** The events that hooks answer, by the word after `code-intel hook`. */
export const HOOK_EVENTS = {
  "pre-tool-use": "PreToolUse",
  "post-tool-use": "PostToolUse",
  "session-start": "SessionStart",
  "subagent-start": "SubagentStart",
  "stop": "Stop",
  "pre-compact": "PreCompact",
} as const;

/** The word after `code-intel hook`. */
export type HookEventWord = keyof typeof HOOK_EVENTS;

/** What a tool of the client does, as far as the hooks need it. */
export type HookTool =
  | { readonly kind: "edit"; readonly paths: readonly string[] }
  | {
    readonly kind: "read";
    readonly path: string;
    /** Every text of the client's answer; the lines of the file are in one of them. */
    readonly texts: readonly string[];
  }
  | {
    readonly kind: "shell";
    readonly command: string;
    /** Every text of the client's answer; empty before the command has run. */
    readonly texts: readonly string[];
  }
  /** A tool of this server, without the client's prefix. */
  | { readonly kind: "own"; readonly name: string }
  | { readonly kind: "other" };

/** One event. */
export interface HookCall {
  readonly word: HookEventWord;
  readonly client: ClientName;
  /** The client's id of the conversation; empty where the client gives none. */
  readonly conversation: string;
  /** Absolute folder in which the client works; empty where the client does not say. */
  readonly cwd: string;
  readonly isSubagent: boolean;
  readonly tool: HookTool;
  /** Why a conversation begins: `startup`, `resume`, `clear`, `compact`, `fork`. */
  readonly source: string;
  /** True when the client continues because a hook has already stopped it from ending. */
  readonly isStopActive: boolean;
  /** The agent's last words; empty where the client does not give them. */
  readonly lastMessage: string;
  /** True while work of the client runs in the background. */
  readonly hasBackground: boolean;
}

type Input = Readonly<Record<string, unknown>>;

/** Reads an event; a field that is missing or of the wrong type counts as absent. */
export function parseHookCall(word: HookEventWord, client: ClientName, input: unknown): HookCall {
  const fields = asRecord(input);
  return {
    word,
    client,
    conversation: textOrEmpty(fields["session_id"]),
    cwd: textOrEmpty(fields["cwd"]),
    isSubagent: textOrEmpty(fields["agent_id"]) !== "",
    tool: parseTool(
      textOrEmpty(fields["tool_name"]),
      asRecord(fields["tool_input"]),
      fields["tool_response"],
    ),
    source: textOrEmpty(fields["source"]),
    isStopActive: fields["stop_hook_active"] === true,
    lastMessage: textOrEmpty(fields["last_assistant_message"]),
    hasBackground: Array.isArray(fields["background_tasks"]) &&
      fields["background_tasks"].length > 0,
  };
}

const OWN_TOOL = /^mcp__(?:plugin_.+_)?code[-_]intel__(.+)$/;

/** The tools of both clients by name; no name means different tools in the two. */
const TOOLS: Readonly<Record<string, (input: Input, response: unknown) => HookTool>> = {
  Edit: parsePathEdit,
  Write: parsePathEdit,
  MultiEdit: parsePathEdit,
  NotebookEdit: ({ notebook_path: path }) => buildEdit([textOrEmpty(path)]),
  apply_patch: ({ command, input }) =>
    buildEdit(listPatchPaths(textOrEmpty(command) || textOrEmpty(input))),
  Read: ({ file_path: path }, response) => ({
    kind: "read",
    path: textOrEmpty(path),
    texts: listTexts(response),
  }),
  Bash: parseShell,
  PowerShell: parseShell,
};

/** Every text in a value, whatever form a client gives its answers. */
function listTexts(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(listTexts);
}

function parseTool(name: string, input: Input, response: unknown): HookTool {
  const own = OWN_TOOL.exec(name)?.[1];
  if (own !== undefined) return { kind: "own", name: own };
  return Object.hasOwn(TOOLS, name) ? TOOLS[name]?.(input, response) ?? OTHER : OTHER;
}

const OTHER: HookTool = { kind: "other" };

function parsePathEdit({ file_path: path }: Input): HookTool {
  return buildEdit([textOrEmpty(path)]);
}

function buildEdit(paths: readonly string[]): HookTool {
  return { kind: "edit", paths: paths.filter((path) => path !== "") };
}

function parseShell({ command }: Input, response: unknown): HookTool {
  // The words of a list are quoted: each of them is one word for the shell too.
  const line = Array.isArray(command)
    ? quoteShellWords(command.map(textOrEmpty))
    : textOrEmpty(command);
  return { kind: "shell", command: line, texts: listTexts(response) };
}

function textOrEmpty(value: unknown): string {
  return typeof value === "string" ? value : "";
}
