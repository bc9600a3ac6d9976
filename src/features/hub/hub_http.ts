/**
 * A hub over HTTP. It keeps nothing of a client between two requests, so that any server behind a balancer answers any
 * request, and one path tells a balancer whether this one can. This thread speaks HTTP and the protocol; others answer.
 */
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import type { ListToolsResult } from "@modelcontextprotocol/server";
import type { Logger } from "../../base/logger.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { PROGRAM_NAME, VERSION } from "../../base/version.ts";
import { waitAtMost } from "../../base/clock.ts";
import type { HubStore } from "./hub_store.ts";
import type { ThreadBounds } from "./answers/answer_threads.ts";
import { AnswerThreads } from "./answers/answer_threads.ts";
import { listHubTools } from "./answers/hub_call.ts";
import { toTextResult } from "../../mcp/tool_result.ts";
import { listen, OWN_MACHINE, toOwnRequest } from "../../mcp/transport/http_listen.ts";
import { checkRequest, MCP_PATH } from "../../mcp/transport/http_gate.ts";

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
        return handler.fetch(toOwnRequest(request), { authInfo: { token, clientId, scopes: [] } });
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
    return toTextResult(text, isOk);
  });
  return server;
}
