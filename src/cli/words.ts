/**
 * Words of replies for a person at a terminal: replies name tools, because agents read them; here each
 * tool becomes the command line that does the same. JSON output keeps the words of the protocol.
 */
import { PROGRAM_NAME } from "../base/version.ts";

/** The command that does what a tool does; a tool without one keeps its name. */
export const COMMANDS_OF_TOOLS: Readonly<Record<string, string>> = {
  start_session: "session start",
  submit_phase: "session submit",
  get_session_status: "session status",
  review_changes: "review",
  check_write_target: "check-write",
  // What a command shows counts as explored.
  add_explored_files: "symbols",
  cleanup_stale_branches: "clean",
  search_text: "text",
  search_files: "files",
  find_definitions: "def",
  find_references: "refs",
  get_symbols: "symbols",
  analyze_structure: "structure",
  get_function_at_line: "function",
  query: "query",
  sync_index: "index",
  semantic_search: "search",
  fetch_chunk_detail: "chunk",
  analyze_impact: "impact",
};

/** Wordings with arguments, before the names alone. */
const PHRASES: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/get_session_status with session_id "?(session_\w+)"?/g, line("session resume $1")],
  [/get_session_status with (?:(?:the|its|this) )?session_id/g, line("session resume SESSION")],
  [/get_session_status without session_id/g, line("session status")],
  [/get_session_status with discard_active: true/g, line("session status --discard-active")],
  [/add_explored_files \["([^"]+)"\]/g, line("symbols $1")],
  [/Send allow_new_files true\b/g, "Leave out --no-allow-new-files"],
  [/\b(on_unfinished|discard_active|include_ignored|include_hidden|max_bytes)\b/g, "--$1"],
  [/\bthe same call\b/g, "the same command"],
  [/\brepeat the call\b/g, "repeat the command"],
];
const OPTION = /--[a-z]+(?:_[a-z]+)+/g;
const NAMES = Object.keys(COMMANDS_OF_TOOLS).join("|");
const CALLED = new RegExp(`\\b(c|C)all (?=\`|(?:${NAMES})\\b)`, "g");
const THEN = new RegExp(`\\b(t|T)hen (?=(?:${NAMES})\\b)`, "g");
const NAMED = new RegExp(`(?<![\\w\`/.])(?:${NAMES})(?![\\w/.]*\\w)`, "g");

/** A text of a reply with command lines in place of tools. */
export function toTerminalWords(text: string): string {
  const phrased = PHRASES.reduce((all, [pattern, words]) => all.replace(pattern, words), text);
  return phrased
    .replace(OPTION, (option) => option.replaceAll("_", "-"))
    .replace(CALLED, (_, first) => first === "C" ? "Run " : "run ")
    .replace(THEN, (then) => `${then}run `)
    .replace(NAMED, (name) => line(COMMANDS_OF_TOOLS[name] ?? name));
}

/** The command line of the next call, for the field `call` of a reply. */
export function toNextCommand(tool: string): string {
  const command = COMMANDS_OF_TOOLS[tool];
  return command === undefined ? tool : `${PROGRAM_NAME} ${command}`;
}

function line(command: string): string {
  return `\`${PROGRAM_NAME} ${command}\``;
}
