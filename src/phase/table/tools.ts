/** What the engine and the list of commands know of the tools without loading them. */
import { TOOL_TABLE } from "./tool_table.ts";

/** One tool. */
export interface KnownTool {
  readonly name: string;
  /** The command that does the same at a terminal. */
  readonly command: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** `more`: the command does more than the tool. `session`: it acts on the session itself. `files1`: what it shows, by rank. */
  readonly marks: readonly string[];
}

/** Every tool, in the order in which clients are shown them. */
export const KNOWN_TOOLS: readonly KnownTool[] = TOOL_TABLE.trim().split("\n").map((line) => {
  const [name = "", command = "", marks = "", summary = ""] = line.split("|");
  return { name, command, summary, marks: marks.split(" ") };
});

/** Tools that act on the session itself; their calls are not recorded and are no evidence. */
export const SESSION_TOOLS = KNOWN_TOOLS.filter(({ marks }) => marks.includes("session"))
  .map(({ name }) => name);

/** The tools that show definitions of symbols or files, the best one first. */
export function listShowingTools(kind: "symbols" | "files"): readonly string[] {
  const rankOf = ({ marks }: KnownTool) => marks.find((mark) => mark.startsWith(kind)) ?? "";
  return KNOWN_TOOLS.filter((one) => rankOf(one) !== "")
    .toSorted((one, other) => rankOf(one) < rankOf(other) ? -1 : 1).map(({ name }) => name);
}

/** Whether the command of a tool does the same as the tool, and no more. */
export function isSameCommand({ marks }: KnownTool): boolean {
  return !marks.includes("more");
}

/** A tool's own name as a command: `find-references`. */
export function formatCommandName(tool: string): string {
  return tool.replaceAll("_", "-");
}

/** The tool that a command calls, by its short name or by the tool's own; undefined for any other command. */
export function findToolOfCommand(command: string): string | undefined {
  return KNOWN_TOOLS.find((one) =>
    isSameCommand(one) &&
    (one.command === command || formatCommandName(one.name) === formatCommandName(command))
  )?.name;
}
