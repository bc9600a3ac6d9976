/**
 * A connection to PostgreSQL that is asked as SQLite is: the answer is there when the call returns. A thread holds the
 * connection; this one waits for it. So the questions, which are written without waiting, are the same for both engines.
 */
import { concatBytes } from "../../../base/bytes.ts";
import { invariant } from "../../../base/errors.ts";
import type { Reader, Row, Statement, Value } from "../../../index/read/reader.ts";
import type {
  LinkAnswer,
  LinkAsk,
  LinkCheck,
  LinkEnd,
  LinkRows,
  LinkStart,
  LinkStatement,
} from "./link_protocol.ts";
import { unpackAnswer } from "./link_bytes.ts";
import { HEAD, HEAD_BYTES, PART_BYTES, waitWhile } from "./link_protocol.ts";
import { isLostStore, makeStoreError } from "./store_error.ts";
import type { StorePlace } from "./store_place.ts";

/** Longest time of one statement, unless the caller says another. */
const STATEMENT_MS = 30_000;
const READ_ONLY = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
/** Work that two writers made impossible is done again so often. */
const ATTEMPTS = 5;

/** One connection with its thread. */
export class PostgresLink implements Reader {
  readonly place: StorePlace;
  readonly #worker: Worker;
  readonly #head: Int32Array;
  readonly #data: Uint8Array;
  readonly #translated = new Map<string, string>();
  #isOpen = true;
  #isInside = false;
  /** What begins the transaction: it goes with the first statement, so that it is no round of its own. */
  #begin: string | null = null;
  /** The connection was lost within the transaction: what was read before is of another state. */
  #lost: unknown = null;
  #rounds = 0;
  #held: Promise<void> = Promise.resolve();
  /** Who waits for whether the store answers; null while nobody asks. */
  #check: PromiseWithResolvers<boolean> | null = null;

  private constructor(place: StorePlace, worker: Worker, memory: SharedArrayBuffer) {
    this.place = place;
    this.#worker = worker;
    this.#head = new Int32Array(memory, 0, HEAD_BYTES / 4);
    this.#data = new Uint8Array(memory, HEAD_BYTES);
    worker.onmessage = ({ data }: MessageEvent<boolean>) => this.#endCheck(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#endCheck(false);
    };
  }

  /** Starts the thread. The store itself is asked by the first statement. */
  static async open(
    place: StorePlace,
    { statementMs = STATEMENT_MS }: { readonly statementMs?: number } = {},
  ): Promise<PostgresLink> {
    const worker = new Worker(new URL("./link_worker.ts", import.meta.url), { type: "module" });
    const memory = new SharedArrayBuffer(HEAD_BYTES + PART_BYTES);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    worker.onmessage = () => resolve();
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message));
    };
    // Nobody may wait without an event loop before the thread runs: its start needs that loop.
    const first: LinkStart = { kind: "start", place, memory, statementMs };
    worker.postMessage(first);
    await promise;
    return new PostgresLink(place, worker, memory);
  }

  /** How often the store was asked and waited for. */
  get rounds(): number {
    return this.#rounds;
  }

  /** Whether the store answers. This thread goes on meanwhile; all who ask at once are told the same. */
  isUp(): Promise<boolean> {
    if (!this.#isOpen) return Promise.resolve(false);
    if (this.#check === null) {
      this.#check = Promise.withResolvers();
      const check: LinkCheck = { kind: "check" };
      this.#worker.postMessage(check);
    }
    return this.#check.promise;
  }

  all(sql: string, ...values: readonly Value[]): Row[] {
    return this.#one(this.#translate(sql), values).rows as Row[];
  }

  get(sql: string, ...values: readonly Value[]): Row | undefined {
    return this.#one(this.#translate(sql), values).rows[0];
  }

  several(statements: readonly Statement[]): readonly (readonly Row[])[] {
    return this.#ask(statements.map(({ sql, values }) => ({ sql: this.#translate(sql), values })))
      .map(({ rows }) => rows);
  }

  number(sql: string, ...values: readonly Value[]): number {
    const row = this.get(sql, ...values);
    return row === undefined ? 0 : Number(Object.values(row)[0] ?? 0);
  }

  /** Runs a statement that changes rows; answers how many. */
  run(sql: string, ...values: readonly Value[]): number {
    return this.#one(this.#translate(sql), values).count;
  }

  /** Runs statements without values; answers the rows of the last one. */
  exec(sql: string): readonly Row[] {
    return this.#one(sql, null).rows;
  }

  /**
   * Runs `work` over one state of the store, and once more from its beginning where the connection was lost meanwhile.
   *
   * @throws {CodeIntelError} `store_unreachable`, `store_refused`, `timed_out`.
   */
  snapshot<T>(work: () => T): T {
    return this.#isInside ? work() : this.#snapshot(work, false);
  }

  /**
   * As {@link PostgresLink.snapshot}, for work that waits in between; whoever asks meanwhile asks the same state.
   *
   * @throws as there.
   */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#held;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    await before;
    try {
      return await this.#hold(work, false);
    } finally {
      resolve();
    }
  }

  #snapshot<T>(work: () => T, isLast: boolean): T {
    this.#enter(READ_ONLY);
    try {
      return this.#toWhole(work());
    } catch (error) {
      if (isLast || this.#lost === null) throw error;
    } finally {
      this.#leave();
    }
    return this.#snapshot(work, true);
  }

  async #hold<T>(work: () => Promise<T>, isLast: boolean): Promise<T> {
    this.#enter(READ_ONLY);
    try {
      return this.#toWhole(await work());
    } catch (error) {
      if (isLast || this.#lost === null) throw error;
    } finally {
      this.#leave();
    }
    return await this.#hold(work, true);
  }

  /** What was made of one state; work that went on without the rest of its state made nothing. */
  #toWhole<T>(made: T): T {
    if (this.#lost === null) return made;
    throw this.#lost;
  }

  /**
   * Runs `work` in a transaction. It may run several times, so that it must change nothing but the store.
   *
   * @throws as {@link PostgresLink.snapshot}, and `disk_full`.
   */
  transaction<T>(work: () => T): T {
    invariant(!this.#isInside, "a transaction holds no other one");
    for (let attempt = 1;; attempt++) {
      this.#enter("BEGIN");
      try {
        const made = work();
        // Nothing was begun where nothing was asked.
        if (this.#begin === null) this.exec("COMMIT");
        return made;
      } catch (error) {
        const isLost = isLostStore(error);
        if (!isLost && this.#begin === null) this.#rollback();
        if (attempt >= ATTEMPTS || !(isLost || isContended(error))) throw error;
      } finally {
        this.#isInside = false;
        this.#begin = null;
        this.#lost = null;
      }
    }
  }

  /** Ends the thread and the connection; a second call does nothing. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#worker.terminate();
    this.#endCheck(false);
  }

  #endCheck(isUp: boolean): void {
    this.#check?.resolve(isUp);
    this.#check = null;
  }

  #enter(begin: string): void {
    this.#isInside = true;
    this.#begin = begin;
    this.#lost = null;
  }

  /** Ends a transaction that only read; nobody waits for that. */
  #leave(): void {
    const isBegun = this.#begin === null && this.#lost === null;
    this.#isInside = false;
    this.#begin = null;
    this.#lost = null;
    const end: LinkEnd = { kind: "end" };
    if (isBegun && this.#isOpen) this.#worker.postMessage(end);
  }

  #rollback(): void {
    try {
      this.exec("ROLLBACK");
    } catch (error) {
      // A connection that is lost has ended its transaction.
      if (!isLostStore(error)) throw error;
    }
  }

  #one(sql: string, values: readonly Value[] | null): LinkRows {
    const [only] = this.#ask([{ sql, values }]);
    invariant(only !== undefined, "a statement has an answer");
    return only;
  }

  #ask(statements: readonly LinkStatement[]): readonly LinkRows[] {
    invariant(this.#isOpen, "the store is closed");
    if (this.#lost !== null) throw this.#lost;
    const begin = this.#begin;
    this.#begin = null;
    const first = begin === null ? [] : [{ sql: begin, values: null }];
    const asked: LinkAsk = {
      kind: "ask",
      isWithin: this.#isInside && begin === null,
      statements: [...first, ...statements],
    };
    let answer = this.#exchange(asked);
    // Where nothing was begun before, there is nothing that a second attempt could do twice, except a statement that changes rows.
    const isRead = statements.every(({ sql }) => /^\s*(?:SELECT|WITH)\b/i.test(sql));
    if (
      answer.kind === "failed" && answer.isLost && (begin !== null || !this.#isInside && isRead)
    ) {
      answer = this.#exchange(asked);
    }
    if (answer.kind === "rows") return answer.results.slice(first.length);
    const error = makeStoreError(answer, this.place);
    if (answer.isLost && this.#isInside) this.#lost = error;
    throw error;
  }

  #exchange(asked: LinkAsk): LinkAnswer {
    this.#rounds++;
    const head = this.#head;
    Atomics.store(head, HEAD.isReady, 0);
    this.#worker.postMessage(asked);
    const parts: Uint8Array[] = [];
    for (let hasMore = true; hasMore;) {
      waitWhile(head, HEAD.isReady, 0);
      parts.push(this.#data.slice(0, head[HEAD.length]));
      hasMore = head[HEAD.hasMore] === 1;
      Atomics.store(head, HEAD.isReady, 0);
      Atomics.store(head, HEAD.isTaken, 1);
      Atomics.notify(head, HEAD.isTaken);
    }
    const [only] = parts;
    return unpackAnswer(parts.length === 1 && only !== undefined ? only : concatBytes(parts));
  }

  /** SQLite's order of tables by `CROSS JOIN … ON` is a plain join here, and values have numbers. */
  #translate(sql: string): string {
    let known = this.#translated.get(sql);
    if (known === undefined) {
      let at = 0;
      known = sql.replaceAll(/\bCROSS JOIN\b(?! LATERAL)/g, "JOIN").replaceAll(
        "?",
        () => `$${++at}`,
      );
      this.#translated.set(sql, known);
    }
    return known;
  }
}

/** Two transactions that waited for each other, or that saw what the other one changed. */
function isContended(error: unknown): boolean {
  const details = (error as { readonly details?: { readonly sqlState?: unknown } }).details;
  return details?.sqlState === "40001" || details?.sqlState === "40P01";
}
