/** The server's entry for each client that reads one from a file, as its own documents show it. Pure. */
import { buildServerEntry } from "./claude_code.ts";
import { formatTomlTable } from "./codex.ts";
import type { ProgramCommand } from "./setup.ts";
import { SERVER_KEY } from "./setup.ts";

/** An entry to be put into a file by hand. */
export interface ConfigEntry {
  /** One word for programs. */
  readonly id: string;
  /** What people call the client. */
  readonly client: string;
  /** Relative to the project, or below `~/`. */
  readonly file: string;
  /** JSON members, or the text of a TOML table. */
  readonly entry: Readonly<Record<string, unknown>> | string;
}

interface Row extends Omit<ConfigEntry, "entry"> {
  readonly toEntry: (command: ProgramCommand) => ConfigEntry["entry"];
}

/** The form that most clients took over from the first one. */
const buildPlainEntry: Row["toEntry"] = ({ words: [command, ...args] }) => ({
  mcpServers: { [SERVER_KEY]: { command, args: [...args, "serve"] } },
});

const ROWS: readonly Row[] = [
  {
    id: "claude",
    client: "Claude Code",
    file: ".mcp.json",
    toEntry: (command) => ({ mcpServers: { [SERVER_KEY]: buildServerEntry(command) } }),
  },
  {
    id: "codex",
    client: "Codex",
    file: ".codex/config.toml",
    toEntry: (own) => formatTomlTable(own),
  },
  { id: "cursor", client: "Cursor", file: ".cursor/mcp.json", toEntry: buildPlainEntry },
  {
    id: "vscode",
    client: "VS Code",
    file: ".vscode/mcp.json",
    toEntry: (command) => ({ servers: { [SERVER_KEY]: buildServerEntry(command) } }),
  },
  { id: "gemini", client: "Gemini CLI", file: ".gemini/settings.json", toEntry: buildPlainEntry },
  {
    id: "opencode",
    client: "opencode",
    file: "opencode.json",
    toEntry: ({ words }) => ({
      mcp: { [SERVER_KEY]: { type: "local", command: [...words, "serve"], enabled: true } },
    }),
  },
  {
    id: "windsurf",
    client: "Windsurf",
    file: "~/.codeium/windsurf/mcp_config.json",
    toEntry: buildPlainEntry,
  },
  {
    id: "zed",
    client: "Zed",
    file: ".zed/settings.json",
    toEntry: ({ words: [command, ...args] }) => ({
      context_servers: { [SERVER_KEY]: { command, args: [...args, "serve"] } },
    }),
  },
];

/** The clients that have an entry, by their words. */
export const CONFIG_CLIENTS: readonly string[] = ROWS.map(({ id }) => id);

/** The entries of the clients that `ids` name, each of which starts the server; default all. */
export function listConfigEntries(
  command: ProgramCommand,
  ids: readonly string[] = CONFIG_CLIENTS,
): readonly ConfigEntry[] {
  return ROWS.filter(({ id }) => ids.includes(id)).map(({ toEntry, ...row }) => ({
    ...row,
    entry: toEntry(command),
  }));
}
