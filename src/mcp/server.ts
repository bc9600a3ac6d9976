/**
 * The MCP server over stdio. Holds only what the handshake needs; tools, schemas and services are
 * loaded with the first listing or call. The only file that touches standard output while serving.
 */
import type {
  CallToolRequest,
  InputRequiredResult,
  ListToolsResult,
  McpRequestContext,
  ServerContext,
} from "@modelcontextprotocol/server";
import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Logger } from "../base/logger.ts";
import { PROGRAM_NAME, VERSION } from "../base/version.ts";
import type { Services } from "../services.ts";
import type { CallAsker } from "./elicitation.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { createProgress } from "./progress.ts";
import type { ToolResult } from "./result.ts";
import { StdioTransport } from "./stdio_transport.ts";

/** What the server runs with. */
export interface ServeOptions {
  /** Gives the services; called with the first tool call, and again only after a failure. */
  readonly loadServices: () => Promise<Services>;
  readonly logger: Logger;
  /** Ends the server from outside. */
  readonly signal?: AbortSignal;
}

/** How often the parent process is looked at; half the second in which the server has to end. */
const PARENT_CHECK_MS = 500;

/** Serves until the client closes the input, the parent process is gone, or `signal` ends it. */
export async function serveOverStdio(options: ServeOptions): Promise<void> {
  keepOutputClean(options.logger);
  const transport = new StdioTransport({
    input: Deno.stdin.readable,
    write: (bytes) => Deno.stdout.write(bytes),
  });
  const loadServices = once(options.loadServices);
  const close = () => void transport.close();
  options.signal?.addEventListener("abort", close, { once: true });
  const parentCheck = watchParent(close);
  serveStdio(({ era }) => createServer(era, { ...options, loadServices }), {
    transport,
    onerror: (error) => options.logger.note(`protocol: ${error.message.slice(0, 300)}`),
  });
  try {
    await transport.closed;
  } finally {
    clearInterval(parentCheck);
  }
}

type Era = McpRequestContext["era"];

function createServer(era: Era, options: ServeOptions): Server {
  const info = { name: PROGRAM_NAME, title: "code-intel", version: VERSION };
  const server = new Server(info, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  server.setRequestHandler("tools/list", async (): Promise<ListToolsResult> => {
    const { listTools } = await import("./tools.ts");
    return { tools: [...listTools()] as ListToolsResult["tools"] };
  });
  const loadRounds = once(async () => new (await import("./elicitation.ts")).Rounds());
  const loadAsker = async ({ params }: CallToolRequest, { mcpReq }: ServerContext) => {
    const { createCallAsker } = await import("./elicitation.ts");
    const { name: tool, arguments: args } = params;
    const elicitation = server.getClientCapabilities()?.elicitation;
    return await createCallAsker({
      era,
      tool,
      args,
      elicitation,
      mcpReq,
      rounds: await loadRounds(),
    });
  };
  server.setRequestHandler(
    "tools/call",
    async (request, context) =>
      answerCall(request, context, { ...options, asker: await loadAsker(request, context) }),
  );
  return server;
}

async function answerCall(
  { params }: CallToolRequest,
  { mcpReq }: ServerContext,
  { loadServices, logger, asker }: ServeOptions & { readonly asker: CallAsker },
): Promise<ToolResult | InputRequiredResult> {
  const { callTool } = await import("./call.ts");
  const { toToolResult } = await import("./result.ts");
  const progress = createProgress(mcpReq._meta?.progressToken, mcpReq.notify);
  const { signal } = mcpReq;
  const options = { loadServices, signal, via: "mcp", logger, progress, asker } as const;
  const reply = await callTool(params.name, params.arguments, options);
  // A form is open: the client repeats the call with the answer, and sees the reply of that one.
  return asker.open ?? toToolResult(reply);
}

/** Remembers the first success; a failure (no project folder yet) is tried again by the next call. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((failure) => {
      loading = undefined;
      throw failure;
    });
    return loading;
  };
}

/** A client that is killed may leave our input open in another process; its death changes our parent. */
function watchParent(onGone: () => void): ReturnType<typeof setInterval> {
  const parent = Deno.ppid;
  return setInterval(() => {
    if (Deno.ppid !== parent) onGone();
  }, PARENT_CHECK_MS);
}

/** What a dependency prints must not get between the messages: it goes to standard error. */
function keepOutputClean(logger: Logger): void {
  const note = (...parts: unknown[]) => logger.note(parts.map(String).join(" "));
  Object.assign(globalThis.console, { log: note, info: note, debug: note });
}
