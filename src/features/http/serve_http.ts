/**
 * The server process over HTTP: on 127.0.0.1 only, with one token, at one path for both generations of the protocol, and
 * with a page that shows the running session to a person.
 */
import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import { CodeIntelError } from "../../base/errors.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { serveBehindFront } from "../../mcp/transport/http_front.ts";
import type { FrontOptions } from "../../mcp/transport/http_front.ts";
import { REPORT_PATH } from "../report/live_page.ts";
import { checkRequest, MCP_PATH, PAGE_PATH } from "../../mcp/transport/http_gate.ts";
import { createHttpPages } from "./http_pages.ts";
import { readMessage } from "./http_message.ts";
import { HttpSessions } from "./http_sessions.ts";
import type { HttpToken } from "../../mcp/transport/http_token.ts";
import { loadHttpToken } from "../../mcp/transport/http_token.ts";
import { createParts, createProtocolServer } from "../../mcp/protocol.ts";
import type { ServeOptions } from "../../mcp/transport/server.ts";

/** What the server over HTTP runs with. */
export interface ServeHttpOptions extends ServeOptions {
  /** The port to listen on; 0 takes any free one. */
  readonly port: number;
  /** The user's state folder, where the token is kept; null without a home folder. */
  readonly stateDir: string | null;
  /** Called once clients can connect. */
  readonly onReady: (ready: HttpToken & { readonly url: string }) => void;
}

/** The only address that is served, so that programs of other machines cannot connect at all. */
const HOSTNAME = "127.0.0.1";

/**
 * Serves until `signal` ends it; open streams are cut then, and the calls in them cancelled.
 *
 * @throws {CodeIntelError} `port_taken`; `io_failed` when the token cannot be kept.
 */
export async function serveOverHttp(options: ServeHttpOptions): Promise<void> {
  const token = await loadHttpToken(options.stateDir);
  const door = createDoor(options);
  const end = new AbortController();
  const listener = listen({ ...options, portOption: "--http" }, {
    signal: end.signal,
    onListen: (port) => options.onReady({ ...token, url: `http://${HOSTNAME}:${port}${MCP_PATH}` }),
    // The request is checked before `toOwnRequest` copies it, because requests of some methods
    // cannot be copied; the check refuses these.
    answer: (request) => checkRequest(request, token.token) ?? door.fetch(toOwnRequest(request)),
  });
  options.signal?.addEventListener("abort", () => end.abort(), { once: true });
  if (options.signal?.aborted === true) end.abort();
  await listener.finished;
  await door.close();
}

interface Door {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly close: () => Promise<void>;
}

/**
 * Handles both generations of the protocol at one path; each request says which one it belongs to.
 */
function createDoor(options: ServeOptions): Door {
  const parts = createParts(options);
  const maxRequestBodySize = LIMITS.messageBytes.value;
  const modern = createMcpHandler(({ era }) => createProtocolServer(era, parts), {
    legacy: "reject",
    maxRequestBodySize,
    // Answers as a stream from the first byte on, so that a client that disconnects cancels its
    // call.
    responseMode: "sse",
    onerror: (error) => options.logger.note(`protocol: ${error.message.slice(0, 300)}`),
  });
  const pages = createHttpPages(async () => (await parts.loadServices()).reports);
  const sessions = new HttpSessions(() => createProtocolServer("legacy", parts));
  return {
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === PAGE_PATH) return pages.page();
      if (pathname === REPORT_PATH) return await pages.report(request);
      const read = await readMessage(request);
      if (read.kind === "refused") return read.response;
      const { message } = read;
      const isLegacy = await isLegacyRequest(request, message, { maxRequestBodySize });
      if (isLegacy) return await sessions.fetch(request, message);
      return await modern.fetch(request, message === undefined ? {} : { parsedBody: message });
    },
    close: async () => {
      await Promise.all([modern.close(), sessions.close()]);
    },
  };
}

/**
 * Listens behind the front.
 *
 * @throws {CodeIntelError} `port_taken`; `io_failed` where the system lets nobody listen there.
 */
export function listen(
  { port, logger, hostname = HOSTNAME, portOption }: Pick<ServeHttpOptions, "port" | "logger"> & {
    /** Default this machine alone. */
    readonly hostname?: string;
    /** The option by which the person named the port. */
    readonly portOption: string;
  },
  how: Pick<FrontOptions, "signal" | "drain" | "onListen" | "answer">,
): { readonly finished: Promise<void> } {
  try {
    const onError = (failure: unknown) => {
      logger.note(`http: ${failure instanceof Error ? failure.stack : String(failure)}`);
      const error = { code: -32603, message: "Internal error" };
      return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 500 });
    };
    return serveBehindFront({ hostname, port, onError, ...how });
  } catch (cause) {
    if (cause instanceof Deno.errors.AddrInUse) {
      throw new CodeIntelError("port_taken", `Cannot serve on port ${port}: it is taken`, {
        hint: `Name another port with ${portOption} PORT, or leave it out for a free one.`,
        cause,
      });
    }
    if (!isRefusedAddress(cause)) throw cause;
    const said = cause.message.replace(/ \(os error \d+\)/, "");
    throw new CodeIntelError("io_failed", `Cannot serve on ${hostname}:${port}: ${said}`, {
      hint: cause instanceof Deno.errors.PermissionDenied
        ? `Name a port from 1024 on with ${portOption} PORT, or leave it out for a free one.`
        : "Name an address that this machine has; 0.0.0.0 stands for all of them.",
      cause,
    });
  }
}

/** Whether the system lets nobody listen there, or knows no such address. */
function isRefusedAddress(cause: unknown): cause is Error {
  return cause instanceof Deno.errors.PermissionDenied ||
    cause instanceof Deno.errors.AddrNotAvailable || cause instanceof URIError ||
    cause instanceof Error && cause.message.startsWith("failed to lookup address");
}

/**
 * Copies a request without the runtime's abort signal. That signal also fires when an answer was
 * sent, and the SDK then warns on standard error; that a client left is noticed by its stream.
 */
export function toOwnRequest({ url, method, headers, body }: Request): Request {
  return new Request(url, { method, headers, body });
}
