/**
 * The command `hub serve`: a hub over HTTP. It keeps nothing of a client between two requests, so
 * that any server behind a balancer answers any request. One path tells a balancer whether this
 * server can answer. This thread speaks HTTP and the protocol; others answer.
 */
import type { ListToolsResult } from "@modelcontextprotocol/server";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import type { Logger } from "../../../base/logger.ts";
import { STDERR_LOGGER } from "../../../base/logger.ts";
import { LIMITS } from "../../../base/settings/limits.ts";
import { PROGRAM_NAME, VERSION } from "../../../base/version.ts";
import { waitAtMost } from "../../../base/clock.ts";
import type { HubStore } from "../hub_store.ts";
import type { ThreadBounds } from "../answers/answer_threads.ts";
import { AnswerThreads } from "../answers/answer_threads.ts";
import { listHubTools } from "../answers/hub_call.ts";
import { buildTextResult } from "../../../mcp/tool_result.ts";
import { copyRequest, listen, OWN_MACHINE } from "../../../mcp/transport/http_listen.ts";
import { checkRequest, MCP_PATH } from "../../../mcp/transport/http_gate.ts";
import { CodeIntelError } from "../../../base/errors.ts";
import { findStateDir } from "../../../base/files/user_folders.ts";
import type { Command, Invocation } from "../../../cli/command.ts";
import { loadHttpToken } from "../../../mcp/transport/http_token.ts";
import {
  makeNetworkDeniedError,
  readSecret,
  readText,
  STORE_OPTION,
  withStore,
} from "./with_store.ts";

/** What a hub is served with. */
export interface ServeHubOptions {
  /** The store, with its tables in form; asked here for nothing but whether it answers. */
  readonly store: HubStore;
  /** The threads that answer. */
  readonly bounds?: ThreadBounds;
  readonly logger: Logger;
  /** The address to listen on: 127.0.0.1 is reached by this machine alone. */
  readonly hostname: string;
  /** The port to listen on; 0 takes any free one. */
  readonly port: number;
  /** What clients have to send. */
  readonly token: string;
  /** Ends the server, when the calls that it has are answered. */
  readonly signal: AbortSignal;
  /** Called once clients can connect. */
  readonly onReady: (url: string) => void;
}

/** Answers 200 while the store does and calls are taken, else 503; it needs no token and says nothing else. */
const HEALTH_PATH = "/health";
/** Balancers name the client that they speak for. */
const FORWARDED = "x-forwarded-for";
/** The last answers are under way to their clients for so long at most. */
const LAST_MS = 1_000;
const INSTRUCTIONS =
  "A hub of many repositories, read only. Ask list_repositories first; find_definitions and find_references " +
  "without a repository look into all that have the symbol, search_text into all.";

/**
 * Serves until the signal ends it: then further calls are refused, and those that were taken are answered.
 *
 * @throws {CodeIntelError} `port_taken`; `io_failed` where the system lets nobody listen there.
 */
export async function serveHubOverHttp(options: ServeHubOptions): Promise<void> {
  const { hostname, token, logger, signal, store, bounds } = options;
  const threads = new AnswerThreads(store.link.place, logger, bounds);
  const handler = createMcpHandler(
    ({ authInfo }) => createHubServer(threads, authInfo?.clientId ?? ""),
    {
      legacy: "stateless",
      maxRequestBodySize: LIMITS.messageBytes.value,
      responseMode: "sse",
      onerror: (error) => logger.note(`protocol: ${error.message.slice(0, 300)}`),
    },
  );
  const isLocal = hostname === OWN_MACHINE;
  const [drain, end] = [new AbortController(), new AbortController()];
  try {
    const listener = listen({ ...options, portOption: "--port" }, {
      signal: end.signal,
      drain: drain.signal,
      onListen: (port) => options.onReady(`http://${hostname}:${port}${MCP_PATH}`),
      answer: (request, address) => {
        if (new URL(request.url).pathname === HEALTH_PATH) return answerHealth(options);
        const refused = checkRequest(request, token, { isLocal });
        if (refused !== null) return refused;
        const clientId = `${address} ${request.headers.get(FORWARDED) ?? ""}`;
        return handler.fetch(copyRequest(request), { authInfo: { token, clientId, scopes: [] } });
      },
    });
    await untilAborted(signal);
    await waitAtMost(threads.drain(), LIMITS.hubEndMs.value);
    drain.abort();
    await waitAtMost(listener.finished, LAST_MS);
    end.abort();
    await listener.finished;
  } finally {
    threads.close();
    await handler.close();
  }
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
}

async function answerHealth({ store, signal }: ServeHubOptions): Promise<Response> {
  if (!signal.aborted && await store.link.isUp()) return new Response("ok\n");
  const said = signal.aborted ? "the server is being ended" : "the store does not answer";
  return new Response(`${said}\n`, { status: 503 });
}

function createHubServer(threads: AnswerThreads, client: string): Server {
  const info = { name: PROGRAM_NAME, title: "code-intel hub", version: VERSION };
  const server = new Server(info, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  server.setRequestHandler("tools/list", (): ListToolsResult => ({
    tools: [...listHubTools()] as ListToolsResult["tools"],
  }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq: { signal } }) => {
    const { text, isOk } = await threads.call(params.name, params.arguments, { client, signal });
    return buildTextResult(text, isOk);
  });
  return server;
}

const MAX_PORT = 65_535;
const MAX_THREADS = 64;

/** After the last answer of a server: connections are closed. */
const GRACE_MS = 2_000;

/** Serves the hub over HTTP. */
export const HUB_SERVE: Command = {
  usage: "",
  positionals: [0, 0],
  example: "code-intel hub serve --port 8080",
  options: [
    STORE_OPTION,
    { name: "port", kind: "number", value: "PORT", summary: "Port (default: a free one)" },
    {
      name: "host",
      kind: "text",
      value: "ADDRESS",
      summary: "Address to listen on (default: 127.0.0.1; others need code-intel-hub)",
    },
    {
      name: "token-file",
      kind: "text",
      value: "FILE",
      summary: "File with the token of clients (default: that of the user)",
    },
    {
      name: "threads",
      kind: "number",
      value: "N",
      summary: "Calls that are answered at a time (default: processors, 2 to 8)",
    },
  ],
  run: (invocation) =>
    withStore(invocation, async (store) => {
      const { signal } = invocation;
      const port = readPort(invocation);
      const bounds = readBounds(invocation);
      const hostname = readText(invocation, "host") ?? "127.0.0.1";
      await allowListening(hostname);
      const token = await loadToken(invocation);
      invocation.extendGrace(LIMITS.hubEndMs.value + GRACE_MS);
      await serveHubOverHttp({
        ...{ store, bounds, logger: STDERR_LOGGER, hostname, port, token, signal },
        onReady: (url) => STDERR_LOGGER.note(`serving ${url}`),
      });
      return 0;
    }),
};

async function loadToken(invocation: Invocation): Promise<string> {
  const file = readText(invocation, "token-file");
  if (file === null) {
    const stateDir = findStateDir({ os: Deno.build.os, get: (name) => Deno.env.get(name) });
    const { token, path } = await loadHttpToken(stateDir);
    const shown = path === null ? token : `$(cat '${path}')`;
    STDERR_LOGGER.note(`header for clients: "Authorization: Bearer ${shown}"`);
    return token;
  }
  const token = readSecret(file, invocation.projectDir);
  if (/^[\w.~+/-]{32,512}=*$/.test(token)) return token;
  throw new CodeIntelError("bad_usage", `Cannot use the token in "${file}"`, {
    hint: "It needs at least 32 letters, digits or ._~+/-: `openssl rand -hex 32` makes one.",
  });
}

async function allowListening(hostname: string): Promise<void> {
  const { state } = await Deno.permissions.query({ name: "net", host: hostname });
  if (state !== "granted") throw makeNetworkDeniedError(`from ${hostname}`);
}

function readPort({ options }: Invocation): number {
  const port = options["port"] ?? 0;
  if (typeof port === "number" && port >= 0 && port <= MAX_PORT) return port;
  throw new CodeIntelError("bad_usage", `There is no port ${port}`, {
    hint: `Name one from 1 to ${MAX_PORT}, or leave it out for a free one.`,
  });
}

function readBounds({ options }: Invocation): { readonly threads?: number } {
  const threads = options["threads"];
  if (threads === undefined) return {};
  const isCount = Number.isInteger(threads);
  if (isCount && Number(threads) >= 1 && Number(threads) <= MAX_THREADS) {
    return { threads: Number(threads) };
  }
  throw new CodeIntelError("bad_usage", `Cannot answer with ${threads} threads`, {
    hint: `Name a number from 1 to ${MAX_THREADS}, or leave it out for as many as processors.`,
  });
}
