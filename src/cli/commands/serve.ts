/** The command `serve`: the MCP server over standard input and output, or over HTTP. */
import { resolve } from "node:path";
import { CodeIntelError } from "../../base/errors.ts";
import { giveMemoryBack } from "../../base/processes/free_memory.ts";
import { endProgramsWithThisProcess } from "../../base/processes/process.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { STDERR_LOGGER } from "../../base/logger.ts";
import { toStateDir } from "../../base/files/user_folders.ts";
import type { HttpToken } from "../../mcp/mod.ts";
import { serve, serveHttp } from "../../mcp/mod.ts";
import type { Services } from "../../services/mod.ts";
import { closeSoon, openServices } from "../answer.ts";
import type { Command, Invocation } from "../command.ts";

/** The background work of a start begins so long after the first answer, which does most of it itself. */
const SYNC_DELAY_MS = 300;
/** A first call that takes longer, such as a run of tests, does not keep the index waiting. */
const LATEST_SYNC_MS = 5_000;
const MAX_PORT = 65_535;

/** Serves until the client is gone; over HTTP until Ctrl-C or a signal. */
export const SERVE: Command = {
  usage: "",
  positionals: [0, 0],
  example: "code-intel serve --project ~/work/app",
  options: [{
    name: "http",
    kind: "number",
    value: "PORT",
    fallback: "0",
    summary: "Serve Streamable HTTP on 127.0.0.1 with a token (default: a free port)",
  }],
  async run(invocation) {
    const project = toProject(invocation);
    const port = toPort(invocation);
    endProgramsWithThisProcess();
    const end = new AbortController();
    let services: Promise<Services> | undefined;
    const background = new Background(end.signal);
    const options = {
      logger: STDERR_LOGGER,
      signal: invocation.signal,
      loadServices: async () => {
        services = openServices(project, { isServing: true });
        const opened = await services;
        background.begin(opened);
        return opened;
      },
      onAnswered: () => background.onAnswered(),
    };
    try {
      await (port === null ? serve(options) : serveHttp({
        ...options,
        port,
        stateDir: toStateDir({ os: Deno.build.os, get: (name) => Deno.env.get(name) }),
        onReady: announce,
      }));
    } finally {
      background.end();
      end.abort();
      await closeSoon(services);
    }
    return 0;
  },
};

/** What a server does between answers: it brings the index up to date once, and gives memory back when nobody asks. */
class Background {
  readonly #signal: AbortSignal;
  #services: Services | null = null;
  #starting: ReturnType<typeof setTimeout> | undefined;
  #hasStarted = false;
  #resting: ReturnType<typeof setTimeout> | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  begin(services: Services): void {
    this.#services = services;
    this.#startIn(LATEST_SYNC_MS);
  }

  onAnswered(): void {
    const services = this.#services;
    if (services === null || this.#signal.aborted) return;
    if (!this.#hasStarted) this.#startIn(SYNC_DELAY_MS);
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => {
      services.index.rest();
      giveMemoryBack();
    }, LIMITS.serverRestMs.value);
    Deno.unrefTimer(this.#resting);
  }

  end(): void {
    clearTimeout(this.#starting);
    clearTimeout(this.#resting);
  }

  #startIn(delayMs: number): void {
    clearTimeout(this.#starting);
    this.#starting = setTimeout(() => {
      this.#hasStarted = true;
      void this.#services?.syncOnStart(this.#signal);
    }, delayMs);
  }
}

/**
 * Prints where clients connect and with which token; the token itself only where no file can hold
 * it.
 */
function announce({ url, token, path }: HttpToken & { readonly url: string }): void {
  STDERR_LOGGER.note(`serving ${url}`);
  STDERR_LOGGER.note(`the running session in a browser, with the token: ${new URL("/", url).href}`);
  STDERR_LOGGER.note(
    path === null
      ? `header for clients: "Authorization: Bearer ${token}" (for this run alone)`
      : `header for clients: "Authorization: Bearer $(cat '${path}')"`,
  );
}

function toPort({ options }: Invocation): number | null {
  const port = options["http"];
  if (typeof port !== "number") return null;
  if (port >= 0 && port <= MAX_PORT) return port;
  throw new CodeIntelError("bad_usage", `There is no port ${port}`, {
    hint: `Name one from 1 to ${MAX_PORT}, or leave it out for a free one.`,
  });
}

/**
 * The project's folder: clients name it in an environment variable, because their working folder
 * may be another.
 */
function toProject(
  invocation: Invocation,
): Pick<Invocation, "projectDir" | "isNamed" | "features"> {
  const client = Deno.env.get("CLAUDE_PROJECT_DIR") ?? "";
  return invocation.isNamed || client === ""
    ? invocation
    : { projectDir: resolve(client), isNamed: false, features: invocation.features };
}
