/**
 * A hub over HTTP. It keeps nothing of a client between two requests, so that any server behind a balancer answers any
 * request, and one path tells a balancer whether this one can.
 */
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import type { ListToolsResult } from "@modelcontextprotocol/server";
import { LIMITS } from "../../base/settings/limits.ts";
import { PROGRAM_NAME, VERSION } from "../../base/version.ts";
import type { HubParts } from "../../tools/mod.ts";
import { callHubTool, listHubTools } from "../../tools/mod.ts";
import { toToolResult } from "../tool_result.ts";
import { listen, toOwnRequest } from "./http.ts";
import { checkRequest, MCP_PATH } from "./http_gate.ts";

/** What a hub is served with. */
export interface ServeHubOptions extends HubParts {
  /** The address to listen on: 127.0.0.1 is reached by this machine alone. */
  readonly hostname: string;
  /** The port to listen on; 0 takes any free one. */
  readonly port: number;
  /** What clients have to send. */
  readonly token: string;
  readonly signal: AbortSignal;
  /** Called once clients can connect. */
  readonly onReady: (url: string) => void;
}

/** Answers 200 while the store answers, else 503; it needs no token and says nothing else. */
const HEALTH_PATH = "/health";
const INSTRUCTIONS =
  "A hub of many repositories, read only. Ask list_repositories first; find_definitions and find_references " +
  "without a repository look into all that have the symbol.";

/**
 * Serves until the signal ends it.
 *
 * @throws {CodeIntelError} `port_taken`.
 */
export async function serveHubOverHttp(options: ServeHubOptions): Promise<void> {
  const { hostname, token, logger, signal, store } = options;
  const handler = createMcpHandler(() => createHubServer(options), {
    legacy: "stateless",
    maxRequestBodySize: LIMITS.messageBytes.value,
    responseMode: "sse",
    onerror: (error) => logger.note(`protocol: ${error.message.slice(0, 300)}`),
  });
  const isLocal = hostname === "127.0.0.1";
  const listener = listen(options, {
    signal,
    onListen: (port) => options.onReady(`http://${hostname}:${port}${MCP_PATH}`),
    answer: (request) => {
      if (new URL(request.url).pathname === HEALTH_PATH) return answerHealth(store);
      return checkRequest(request, token, { isLocal }) ?? handler.fetch(toOwnRequest(request));
    },
  });
  await listener.finished;
  await handler.close();
}

function answerHealth(store: HubParts["store"]): Response {
  try {
    store.link.exec("SELECT 1");
    return new Response("ok\n");
  } catch {
    return new Response("the store does not answer\n", { status: 503 });
  }
}

function createHubServer(parts: HubParts): Server {
  const info = { name: PROGRAM_NAME, title: "code-intel hub", version: VERSION };
  const server = new Server(info, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  server.setRequestHandler("tools/list", async (): Promise<ListToolsResult> => ({
    tools: [...await listHubTools()] as ListToolsResult["tools"],
  }));
  server.setRequestHandler(
    "tools/call",
    async ({ params }, { mcpReq: { signal } }) =>
      toToolResult(await callHubTool(params.name, params.arguments, { ...parts, signal })),
  );
  return server;
}
