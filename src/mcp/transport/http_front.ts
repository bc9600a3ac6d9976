/**
 * The port that clients connect to over HTTP. The runtime's own server waits for ever for the rest
 * of a request; so it listens behind this port, which passes bytes on and closes connections on
 * which nothing moves.
 */
import { LIMITS } from "../../base/settings/limits.ts";

/** What is served, and for how long a connection may stand still. */
export interface FrontOptions {
  readonly hostname: string;
  /** The port to listen on; 0 takes any free one. */
  readonly port: number;
  /** Ends the server, open streams included. */
  readonly signal: AbortSignal;
  /** Ends the server when the answers that are under way are sent; no further connection is taken. */
  readonly drain?: AbortSignal;
  /** Called with the port once clients can connect. */
  readonly onListen: (port: number) => void;
  /** Makes the answer where {@link answer} failed. */
  readonly onError: (failure: unknown) => Response;
  /** Makes an answer; `address` is that of the machine at the other end of the connection. */
  readonly answer: (request: Request, address: string) => Response | Promise<Response>;
  /**
   * Longest time from the first byte of a request to the first byte of its answer; default
   * `LIMITS.httpRequestMs`.
   */
  readonly requestMs?: number;
  /** Longest time in which neither side sends a byte; default `LIMITS.httpIdleMs`. */
  readonly idleMs?: number;
}

/** A running server. */
export interface Front {
  /** Resolves when the server has ended. */
  readonly finished: Promise<void>;
}

/** Where the runtime's own server listens: nobody else is to reach it past this port. */
const OWN_MACHINE = "127.0.0.1";
const CHECKS_A_BOUND = 4;
const SLOWEST_CHECK_MS = 1_000;
const BUFFER_BYTES = 64 * 1024;

/**
 * Serves until the signal ends the server.
 *
 * @throws {Deno.errors.AddrInUse} when the port is taken.
 */
export function serveBehindFront(options: FrontOptions): Front {
  const { hostname, port, signal, drain, onError, answer } = options;
  const { requestMs = LIMITS.httpRequestMs.value, idleMs = LIMITS.httpIdleMs.value } = options;
  const listener = Deno.listen({ hostname, port });
  const open = new Set<FrontConnection>();
  // By the port that each connection to the server behind has here.
  const behind = new Map<number, FrontConnection>();
  const end = new AbortController();
  const server = Deno.serve(
    { hostname: OWN_MACHINE, port: 0, signal: end.signal, onListen: () => {}, onError },
    (request, { remoteAddr }) => answer(request, behind.get(remoteAddr.port)?.address ?? ""),
  );
  const accept = async () => {
    for await (const client of listener) {
      let own = 0;
      const connection = new FrontConnection(client, server.addr, (ownPort) => {
        own = ownPort;
        behind.set(own, connection);
      });
      open.add(connection);
      void connection.ended.then(() => {
        open.delete(connection);
        // The next connection may have the port already.
        if (behind.get(own) === connection) behind.delete(own);
      });
    }
  };
  const check = setInterval(() => {
    for (const connection of open) {
      if (connection.isStanding({ requestMs, idleMs })) connection.close();
    }
  }, Math.min(SLOWEST_CHECK_MS, Math.min(requestMs, idleMs) / CHECKS_A_BOUND));
  const stopListening = () => {
    try {
      listener.close();
    } catch {
      // It was closed before.
    }
  };
  const close = () => {
    clearInterval(check);
    stopListening();
    for (const connection of open) connection.close();
    // One that is ending already ends with its last connection; told twice it fails.
    if (drain?.aborted !== true) end.abort();
  };
  signal.addEventListener("abort", close, { once: true });
  if (signal.aborted) close();
  const onDrain = () => {
    stopListening();
    // Nothing was asked over these, so nothing would end them.
    for (const connection of open) if (connection.isUnused) connection.close();
    void server.shutdown();
  };
  drain?.addEventListener("abort", onDrain, { once: true });
  const accepting = accept().catch(() => {});
  options.onListen(listener.addr.port);
  const finish = async () => {
    await Promise.all([accepting, server.finished]);
    await Promise.all([...open].map(({ ended }) => ended));
    clearInterval(check);
  };
  return { finished: finish() };
}

/**
 * One client and its connection to the runtime's server, which is opened with the client's first
 * byte.
 */
class FrontConnection {
  /** Resolves once both are closed. */
  readonly ended: Promise<void>;
  readonly #client: Deno.TcpConn;
  readonly #onOpened: (ownPort: number) => void;
  #server: Deno.TcpConn | null = null;
  /** When the client sent a request of which no byte is answered yet; null while none waits. */
  #askedMs: number | null = null;
  #movedMs = performance.now();
  #isClosed = false;

  /** @param onOpened Called with the port of this end once the server behind is connected, before it is asked. */
  constructor(client: Deno.TcpConn, address: Deno.NetAddr, onOpened: (ownPort: number) => void) {
    this.#client = client;
    this.#onOpened = onOpened;
    this.ended = this.#run(address).catch(() => {}).finally(() => this.close());
  }

  /** The address of the client's machine. */
  get address(): string {
    return this.#client.remoteAddr.hostname;
  }

  /** Whether the client never sent anything. */
  get isUnused(): boolean {
    return this.#askedMs === null && this.#server === null;
  }

  /** Whether a request was never finished, or nothing has moved for too long. */
  isStanding({ requestMs, idleMs }: { readonly requestMs: number; readonly idleMs: number }) {
    const nowMs = performance.now();
    const isLate = this.#askedMs !== null && nowMs - this.#askedMs > requestMs;
    return isLate || nowMs - this.#movedMs > idleMs;
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of [this.#client, this.#server]) {
      try {
        connection?.close();
      } catch {
        // The connection was closed before.
      }
    }
  }

  async #run({ hostname, port }: Deno.NetAddr): Promise<void> {
    const client = this.#client;
    client.setNoDelay(true);
    const first = new Uint8Array(BUFFER_BYTES);
    const size = await client.read(first);
    if (size === null) return;
    this.#onAsked();
    const server = await Deno.connect({ hostname, port });
    this.#server = server;
    this.#onOpened(server.localAddr.port);
    // The client may have left while the connection behind was being opened.
    if (this.#isClosed) return;
    server.setNoDelay(true);
    await writeAll(server, first.subarray(0, size));
    const asking = pump(client, server, () => this.#onAsked());
    // When the client leaves, the connection behind is closed too, which cancels the call.
    asking.catch(() => this.close());
    await pump(server, client, () => this.#onAnswered());
  }

  #onAsked(): void {
    this.#movedMs = performance.now();
    this.#askedMs ??= this.#movedMs;
  }

  #onAnswered(): void {
    this.#movedMs = performance.now();
    this.#askedMs = null;
  }
}

/** Copies bytes until the source ends, and then ends the target's side as well. */
async function pump(from: Deno.TcpConn, to: Deno.TcpConn, onBytes: () => void): Promise<void> {
  const buffer = new Uint8Array(BUFFER_BYTES);
  for (let size = await from.read(buffer); size !== null; size = await from.read(buffer)) {
    onBytes();
    await writeAll(to, buffer.subarray(0, size));
  }
  await to.closeWrite();
}

async function writeAll(to: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let offset = 0; offset < bytes.length;) offset += await to.write(bytes.subarray(offset));
}
