/**
 * Finds out whether a client knows the server from any of the files in which it looks for servers.
 */
import { dirname, parse } from "node:path";
import { parseJsonc } from "../../base/text/jsonc.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { readRegularText } from "../../base/files/regular_file.ts";
import type { ClientName } from "../../clients/setup.ts";
import { SERVER_KEY } from "../../clients/setup.ts";
import { hasTable, parseTomlText } from "../edits/toml_edit.ts";
import type { Places } from "./places.ts";
import { toAbsolute } from "./places.ts";

/** Where each client looks for servers: in files of the project, and in those of the person. */
export const SERVER_FILES: Readonly<Record<ClientName, readonly string[]>> = {
  claude: [".mcp.json", "~/.claude.json"],
  codex: [".codex/config.toml", "~/.codex/config.toml"],
};

/** What people call the clients. */
export const CLIENT_TITLES: Readonly<Record<ClientName, string>> = {
  claude: "Claude Code",
  codex: "Codex",
};

/** True where one of the files has an entry for the server, whoever wrote it. */
export function hasServer(client: ClientName, places: Places): boolean {
  return SERVER_FILES[client].some((path) => {
    if (path.startsWith("~/") && places.home === null) return false;
    const file = toAbsolute(places, path);
    // The client follows links everywhere, so this does too.
    const within = parse(dirname(file)).root;
    const text = readRegularText(file, { within, maxBytes: LIMITS.setupFileBytes.value });
    if (text === undefined) return false;
    return client === "codex" ? isInToml(text) : isInJson(text, places.root);
  });
}

function isInToml(text: string): boolean {
  const parsed = parseTomlText(text);
  return parsed.kind === "toml" && hasTable(parsed.value, ["mcp_servers", SERVER_KEY]);
}

function isInJson(text: string, root: string): boolean {
  const parsed = parseJsonc(text);
  if (parsed.kind !== "value") return false;
  const ways = [["mcpServers"], ["projects", root, "mcpServers"]];
  return ways.some((way) => find(parsed.value, [...way, SERVER_KEY]) !== undefined);
}

function find(value: unknown, way: readonly string[]): unknown {
  return way.reduce<unknown>(
    (at, key) =>
      typeof at === "object" && at !== null && Object.hasOwn(at, key)
        ? (at as Readonly<Record<string, unknown>>)[key]
        : undefined,
    value,
  );
}
