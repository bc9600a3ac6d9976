/** What the store of sessions answers: outcomes of loading and saving as values. */
import type { Problem } from "../base/problem.ts";
import type { Checkpoint } from "./session.ts";
import type { SessionRecord } from "./records.ts";
import type { TamperedReason } from "./store_problems.ts";

/** Something that was mended or could not be checked, to be told once. */
export interface StoreNotice {
  readonly code:
    | "checkpoint_damaged"
    | "records_damaged"
    | "seal_unchecked"
    | "lock_taken_over";
  readonly message: string;
}

/** What became of reading one session. */
export type LoadOutcome =
  | {
    readonly kind: "loaded";
    readonly id: string;
    readonly checkpoint: Checkpoint;
    /** True where its seal proves that this home wrote it. */
    readonly isVouched: boolean;
    /** What no reply has told yet; {@link SessionStore.takeNotices} takes it. */
    readonly notices: readonly StoreNotice[];
  }
  | { readonly kind: "missing"; readonly id: string; readonly problem: Problem }
  | {
    /** It is not what this home saved last; `checkpoint` shows what would be accepted. */
    readonly kind: "tampered";
    readonly id: string;
    readonly reason: TamperedReason;
    readonly checkpoint: Checkpoint;
    readonly problem: Problem;
  }
  | { readonly kind: "newer"; readonly id: string; readonly problem: Problem }
  | { readonly kind: "damaged"; readonly id: string; readonly problem: Problem };

/** A session that can be worked with. */
export type LoadedSession = Extract<LoadOutcome, { readonly kind: "loaded" }>;

/** What is saved; the store adds format, revision and time. */
export type CheckpointBody = Pick<Checkpoint, "state" | "extras">;

/** What became of a save. */
export type SaveResult =
  | { readonly kind: "saved"; readonly checkpoint: Checkpoint }
  | { readonly kind: "refused"; readonly problem: Problem };

/** Records of a session with what could not be read of them. */
export interface RecordsResult {
  readonly records: readonly SessionRecord[];
  /** Lines that are no record, or whose seal does not fit: they count for nothing. */
  readonly rejectedLines: number;
}

/** What an operation under the lock is told. */
export interface Operation {
  readonly notices: readonly StoreNotice[];
}

/** The sessions of one project on disk. */
export interface SessionStore {
  load(id: string): Promise<LoadOutcome>;
  /** Every session that is not archived, by id, oldest first. */
  loadAll(): Promise<readonly LoadOutcome[]>;
  /**
   * The newest active session; where there is none, the first that cannot be read, because it may be
   * the active one; else null.
   */
  findActive(): Promise<Exclude<LoadOutcome, { readonly kind: "missing" }> | null>;
  /**
   * Writes revision `expectedRevision + 1` (0 for a new session). Refuses when the disk holds another
   * revision than the expected one.
   */
  save(
    body: CheckpointBody,
    options: { readonly expectedRevision: number },
  ): Promise<SaveResult>;
  /**
   * What was found of any session and told by no reply yet, by this process or by one that answers nobody:
   * whoever calls this tells it. Each cause is given once, and kept in the records for the brief and the report.
   */
  takeNotices(): Promise<readonly StoreNotice[]>;
  /** Seals a tampered session again, on the person's word. */
  accept(id: string): Promise<LoadOutcome>;
  /** Sessions that this home saved, that have no end, and of which no file is left; none without a state folder. */
  listLost(): Promise<readonly string[]>;
  /** Ends a lost session, on the person's word: nothing asks for it any more. */
  giveUpLost(id: string): Promise<void>;
  /** Moves an ended session to the archive and removes what is older than the archive keeps. */
  archive(id: string): Promise<void>;
  /** The state of the session that was archived last; null without one, or when it cannot be read. */
  readLastEnded(): Promise<Checkpoint | null>;
  /** Runs a short operation while no other process works on the sessions. Not to be nested. */
  withOperation<T>(action: (operation: Operation) => Promise<T>): Promise<T>;
  /** Adds a line to the records; safe from several processes at once. */
  appendRecord(id: string, record: SessionRecord): Promise<void>;
  /** All records, of which only the new bytes are read from disk. */
  readRecords(id: string): Promise<RecordsResult>;
}
