/** A server of a hub in a process of its own, and what its clients wait and it takes. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connectOverHttp } from "../../tests/support/server/http_server.ts";
import { run } from "../../tools/run.ts";
import { computeQuantile } from "../harness/figures.ts";
import { print, timeMs } from "../harness/run.ts";

/** What passes on connections to a port, each byte so much later. */
export interface Distance extends Disposable {
  readonly port: number;
}

/** Listens on a free port, and passes on to another one and back. */
export function placeAway(port: number, ms: number): Distance {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const pass = async (from: Deno.TcpConn, to: Deno.TcpConn) => {
    const buffer = new Uint8Array(64 * 1024);
    let last = Promise.resolve();
    for (let size = await from.read(buffer); size !== null; size = await from.read(buffer)) {
      const bytes = buffer.slice(0, size);
      const { promise, resolve } = Promise.withResolvers<void>();
      setTimeout(resolve, ms);
      last = Promise.all([last, promise]).then(async () => {
        for (let at = 0; at < bytes.length;) at += await to.write(bytes.subarray(at));
      });
    }
    await last;
    to.close();
  };
  const accept = async () => {
    for await (const client of listener) {
      const store = await Deno.connect({ hostname: "127.0.0.1", port });
      client.setNoDelay(true);
      store.setNoDelay(true);
      // Whoever ends first takes the other one along.
      pass(client, store).catch(() => {});
      pass(store, client).catch(() => {});
    }
  };
  accept().catch(() => {});
  return { port: listener.addr.port, [Symbol.dispose]: () => listener.close() };
}

const TOKEN = "f".repeat(40);
const CALLS = 20;
const CLIENTS = 50;
/** Calls of each of the clients that ask at once. */
const ROUNDS = 4;
const KB_PER_MB = 1024;
/** Of the times in `/proc`; Linux has this for every program. */
const TICKS_A_SECOND = 100;
const SOURCE = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

/** A server that listens. */
export interface HubProcess extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

type Questions = Readonly<
  Record<string, (at: number) => Readonly<Record<string, string | undefined>>>
>;

/** What is asked, by the name of the tool; each call asks for something else than the one before. */
export function toQuestions(symbols: readonly string[], repositories: number): Questions {
  const toSymbol = (at: number) => ({ symbol: symbols[at % symbols.length] });
  return {
    find_definitions: toSymbol,
    find_references: toSymbol,
    semantic_search: (at) => ({
      repository: `repository${at % repositories}`,
      query: `where is the ${at % 2 === 0 ? "payment of an order" : "session of a user"} saved`,
    }),
  };
}

/**
 * Starts `hub serve`.
 *
 * @param folder where its secrets are written.
 * @param url the store.
 * @param program the executable; null for the source.
 */
export async function startServer(
  { folder, url, threads, program }: {
    readonly folder: string;
    readonly url: string;
    readonly threads: number;
    readonly program: string | null;
  },
): Promise<HubProcess> {
  const [store, token] = [join(folder, "store"), join(folder, "token")];
  await Deno.writeTextFile(store, url, { mode: 0o600 });
  await Deno.writeTextFile(token, TOKEN, { mode: 0o600 });
  const source = ["run", "-q", "-P=hub", "--no-check", SOURCE];
  const child = new Deno.Command(program ?? Deno.execPath(), {
    args: [
      ...(program === null ? source : []),
      ...["hub", "serve", "--store-file", store, "--token-file", token],
      ...["--threads", String(threads)],
    ],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const said = child.stderr.pipeThrough(new TextDecoderStream());
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const listen = async () => {
    let text = "";
    for await (const part of said) {
      text += part;
      const found = /serving (\S+)/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    }
    reject(new Error(text));
  };
  void listen();
  return {
    url: await promise,
    pid: child.pid,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM");
      await child.status;
    },
  };
}

/** Asks as one client and as fifty at once, and prints what they waited and what the server took. */
export async function measureServer(
  { url, pid }: HubProcess,
  { symbols, repositories, threads }: {
    readonly symbols: readonly string[];
    readonly repositories: number;
    readonly threads: number;
  },
): Promise<void> {
  const connect = () => connectOverHttp({ url, token: TOKEN }, "2026-07-28");
  const title = threads === 1 ? "1 thread" : `${threads} threads`;
  print(`${title}: ${await readMemory(pid)} when nothing was asked yet`);
  const clients = await Promise.all(Array.from({ length: CLIENTS }, connect));
  const [first] = clients;
  if (first === undefined) return;
  for (const [name, toArguments] of Object.entries(toQuestions(symbols, repositories))) {
    const ask = (client: typeof first, at: number) =>
      timeMs(async () => {
        const { isError } = await client.callTool({ name, arguments: toArguments(at) });
        if (isError === true) throw new Error(`${name} failed`);
      });
    const times: number[] = [];
    for (let at = 0; at < CALLS; at++) times.push(await ask(first, at));
    print(`${title}, ${name}, one client: ${toSpread(times)}`);
    const [startedAt, usedBefore] = [performance.now(), await readSeconds(pid)];
    const all = await Promise.all(clients.map(async (client, own) => {
      const waited: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        waited.push(await ask(client, own + round * CLIENTS));
      }
      return waited;
    }));
    const seconds = (performance.now() - startedAt) / 1_000;
    const used = (await readSeconds(pid)) - usedBefore;
    const count = CLIENTS * ROUNDS;
    print(
      `${title}, ${name}, ${CLIENTS} clients at once: ${toSpread(all.flat())}; ${
        (count / seconds).toFixed(0)
      } calls a second, ${
        (used * 1_000 / count).toFixed(0)
      } ms of processor time of the server a call`,
    );
  }
  for (const client of clients) await client.close();
  print(`${title}: ${await readMemory(pid)} after ${3 * (CALLS + CLIENTS * ROUNDS)} calls`);
}

/** Milliseconds at the middle, at 95 of 100, and of the slowest. */
function toSpread(times: readonly number[]): string {
  const at = (share: number) => Math.round(computeQuantile(times, share));
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, slowest ${at(1)} ms`;
}

/** Memory of a process now and at its most. */
async function readMemory(pid: number): Promise<string> {
  const status = await readProc(pid, "status");
  const read = (name: string) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / KB_PER_MB);
  return `${read("VmRSS")} MB of memory (most ${read("VmHWM")} MB)`;
}

/** Seconds of processors that a process has used, for itself and for the system. */
async function readSeconds(pid: number): Promise<number> {
  const fields = (await readProc(pid, "stat")).split(") ").at(-1)?.split(" ") ??
    [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

/** The runtime lets no program read what the system says of processes, but may start one that does. */
async function readProc(pid: number, name: string): Promise<string> {
  return await run("cat", [`/proc/${pid}/${name}`], { cwd: "/" });
}
