/** The sessions of a project on disk: loads, saves, archives and locks them. */
import { join } from "node:path";
import type { Clock } from "../base/clock.ts";
import { toIoError } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { withLock } from "../base/lock_file.ts";
import type { Logger } from "../base/logger.ts";
import type { Seal } from "../base/seal.ts";
import { archiveFiles, findNewestArchived, pruneArchive } from "./archive.ts";
import type { Generation } from "./checkpoint_file.ts";
import {
  readGeneration,
  setAside,
  toGenerationPaths,
  toSealedText,
  writeGeneration,
} from "./checkpoint_file.ts";
import { prepareCodeIntelFolder } from "./code_intel_folder.ts";
import { raiseFailureCounts, toFailureCounts } from "./failure_counts.ts";
import { CHECKPOINT_FORMAT } from "./migrations.ts";
import type { SessionRecord } from "./records.ts";
import { RecordsFile } from "./records_file.ts";
import type { RevisionMark, RevisionMarks } from "./revision_marks.ts";
import { createRevisionMarks } from "./revision_marks.ts";
import type { Checkpoint } from "./session.ts";
import { isSessionId } from "./session.ts";
import type {
  CheckpointBody,
  LoadOutcome,
  Operation,
  RecordsResult,
  SaveResult,
  SessionStore,
  StoreNotice,
} from "./store_api.ts";
import { STORE_PROBLEMS } from "./store_problems.ts";

/** What the store works with. */
export interface SessionStoreOptions {
  /** Absolute path of the project's `.code-intel` folder; it need not exist. */
  readonly codeIntelDir: string;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The user's state folder, which remembers how far each session was; without it nothing does. */
  readonly stateDir?: string | null;
  /** How long archived sessions are kept. */
  readonly archiveDays?: number;
}

/** Makes the store; nothing is read or written before the first call. */
export function createSessionStore(options: SessionStoreOptions): SessionStore {
  return new FileSessionStore(options);
}

/** What was read of a session and the file that it was read from. */
interface Cached {
  readonly fingerprint: string;
  readonly checkpoint: Checkpoint;
}

const SESSION_FILE = /^(session_\d{8}_\d{6}_[0-9a-f]{4})\.json(?:\.prev|\.corrupt-\d+)?$/;

class FileSessionStore implements SessionStore {
  readonly #options: SessionStoreOptions;
  readonly #sessionsDir: string;
  readonly #cache = new Map<string, Cached>();
  readonly #records = new Map<string, RecordsFile>();
  readonly #marks: RevisionMarks;
  /** What was mended of a session, until a reply could tell it: whoever opens it next is told. */
  readonly #untold = new Map<string, readonly StoreNotice[]>();
  #isPrepared = false;

  constructor(options: SessionStoreOptions) {
    this.#options = options;
    this.#sessionsDir = join(options.codeIntelDir, "sessions");
    this.#marks = createRevisionMarks(options.stateDir ?? null, this.#sessionsDir);
  }

  async load(id: string): Promise<LoadOutcome> {
    if (!isSessionId(id)) return { kind: "missing", id, problem: STORE_PROBLEMS.missing(id) };
    const { current } = toGenerationPaths(this.#sessionsDir, id);
    const cached = this.#cache.get(id);
    const fingerprint = await readFingerprint(current);
    if (cached !== undefined && cached.fingerprint === fingerprint) {
      return { kind: "loaded", id, checkpoint: cached.checkpoint, notices: [] };
    }
    // Read first: a save by another process in between makes the file newer than the mark, never older.
    const mark = await this.#marks.read(id);
    const generation = await readGeneration(current, id, this.#options.seal);
    if (generation.kind === "whole") {
      const known = Math.max(cached?.checkpoint.revision ?? 0, mark.revision);
      const { checkpoint } = generation;
      if (checkpoint.revision < known) {
        // A whole, sealed, but older file: someone put an earlier generation back.
        return { kind: "tampered", id, checkpoint, problem: STORE_PROBLEMS.tampered(id) };
      }
      if (fingerprint !== null) this.#cache.set(id, { fingerprint, checkpoint });
      return { kind: "loaded", id, checkpoint, notices: toSealNotices(id, generation) };
    }
    if (generation.kind === "absent" || generation.kind === "damaged") {
      return await this.#loadPrevious(id, generation, mark);
    }
    return toRefused(id, generation);
  }

  /** The present file is gone or damaged: the generation before takes its place. */
  async #loadPrevious(
    id: string,
    current: Extract<Generation, { readonly kind: "absent" | "damaged" }>,
    mark: RevisionMark,
  ): Promise<LoadOutcome> {
    const paths = toGenerationPaths(this.#sessionsDir, id);
    this.#cache.delete(id);
    const notices: StoreNotice[] = [...this.#untold.get(id) ?? []];
    if (current.kind === "damaged") {
      notices.push(await this.#reportDamage(id, paths.current, current.reason));
    }
    const previous = await readGeneration(paths.previous, id, this.#options.seal);
    if (previous.kind === "whole") {
      const { checkpoint } = previous;
      // One generation back is what a damaged file leaves; more than that somebody put there.
      if (checkpoint.revision < mark.revision - 1) {
        return { kind: "tampered", id, checkpoint, problem: STORE_PROBLEMS.tampered(id) };
      }
      if (current.kind === "absent" && notices.length === 0) notices.push(toAbsentNotice(id));
      this.#untold.set(id, notices);
      const state = raiseFailureCounts(checkpoint.state, mark.counts);
      const told = [...notices, ...toSealNotices(id, previous)];
      return { kind: "loaded", id, checkpoint: { ...checkpoint, state }, notices: told };
    }
    if (previous.kind === "damaged") {
      await this.#reportDamage(id, paths.previous, previous.reason);
    }
    if (previous.kind === "tampered" || previous.kind === "newer") return toRefused(id, previous);
    const isKnown = notices.length > 0 || previous.kind === "damaged" ||
      (await this.#listIds()).includes(id);
    return isKnown
      ? { kind: "damaged", id, problem: STORE_PROBLEMS.damaged(id) }
      : { kind: "missing", id, problem: STORE_PROBLEMS.missing(id) };
  }

  async #reportDamage(id: string, path: string, reason: string): Promise<StoreNotice> {
    const name = await setAside(this.#sessionsDir, id, path);
    const message = `A file of session "${id}" was damaged (${reason}) and set aside as ${name}`;
    this.#options.logger.note(message);
    const code = "checkpoint_damaged";
    await this.appendRecord(id, { kind: "note", at: this.#toNow(), code, text: message });
    return { code, message };
  }

  async loadAll(): Promise<readonly LoadOutcome[]> {
    const outcomes: LoadOutcome[] = [];
    for (const id of await this.#listIds()) outcomes.push(await this.load(id));
    return outcomes;
  }

  async findActive(): Promise<Exclude<LoadOutcome, { readonly kind: "missing" }> | null> {
    const outcomes = await this.loadAll();
    const active = outcomes.findLast((outcome) =>
      outcome.kind === "loaded" && outcome.checkpoint.state.status === "active"
    );
    if (active !== undefined && active.kind !== "missing") return active;
    for (const outcome of outcomes) {
      if (outcome.kind !== "loaded" && outcome.kind !== "missing") return outcome;
    }
    return null;
  }

  async #listIds(): Promise<readonly string[]> {
    const ids = new Set<string>();
    try {
      for await (const entry of Deno.readDir(this.#sessionsDir)) {
        const id = SESSION_FILE.exec(entry.name)?.[1];
        if (id !== undefined && entry.isFile) ids.add(id);
      }
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) {
        throw toIoError(`list "${this.#sessionsDir}"`, error);
      }
    }
    return [...ids].sort();
  }

  async save(
    body: CheckpointBody,
    { expectedRevision }: { readonly expectedRevision: number },
  ): Promise<SaveResult> {
    const id = body.state.sessionId;
    const found = await this.load(id);
    if (found.kind !== "loaded" && found.kind !== "missing") {
      return { kind: "refused", problem: found.problem };
    }
    const revision = found.kind === "loaded" ? found.checkpoint.revision : 0;
    if (revision !== expectedRevision) {
      return { kind: "refused", problem: STORE_PROBLEMS.conflict(id, revision, expectedRevision) };
    }
    return await this.#write(body, revision + 1);
  }

  async #write(body: CheckpointBody, revision: number): Promise<SaveResult> {
    const id = body.state.sessionId;
    const checkpoint: Checkpoint = {
      format: CHECKPOINT_FORMAT,
      revision,
      savedAt: this.#toNow(),
      state: body.state,
      ...(body.extras === undefined ? {} : { extras: body.extras }),
    };
    const text = await toSealedText(checkpoint, this.#options.seal);
    const limitBytes = LIMITS.checkpointBytes.value;
    // Four bytes are the most that UTF-8 needs for a code unit; only near the limit it is counted.
    const sizeBytes = text.length * 4 <= limitBytes
      ? text.length
      : new TextEncoder().encode(text).length;
    if (sizeBytes > limitBytes) {
      return { kind: "refused", problem: STORE_PROBLEMS.tooLarge(id, sizeBytes, limitBytes) };
    }
    await this.#prepare();
    const paths = toGenerationPaths(this.#sessionsDir, id);
    await writeGeneration(paths, text);
    const fingerprint = await readFingerprint(paths.current);
    if (fingerprint !== null) this.#cache.set(id, { fingerprint, checkpoint });
    this.#untold.delete(id);
    await this.#marks.note(id, { revision, counts: toFailureCounts(body.state) });
    return { kind: "saved", checkpoint };
  }

  async accept(id: string): Promise<LoadOutcome> {
    const found = await this.load(id);
    if (found.kind !== "tampered" || found.checkpoint.state.sessionId !== id) return found;
    const cached = this.#cache.get(id)?.checkpoint.revision ?? 0;
    const known = Math.max(cached, (await this.#marks.read(id)).revision);
    const revision = Math.max(found.checkpoint.revision, known) + 1;
    const saved = await this.#write(found.checkpoint, revision);
    if (saved.kind === "refused") return { ...found, problem: saved.problem };
    const text = "The person accepted a checkpoint whose seal did not fit";
    await this.appendRecord(id, {
      kind: "note",
      at: this.#toNow(),
      code: "checkpoint_accepted",
      text,
    });
    return { kind: "loaded", id, checkpoint: saved.checkpoint, notices: [] };
  }

  async listLost(): Promise<readonly string[]> {
    const [marked, stored] = await Promise.all([this.#marks.list(), this.#listIds()]);
    const lost: string[] = [];
    for (const id of marked.filter((id) => isSessionId(id) && !stored.includes(id))) {
      const archived = join(this.#sessionsDir, "archive", `${id}.json`);
      // A kill between the archive and the mark leaves the mark.
      if (await readFingerprint(archived) === null) lost.push(id);
    }
    return lost;
  }

  async giveUpLost(id: string): Promise<void> {
    await this.#marks.forget(id);
  }

  async readLastEnded(): Promise<Checkpoint | null> {
    const name = await findNewestArchived(this.#sessionsDir);
    const id = SESSION_FILE.exec(name ?? "")?.[1];
    if (name === null || id === undefined) return null;
    const path = join(this.#sessionsDir, "archive", name);
    const generation = await readGeneration(path, id, this.#options.seal);
    return generation.kind === "whole" ? generation.checkpoint : null;
  }

  async archive(id: string): Promise<void> {
    if (!isSessionId(id)) return;
    await archiveFiles(this.#sessionsDir, id);
    this.#cache.delete(id);
    this.#records.delete(id);
    await this.#marks.forget(id);
    const archiveDays = this.#options.archiveDays ?? LIMITS.archiveDays.value;
    await pruneArchive(this.#sessionsDir, { archiveDays, now: this.#options.clock.now() });
  }

  async withOperation<T>(action: (operation: Operation) => Promise<T>): Promise<T> {
    await this.#prepare();
    const notices: StoreNotice[] = [];
    const onTakeover = (holder: string) => {
      const message =
        `Process ${holder} ended in the middle of an operation; its lock was taken over`;
      this.#options.logger.note(message);
      notices.push({ code: "lock_taken_over", message });
    };
    const path = join(this.#sessionsDir, ".lock");
    const lock = { timeoutMs: LIMITS.lockWaitMs.value, onTakeover };
    return await withLock(path, lock, () => action({ notices }));
  }

  async appendRecord(id: string, record: SessionRecord): Promise<void> {
    await this.#prepare();
    await this.#toRecordsFile(id).append(record);
  }

  async readRecords(id: string): Promise<RecordsResult> {
    if (!isSessionId(id)) return { records: [], rejectedLines: 0 };
    return await this.#toRecordsFile(id).read();
  }

  #toRecordsFile(id: string): RecordsFile {
    const known = this.#records.get(id);
    if (known !== undefined) return known;
    const path = join(this.#sessionsDir, `${id}.records.jsonl`);
    const file = new RecordsFile(path, { sessionId: id, seal: this.#options.seal });
    this.#records.set(id, file);
    return file;
  }

  async #prepare(): Promise<void> {
    if (this.#isPrepared && await isFolder(this.#sessionsDir)) return;
    await prepareCodeIntelFolder(this.#options.codeIntelDir);
    this.#isPrepared = true;
  }

  #toNow(): string {
    return this.#options.clock.now().toISOString();
  }
}

function toRefused(
  id: string,
  generation: Extract<Generation, { readonly kind: "tampered" | "newer" }>,
): LoadOutcome {
  return generation.kind === "newer"
    ? { kind: "newer", id, problem: STORE_PROBLEMS.newer(id, generation.format) }
    : {
      kind: "tampered",
      id,
      checkpoint: generation.checkpoint,
      problem: STORE_PROBLEMS.tampered(id),
    };
}

/** A save never leaves the name free, so someone else removed the file, or it was set aside. */
function toAbsentNotice(id: string): StoreNotice {
  const message = `The newest file of session "${id}" is missing; the one before it is used`;
  return { code: "checkpoint_damaged", message };
}

function toSealNotices(
  id: string,
  generation: Extract<Generation, { readonly kind: "whole" }>,
): readonly StoreNotice[] {
  if (generation.isSealChecked) return [];
  const message = `The seal of session "${id}" could not be compared: it has no key of this home`;
  return [{ code: "seal_unchecked", message }];
}

/** Somebody may remove the folder while the server runs. */
async function isFolder(path: string): Promise<boolean> {
  return await Deno.stat(path).then(({ isDirectory }) => isDirectory, () => false);
}

/** Each save makes a new file, so its number, time and size tell the generations apart. */
async function readFingerprint(path: string): Promise<string | null> {
  try {
    const { ino, mtime, size } = await Deno.stat(path);
    return `${ino}:${mtime?.getTime()}:${size}`;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw toIoError(`look at "${path}"`, error);
  }
}
