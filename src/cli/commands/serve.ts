/** The command `serve`: the MCP server over standard input and output. */
import { resolve } from "node:path";
import { STDERR_LOGGER } from "../../base/logger.ts";
import { serve } from "../../mcp/mod.ts";
import type { Services } from "../../services.ts";
import { closeSoon, openServices } from "../answer.ts";
import type { Command, Invocation } from "../command.ts";

/** The first answer comes before the background work that the first call begins. */
const SYNC_DELAY_MS = 300;

/** Serves until the client is gone. */
export const SERVE: Command = {
  usage: "",
  positionals: [0, 0],
  example: "code-intel serve --project ~/work/app",
  options: [],
  async run(invocation) {
    const projectDir = toProjectDir(invocation);
    const end = new AbortController();
    let services: Promise<Services> | undefined;
    let starting: ReturnType<typeof setTimeout> | undefined;
    await serve({
      logger: STDERR_LOGGER,
      signal: invocation.signal,
      loadServices: async () => {
        services = openServices(projectDir, { isServing: true });
        const opened = await services;
        starting = setTimeout(() => void opened.syncOnStart(end.signal), SYNC_DELAY_MS);
        return opened;
      },
    });
    clearTimeout(starting);
    end.abort();
    await closeSoon(services);
    return 0;
  },
};

/** Clients say where the project is in a variable; their working folder is not promised. */
function toProjectDir({ options, projectDir }: Invocation): string {
  const client = Deno.env.get("CLAUDE_PROJECT_DIR") ?? "";
  return options["project"] === undefined && client !== "" ? resolve(client) : projectDir;
}
