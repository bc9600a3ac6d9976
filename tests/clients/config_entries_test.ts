/** The entries that a person puts into a client's file by hand. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { listConfigEntries } from "../../src/clients/config_entries.ts";

Deno.test("listConfigEntries() has an entry for each client in the form that it reads", () => {
  const command = { words: ["/opt/deno", "run", "main.ts"], isLocal: true };
  const plain = { command: "/opt/deno", args: ["run", "main.ts", "serve"] };
  const typed = { type: "stdio", ...plain };
  const entries = listConfigEntries(command).filter(({ id }) => id !== "codex");
  deepEqual(entries.map(({ file, entry }) => [file, entry]), [
    [".mcp.json", { mcpServers: { "code-intel": typed } }],
    [".cursor/mcp.json", { mcpServers: { "code-intel": plain } }],
    [".vscode/mcp.json", { servers: { "code-intel": typed } }],
    [".gemini/settings.json", { mcpServers: { "code-intel": plain } }],
    ["opencode.json", {
      mcp: {
        "code-intel": {
          type: "local",
          command: ["/opt/deno", "run", "main.ts", "serve"],
          enabled: true,
        },
      },
    }],
    ["~/.codeium/windsurf/mcp_config.json", { mcpServers: { "code-intel": plain } }],
    [".zed/settings.json", { context_servers: { "code-intel": plain } }],
  ]);
});
