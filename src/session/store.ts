/** The sessions of a project on disk: loads, saves, archives and locks them. */
import { join } from "node:path";
import type { Clock } from "../base/clock.ts";
import { CodeIntelError } from "../base/errors.ts";
import { findOperational } from "../base/operational.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { listOwnFolder } from "../base/files/own_folder.ts";
import { withLock } from "../base/processes/lock_file.ts";
import type { Logger } from "../base/logger.ts";
import type { Seal } from "../base/files/seal.ts";
import {
  archiveFiles,
  findNewestArchived,
  prepareCodeIntelFolder,
  pruneArchive,
  SESSION_FILE,
} from "./archive.ts";
import {
  buildGenerationPaths,
  CheckpointReader,
  readGeneration,
  sealCheckpoint,
  writeGeneration,
} from "./checkpoint_reader.ts";
import { countFailures, RevisionMarks, UNKNOWN_MARK } from "./revision_marks.ts";
import type { Checkpoint } from "./session.ts";
import { CHECKPOINT_FORMAT, isSessionId } from "./session.ts";
import type { SessionRecord } from "./records.ts";
import { RecordsFile } from "./records_file.ts";
import type {
  ArchivedOutcome,
  CheckpointBody,
  LoadedSession,
  LoadOutcome,
  Operation,
  RecordsResult,
  SaveOutcome,
  SessionStore,
  StoreNotice,
} from "./store_api.ts";
import { listPending, STORE_PROBLEMS, UnreportedNotices } from "./store_problems.ts";

/** What the store needs. */
export interface SessionStoreOptions {
  /** Absolute path of the project's `.code-intel` folder; it need not exist. */
  readonly codeIntelDir: string;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The user's state folder, where marks are kept; without one there are none. */
  readonly stateDir?: string | null;
  /** How long archived sessions are kept. */
  readonly archiveDays?: number;
}

/** Makes the store; nothing is read or written before the first call. */
export function createSessionStore(options: SessionStoreOptions): SessionStore {
  return new FileSessionStore(options);
}

class FileSessionStore implements SessionStore {
  readonly #options: SessionStoreOptions;
  readonly #sessionsDir: string;
  readonly #reader: CheckpointReader;
  readonly #records = new Map<string, RecordsFile>();
  readonly #marks: RevisionMarks;
  readonly #untold = new UnreportedNotices();
  #isPrepared = false;

  constructor(options: SessionStoreOptions) {
    this.#options = options;
    this.#sessionsDir = join(options.codeIntelDir, "sessions");
    this.#marks = new RevisionMarks(options.stateDir ?? null, this.#sessionsDir);
    this.#reader = new CheckpointReader({
      sessionsDir: this.#sessionsDir,
      seal: options.seal,
      marks: this.#marks,
      untold: this.#untold,
      noteDamage: (id, text) => this.#noteDamage(id, text),
    });
  }

  async load(id: string): Promise<LoadOutcome> {
    return await this.#reader.load(id);
  }

  async #noteDamage(id: string, text: string): Promise<void> {
    this.#options.logger.note(text);
    const code = "checkpoint_damaged";
    await this.appendRecord(id, { kind: "note", at: this.#toNow(), code, text, told: false });
  }

  async takeNotices(given?: string | null): Promise<readonly StoreNotice[]> {
    const active = given === undefined ? await this.#findActiveId() : given;
    const pending = active === null ? [] : listPending((await this.readRecords(active)).records);
    const taken = [
      ...this.#untold.take(),
      ...pending.map((notice) => ({ id: active, notice })),
    ];
    const known = new Set(taken.length === 0 ? [] : await this.#reader.listIds());
    for (const { id, notice: { code, message: text } } of taken) {
      // A notice about a session that has ended needs no record.
      if (id === null || !known.has(id)) continue;
      const { records } = await this.readRecords(id);
      const isTold = records.some((record) =>
        record.kind === "note" && record.text === text && record.told !== false
      );
      if (isTold) continue;
      const note = { kind: "note", at: this.#toNow(), code, text } as const;
      // The reply tells it in any case; without the record the next one tells it once more.
      await this.appendRecord(id, note).catch((failure) => {
        if (findOperational(failure) === null) throw failure;
      });
    }
    const messages = new Map(taken.map(({ notice }) => [notice.message, notice]));
    return [...messages.values()];
  }

  /** Also null where the sessions cannot be read, which the reply reports itself. */
  async #findActiveId(): Promise<string | null> {
    try {
      const found = await this.findActive();
      return found?.kind === "loaded" ? found.id : null;
    } catch (failure) {
      if (failure instanceof CodeIntelError) return null;
      throw failure;
    }
  }

  /**
   * Writes notices that no reply has reported into the records, because this process may end without a
   * reply.
   */
  async #noteUntold(id: string): Promise<void> {
    const untold = [...this.#untold.list(id), ...this.#untold.list(null)];
    if (untold.length === 0) return;
    const { records } = await this.readRecords(id);
    const noted = new Set(records.map((record) => record.kind === "note" ? record.text : ""));
    for (const { code, message: text } of untold.filter(({ message }) => !noted.has(message))) {
      const note = { kind: "note", at: this.#toNow(), code, text, told: false } as const;
      await this.appendRecord(id, note);
    }
  }

  async loadAll(): Promise<readonly LoadOutcome[]> {
    const outcomes: LoadOutcome[] = [];
    for (const id of await this.#reader.listIds()) outcomes.push(await this.load(id));
    return outcomes;
  }

  async findActive(): Promise<Exclude<LoadOutcome, { readonly kind: "missing" }> | null> {
    const outcomes = await this.loadAll();
    const active = outcomes.findLast(isActive);
    const vouched = outcomes.findLast((outcome) => isActive(outcome) && outcome.isVouched);
    if (vouched !== undefined && isActive(vouched)) return vouched;
    // A session that nobody vouches for never takes precedence over one that this home folder
    // wrote.
    for (const outcome of outcomes) {
      if (outcome.kind !== "loaded" && outcome.kind !== "missing") return outcome;
    }
    return active !== undefined && isActive(active) ? active : null;
  }

  async save(
    body: CheckpointBody,
    { expectedRevision }: { readonly expectedRevision: number },
  ): Promise<SaveOutcome> {
    const id = body.state.sessionId;
    const found = await this.load(id);
    if (found.kind !== "loaded" && found.kind !== "missing") {
      return { kind: "refused", problem: found.problem };
    }
    const revision = found.kind === "loaded" ? found.checkpoint.revision : 0;
    const isNew = found.kind === "missing";
    if (revision !== expectedRevision) {
      return { kind: "refused", problem: STORE_PROBLEMS.conflict(id, revision, expectedRevision) };
    }
    // The save may remove what the notice is about, such as a seal of another home folder, so the
    // notice is recorded first.
    if (!isNew) await this.#noteUntold(id);
    return await this.#write(body, revision + 1, { comes: isNew ? "none" : "unless_known" });
  }

  /** @param records Which records this home takes over as they are. */
  async #write(
    body: CheckpointBody,
    revision: number,
    records: { readonly comes: "none" | "unless_known" | "all" },
  ): Promise<SaveOutcome & { readonly isMarked?: boolean }> {
    const id = body.state.sessionId;
    const checkpoint: Checkpoint = {
      format: CHECKPOINT_FORMAT,
      revision,
      savedAt: this.#toNow(),
      state: body.state,
      ...(body.extras === undefined ? {} : { extras: body.extras }),
    };
    const { text, isSealed } = await sealCheckpoint(checkpoint, this.#options.seal);
    const limitBytes = LIMITS.checkpointBytes.value;
    // UTF-8 needs at most four bytes for a code unit; the exact size is computed only near the
    // limit.
    const sizeBytes = text.length * 4 <= limitBytes
      ? text.length
      : new TextEncoder().encode(text).length;
    if (sizeBytes > limitBytes) {
      return { kind: "refused", problem: STORE_PROBLEMS.tooLarge(id, sizeBytes, limitBytes) };
    }
    await this.#prepare();
    const paths = buildGenerationPaths(this.#sessionsDir, id);
    await writeGeneration(paths, text);
    this.#reader.remember(id, checkpoint, isSealed);
    const before = this.#marks.read(id);
    const isSame = before.isKnown && before.isSealed === isSealed;
    const came = records.comes === "none"
      ? null
      : records.comes === "unless_known" && isSame
      ? before.came
      : this.#toRecordsFile(id).measure();
    const counts = countFailures(body.state);
    const isMarked = await this.#marks.note(id, { revision, isSealed, came, counts });
    return { kind: "saved", checkpoint, isMarked };
  }

  async accept(id: string): Promise<LoadOutcome> {
    const found = await this.load(id);
    if (found.kind !== "tampered" || found.checkpoint.state.sessionId !== id) return found;
    const cached = this.#reader.getSeenRevision(id);
    const mark = this.#marks.read(id);
    const revision = Math.max(found.checkpoint.revision, cached, mark.revision) + 1;
    // Where the key is lost, all records were sealed with it; otherwise records that are already
    // accepted stay so.
    const comes = found.reason === "key_lost" ? "all" : "unless_known";
    const saved = await this.#write(found.checkpoint, revision, { comes });
    if (saved.kind === "refused") return { ...found, problem: saved.problem };
    if (mark.isKnown && saved.isMarked !== true) {
      return { ...found, problem: STORE_PROBLEMS.unmarked(id) };
    }
    const text = "The person accepted a checkpoint whose seal did not fit";
    await this.appendRecord(id, {
      kind: "note",
      at: this.#toNow(),
      code: "checkpoint_accepted",
      text,
    });
    const notices = this.#untold.list(id);
    return { kind: "loaded", id, checkpoint: saved.checkpoint, isVouched: true, notices };
  }

  async listLost(): Promise<readonly string[]> {
    const [marked, stored, archive] = await Promise.all([
      this.#marks.list(),
      this.#reader.listIds(),
      listOwnFolder(join(this.#sessionsDir, "archive")),
    ]);
    const archived = new Set(archive.map(({ name }) => name));
    const lost: string[] = [];
    for (const id of marked.filter((id) => isSessionId(id) && !stored.includes(id))) {
      // A kill between archiving and removing the mark leaves the mark.
      if (!archived.has(`${id}.json`)) lost.push(id);
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
    const isWhole = generation.kind === "whole" && generation.seal !== "wrong";
    return isWhole ? generation.checkpoint : null;
  }

  async listArchived(): Promise<readonly string[]> {
    const entries = await listOwnFolder(join(this.#sessionsDir, "archive"));
    return entries.flatMap(({ name }) =>
      name.endsWith(".json") ? SESSION_FILE.exec(name)?.[1] ?? [] : []
    )
      .sort();
  }

  async readArchived(id: string): Promise<ArchivedOutcome> {
    if (!isSessionId(id)) return { kind: "missing" };
    const { seal } = this.#options;
    const folder = join(this.#sessionsDir, "archive");
    const generation = await readGeneration(join(folder, `${id}.json`), id, seal);
    if (generation.kind === "absent") return { kind: "missing" };
    if (generation.kind === "damaged") return generation;
    if (generation.kind === "newer") {
      const { format } = generation;
      return {
        kind: "damaged",
        reason: `its format is ${format}, this program reads ${CHECKPOINT_FORMAT}`,
      };
    }
    if (generation.kind === "tampered" || generation.seal === "wrong") {
      return { kind: "damaged", reason: "it was changed by something other than code-intel" };
    }
    // What this home folder remembered of the session ended with it: only wrong seals are refused.
    const readMark = () => UNKNOWN_MARK;
    const path = join(folder, `${id}.records.jsonl`);
    const records = await new RecordsFile(path, { sessionId: id, seal, readMark }).read();
    const isVouched = generation.seal === "fits";
    return { kind: "read", checkpoint: generation.checkpoint, isVouched, records };
  }

  async archive(id: string): Promise<void> {
    if (!isSessionId(id)) return;
    await archiveFiles(this.#sessionsDir, id);
    this.#reader.forget(id);
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
      const notice: StoreNotice = { code: "lock_taken_over", message };
      this.#untold.add(null, notice);
      notices.push(notice);
    };
    const path = join(this.#sessionsDir, ".lock");
    const lock = { timeoutMs: LIMITS.lockWaitMs.value, onTakeover };
    return await withLock(path, lock, async () => {
      const active = notices.length === 0 ? null : await this.#findActiveId();
      if (active !== null) await this.#noteUntold(active);
      return await action({ notices });
    });
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
    const readMark = () => this.#marks.read(id);
    const file = new RecordsFile(path, { sessionId: id, seal: this.#options.seal, readMark });
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

function isActive(outcome: LoadOutcome): outcome is LoadedSession {
  return outcome.kind === "loaded" && outcome.checkpoint.state.status === "active";
}

/** Somebody may remove the folder while the server runs. */
async function isFolder(path: string): Promise<boolean> {
  return await Deno.stat(path).then(({ isDirectory }) => isDirectory, () => false);
}
