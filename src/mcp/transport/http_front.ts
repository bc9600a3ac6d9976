/**
 * The port that clients connect to over HTTP. The runtime's own server waits for ever for the rest
 * of a request, and takes any number of connections. It ends where no more files can be opened. So
 * it listens behind this port, which takes as many connections as there are files for. This port
 * passes bytes on, and closes connections on which nothing moves.
 */
import { countOpenable } from "../../base/files/open_file.ts";
import { isTooManyFiles } from "../../base/system_cause.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import type { FrontTimes } from "./front_connection.ts";
import { FrontConnection, refuseConnection } from "./front_connection.ts";

/** What is served, and for how long a connection may stand still. */
export interface FrontOptions extends Partial<FrontTimes> {
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
  /** Most connections at a time; default what the limit of open files allows, at most `LIMITS.httpSockets`. */
  readonly maxConnections?: number;
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
/** After a connection could not be taken: the system needs a moment to have files again. */
const PAUSE_MS = 50;
/** The client's connection, and both ends of the one behind. */
const FILES_A_CONNECTION = 3;
const FEWEST_CONNECTIONS = 4;
/** The files that a start needs, and as many for the calls. */
const WORK_SHARE = 2;

/**
 * Serves until the signal ends the server.
 *
 * @throws {Deno.errors.AddrInUse} when the port is taken.
 */
export function serveBehindFront(options: FrontOptions): Front {
  const listener = Deno.listen({ hostname: options.hostname, port: options.port });
  const front = new RunningFront(listener, options);
  options.onListen(listener.addr.port);
  return { finished: front.finish() };
}

/** How many connections there are files for, besides those that the work of the calls needs. */
function computeMaxConnections(): number {
  const most = LIMITS.httpSockets.value;
  const kept = LIMITS.openFiles.value * WORK_SHARE;
  const openable = countOpenable(most * FILES_A_CONNECTION + kept).count;
  const allowed = Math.floor((openable - kept) / FILES_A_CONNECTION);
  return Math.max(FEWEST_CONNECTIONS, Math.min(most, allowed));
}

class RunningFront {
  readonly #options: FrontOptions;
  readonly #times: FrontTimes;
  readonly #maxConnections: number;
  readonly #listener: Deno.TcpListener;
  readonly #open = new Set<FrontConnection>();
  readonly #server: ServerBehind;
  readonly #check: ReturnType<typeof setInterval>;
  readonly #accepting: Promise<void>;
  #isStopped = false;

  constructor(listener: Deno.TcpListener, options: FrontOptions) {
    const {
      headMs = LIMITS.httpHeadMs.value,
      requestMs = LIMITS.httpRequestMs.value,
      idleMs = LIMITS.httpIdleMs.value,
    } = options;
    this.#options = options;
    this.#times = { headMs, requestMs, idleMs };
    this.#maxConnections = options.maxConnections ?? computeMaxConnections();
    this.#listener = listener;
    this.#server = new ServerBehind(options);
    this.#check = setInterval(
      () => this.#endStanding(),
      Math.min(SLOWEST_CHECK_MS, Math.min(headMs, requestMs, idleMs) / CHECKS_A_BOUND),
    );
    const { signal, drain } = options;
    signal.addEventListener("abort", () => this.#close(), { once: true });
    drain?.addEventListener("abort", () => this.#drain(), { once: true });
    if (signal.aborted) this.#close();
    this.#accepting = this.#accept();
  }

  async finish(): Promise<void> {
    await Promise.all([this.#accepting, this.#server.finished]);
    await Promise.all([...this.#open].map(({ ended }) => ended));
    clearInterval(this.#check);
  }

  async #accept(): Promise<void> {
    while (!this.#isStopped) {
      try {
        this.#take(await this.#listener.accept());
      } catch {
        // No file is left for it, or the client has gone again: neither ends the server.
        if (this.#isStopped) return;
        this.#endSparest();
        await pause();
      }
    }
  }

  #take(client: Deno.TcpConn): void {
    if (this.#open.size >= this.#maxConnections && !this.#endSparest()) {
      void refuseConnection(client, "full");
      return;
    }
    const connection = new FrontConnection(client, (one) => this.#server.connect(one));
    this.#open.add(connection);
    void connection.ended.then(() => this.#open.delete(connection));
  }

  /** Makes a place for another connection; false where all of them are being answered. */
  #endSparest(): boolean {
    let sparest: FrontConnection | null = null;
    let least: Spareness | null = null;
    for (const one of this.#open) {
      const spareness = one.toSpareness();
      if (spareness === null || (least !== null && !isBefore(spareness, least))) continue;
      [sparest, least] = [one, spareness];
    }
    if (sparest === null) return false;
    this.#open.delete(sparest);
    sparest.close();
    return true;
  }

  #endStanding(): void {
    for (const connection of this.#open) {
      if (connection.isStanding(this.#times)) connection.close();
    }
  }

  #stopListening(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#listener.close();
  }

  #close(): void {
    clearInterval(this.#check);
    this.#stopListening();
    for (const connection of this.#open) connection.close();
    // One that is ending already ends with its last connection; told twice it fails.
    if (this.#options.drain?.aborted !== true) this.#server.end();
  }

  #drain(): void {
    this.#stopListening();
    // Nothing was asked over these, so nothing would end them.
    for (const connection of this.#open) if (connection.isUnused) connection.close();
    this.#server.drain();
  }
}

type Spareness = NonNullable<ReturnType<FrontConnection["toSpareness"]>>;

function isBefore([kind, sinceMs]: Spareness, [otherKind, otherMs]: Spareness): boolean {
  return kind === otherKind ? sinceMs < otherMs : kind < otherKind;
}

/** The runtime's own server, which is started again where the system let it open no more files. */
class ServerBehind {
  /** Resolves when it was ended. */
  readonly finished: Promise<void>;
  readonly #options: FrontOptions;
  /** By the port that each connection has here. */
  readonly #clients = new Map<number, FrontConnection>();
  readonly #end = new AbortController();
  #server: Deno.HttpServer<Deno.NetAddr>;
  #isEnding = false;

  constructor(options: FrontOptions) {
    this.#options = options;
    this.#server = this.#start();
    this.finished = this.#run();
  }

  async connect(connection: FrontConnection): Promise<Deno.TcpConn> {
    const { hostname, port } = this.#server.addr;
    const opened = await Deno.connect({ hostname, port });
    const own = opened.localAddr.port;
    this.#clients.set(own, connection);
    void connection.ended.then(() => {
      // The next connection may have the port already.
      if (this.#clients.get(own) === connection) this.#clients.delete(own);
    });
    return opened;
  }

  /** Ends it at once, open streams included. */
  end(): void {
    this.#isEnding = true;
    this.#end.abort();
  }

  /** Ends it with the last answer that is under way. */
  drain(): void {
    this.#isEnding = true;
    this.#server.shutdown().catch(() => {});
  }

  async #run(): Promise<void> {
    for (;;) {
      try {
        await this.#server.finished;
        return;
      } catch (failure) {
        if (this.#isEnding) return;
        if (!isTooManyFiles(failure)) throw failure;
      }
      await this.#restart();
    }
  }

  async #restart(): Promise<void> {
    while (!this.#isEnding) {
      await pause();
      try {
        this.#server = this.#start();
        return;
      } catch (failure) {
        if (!isTooManyFiles(failure)) throw failure;
      }
    }
  }

  #start(): Deno.HttpServer<Deno.NetAddr> {
    const { onError, answer } = this.#options;
    const { signal } = this.#end;
    return Deno.serve(
      { hostname: OWN_MACHINE, port: 0, signal, onListen: () => {}, onError },
      (request, { remoteAddr }) =>
        answer(request, this.#clients.get(remoteAddr.port)?.address ?? ""),
    );
  }
}

async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
