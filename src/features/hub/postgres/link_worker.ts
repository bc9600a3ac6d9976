/**
 * The thread that holds one connection to PostgreSQL. It does what it is asked, one statement after the other, connects
 * again when the connection was lost, and decides nothing else.
 */
import { Buffer } from "node:buffer";
import { parse } from "node:path";
import pg from "pg";
import { readRegularText } from "../../../base/files/regular_file.ts";
import { LIMITS } from "../../../base/settings/limits.ts";
import type {
  LinkAnswer,
  LinkAsk,
  LinkCheck,
  LinkEnd,
  LinkRows,
  LinkStart,
  LinkStatement,
} from "./link_protocol.ts";
import { packAnswer } from "./link_bytes.ts";
import { HEAD, HEAD_BYTES, NO_AUTHORITIES, PART_BYTES, waitWhile } from "./link_protocol.ts";
import type { Row, Value } from "../../../index/read/reader.ts";
import type { StorePlace } from "./store_place.ts";

const CONNECT_MS = 5_000;
const BOOLEAN = 16;
const BYTES = 17;
const BIGINT = 20;
const NUMERIC = 1700;
const TEXT_FORMAT = "text";
/** SQLSTATE: connection does not exist. */
const NO_CONNECTION = "08003";

/** The part of a worker's global scope that is used here. */
interface WorkerScope {
  postMessage(value: unknown): void;
}

const scope = self as unknown as WorkerScope;
let start: LinkStart | null = null;
let client: pg.Client | null = null;
/** The connection that the last message which begins something was answered by. */
let begun: pg.Client | null = null;
const names = new Map<string, string>();
let working: Promise<void> = Promise.resolve();

self.addEventListener("message", (event) => {
  const message = (event as MessageEvent<LinkStart | LinkAsk | LinkCheck | LinkEnd>).data;
  if (message.kind === "start") {
    start = message;
    scope.postMessage("ready");
    return;
  }
  working = working.then(async () => {
    if (message.kind === "ask") return give(await answerAsk(message));
    // The second time the connection is a new one.
    if (message.kind === "check") return scope.postMessage(await isUp() || await isUp());
    // A transaction that only read is over in any case where it cannot be ended: with its connection.
    await client?.query("COMMIT").catch(() => drop());
  });
});

/**
 * A connection may be lost while nobody asks: by the server's limit, an administrator, the network. What belongs to its
 * transaction is not asked of the next one, where it would be a change or an answer by itself.
 */
async function answerAsk({ isWithin, statements }: LinkAsk): Promise<LinkAnswer> {
  if (isWithin && (client === null || client !== begun)) {
    const message = "the connection was lost within a transaction";
    return { kind: "failed", code: NO_CONNECTION, message, isLost: true };
  }
  const answered = await answer(statements);
  if (!isWithin) begun = client;
  return answered;
}

async function answer(statements: LinkAsk["statements"]): Promise<LinkAnswer> {
  try {
    const open = client ??= await connect();
    const settled = await Promise.allSettled(statements.map((one) => run(open, one)));
    const results = settled.map((one) => {
      if (one.status === "rejected") throw one.reason;
      return one.value;
    });
    return { kind: "rows", results };
  } catch (error) {
    const { code = "", message = "" } = error as {
      readonly code?: string;
      readonly message?: string;
    };
    const denied = error instanceof Deno.errors.NotCapable ? "DENIED" : String(code);
    const isLost = client === null || isGone(denied, message);
    if (isLost) await drop();
    return { kind: "failed", code: denied, message, isLost };
  }
}

async function isUp(): Promise<boolean> {
  const { kind } = await answer([{ sql: "SELECT 1", values: null }]);
  return kind === "rows";
}

async function run(open: pg.Client, { sql, values }: LinkStatement): Promise<LinkRows> {
  const result = await open.query(
    values === null
      ? sql
      : { name: nameStatement(sql), text: sql, values: values.map(encodeParameter) },
  );
  const last = (Array.isArray(result) ? result.at(-1) : result) as pg.QueryResult<Row>;
  return { rows: last.rows, count: last.rowCount ?? 0 };
}

/** Whether the server ended the connection: by a restart, an administrator, or the network. */
function isGone(code: string, message: string): boolean {
  return /^(?:08|57P0)/.test(code) || /^E[A-Z]+$/.test(code) ||
    /terminated|not queryable|closed|timeout/i.test(message) && !/^[0-9]/.test(code);
}

async function connect(): Promise<pg.Client> {
  if (start === null) throw new Error("the store was asked before it was named");
  const { host, port, database, user, password } = start.place;
  const types = { getTypeParser: chooseParser as never };
  const opened = new pg.Client({
    host,
    port,
    database,
    user,
    password,
    ssl: buildTls(start.place),
    connectionTimeoutMillis: CONNECT_MS,
    // Where the network swallows everything, the server's own limit is never heard of.
    query_timeout: start.statementMs + CONNECT_MS,
    keepAlive: true,
    application_name: "code-intel",
    types,
  });
  // A connection that is lost while nobody asks is noticed by the next statement.
  opened.on("error", () => void drop());
  await opened.connect();
  await opened.query(
    `SET search_path = code_intel; SET statement_timeout = ${start.statementMs};
      SET idle_in_transaction_session_timeout = ${start.statementMs * 2}; SET jit = off`,
  );
  names.clear();
  return opened;
}

/** The file is read by each connection, so that a new one counts without a restart. */
function buildTls({ tls, authorities }: StorePlace): pg.ClientConfig["ssl"] {
  if (tls !== "verified") return tls === "off" ? false : { rejectUnauthorized: false };
  if (authorities === null) return { rejectUnauthorized: true };
  const within = parse(authorities).root;
  const ca = readRegularText(authorities, { within, maxBytes: LIMITS.fileBytes.value }) ?? "";
  if (ca.includes("-----BEGIN CERTIFICATE-----")) return { rejectUnauthorized: true, ca };
  throw Object.assign(new Error(authorities), { code: NO_AUTHORITIES });
}

async function drop(): Promise<void> {
  const lost = client;
  client = null;
  await lost?.end().catch(() => {});
}

/** Statements are prepared once; their texts are few. */
function nameStatement(sql: string): string {
  let name = names.get(sql);
  if (name === undefined) names.set(sql, name = `s${names.size}`);
  return name;
}

function encodeParameter(value: Value): unknown {
  return value instanceof Uint8Array ? Buffer.from(value) : value;
}

function chooseParser(type: number, format?: string): (text: string) => unknown {
  if (format !== undefined && format !== TEXT_FORMAT) return (text) => text;
  if (type === BOOLEAN) return (text) => text === "t" ? 1 : 0;
  if (type === BYTES) return (text) => Uint8Array.fromHex(text.slice(2));
  return type === BIGINT || type === NUMERIC || NUMBERS.has(type) ? Number : (text) => text;
}

/** Numbers of two, four and eight bytes, whole or not. */
const NUMBERS = new Set([21, 23, 26, 700, 701]);

function give(made: LinkAnswer): void {
  if (start === null) return;
  const head = new Int32Array(start.memory, 0, HEAD_BYTES / 4);
  const data = new Uint8Array(start.memory, HEAD_BYTES);
  const bytes = packAnswer(made);
  for (let at = 0;; at += PART_BYTES) {
    const part = bytes.subarray(at, at + PART_BYTES);
    const hasMore = at + PART_BYTES < bytes.length;
    data.set(part);
    head[HEAD.length] = part.length;
    head[HEAD.hasMore] = hasMore ? 1 : 0;
    Atomics.store(head, HEAD.isTaken, 0);
    Atomics.store(head, HEAD.isReady, 1);
    Atomics.notify(head, HEAD.isReady);
    if (!hasMore) return;
    waitWhile(head, HEAD.isTaken, 0);
  }
}
