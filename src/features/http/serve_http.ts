/**
 * The server process over HTTP: on 127.0.0.1 only, with one token, at one path for both generations of the protocol, and
 * with the pages of features for a person.
 */
import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import { CodeIntelError } from "../../base/errors.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { createParts, createProtocolServer } from "../../mcp/protocol.ts";
import { checkRequest, MCP_PATH } from "../../mcp/transport/http_gate.ts";
import { listen, OWN_MACHINE, toOwnRequest } from "../../mcp/transport/http_listen.ts";
import { loadHttpToken } from "../../mcp/transport/http_token.ts";
import type { HttpToken } from "../../mcp/transport/http_token.ts";
import type { ServeHttpOptions } from "../../services/extension.ts";
import { createHttpPages } from "./http_pages.ts";
import { readMessage } from "./http_message.ts";
import { HttpSessions } from "./http_sessions.ts";

const MAX_PORT = 65_535;

/**
 * Serves until `signal` ends it; open streams are cut then, and the calls in them cancelled.
 *
 * @throws {CodeIntelError} `bad_usage` for what is no port, `port_taken`; `io_failed` when the token cannot be kept.
 */
export async function serveOverHttp(options: ServeHttpOptions): Promise<void> {
  checkPort(options.port);
  const token = await loadHttpToken(options.stateDir);
  const door = createDoor(options);
  const end = new AbortController();
  const listener = listen({ ...options, portOption: "--http" }, {
    signal: end.signal,
    onListen: (port) => {
      const url = `http://${OWN_MACHINE}:${port}${MCP_PATH}`;
      announce(options, { ...token, url });
      options.onReady?.({ ...token, url });
    },
    // The request is checked before `toOwnRequest` copies it, because requests of some methods
    // cannot be copied; the check refuses these.
    answer: (request) =>
      checkRequest(request, token.token, options) ?? door.fetch(toOwnRequest(request)),
  });
  options.signal?.addEventListener("abort", () => end.abort(), { once: true });
  if (options.signal?.aborted === true) end.abort();
  await listener.finished;
  await door.close();
}

function checkPort(port: number): void {
  if (port >= 0 && port <= MAX_PORT) return;
  throw new CodeIntelError("bad_usage", `There is no port ${port}`, {
    hint: `Name one from 1 to ${MAX_PORT}, or leave it out for a free one.`,
  });
}

/** Prints where clients connect and with which token; the token itself only where no file can hold it. */
function announce(
  { logger, pages }: Pick<ServeHttpOptions, "logger" | "pages">,
  { url, token, path }: HttpToken & { readonly url: string },
): void {
  logger.note(`serving ${url}`);
  for (const page of pages) {
    if (page.kind === "open") logger.note(`${page.announcement}: ${new URL(page.path, url).href}`);
  }
  logger.note(
    path === null
      ? `header for clients: "Authorization: Bearer ${token}" (for this run alone)`
      : `header for clients: "Authorization: Bearer $(cat '${path}')"`,
  );
}

interface Door {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly close: () => Promise<void>;
}

/**
 * Handles both generations of the protocol at one path; each request says which one it belongs to.
 */
function createDoor(options: ServeHttpOptions): Door {
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
  const pages = createHttpPages(options.pages, parts.loadServices);
  const sessions = new HttpSessions(() => createProtocolServer("legacy", parts));
  return {
    fetch: async (request) => {
      const page = pages.get(new URL(request.url).pathname);
      if (page !== undefined) return await page(request);
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
