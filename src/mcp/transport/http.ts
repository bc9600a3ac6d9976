/** The server process over HTTP: 127.0.0.1 alone, one path, one token, both eras of the protocol. */
import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import { CodeIntelError } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { serveBehindFront } from "./http_front.ts";
import { checkRequest, MCP_PATH } from "./http_gate.ts";
import { readMessage } from "./http_message.ts";
import { HttpSessions } from "./http_sessions.ts";
import type { HttpToken } from "./http_token.ts";
import { loadHttpToken } from "./http_token.ts";
import { createParts, createProtocolServer } from "../protocol.ts";
import type { ServeOptions } from "./server.ts";

/** What the server over HTTP runs with. */
export interface ServeHttpOptions extends ServeOptions {
  /** 0 takes any free one. */
  readonly port: number;
  /** The user's state folder, where the token is kept; null without a home folder. */
  readonly stateDir: string | null;
  /** Told once clients can connect. */
  readonly onReady: (ready: HttpToken & { readonly url: string }) => void;
}

/** The only address: programs of other machines cannot even knock. */
const HOSTNAME = "127.0.0.1";

/**
 * Serves until `signal` ends it. Streams that are open then are cut, and calls in them cancelled.
 *
 * @throws {CodeIntelError} `port_taken`; `io_failed` when the token cannot be kept.
 */
export async function serveOverHttp(options: ServeHttpOptions): Promise<void> {
  const token = await loadHttpToken(options.stateDir);
  const door = createDoor(options);
  const end = new AbortController();
  const listener = listen(options, {
    signal: end.signal,
    onListen: (port) => options.onReady({ ...token, url: `http://${HOSTNAME}:${port}${MCP_PATH}` }),
    // Before it is made anew: some methods cannot be, and are refused here.
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

/** Both eras behind one path; the request says which one it is of. */
function createDoor(options: ServeOptions): Door {
  const parts = createParts(options);
  const maxRequestBodySize = LIMITS.messageBytes.value;
  const modern = createMcpHandler(({ era }) => createProtocolServer(era, parts), {
    legacy: "reject",
    maxRequestBodySize,
    // A stream from the beginning: when its client goes, the call is cancelled.
    responseMode: "sse",
    onerror: (error) => options.logger.note(`protocol: ${error.message.slice(0, 300)}`),
  });
  const sessions = new HttpSessions(() => createProtocolServer("legacy", parts));
  return {
    fetch: async (request) => {
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

function listen(
  { port, logger }: ServeHttpOptions,
  { signal, onListen, answer }: {
    readonly signal: AbortSignal;
    readonly onListen: (port: number) => void;
    readonly answer: (request: Request) => Response | Promise<Response>;
  },
): { readonly finished: Promise<void> } {
  try {
    const onError = (failure: unknown) => {
      logger.note(`http: ${failure instanceof Error ? failure.stack : String(failure)}`);
      const error = { code: -32603, message: "Internal error" };
      return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 500 });
    };
    return serveBehindFront({ hostname: HOSTNAME, port, signal, onListen, onError, answer });
  } catch (cause) {
    if (!(cause instanceof Deno.errors.AddrInUse)) throw cause;
    throw new CodeIntelError("port_taken", `Cannot serve on port ${port}: it is taken`, {
      hint: "Name another port with --http PORT, or leave it out for a free one.",
      cause,
    });
  }
}

/**
 * The same request without the runtime's signal, which also tells that an answer has arrived, and warns
 * about that on standard error. Clients that leave are noticed by their stream.
 */
function toOwnRequest({ url, method, headers, body }: Request): Request {
  return new Request(url, { method, headers, body });
}
