/**
 * A connection of a client over HTTP and the one behind it. The connection behind is opened once a
 * whole head has come. So a client that sends none costs one open file instead of three.
 */
import { LIMITS } from "../../base/settings/limits.ts";

/** How long a connection may stand still. */
export interface FrontTimes {
  /** Longest time from the connection to the end of its first head. */
  readonly headMs: number;
  /** Longest time from the first byte of a request to the first byte of its answer. */
  readonly requestMs: number;
  /** Longest time in which neither side sends a byte. */
  readonly idleMs: number;
}

const BUFFER_BYTES = 64 * 1024;
/** An open stream says something every 15 s. */
const QUIET_MS = 20_000;
const END_OF_HEAD = new TextEncoder().encode("\r\n\r\n");
const REFUSALS = {
  full: "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\n",
  large: "HTTP/1.1 431 Request Header Fields Too Large\r\n",
} as const;

/** Answers a connection that is not served and ends it; the answer need not arrive. */
export async function refuseConnection(
  client: Deno.TcpConn,
  why: keyof typeof REFUSALS,
): Promise<void> {
  const answer = `${REFUSALS[why]}Connection: close\r\nContent-Length: 0\r\n\r\n`;
  await client.write(new TextEncoder().encode(answer)).catch(() => {});
  closeQuietly(client);
}

/** One client and its connection to the runtime's server. */
export class FrontConnection {
  /** Resolves once both are closed. */
  readonly ended: Promise<void>;
  readonly #client: Deno.TcpConn;
  readonly #connect: (connection: FrontConnection) => Promise<Deno.TcpConn>;
  #server: Deno.TcpConn | null = null;
  /** When the client sent a request of which no byte is answered yet; null while none waits. */
  #askedMs: number | null = null;
  readonly #openedMs = performance.now();
  #movedMs = this.#openedMs;
  #isClosed = false;

  /** @param connect Opens the connection to the server behind, before that is asked anything. */
  constructor(
    client: Deno.TcpConn,
    connect: (connection: FrontConnection) => Promise<Deno.TcpConn>,
  ) {
    this.#client = client;
    this.#connect = connect;
    this.ended = this.#run().catch(() => {}).finally(() => this.close());
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
  isStanding({ headMs, requestMs, idleMs }: FrontTimes): boolean {
    const nowMs = performance.now();
    const isLate = this.#askedMs !== null && nowMs - this.#askedMs > requestMs;
    const isHeadless = this.#server === null && nowMs - this.#openedMs > headMs;
    return isLate || isHeadless || nowMs - this.#movedMs > idleMs;
  }

  /**
   * How easily this connection is missed where another one needs its place: one without a whole head first, then one
   * that has been quiet, for as long as that. Null for one that is being served.
   */
  toSpareness(): readonly [kind: number, sinceMs: number] | null {
    if (this.#server === null) return [0, this.#openedMs];
    const sinceMs = this.#askedMs ?? this.#movedMs;
    return performance.now() - sinceMs > QUIET_MS ? [1, sinceMs] : null;
  }

  close(): void {
    this.#isClosed = true;
    closeQuietly(this.#client);
    closeQuietly(this.#server);
  }

  async #run(): Promise<void> {
    const client = this.#client;
    client.setNoDelay(true);
    const head = await this.#readHead();
    if (head === null) return;
    const server = this.#server = await this.#connect(this);
    // The client may have left while the connection behind was being opened.
    if (this.#isClosed) return;
    server.setNoDelay(true);
    await writeAll(server, head);
    const asking = pump(client, server, () => this.#onAsked());
    // When the client leaves, the connection behind is closed too, which cancels the call.
    asking.catch(() => this.close());
    await pump(server, client, () => this.#onAnswered());
  }

  /** The first bytes with a whole head in them; null where the client ends before, or sends too many. */
  async #readHead(): Promise<Uint8Array | null> {
    const buffer = new Uint8Array(LIMITS.httpHeadBytes.value);
    for (let filled = 0; filled < buffer.length;) {
      const size = await this.#client.read(buffer.subarray(filled));
      if (size === null) return null;
      this.#onAsked();
      // The end of the head may have begun in an earlier part.
      const from = Math.max(0, filled - END_OF_HEAD.length + 1);
      filled += size;
      if (hasEndOfHead(buffer.subarray(from, filled))) return buffer.slice(0, filled);
    }
    await refuseConnection(this.#client, "large");
    return null;
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

function hasEndOfHead(bytes: Uint8Array): boolean {
  const last = bytes.length - END_OF_HEAD.length;
  for (let at = bytes.indexOf(13); at >= 0 && at <= last; at = bytes.indexOf(13, at + 1)) {
    if (END_OF_HEAD.every((byte, offset) => bytes[at + offset] === byte)) return true;
  }
  return false;
}

function closeQuietly(connection: Deno.TcpConn | null): void {
  try {
    connection?.close();
  } catch {
    // The connection was closed before.
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
