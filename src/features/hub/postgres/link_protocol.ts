/**
 * What the thread that holds the connection to PostgreSQL and the thread that asks say to each other. The one that asks
 * waits without its event loop, so answers come through shared memory: a head of four numbers, then bytes.
 */
import type { Row, Value } from "../../../index/read/reader.ts";
import type { StorePlace } from "./store_place.ts";

/** The first message: where to connect, and the memory for answers. */
export interface LinkStart {
  readonly kind: "start";
  readonly place: StorePlace;
  readonly memory: SharedArrayBuffer;
  /** Longest time of one statement. */
  readonly statementMs: number;
}

/** A statement; without values it may be several, of which the last one answers. */
export interface LinkStatement {
  readonly sql: string;
  readonly values: readonly Value[] | null;
}

/** Statements that are sent without waiting in between. */
export interface LinkAsk {
  readonly kind: "ask";
  /** Whether they belong to a transaction that an earlier message began: then another connection cannot answer them. */
  readonly isWithin: boolean;
  readonly statements: readonly LinkStatement[];
}

/** Ends a transaction that changed nothing; nobody waits for it, and there is no answer. */
export interface LinkEnd {
  readonly kind: "end";
}

/** Asks whether the store answers; what comes back is a message with true or false. */
export interface LinkCheck {
  readonly kind: "check";
}

/** What a statement answers. */
export interface LinkRows {
  readonly rows: readonly Row[];
  /** Rows that it changed or found. */
  readonly count: number;
}

/** What became of statements. */
export type LinkAnswer =
  | { readonly kind: "rows"; readonly results: readonly LinkRows[] }
  | {
    readonly kind: "failed";
    /** SQLSTATE, {@link NO_AUTHORITIES}, or the code of the system: `ECONNREFUSED`. */
    readonly code: string;
    readonly message: string;
    /** The connection is gone, and with it an open transaction. */
    readonly isLost: boolean;
  };

/** The code of a failure whose message is the file of `sslrootcert`, which has no certificate or cannot be read. */
export const NO_AUTHORITIES = "NO_AUTHORITIES";

/** Numbers at the head of the shared memory, by position. */
export const HEAD = { isReady: 0, length: 1, hasMore: 2, isTaken: 3 } as const;
/** Bytes of the head. */
export const HEAD_BYTES = 16;
/** Bytes of one part of an answer; longer answers come in several. */
export const PART_BYTES = 1024 * 1024;

/**
 * Waits without an event loop while a number of the head is `value`. A thread that was stopped between its change and its
 * call wakes whoever waits by then, perhaps for the next answer; such a call ends no wait.
 */
export function waitWhile(head: Int32Array, at: number, value: number): void {
  while (Atomics.load(head, at) === value) Atomics.wait(head, at, value);
}
