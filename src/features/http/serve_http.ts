/**
 * The server process over HTTP: on 127.0.0.1 only, with one token, at one path for both generations
 * of the protocol. It also serves the pages of features for a person.
 */
import type { Server } from "@modelcontextprotocol/server";
import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  readRequestBody,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { LIMITS } from "../../base/settings/limits.ts";
import type { MessageRefusal } from "../../mcp/transport/message_gate.ts";
import { checkMessage, INVALID_PARAMS, PARSE_ERROR } from "../../mcp/transport/message_gate.ts";
import { createHash } from "node:crypto";
import { CodeIntelError } from "../../base/errors.ts";
import { makeProblem } from "../../base/problem.ts";
import { PAGE_POLICY, renderProblemPage } from "../../pages/page.ts";
import type { Services } from "../../services/services_api.ts";
import type {
  FeaturePage,
  GuardedPage,
  LivePage,
  ServeHttpOptions,
} from "../../services/extension.ts";
import { createParts, createProtocolServer } from "../../mcp/protocol.ts";
import { checkRequest, MCP_PATH } from "../../mcp/transport/http_gate.ts";
import { copyRequest, listen, OWN_MACHINE } from "../../mcp/transport/http_listen.ts";
import type { HttpToken } from "../../mcp/transport/http_token.ts";
import { loadHttpToken } from "../../mcp/transport/http_token.ts";

/** What a request carries. */
export type ReadMessage =
  /** The message, or a list of several; undefined for a request that carries none. */
  | { readonly kind: "read"; readonly message: unknown }
  | { readonly kind: "refused"; readonly response: Response };

const TOO_LARGE = -32000;

/** Reads the message in the body of a POST; requests of other methods are left unread. */
export async function readMessage(request: Request): Promise<ReadMessage> {
  const { method, headers } = request;
  // A body that does not claim to be JSON is left to the protocol's library, which refuses it with
  // the right status.
  if (method !== "POST" || !isJsonContentType(headers.get("content-type"))) {
    return { kind: "read", message: undefined };
  }
  const maxBytes = LIMITS.messageBytes.value;
  const body = await readRequestBody(request, maxBytes).catch(() => null);
  if (body === null) return refuseText("the body was not sent to its end");
  if (body.tooLarge) {
    const message = `Payload too large: a message may have at most ${maxBytes} bytes`;
    return refuse({ id: null, code: TOO_LARGE, message }, 413);
  }
  let message: unknown;
  try {
    message = JSON.parse(body.text);
  } catch {
    return refuseText("the body is not JSON");
  }
  const isLaterEra = !(await isLegacyRequest(request, message));
  const all: readonly unknown[] = Array.isArray(message) ? message : [message];
  for (const one of all) {
    const refusal = checkMessage(one, { isLaterEra });
    if (refusal === null) continue;
    // An error with the id of the request is its answer, with status 200; an error without an id
    // has no request to answer.
    return refuse(refusal, !Array.isArray(message) && isAnswer(refusal) ? 200 : 400);
  }
  return { kind: "read", message };
}

function isAnswer({ id, code }: MessageRefusal): boolean {
  return code === INVALID_PARAMS && id !== null;
}

function refuseText(what: string): ReadMessage {
  return refuse({ id: null, code: PARSE_ERROR, message: `Parse error: ${what}` }, 400);
}

function refuse(
  { id, code, message }: Pick<MessageRefusal, "id" | "message"> & { readonly code: number },
  status: number,
): ReadMessage {
  const error = { code, message };
  return { kind: "refused", response: Response.json({ jsonrpc: "2.0", id, error }, { status }) };
}

/** Answers a request for a page. */
export type AnswerPage = (request: Pick<Request, "headers">) => Promise<Response>;

/** Makes what answers, by path; the services are loaded with the first question that needs them. */
export function createHttpPages(
  pages: readonly FeaturePage[],
  loadServices: () => Promise<Services>,
): ReadonlyMap<string, AnswerPage> {
  return new Map(pages.map((page) => [
    page.path,
    page.kind === "guarded" ? answerGuarded(page, loadServices) : async () => {
      const { text, policy } = await page.draw();
      return toResponse(text, policy);
    },
  ]));
}

function answerGuarded(page: GuardedPage, loadServices: () => Promise<Services>): AnswerPage {
  let opened: Promise<LivePage> | undefined;
  return async ({ headers }) => {
    const services = await loadServices().catch(toExpected);
    if (services instanceof CodeIntelError) {
      const { code, message, hint } = services;
      return toResponse(renderProblemPage(makeProblem(code, message, { hint })), PAGE_POLICY);
    }
    const live = await (opened ??= page.open(services));
    const etag = `"${createHash("sha256").update(await live.readMark()).digest("hex")}"`;
    if (headers.get("if-none-match") === etag) {
      return new Response(null, { status: 304, headers: { etag } });
    }
    return toResponse(await live.draw(), PAGE_POLICY, { etag });
  };
}

/** A failure that has a page of its own, such as a folder that is no project. */
function toExpected(failure: unknown): CodeIntelError {
  if (failure instanceof CodeIntelError) return failure;
  throw failure;
}

function toResponse(
  text: string,
  policy: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(text, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      // A policy in a header can forbid frames, one in the page cannot.
      "content-security-policy": `${policy}; frame-ancestors 'none'`,
      "cache-control": "no-store",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      ...headers,
    },
  });
}

const ID_HEADER = "mcp-session-id";

type HttpTransport = WebStandardStreamableHTTPServerTransport;

interface Connection {
  readonly server: Server;
  readonly transport: HttpTransport;
}

/** The open connections of clients of the earlier generation of the protocol. */
export class HttpSessions {
  readonly #create: () => Server;
  readonly #maxConnections: number;
  /** The connections by id; the one that was used longest ago comes first. */
  readonly #open = new Map<string, Connection>();

  /** @param create Makes the server of a connection. */
  constructor(create: () => Server, maxConnections: number = LIMITS.httpConnections.value) {
    this.#create = create;
    this.#maxConnections = maxConnections;
  }

  /**
   * Answers one request. An unknown id gets status 404, after which clients send `initialize`
   * again.
   *
   * @param message What the body of the request says, where it was read before.
   */
  async fetch(request: Request, message?: unknown): Promise<Response> {
    const body = message === undefined ? {} : { parsedBody: message };
    const id = request.headers.get(ID_HEADER);
    if (id === null) return await this.#greet(request, body);
    const connection = this.#open.get(id);
    if (connection === undefined) {
      const error = { code: -32001, message: "Session not found: send initialize again" };
      return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 404 });
    }
    this.#open.delete(id);
    this.#open.set(id, connection);
    return await connection.transport.handleRequest(request, body);
  }

  /** Ends every connection and cancels its calls. */
  async close(): Promise<void> {
    const all = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(all.map(({ server }) => server.close().catch(() => {})));
  }

  async #greet(request: Request, body: { readonly parsedBody?: unknown }): Promise<Response> {
    const server = this.#create();
    const transport: HttpTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      maxRequestBodySize: LIMITS.messageBytes.value,
      onsessioninitialized: (id): void => this.#add(id, { server, transport }),
      onsessionclosed: (id) => void this.#open.delete(id),
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request, body);
    // A first request other than `initialize` was refused, and its connection has no id by which it
    // could be used again.
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  #add(id: string, connection: Connection): void {
    this.#open.set(id, connection);
    const [oldest] = this.#open;
    if (this.#open.size <= this.#maxConnections || oldest === undefined) return;
    this.#open.delete(oldest[0]);
    void oldest[1].server.close().catch(() => {});
  }
}

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
    // The request is checked before `copyRequest` copies it, because requests of some methods
    // cannot be copied; the check refuses these.
    answer: (request) =>
      checkRequest(request, token.token, options) ?? door.fetch(copyRequest(request)),
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
