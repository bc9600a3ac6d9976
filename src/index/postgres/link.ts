/**
 * A connection to PostgreSQL that is asked as SQLite is: the answer is there when the call returns. A thread holds the
 * connection; this one waits for it. So the questions, which are written without waiting, are the same for both engines.
 */
import { deserialize } from "node:v8";
import { invariant } from "../../base/errors.ts";
import type { Reader, Row, Value } from "../read/reader.ts";
import type { LinkAnswer, LinkAsk, LinkStart } from "./link_protocol.ts";
import { HEAD, HEAD_BYTES, PART_BYTES } from "./link_protocol.ts";
import { isLostStore, toStoreError } from "./store_error.ts";
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

  private constructor(place: StorePlace, worker: Worker, memory: SharedArrayBuffer) {
    this.place = place;
    this.#worker = worker;
    this.#head = new Int32Array(memory, 0, HEAD_BYTES / 4);
    this.#data = new Uint8Array(memory, HEAD_BYTES);
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

  all(sql: string, ...values: readonly Value[]): Row[] {
    return this.#ask(this.#translate(sql), values).rows as Row[];
  }

  get(sql: string, ...values: readonly Value[]): Row | undefined {
    return this.#ask(this.#translate(sql), values).rows[0];
  }

  number(sql: string, ...values: readonly Value[]): number {
    const row = this.get(sql, ...values);
    return row === undefined ? 0 : Number(Object.values(row)[0] ?? 0);
  }

  /** Runs a statement that changes rows; answers how many. */
  run(sql: string, ...values: readonly Value[]): number {
    return this.#ask(this.#translate(sql), values).count;
  }

  /** Runs statements without values; answers the rows of the last one. */
  exec(sql: string): readonly Row[] {
    return this.#ask(sql, null).rows;
  }

  /**
   * Runs `work` over one state of the store, and once more from its beginning where the connection was lost meanwhile.
   *
   * @throws {CodeIntelError} `store_unreachable`, `store_refused`, `timed_out`.
   */
  snapshot<T>(work: () => T): T {
    if (this.#isInside) return work();
    return this.#attempt(READ_ONLY, work, 2);
  }

  /**
   * Runs `work` in a transaction. It may run several times, so that it must change nothing but the store.
   *
   * @throws as {@link PostgresLink.snapshot}, and `disk_full`.
   */
  transaction<T>(work: () => T): T {
    invariant(!this.#isInside, "a transaction holds no other one");
    return this.#attempt("BEGIN", work, ATTEMPTS);
  }

  /** Ends the thread and the connection; a second call does nothing. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#worker.terminate();
  }

  #attempt<T>(begin: string, work: () => T, attempts: number): T {
    for (let attempt = 1;; attempt++) {
      try {
        this.exec(begin);
        this.#isInside = true;
        const made = work();
        this.exec("COMMIT");
        return made;
      } catch (error) {
        const isLost = isLostStore(error);
        if (!isLost && this.#isInside) this.#rollback();
        if (attempt >= attempts || !(isLost || isContended(error))) throw error;
      } finally {
        this.#isInside = false;
      }
    }
  }

  #rollback(): void {
    try {
      this.exec("ROLLBACK");
    } catch (error) {
      // A connection that is lost has ended its transaction.
      if (!isLostStore(error)) throw error;
    }
  }

  #ask(sql: string, values: readonly Value[] | null): Extract<LinkAnswer, { kind: "rows" }> {
    invariant(this.#isOpen, "the store is closed");
    const asked: LinkAsk = { kind: "ask", sql, values };
    const answer = this.#exchange(asked);
    if (answer.kind === "rows") return answer;
    // Outside a transaction nothing was begun that a second attempt could do twice, save a statement that changes rows.
    if (answer.isLost && !this.#isInside && /^\s*(?:SELECT|BEGIN)\b/i.test(sql)) {
      const again = this.#exchange(asked);
      if (again.kind === "rows") return again;
      throw toStoreError(again, this.place);
    }
    throw toStoreError(answer, this.place);
  }

  #exchange(asked: LinkAsk): LinkAnswer {
    const head = this.#head;
    Atomics.store(head, HEAD.isReady, 0);
    this.#worker.postMessage(asked);
    const parts: Uint8Array[] = [];
    for (let hasMore = true; hasMore;) {
      Atomics.wait(head, HEAD.isReady, 0);
      parts.push(this.#data.slice(0, head[HEAD.length]));
      hasMore = head[HEAD.hasMore] === 1;
      Atomics.store(head, HEAD.isReady, 0);
      Atomics.store(head, HEAD.isTaken, 1);
      Atomics.notify(head, HEAD.isTaken);
    }
    return deserialize(concat(parts)) as LinkAnswer;
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

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
