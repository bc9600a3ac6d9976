/** The interface of the store of sessions, with the outcomes of loading and saving as values. */
import type { Problem } from "../base/problem.ts";
import type { Checkpoint } from "./session.ts";
import type { SessionRecord } from "./records.ts";

/** Something that was repaired or could not be checked, to be reported once. */
export interface StoreNotice {
  readonly code:
    | "checkpoint_damaged"
    | "records_damaged"
    | "seal_unchecked"
    | "lock_taken_over";
  readonly message: string;
}

/** Why a file cannot be what this home folder saved last. */
export type TamperedReason = "changed" | "key_lost" | "older";

/** The outcome of loading one session. */
export type LoadOutcome =
  | {
    readonly kind: "loaded";
    readonly id: string;
    readonly checkpoint: Checkpoint;
    /** True where its seal proves that this home folder wrote it. */
    readonly isVouched: boolean;
    /** Notices that no reply has reported yet; {@link SessionStore.takeNotices} takes them. */
    readonly notices: readonly StoreNotice[];
  }
  | { readonly kind: "missing"; readonly id: string; readonly problem: Problem }
  | {
    /** The file is not what this home folder saved last; `checkpoint` is what would be accepted. */
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

/** The outcome of a save. */
export type SaveOutcome =
  | { readonly kind: "saved"; readonly checkpoint: Checkpoint }
  | { readonly kind: "refused"; readonly problem: Problem };

/** Records of a session, and how many lines were rejected. */
export interface RecordsResult {
  readonly records: readonly SessionRecord[];
  /** Number of lines that are no record or have a wrong seal; they are ignored. */
  readonly rejectedLines: number;
}

/** A session that was archived, with its records, or why it cannot be read. */
export type ArchivedOutcome =
  | {
    readonly kind: "read";
    readonly checkpoint: Checkpoint;
    /** True where its seal proves that this home folder wrote it. */
    readonly isVouched: boolean;
    readonly records: RecordsResult;
  }
  | { readonly kind: "missing" }
  | { readonly kind: "damaged"; readonly reason: string };

/** What an operation learns when it gets the lock. */
export interface Operation {
  readonly notices: readonly StoreNotice[];
}

/** The sessions of one project on disk. */
export interface SessionStore {
  load(id: string): Promise<LoadOutcome>;
  /** Every session that is not archived, by id, oldest first. */
  loadAll(): Promise<readonly LoadOutcome[]>;
  /**
   * The newest active session; where there is none, the first that cannot be read, because it may
   * be the active one; else null.
   */
  findActive(): Promise<Exclude<LoadOutcome, { readonly kind: "missing" }> | null>;
  /**
   * Writes revision `expectedRevision + 1` (0 for a new session). Refuses when the disk holds another
   * revision than the expected one.
   */
  save(
    body: CheckpointBody,
    options: { readonly expectedRevision: number },
  ): Promise<SaveOutcome>;
  /**
   * Takes the notices of all sessions that no reply has reported yet, also those of other processes;
   * the caller reports them. Each cause is reported once, and stays in the records for the brief and the
   * report.
   *
   * @param active The active session, null for none, where the caller has just looked; by default it is looked up.
   */
  takeNotices(active?: string | null): Promise<readonly StoreNotice[]>;
  /** Seals a tampered session again, when the user asks. */
  accept(id: string): Promise<LoadOutcome>;
  /**
   * Sessions that this home folder saved, that have not ended, and of which no file is left; none
   * without a state folder.
   */
  listLost(): Promise<readonly string[]>;
  /** Ends a lost session when the user asks, so that it is no longer reported. */
  giveUpLost(id: string): Promise<void>;
  /** Archives an ended session, and removes what is older than the archive keeps. */
  archive(id: string): Promise<void>;
  /** The session that was archived last; null without one, or when it cannot be read. */
  readLastEnded(): Promise<Checkpoint | null>;
  /** Ids of the archived sessions, oldest first. */
  listArchived(): Promise<readonly string[]>;
  /** An archived session with its records, to read; nothing is changed or set aside. */
  readArchived(id: string): Promise<ArchivedOutcome>;
  /** Runs a short operation while no other process works on the sessions. Must not be nested. */
  withOperation<T>(action: (operation: Operation) => Promise<T>): Promise<T>;
  /** Appends a line to the records; several processes may do so at once. */
  appendRecord(id: string, record: SessionRecord): Promise<void>;
  /** All records; only new bytes are read from the disk. */
  readRecords(id: string): Promise<RecordsResult>;
}
