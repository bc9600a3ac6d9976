/** One server of a hub and many clients at once: right answers, threads and connections that are lost, and too many calls. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { HubStore } from "../../../src/features/hub/hub_store.ts";
import { parseStorePlace } from "../../../src/features/hub/postgres/store_place.ts";
import { connectOverHttp } from "../../support/server/http_server.ts";
import { testNeeding } from "../../support/needs.ts";
import { startPostgres } from "../../support/postgres.ts";
import type { TestPostgres } from "../../support/postgres.ts";
import { createTempRepo } from "../../support/temp_repo.ts";
import type { Answer, Client } from "./served.ts";
import { ask, call, doAll, serveAnd, TOKEN } from "./served.ts";

const CLIENTS = 50;
const NAMES = Array.from({ length: CLIENTS }, (_, at) => `part${at}`);
const LOOK_MS = 20;

/** A server's clients, and a second connection to its store that holds it up. */
interface Served {
  readonly postgres: TestPostgres;
  readonly url: string;
  readonly connect: () => Promise<Client>;
  /** Lets no call read files until what it gives is called. */
  readonly holdUp: () => () => void;
  /** Waits until so many calls are held up; answers the numbers of their processes. */
  readonly untilHeld: (count: number) => Promise<readonly number[]>;
  /** Connections to the store, this test's own left out. */
  readonly countConnections: () => number;
  readonly kill: (pid: number) => void;
  /** Connects what holds up and looks anew; only reading does that by itself. */
  readonly reconnect: () => void;
  readonly end: () => Promise<void>;
}

testNeeding(["postgres"], "one server answers many clients at once", async (t) => {
  await using postgres = await startPostgres();
  await using shop = await createTempRepo();
  await using app = await createTempRepo();
  const folder = await Deno.makeTempDir();
  const hub = await HubStore.open(parseStorePlace(postgres.url));
  const locker = await HubStore.open(parseStorePlace(postgres.url));
  const watcher = await HubStore.open(parseStorePlace(postgres.url));
  const step = (
    name: string,
    bounds: Parameters<typeof serveAnd>[2],
    act: (served: Served) => Promise<void>,
  ) =>
    t.step(name, () =>
      serveAnd(hub, async (url, end) => {
        const clients: Client[] = [];
        const connect = async () => {
          const client = await connectOverHttp({ url, token: TOKEN }, "2026-07-28");
          clients.push(client);
          return client;
        };
        try {
          await act({ postgres, url, connect, end, ...toHolder(locker, watcher) });
        } finally {
          for (const client of clients) await client.close();
        }
      }, bounds));
  try {
    const define = (name: string) => `export function ${name}(): string { return "${name}"; }\n`;
    const use = (name: string) => `console.log(${name}());\n`;
    const files = Object.fromEntries(NAMES.map((name) => [`src/${name}.ts`, define(name)]));
    await shop.commit("Begin", files);
    await app.commit("Begin", { "main.ts": NAMES.map(use).join("") });
    hub.add({ name: "shop", url: shop.dir, branch: null });
    hub.add({ name: "app", url: app.dir, branch: null });
    await doAll(hub, folder, new AbortController().signal);
    const threads = (count: number, more = {}) => ({ bounds: { threads: count, ...more } });

    await step("fifty clients get their own answers, also after a restart", threads(3), askAll);
    await step("a call whose connection is killed is answered anew", threads(1), killConnection);
    await step("a full queue says so, and health answers meanwhile", {
      bounds: { threads: 2, waitingCalls: 1 },
    }, fillQueue);
    await step("a client that leaves takes its waiting call along", {
      bounds: { threads: 1, waitingCalls: 1 },
    }, leave);
    await step("a crashed thread costs one call, and leaves no connection", {
      bounds: { threads: 2, workerUrl: new URL("./crashing_worker.ts", import.meta.url) },
    }, crash);
    await step(
      "a thread that is held up too long is replaced",
      threads(1, { callMs: 500 }),
      outlast,
    );
    await step("a server that is ended answers what it has", threads(1), endWhileAsked);
  } finally {
    locker.close();
    watcher.close();
    hub.close();
    await Deno.remove(folder, { recursive: true });
  }
});

/** What is seen of activity within a transaction does not change, so that another connection looks. */
function toHolder(
  locker: HubStore,
  watcher: HubStore,
): Pick<Served, "holdUp" | "untilHeld" | "countConnections" | "kill" | "reconnect"> {
  const list = (where: string) =>
    watcher.link.all(
      `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'
        AND pid <> pg_backend_pid() AND ${where}`,
    ).map(({ pid }) => Number(pid));
  return {
    holdUp: () => {
      locker.link.exec("BEGIN; LOCK TABLE files IN ACCESS EXCLUSIVE MODE");
      return () => void locker.link.exec("COMMIT");
    },
    untilHeld: async (count) => {
      for (;;) {
        const held = list("wait_event_type = 'Lock'");
        if (held.length === count) return held;
        await pause();
      }
    },
    countConnections: () => list("true").length,
    kill: (pid) => void watcher.link.all("SELECT pg_terminate_backend(?)", pid),
    reconnect: () => {
      locker.list();
      watcher.list();
    },
  };
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}

function toPaths(answer: Answer | undefined, field: string): readonly string[] {
  return (answer?.[field] as readonly { readonly path: string }[]).map(({ path }) => path);
}

/** Every client asks for its own name, so that an answer that went to another one would be seen. */
async function askAll({ postgres, connect, reconnect }: Served): Promise<void> {
  const clients = await Promise.all(NAMES.map(connect));
  const round = () =>
    Promise.all(clients.map(async (client, at) => {
      const symbol = NAMES[at] ?? "";
      const [defined] = await ask(client, "find_definitions", { symbol });
      const users = await ask(client, "find_references", { symbol });
      const [symbols] = await ask(client, "get_symbols", {
        repository: "shop",
        path: `src/${symbol}.ts`,
      });
      const [hits] = await ask(client, "semantic_search", { repository: "shop", query: symbol });
      ok(defined?.["commit"] && defined["indexed_at"], `${symbol}: ${JSON.stringify(defined)}`);
      deepEqual(toPaths(defined, "definitions"), [`src/${symbol}.ts`]);
      equal(users[0]?.["repository"], "app");
      deepEqual(users[0]?.["total"], 1);
      deepEqual(toPaths(users[0], "references"), ["main.ts"]);
      match(JSON.stringify(users[0]), new RegExp(`"${at + 1} call: console.log.${symbol}\\b`));
      match(JSON.stringify(symbols), new RegExp(`"${symbol}"`));
      equal(toPaths(hits, "hits")[0], `src/${symbol}.ts`);
    }));
  await round();
  await postgres.restart();
  await round();
  reconnect();
}

/** The connection dies while the thread waits for a statement; the second attempt is held up too, until it may go on. */
async function killConnection({ connect, holdUp, untilHeld, kill }: Served): Promise<void> {
  const client = await connect();
  await ask(client, "find_definitions", { symbol: "part1" });
  const release = holdUp();
  const asked = ask(client, "find_definitions", { symbol: "part1" });
  const [first = 0] = await untilHeld(1);
  kill(first);
  for (let [second] = [first]; second === first;) [second = first] = await untilHeld(1);
  release();
  const [found] = await asked;
  match(JSON.stringify(found), /src\/part1\.ts/);
}

async function fillQueue({ url, connect, holdUp, untilHeld }: Served): Promise<void> {
  const client = await connect();
  const find = (symbol: string) => call(client, "find_definitions", { symbol });
  await find("part1");
  const release = holdUp();
  const working = [find("part1"), find("part2")];
  await untilHeld(2);
  // One waits and one is refused: which of them depends on what comes first.
  const more = [find("part3"), find("part4")];
  const refused = await Promise.race(more);
  equal(refused["error"], "busy");
  ok(String(refused["hint"]).length > 0);
  const health = await fetch(new URL("/health", url));
  equal(`${health.status} ${await health.text()}`, "200 ok\n");
  release();
  const replies = await Promise.all([...working, ...more]);
  deepEqual(replies.map(({ ok: isOk }) => isOk).sort(), [false, true, true, true]);
}

async function leave({ connect, holdUp, untilHeld }: Served): Promise<void> {
  const client = await connect();
  const find = (symbol: string, signal?: AbortSignal) =>
    client.callTool(
      { name: "find_definitions", arguments: { symbol } },
      signal === undefined ? {} : { signal },
    );
  await find("part1");
  const release = holdUp();
  const working = find("part1");
  await untilHeld(1);
  const leaving = new AbortController();
  const left = find("part2", leaving.signal).catch(() => "left");
  await pause();
  leaving.abort();
  equal(await left, "left");
  const refusals = { part3: 0, part4: 0 };
  const ask = async (symbol: "part3" | "part4") => {
    while (true) {
      const reply = JSON.stringify(await find(symbol));
      if (!reply.includes("busy")) return reply;
      refusals[symbol]++;
    }
  };
  const asked = [ask("part3"), ask("part4")];
  // One has the place that became free once only the other goes on being refused; which of them depends on what comes first.
  for (let isTaken = false; !isTaken;) {
    const before = { ...refusals };
    await pause();
    const more = [refusals.part3 - before.part3, refusals.part4 - before.part4];
    isTaken = Math.min(...more) === 0 && Math.max(...more) > 1;
  }
  release();
  match(JSON.stringify(await working), /part1\.ts/);
  for (const one of asked) match(await one, /part[34]\.ts/);
}

async function crash({ connect, countConnections }: Served): Promise<void> {
  const client = await connect();
  const find = (symbol: string) => call(client, "find_definitions", { symbol });
  await Promise.all(NAMES.map(find));
  const before = countConnections();
  const replies = await Promise.all([...NAMES.slice(0, 9), "crashNow", "part9"].map(find));
  deepEqual(replies.map(({ error }) => error).filter(Boolean), ["thread_lost"]);
  match(String(replies[9]?.["hint"]), /server goes on/);
  // The thread in its place connects by its first call; the dead one's connection ends with it.
  for (let count = -1; count !== before;) {
    await Promise.all(NAMES.map(find));
    count = countConnections();
  }
}

async function outlast({ connect, holdUp, untilHeld }: Served): Promise<void> {
  const client = await connect();
  const find = (symbol: string) => call(client, "find_definitions", { symbol });
  await find("part1");
  const release = holdUp();
  equal((await find("part1"))["error"], "timed_out");
  release();
  await untilHeld(0);
  // The thread in its place has to connect first, which a busy machine may not do within the bound.
  let answered = await find("part1");
  while (answered["error"] === "timed_out") answered = await find("part1");
  equal(answered["ok"], true);
}

async function endWhileAsked({ url, connect, holdUp, untilHeld, end }: Served): Promise<void> {
  const client = await connect();
  const find = (symbol: string) => call(client, "find_definitions", { symbol });
  await find("part1");
  const release = holdUp();
  const working = [find("part1"), find("part2")];
  await untilHeld(1);
  const ended = end();
  equal((await find("part3"))["error"], "busy");
  const health = await fetch(new URL("/health", url));
  equal(health.status, 503);
  await health.body?.cancel();
  release();
  deepEqual((await Promise.all(working)).map(({ ok: isOk }) => isOk), [true, true]);
  await ended;
}
