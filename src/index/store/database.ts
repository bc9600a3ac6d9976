/**
 * One open index database: a connection that writes and one that reads, statements prepared once, and
 * transactions. It knows files and locks, not what the tables mean.
 */
import { checkOwnFile } from "../../base/files/own_folder.ts";
import type { SQLInputValue, StatementSync } from "node:sqlite";
import { DatabaseSync } from "node:sqlite";
import { CodeIntelError, invariant, makeIoError } from "../../base/errors.ts";
import type { SchemaState } from "./schema.ts";
import { migrateSchema, readSchemaState } from "./schema.ts";
import type { Reader, Row, Statement } from "../read/reader.ts";
import { loadExtension } from "../vectors/sqlite_vec.ts";

/** What its name adds to that of the database. */
export const SHARED_MEMORY = "-shm";

/** A row as SQLite gives it. */
export type { Row };

/** Longest wait of one statement for other processes; only recovery after a kill takes any. */
const BUSY_TIMEOUT_MS = 1_000;
/** What SQLite gives up at once, or after its own wait, is tried again for so long in all. */
const RETRY_FOR_MS = 5_000;
const RETRY_MS = 25;

/** Path of a database that lives in memory and ends with the process. */
export const IN_MEMORY = ":memory:";
/** Endings of the files of one database. */
export const PARTS: readonly string[] = ["", "-wal", SHARED_MEMORY];

/** A database that cannot be used as it is, with what is wrong with it. */
export class UnusableDatabase extends Error {
  override readonly name = "UnusableDatabase";
  /** `damaged`, or what its header says. */
  readonly state: "damaged" | Exclude<SchemaState, "empty" | "present" | "older">;

  /** @param state what is wrong with the file. */
  constructor(state: UnusableDatabase["state"], cause?: unknown) {
    super(`The index database is ${state}`, cause === undefined ? undefined : { cause });
    this.state = state;
  }
}

/** How much memory and journal a connection takes. */
export type CacheSize = "usual" | "bulk";

const ROOMS: Readonly<
  Record<CacheSize, { readonly cacheKb: number; readonly journalPages: number }>
> = {
  usual: { cacheKb: 16 * 1024, journalPages: 1_000 },
  bulk: { cacheKb: 64 * 1024, journalPages: 16_000 },
};

/** One SQLite connection with its prepared statements. */
export class Connection implements Reader {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #isOpen = true;
  #depth = 0;
  #room: CacheSize = "usual";

  /** Whether the functions of `sqlite-vec` can be called. */
  readonly hasVectors: boolean;

  /** @param db an open database; the connection owns it. */
  constructor(db: DatabaseSync, options: { readonly hasVectors?: boolean } = {}) {
    this.#db = db;
    this.hasVectors = options.hasVectors ?? false;
  }

  /** Every row of a query. */
  all(sql: string, ...values: readonly SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  /** Every row of a query whose values have names. */
  allNamed(sql: string, values: Readonly<Record<string, SQLInputValue>>): Row[] {
    const statement = this.#prepare(sql);
    statement.setAllowUnknownNamedParameters(true);
    return statement.all(values) as Row[];
  }

  /** The first row of a query, if any. */
  get(sql: string, ...values: readonly SQLInputValue[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }

  /** The first column of the first row as a number; 0 without a row. */
  number(sql: string, ...values: readonly SQLInputValue[]): number {
    const row = this.get(sql, ...values);
    return row === undefined ? 0 : Number(Object.values(row)[0] ?? 0);
  }

  /** The rows of each of several statements. */
  several(statements: readonly Statement[]): readonly Row[][] {
    return statements.map(({ sql, values }) => this.all(sql, ...values));
  }

  /** Rows one after the other, for long lists; read them to their end. */
  iterate(sql: string, ...values: readonly SQLInputValue[]): Iterable<Row> {
    return this.#prepare(sql).iterate(...values) as Iterable<Row>;
  }

  /** Runs a statement that changes rows; answers the id of the last inserted one. */
  run(sql: string, ...values: readonly SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).lastInsertRowid);
  }

  /** Runs statements without values. */
  exec(sql: string): void {
    this.#db.exec(sql);
  }

  /** Begins a transaction that stays open over awaits; ends with {@link commit} or {@link rollback}. */
  begin(): void {
    retryBusy(() => this.#db.exec("BEGIN IMMEDIATE"));
  }

  /** Makes what was written since {@link begin} visible. */
  commit(): void {
    retryBusy(() => this.#db.exec("COMMIT"));
  }

  /** Takes back what was written since {@link begin}. */
  rollback(): void {
    if (this.#isOpen && this.#db.isTransaction) this.#db.exec("ROLLBACK");
  }

  /**
   * Gives the connection the room of one that writes thousands of files, or takes it away. Rows by name lie all over the
   * database: with less room the same pages are read, written and brought from the journal again and again.
   */
  setRoom(room: CacheSize): void {
    if (room === this.#room) return;
    this.#room = room;
    const { cacheKb, journalPages } = ROOMS[room];
    this.#db.exec(`PRAGMA cache_size = -${cacheKb}; PRAGMA wal_autocheckpoint = ${journalPages}`);
    if (room === "usual") this.rest();
  }

  /** Gives back the memory of pages that were read and are not being used. */
  rest(): void {
    this.setRoom("usual");
    this.#db.exec("PRAGMA shrink_memory");
  }

  /** Whether a transaction is open. */
  get isWriting(): boolean {
    return this.#isOpen && this.#db.isTransaction;
  }

  /** Runs `read` over one state of the database, whatever others write meanwhile. */
  snapshot<T>(read: () => T): T {
    // Inside a transaction, its own or another read's, there is one state already.
    if (this.#depth > 0 || this.#db.isTransaction) return read();
    retryBusy(() => {
      this.#db.exec("BEGIN");
      try {
        // The state is chosen by the first read.
        this.number("SELECT count(*) FROM worktrees");
      } catch (error) {
        // A full disk has ended it already: that is what is to be said.
        if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
        throw error;
      }
    });
    this.#depth++;
    try {
      return read();
    } finally {
      this.#depth--;
      if (this.#db.isTransaction) this.#db.exec("COMMIT");
    }
  }

  /** Closes the connection; a second call does nothing. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#statements.clear();
    this.#db.close();
  }

  #prepare(sql: string): StatementSync {
    invariant(this.#isOpen, "the index database is closed");
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = retryBusy(() => this.#db.prepare(sql));
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** An open database. */
export interface IndexDatabase {
  readonly path: string;
  /** Writes; only under the writer's lock. */
  readonly writer: Connection;
  /** Reads what is committed. In memory it is the writer itself. */
  readonly reader: Connection;
  /** Closes both connections. */
  close(): void;
}

/**
 * Opens the database at `path` and brings its tables to the present form. Call it under the writer's
 * lock.
 *
 * @param extension path of the extension for vectors, null to do without.
 * @throws {UnusableDatabase} when the file is damaged, of a newer form, or of another program.
 * @throws {CodeIntelError} `io_failed`, `disk_full`.
 */
export function openDatabase(path: string, extension: string | null = null): IndexDatabase {
  const opened = open(path, extension, { isReady: false });
  invariant(opened !== null, "a database that may be made is there");
  return opened;
}

/**
 * The same without the lock: only a database whose tables are in their present form already. Null for any other,
 * to which nothing was done.
 *
 * @throws as {@link openDatabase}.
 */
export function openReadyDatabase(path: string, extension: string | null): IndexDatabase | null {
  return open(path, extension, { isReady: true });
}

/**
 * Opens the database at `path` for reading alone, as one that another process or another project keeps. Nothing that its
 * file says of functions or tables is trusted.
 *
 * @returns null for a database of an older form, which only its writer may bring to the present one.
 * @throws as {@link openDatabase}.
 */
export function openForReading(path: string): Connection | null {
  let db: DatabaseSync | undefined;
  try {
    for (const part of PARTS) checkOwnFile(path + part);
    const opened = db = new DatabaseSync(path, { readOnly: true });
    opened.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA trusted_schema = OFF`);
    const state = retryBusy(() => readSchemaState(opened));
    if (state === "newer" || state === "foreign") throw new UnusableDatabase(state);
    if (state === "present") {
      opened.exec("PRAGMA cache_size = -8192; PRAGMA temp_store = MEMORY");
      return new Connection(opened);
    }
    opened.close();
    return null;
  } catch (error) {
    if (db?.isOpen === true) db.close();
    if (error instanceof UnusableDatabase) throw error;
    if (isDamage(error)) throw new UnusableDatabase("damaged", error);
    throw makeDatabaseError(path, error);
  }
}

/**
 * Totals of the full text are corrected in its own tables (`text_totals.ts`), which the defensive mode forbids. Runtimes
 * without that mode pass the word over; the types do not know it yet.
 */
const WRITABLE = { defensive: false };

function open(
  path: string,
  extension: string | null,
  { isReady }: { readonly isReady: boolean },
): IndexDatabase | null {
  const opened: DatabaseSync[] = [];
  const connectTo = () => {
    // SQLite follows a link in the place of each of its files.
    if (path !== IN_MEMORY) { for (const part of PARTS) checkOwnFile(path + part); }
    const options = { ...WRITABLE, allowExtension: extension !== null };
    const db = new DatabaseSync(path, options);
    opened.push(db);
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    return db;
  };
  try {
    const db = connectTo();
    const state = retryBusy(() => readSchemaState(db));
    if (state === "newer" || state === "foreign") throw new UnusableDatabase(state);
    if (isReady && state !== "present") {
      db.close();
      return null;
    }
    // A commit is whole after a kill without waiting for the disk; after a power cut the last ones
    // may be missing, and are made again.
    setUp(db);
    if (state !== "present") retryBusy(() => migrateSchema(db));
    const connect = (one: DatabaseSync) =>
      new Connection(one, { hasVectors: loadExtension(one, extension) });
    const writer = connect(db);
    const reader = path === IN_MEMORY ? writer : connect(setUp(connectTo()));
    const close = () => {
      reader.close();
      writer.close();
    };
    return { path, writer, reader, close };
  } catch (error) {
    for (const db of opened) db.close();
    if (error instanceof UnusableDatabase) throw error;
    if (isDamage(error)) throw new UnusableDatabase("damaged", error);
    throw makeDatabaseError(path, error);
  }
}

function setUp(db: DatabaseSync): DatabaseSync {
  retryBusy(() => {
    db.exec("PRAGMA journal_mode = WAL");
    db.exec(`PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${ROOMS.usual.cacheKb}`);
    db.exec("PRAGMA temp_store = MEMORY");
    db.exec("PRAGMA journal_size_limit = 16777216");
  });
  return db;
}

const SQLITE = {
  error: 1,
  busy: 5,
  locked: 6,
  ioerr: 10,
  corrupt: 11,
  full: 13,
  protocol: 15,
  notadb: 26,
} as const;

/** Whether the error says that the file holds no whole database. */
export function isDamage(error: unknown): boolean {
  const code = readSqliteCode(error);
  return code === SQLITE.corrupt || code === SQLITE.notadb;
}

function isBusy(error: unknown): boolean {
  const code = readSqliteCode(error);
  return code === SQLITE.busy || code === SQLITE.locked || code === SQLITE.protocol;
}

function readSqliteCode(error: unknown): number | null {
  if (!(error instanceof Error)) return null;
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  if (code !== "ERR_SQLITE_ERROR") return null;
  // Extended codes hold the plain one in their lowest byte.
  if (typeof errcode === "number") return errcode & 0xff;
  // Errors of `exec` and of opening carry SQLite's words alone.
  return MESSAGES.find(([pattern]) => pattern.test(error.message))?.[1] ?? SQLITE.error;
}

const MESSAGES: readonly (readonly [pattern: RegExp, code: number])[] = [
  [/is locked/, SQLITE.busy],
  [/locking protocol/, SQLITE.protocol],
  [/malformed/, SQLITE.corrupt],
  [/not a database/, SQLITE.notadb],
  [/is full/, SQLITE.full],
  [/disk I\/O/, SQLITE.ioerr],
];

/** Turns an error of SQLite into an operational failure; any other error is given back. */
export function makeDatabaseError(path: string, error: unknown): unknown {
  const code = readSqliteCode(error);
  if (code === null || !(error instanceof Error)) return error;
  if (code === SQLITE.full) {
    return makeIoError(`write the index "${path}"`, error);
  }
  const what = code === SQLITE.ioerr ? "read or write" : "use";
  return new CodeIntelError("io_failed", `Cannot ${what} the index "${path}": ${error.message}`, {
    hint: "Check that its folder may be written; `code-intel index --rebuild` makes it anew.",
    cause: error,
  });
}

/** Whether a retry is under way: what it does itself is tried once, so that waits never multiply. */
let isRetrying = false;

/** Tries again while another process recovers or checkpoints; short, because nobody holds it long. */
function retryBusy<T>(action: () => T): T {
  if (isRetrying) return action();
  isRetrying = true;
  const endsAt = performance.now() + RETRY_FOR_MS;
  try {
    for (;;) {
      try {
        return action();
      } catch (error) {
        if (!isBusy(error) || performance.now() > endsAt) throw error;
        const waitMs = RETRY_MS * (0.5 + Math.random());
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
      }
    }
  } finally {
    isRetrying = false;
  }
}
