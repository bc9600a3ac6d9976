/** The command `serve`: the MCP server over standard input and output. */
import { resolve } from "node:path";
import { STDERR_LOGGER } from "../../base/logger.ts";
import { serve } from "../../mcp/mod.ts";
import { openServices } from "../answer.ts";
import type { Command, Invocation } from "../command.ts";

/** Serves until the client is gone. */
export const SERVE: Command = {
  usage: "",
  positionals: [0, 0],
  example: "code-intel serve --project ~/work/app",
  options: [],
  async run(invocation) {
    const projectDir = toProjectDir(invocation);
    await serve({
      logger: STDERR_LOGGER,
      signal: invocation.signal,
      loadServices: () => openServices(projectDir),
    });
    return 0;
  },
};

/** Clients say where the project is in a variable; their working folder is not promised. */
function toProjectDir({ options, projectDir }: Invocation): string {
  const client = Deno.env.get("CLAUDE_PROJECT_DIR") ?? "";
  return options["project"] === undefined && client !== "" ? resolve(client) : projectDir;
}
