/**
 * Reads checkpoints and judges them by what this home folder remembers. It changes nothing, except
 * that it sets damaged files aside.
 */
import { join } from "node:path";
import { isRecord, parseJson } from "../base/text/json_record.ts";
import { makeUnusableError, readControlFile, readControlText } from "../base/files/control_file.ts";
import { buildTemporaryPath } from "../base/files/atomic_write.ts";
import { makeIoError } from "../base/errors.ts";
import { checkOwnFile, listOwnFolder, writeOwnFile } from "../base/files/own_folder.ts";
import type { Seal, SealVerdict } from "../base/files/seal.ts";
import type { Checkpoint } from "./session.ts";
import { isSessionId, parseCheckpoint } from "./session.ts";
import type { FileStamp } from "../base/files/file_stamp.ts";
import { isSameStamp, statIfThere, toStamp, wasOldAt } from "../base/files/file_stamp.ts";
import type { RevisionMark, RevisionMarks } from "./revision_marks.ts";
import { judgeSeal, raiseFailureCounts } from "./revision_marks.ts";
import { listSessionIds } from "./archive.ts";
import type { LoadOutcome, StoreNotice } from "./store_api.ts";
import type { UnreportedNotices } from "./store_problems.ts";
import type { TamperedReason } from "./store_api.ts";
import { STORE_PROBLEMS } from "./store_problems.ts";

/** The content of a checkpoint file. */
export type Generation =
  | { readonly kind: "absent" }
  | {
    readonly kind: "whole";
    readonly checkpoint: Checkpoint;
    /**
     * Result of checking the seal; what it means depends on what this home folder remembers of the
     * session.
     */
    readonly seal: SealVerdict;
  }
  /** The file belongs to another session. */
  | { readonly kind: "tampered"; readonly checkpoint: Checkpoint }
  | { readonly kind: "newer"; readonly format: number }
  | { readonly kind: "damaged"; readonly reason: string };

const SEAL_AT_END = /,"seal":"([0-9a-f]{8}:[0-9a-f]{64})"\}\s*$/;

/** The paths of the present and of the previous generation of a session. */
export function buildGenerationPaths(
  sessionsDir: string,
  id: string,
): { readonly current: string; readonly previous: string } {
  const current = join(sessionsDir, `${id}.json`);
  return { current, previous: `${current}.prev` };
}

/** Reads one generation and checks its form, its name and its seal. */
export async function readGeneration(path: string, id: string, seal: Seal): Promise<Generation> {
  const reading = readControlFile(path, "checkpoint");
  if (reading.kind === "absent") return reading;
  if (reading.kind === "unusable") {
    // A missing right says nothing about the file, so it is an error; any other failure means that
    // the file is no checkpoint and is set aside.
    if (reading.why === "unreadable") throw makeUnusableError(reading.problem);
    return { kind: "damaged", reason: reading.reason };
  }
  const { text } = reading;
  const value = parseJson(text);
  if (!isRecord(value)) return { kind: "damaged", reason: "it is not a JSON object" };
  const { seal: _seal, ...body } = value;
  const parsed = parseCheckpoint(body);
  if (parsed.kind === "newer") return parsed;
  if (parsed.kind === "invalid") return { kind: "damaged", reason: parsed.reason };
  const { checkpoint } = parsed;
  if (checkpoint.state.sessionId !== id) return { kind: "tampered", checkpoint };
  return { kind: "whole", checkpoint, seal: await checkSeal(text, value, seal) };
}

/**
 * Checks the seal, which is made over the JSON without spaces in the order of its keys. The text is
 * first checked as it is; only a file that an editor has formatted has to be serialised again.
 */
async function checkSeal(text: string, value: Readonly<Record<string, unknown>>, seal: Seal) {
  const match = SEAL_AT_END.exec(text);
  if (match !== null) {
    const written = `${text.slice(0, match.index)}}`;
    const verdict = await seal.check(written, match[1] ?? null);
    if (verdict !== "wrong") return verdict;
  }
  const { seal: found, ...body } = value;
  const stored = typeof found === "string" ? found : null;
  return await seal.check(JSON.stringify(body), stored);
}

/**
 * The text of a checkpoint with its seal as the last member; without a seal while sealing is off.
 */
export async function sealCheckpoint(
  checkpoint: Checkpoint,
  seal: Seal,
): Promise<{ readonly text: string; readonly isSealed: boolean }> {
  const body = JSON.stringify(checkpoint);
  const sealed = await seal.sign(body);
  return sealed === null
    ? { text: `${body}\n`, isSealed: false }
    : { text: `${body.slice(0, -1)},"seal":"${sealed}"}\n`, isSealed: true };
}

/**
 * Replaces the present generation and keeps it as the previous one. After a kill at any moment both
 * names have complete files. The old file gets its second name before the new file takes the first.
 */
export async function writeGeneration(
  paths: { readonly current: string; readonly previous: string },
  text: string,
): Promise<void> {
  for (const path of [paths.current, paths.previous]) checkOwnFile(path);
  await keepPrevious(paths.current, paths.previous);
  await writeOwnFile(paths.current, text, { mode: 0o600 });
}

async function keepPrevious(current: string, previous: string): Promise<void> {
  const temporary = buildTemporaryPath(previous);
  try {
    await Deno.link(current, temporary);
    await Deno.rename(temporary, previous);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    // A file system without hard links gets a copy.
    await writeOwnFile(previous, readControlText(current, "checkpoint") ?? "", { mode: 0o600 });
  } finally {
    // Renaming between two names of one file does nothing and leaves the first name, which is
    // removed here.
    await Deno.remove(temporary).catch(() => {});
  }
}

/** Renames a damaged file, beside earlier ones; returns its new name. */
export async function quarantineFile(
  sessionsDir: string,
  id: string,
  path: string,
): Promise<string> {
  const taken = new Set((await listOwnFolder(sessionsDir)).map(({ name }) => name));
  let number = 1;
  while (taken.has(`${id}.json.corrupt-${number}`)) number++;
  const name = `${id}.json.corrupt-${number}`;
  try {
    await Deno.rename(path, join(sessionsDir, name));
  } catch (error) {
    // Another process has renamed it already.
    if (!(error instanceof Deno.errors.NotFound)) throw makeIoError(`set "${path}" aside`, error);
  }
  return name;
}

/** What the reader needs. */
export interface CheckpointReaderOptions {
  /** Absolute folder of the sessions; it need not exist. */
  readonly sessionsDir: string;
  readonly seal: Seal;
  readonly marks: RevisionMarks;
  /** Receives notices that a reply has to tell. */
  readonly untold: UnreportedNotices;
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
  readonly #parts: CheckpointReaderOptions;
  readonly #cache = new Map<string, Cached>();
  /** Sessions whose newest file this process set aside, so that the missing file is no news. */
  readonly #setAside = new Set<string>();

  /** @param parts What it reads with. */
  constructor(parts: CheckpointReaderOptions) {
    this.#parts = parts;
  }

  /** The session, or why it cannot be loaded. */
  async load(id: string): Promise<LoadOutcome> {
    if (!isSessionId(id)) return { kind: "missing", id, problem: STORE_PROBLEMS.missing(id) };
    const { current } = buildGenerationPaths(this.#parts.sessionsDir, id);
    const cached = this.#cache.get(id);
    const seen = stampNow(current);
    if (
      cached !== undefined && seen !== null && isSameStamp(cached.stamp, seen.stamp) &&
      wasOldAt(cached.stamp, cached.lookedAtMs)
    ) {
      return this.#toLoaded(id, cached.checkpoint, cached);
    }
    // The mark is read before the file: after a save by another process in between, the file is
    // newer than the mark, never older.
    const mark = this.#parts.marks.read(id);
    const generation = await readGeneration(current, id, this.#parts.seal);
    if (generation.kind === "whole") {
      const floor = Math.max(cached?.checkpoint.revision ?? 0, mark.revision);
      const outcome = this.#judge(id, generation, { mark: raiseMark(mark, cached), floor });
      if (outcome.kind === "loaded" && seen !== null) {
        const { checkpoint, isVouched } = outcome;
        this.#cache.set(id, { ...seen, checkpoint, isVouched });
      }
      return outcome;
    }
    if (generation.kind === "absent" || generation.kind === "damaged") {
      return await this.#loadPrevious(id, generation, raiseMark(mark, cached));
    }
    return refuseGeneration(id, generation);
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
      return refuseTampered(id, checkpoint, reason);
    }
    const isVouched = judgement === "vouched";
    if (!isVouched) this.#parts.untold.add(id, makeSealNotice(id));
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
    const paths = buildGenerationPaths(this.#parts.sessionsDir, id);
    this.#cache.delete(id);
    if (current.kind === "damaged") await this.#reportDamage(id, paths.current, current.reason);
    const previous = await readGeneration(paths.previous, id, this.#parts.seal);
    if (previous.kind === "whole") {
      if (current.kind === "absent" && !this.#setAside.has(id)) {
        this.#parts.untold.add(id, makeAbsentNotice(id));
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
    if (previous.kind === "tampered" || previous.kind === "newer") {
      return refuseGeneration(id, previous);
    }
    const isKnown = current.kind === "damaged" || previous.kind === "damaged" ||
      (await this.listIds()).includes(id);
    return isKnown
      ? { kind: "damaged", id, problem: STORE_PROBLEMS.damaged(id) }
      : { kind: "missing", id, problem: STORE_PROBLEMS.missing(id) };
  }

  async #reportDamage(id: string, path: string, reason: string): Promise<void> {
    const name = await quarantineFile(this.#parts.sessionsDir, id, path);
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
    const { current } = buildGenerationPaths(this.#parts.sessionsDir, id);
    const seen = stampNow(current);
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

function stampNow(path: string): Pick<Cached, "stamp" | "lookedAtMs"> | null {
  const lookedAtMs = Date.now();
  const info = statIfThere(path);
  return info === null ? null : { stamp: toStamp(info), lookedAtMs };
}

/** The mark, raised by what this process has seen itself, for a home folder that keeps no marks. */
function raiseMark(mark: RevisionMark, cached: Cached | undefined): RevisionMark {
  return mark.isKnown || cached?.isVouched !== true
    ? mark
    : { ...mark, isKnown: true, isSealed: true, revision: cached.checkpoint.revision };
}

function refuseGeneration(
  id: string,
  generation: Extract<Generation, { readonly kind: "tampered" | "newer" }>,
): LoadOutcome {
  if (generation.kind === "newer") {
    return { kind: "newer", id, problem: STORE_PROBLEMS.newer(id, generation.format) };
  }
  return refuseTampered(id, generation.checkpoint, "changed");
}

function refuseTampered(id: string, checkpoint: Checkpoint, reason: TamperedReason): LoadOutcome {
  const problem = STORE_PROBLEMS.tampered(id, reason);
  return { kind: "tampered", id, reason, checkpoint, problem };
}

/** A save never leaves the name unused, so somebody removed the file, or it was set aside. */
function makeAbsentNotice(id: string): StoreNotice {
  const message = `The newest file of session "${id}" is missing; the one before it is used`;
  return { code: "checkpoint_damaged", message };
}

function makeSealNotice(id: string): StoreNotice {
  const message =
    `The seal of session "${id}" could not be compared: this home neither saved the ` +
    "session nor has the key of its seal. Nobody vouches for what it says of its steps";
  return { code: "seal_unchecked", message };
}
