/**
 * Connections of clients over HTTP that begin with `initialize`: each has an id, as over stdio one
 * process has one client, so that the server can send forms. A connection is no session of work:
 * sessions belong to the project, whichever client calls.
 */
import type { Server } from "@modelcontextprotocol/server";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { LIMITS } from "../../base/settings/limits.ts";

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
