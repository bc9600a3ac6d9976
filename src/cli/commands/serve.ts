/** The command `serve`: the MCP server over standard input and output, or over HTTP. */
import { resolve } from "node:path";
import { CodeIntelError } from "../../base/errors.ts";
import { releaseMemory } from "../../base/processes/worker_pool.ts";
import { endProgramsWithThisProcess } from "../../base/processes/process.ts";
import { loadOnce } from "../../base/lazy.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { STDERR_LOGGER } from "../../base/logger.ts";
import { findStateDir } from "../../base/files/user_folders.ts";
import type { Services } from "../../services/services_api.ts";
import type { ServeOptions } from "../../services/extension.ts";
import { askFeatures } from "../../services/extension.ts";
import { closeServices, openServices } from "../answer.ts";
import type { Command, Invocation } from "../command.ts";

/** The background work of a start begins so long after the first answer, which does most of it itself. */
const SYNC_DELAY_MS = 300;
/** A first call that takes longer, such as a run of tests, does not keep the index waiting. */
const LATEST_SYNC_MS = 5_000;

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
    const project = chooseProjectDir(invocation);
    const port = invocation.options["http"];
    const serveClients = typeof port === "number" ? findHttpServer(port, invocation) : serveStdio;
    endProgramsWithThisProcess();
    const end = new AbortController();
    const background = new Background(end.signal);
    const services = loadOnce(async () => {
      const opened = await openServices(project, { isServing: true });
      background.begin(opened);
      return opened;
    });
    const options = {
      logger: STDERR_LOGGER,
      signal: invocation.signal,
      loadServices: services,
      onAnswered: () => background.onAnswered(),
    };
    try {
      await serveClients(options);
    } finally {
      background.end();
      end.abort();
      await closeServices(services.started);
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
      releaseMemory();
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

/** The protocol is loaded only in a process that serves. */
const serveStdio = async (options: ServeOptions): Promise<void> =>
  await (await import("../../mcp/transport/server.ts")).serveOverStdio(options);

/**
 * The transport over HTTP of the feature that has one.
 *
 * @throws {CodeIntelError} `bad_usage` where this build has none.
 */
function findHttpServer(
  port: number,
  { features }: Pick<Invocation, "features">,
): typeof serveStdio {
  const serveHttp = askFeatures(features, "serveHttp");
  if (serveHttp === undefined) {
    throw new CodeIntelError("bad_usage", "This build cannot serve over HTTP", {
      hint: "Leave --http out: clients start the server and speak to it over its standard input.",
    });
  }
  const stateDir = findStateDir({ os: Deno.build.os, get: (name) => Deno.env.get(name) });
  const pages = features.flatMap(({ pages = [] }) => pages);
  return (options) => serveHttp({ ...options, port, stateDir, pages });
}

/**
 * The project's folder: clients name it in an environment variable, because their working folder
 * may be another.
 */
function chooseProjectDir(
  invocation: Invocation,
): Pick<Invocation, "projectDir" | "isNamed" | "features"> {
  const client = Deno.env.get("CLAUDE_PROJECT_DIR") ?? "";
  return invocation.isNamed || client === ""
    ? invocation
    : { projectDir: resolve(client), isNamed: false, features: invocation.features };
}
