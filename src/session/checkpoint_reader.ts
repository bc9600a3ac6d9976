/**
 * Reads checkpoints and judges them by what this home folder remembers. It changes nothing, except
 * that it sets damaged files aside.
 */
import type { FileStamp } from "../base/files/file_stamp.ts";
import { isSameStamp, lookIfThere, toStamp, wasOldAt } from "../base/files/file_stamp.ts";
import type { Seal } from "../base/files/seal.ts";
import type { Generation } from "./checkpoint_file.ts";
import { readGeneration, setAside, toGenerationPaths } from "./checkpoint_file.ts";
import { raiseFailureCounts } from "./failure_counts.ts";
import type { RevisionMark, RevisionMarks } from "./revision_marks.ts";
import { judgeSeal } from "./seal_rules.ts";
import type { Checkpoint } from "./session.ts";
import { isSessionId } from "./session.ts";
import { listSessionIds } from "./session_files.ts";
import type { LoadOutcome, StoreNotice } from "./store_api.ts";
import type { TamperedReason } from "./store_problems.ts";
import { STORE_PROBLEMS } from "./store_problems.ts";
import type { UntoldNotices } from "./untold.ts";

/** What the reader needs. */
export interface CheckpointReaderParts {
  /** Absolute folder of the sessions; it need not exist. */
  readonly sessionsDir: string;
  readonly seal: Seal;
  readonly marks: RevisionMarks;
  /** Receives notices that a reply has to tell. */
  readonly untold: UntoldNotices;
  /** Writes damage into the records. */
  readonly noteDamage: (id: string, text: string) => Promise<void>;
}

/** A read session, and the file that it was read from. */
interface Cached {
  readonly stamp: FileStamp;
  /** Before the file was read, in milliseconds since 1970. */
  readonly lookedAtMs: number;
  readonly checkpoint: Checkpoint;
  readonly isVouched: boolean;
}

/** Reads the sessions of a folder; an unchanged file is not parsed again. */
export class CheckpointReader {
  readonly #parts: CheckpointReaderParts;
  readonly #cache = new Map<string, Cached>();
  /** Sessions whose newest file this process set aside, so that the missing file is no news. */
  readonly #setAside = new Set<string>();

  /** @param parts What it reads with. */
  constructor(parts: CheckpointReaderParts) {
    this.#parts = parts;
  }

  /** The session, or why it cannot be loaded. */
  async load(id: string): Promise<LoadOutcome> {
    if (!isSessionId(id)) return { kind: "missing", id, problem: STORE_PROBLEMS.missing(id) };
    const { current } = toGenerationPaths(this.#parts.sessionsDir, id);
    const cached = this.#cache.get(id);
    const seen = lookNow(current);
    if (
      cached !== undefined && seen !== null && isSameStamp(cached.stamp, seen.stamp) &&
      wasOldAt(cached.stamp, cached.lookedAtMs)
    ) {
      return this.#toLoaded(id, cached.checkpoint, cached);
    }
    // The mark is read before the file: after a save by another process in between, the file is
    // newer than the mark, never older.
    const mark = await this.#parts.marks.read(id);
    const generation = await readGeneration(current, id, this.#parts.seal);
    if (generation.kind === "whole") {
      const floor = Math.max(cached?.checkpoint.revision ?? 0, mark.revision);
      const outcome = this.#judge(id, generation, { mark: toKnown(mark, cached), floor });
      if (outcome.kind === "loaded" && seen !== null) {
        const { checkpoint, isVouched } = outcome;
        this.#cache.set(id, { ...seen, checkpoint, isVouched });
      }
      return outcome;
    }
    if (generation.kind === "absent" || generation.kind === "damaged") {
      return await this.#loadPrevious(id, generation, toKnown(mark, cached));
    }
    return toRefused(id, generation);
  }

  /**
   * Judges a complete file by what is remembered of the session: `floor` is the lowest revision
   * that it may have.
   */
  #judge(
    id: string,
    { checkpoint, seal }: Extract<Generation, { readonly kind: "whole" }>,
    { mark, floor }: { readonly mark: RevisionMark; readonly floor: number },
  ): LoadOutcome {
    const judgement = judgeSeal(seal, mark);
    const isSound = judgement === "vouched" || judgement === "unchecked";
    if (!isSound || checkpoint.revision < floor) {
      // A complete and sealed but older file: somebody put an earlier generation back.
      const reason = isSound ? "older" : judgement;
      return toTampered(id, checkpoint, reason);
    }
    const isVouched = judgement === "vouched";
    if (!isVouched) this.#parts.untold.add(id, toSealNotice(id));
    return this.#toLoaded(id, checkpoint, { isVouched });
  }

  #toLoaded(
    id: string,
    checkpoint: Checkpoint,
    { isVouched }: { readonly isVouched: boolean },
  ): LoadOutcome {
    return { kind: "loaded", id, checkpoint, isVouched, notices: this.#parts.untold.list(id) };
  }

  /** Loads the previous generation where the present one is missing or damaged. */
  async #loadPrevious(
    id: string,
    current: Extract<Generation, { readonly kind: "absent" | "damaged" }>,
    mark: RevisionMark,
  ): Promise<LoadOutcome> {
    const paths = toGenerationPaths(this.#parts.sessionsDir, id);
    this.#cache.delete(id);
    if (current.kind === "damaged") await this.#reportDamage(id, paths.current, current.reason);
    const previous = await readGeneration(paths.previous, id, this.#parts.seal);
    if (previous.kind === "whole") {
      if (current.kind === "absent" && !this.#setAside.has(id)) {
        this.#parts.untold.add(id, toAbsentNotice(id));
      }
      // A damaged file explains a step back of one generation; a larger step was made by somebody.
      const outcome = this.#judge(id, previous, { mark, floor: mark.revision - 1 });
      if (outcome.kind !== "loaded") return outcome;
      const state = raiseFailureCounts(outcome.checkpoint.state, mark.counts);
      return { ...outcome, checkpoint: { ...outcome.checkpoint, state } };
    }
    if (previous.kind === "damaged") {
      await this.#reportDamage(id, paths.previous, previous.reason);
    }
    if (previous.kind === "tampered" || previous.kind === "newer") return toRefused(id, previous);
    const isKnown = current.kind === "damaged" || previous.kind === "damaged" ||
      (await this.listIds()).includes(id);
    return isKnown
      ? { kind: "damaged", id, problem: STORE_PROBLEMS.damaged(id) }
      : { kind: "missing", id, problem: STORE_PROBLEMS.missing(id) };
  }

  async #reportDamage(id: string, path: string, reason: string): Promise<void> {
    const name = await setAside(this.#parts.sessionsDir, id, path);
    const message = `A file of session "${id}" was damaged (${reason}) and set aside as ${name}`;
    await this.#parts.noteDamage(id, message);
    const code = "checkpoint_damaged";
    this.#setAside.add(id);
    this.#parts.untold.add(id, { code, message });
  }

  /** The revision that this process saw last; 0 for none. */
  getSeenRevision(id: string): number {
    return this.#cache.get(id)?.checkpoint.revision ?? 0;
  }

  /** Treats a file that was just written as read. */
  remember(id: string, checkpoint: Checkpoint, isVouched: boolean): void {
    const { current } = toGenerationPaths(this.#parts.sessionsDir, id);
    const seen = lookNow(current);
    if (seen !== null) this.#cache.set(id, { ...seen, checkpoint, isVouched });
    this.#setAside.delete(id);
  }

  /** Forgets a session that was archived. */
  forget(id: string): void {
    this.#cache.delete(id);
  }

  /** Ids of all sessions that have any file outside the archive, sorted. */
  async listIds(): Promise<readonly string[]> {
    return await listSessionIds(this.#parts.sessionsDir);
  }
}

function lookNow(path: string): Pick<Cached, "stamp" | "lookedAtMs"> | null {
  const lookedAtMs = Date.now();
  const info = lookIfThere(path);
  return info === null ? null : { stamp: toStamp(info), lookedAtMs };
}

/** The mark, raised by what this process has seen itself, for a home folder that keeps no marks. */
function toKnown(mark: RevisionMark, cached: Cached | undefined): RevisionMark {
  return mark.isKnown || cached?.isVouched !== true
    ? mark
    : { ...mark, isKnown: true, isSealed: true, revision: cached.checkpoint.revision };
}

function toRefused(
  id: string,
  generation: Extract<Generation, { readonly kind: "tampered" | "newer" }>,
): LoadOutcome {
  if (generation.kind === "newer") {
    return { kind: "newer", id, problem: STORE_PROBLEMS.newer(id, generation.format) };
  }
  return toTampered(id, generation.checkpoint, "changed");
}

function toTampered(id: string, checkpoint: Checkpoint, reason: TamperedReason): LoadOutcome {
  const problem = STORE_PROBLEMS.tampered(id, reason);
  return { kind: "tampered", id, reason, checkpoint, problem };
}

/** A save never leaves the name unused, so somebody removed the file, or it was set aside. */
function toAbsentNotice(id: string): StoreNotice {
  const message = `The newest file of session "${id}" is missing; the one before it is used`;
  return { code: "checkpoint_damaged", message };
}

function toSealNotice(id: string): StoreNotice {
  const message =
    `The seal of session "${id}" could not be compared: this home neither saved the ` +
    "session nor has the key of its seal. Nobody vouches for what it says of its steps";
  return { code: "seal_unchecked", message };
}
