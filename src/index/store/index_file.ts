/**
 * The database file of the index: where it lies, who may write, and what happens to a file that cannot
 * be used. Many processes share it; each write takes the writer's lock, no read ever waits.
 */
import { statIfThere } from "../../base/files/file_stamp.ts";
import { join } from "node:path";
import { findExtension } from "../vectors/sqlite_vec.ts";
import { CodeIntelError, makeIoError } from "../../base/errors.ts";
import { listOwnFolder } from "../../base/files/own_folder.ts";
import type { CacheSize, Connection, IndexDatabase } from "./database.ts";
import {
  IN_MEMORY,
  isDamage,
  makeDatabaseError,
  openDatabase,
  openReadyDatabase,
  PARTS,
  UnusableDatabase,
} from "./database.ts";
import { keepSharedMemory } from "./index_folder.ts";
import { checkFolder, FILE_NAME, restoreFolder, withWriterTurn } from "./index_folder.ts";

/** Where the database may lie. */
export interface IndexFileOptions {
  /** Folder of the database, made when it is missing: `<git-common-dir>/code-intel`. */
  readonly folder: string;
  /** Used when nothing can be written to `folder`; without it the index lives in memory. */
  readonly fallbackFolder?: string;
  /** The present moment in milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Called with one sentence when a file lies elsewhere than expected. */
  readonly onNotice: (notice: string) => void;
  /** Called with one sentence when a file was set aside; default `onNotice`. */
  readonly onSetAside?: (notice: string) => void;
}

const OPEN_WAIT_MS = 10_000;
// While others write, a database that one of them has made meanwhile is opened without waiting any longer.
const OPEN_STEP_MS = 200;
// What was set aside is kept for a look at it, but not for ever.
const MAX_SET_ASIDE = 2;

interface WriteOptions {
  readonly timeoutMs: number;
  readonly room: CacheSize;
}

type Write<T> = (db: Connection) => T | Promise<T>;

interface Written<T> {
  readonly result: T;
  readonly revision: number;
}

/** The database of a repository, opened at first use and opened again when the file was replaced. */
export class IndexFile {
  readonly #options: IndexFileOptions;
  #folder: string | null = null;
  #db: IndexDatabase | null = null;
  #inode: number | null = null;
  /** The largest size of the file of SQLite's shared memory since it was opened. */
  #sharedBytes = 0;
  #opened = 0;
  /** Ends with the last write of this process: writes of one process never wait by polling. */
  #tail: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  /** What SQLite said of the writes of others when they were last looked for. */
  #state: string | null = null;
  /** The last revision that is known here. */
  #revision = -1;
  /** Grows with each revision that others wrote. */
  #epoch = 0;

  /** @param options where the file may lie; nothing is opened yet. */
  constructor(options: IndexFileOptions) {
    this.#options = options;
  }

  /** Absolute path of the database; `:memory:` when it can lie nowhere; null before the first use. */
  get path(): string | null {
    return this.#db?.path ?? null;
  }

  /**
   * Runs `read` over one state of the database.
   *
   * @throws {CodeIntelError} `io_failed`, `busy`.
   */
  async read<T>(read: (db: Connection) => T): Promise<T> {
    return await this.#guard(async () => {
      const db = await this.#open();
      return db.reader.snapshot(() => read(db.reader));
    });
  }

  /**
   * Runs `write` as the only writer of all processes, in one transaction.
   *
   * @param timeoutMs longest wait for other writers.
   * @param room `bulk` for one of many writes of hundreds of files; the next other one takes it away.
   * @throws {CodeIntelError} `busy` when another writer held the lock for too long.
   */
  async write<T>(timeoutMs: number, write: Write<T>, room: CacheSize = "usual"): Promise<T> {
    return await this.#writeInTurn({ timeoutMs, room }, async (db) => {
      const revision = readRevision(db);
      this.#meet(revision);
      const result = await write(db);
      db.run("UPDATE revision SET number = ?", revision + 1);
      return { result, revision: revision + 1 };
    });
  }

  /** As {@link write}, for what no record of a file depends on: others need not read theirs again. */
  async writeAside<T>(timeoutMs: number, write: Write<T>): Promise<T> {
    return await this.#writeInTurn({ timeoutMs, room: "usual" }, async (db) => {
      const revision = readRevision(db);
      this.#meet(revision);
      return { result: await write(db), revision };
    });
  }

  async #writeInTurn<T>(options: WriteOptions, write: Write<Written<T>>): Promise<T> {
    const before = this.#tail;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#tail = promise;
    try {
      await before;
      const { result, revision } = await this.#guard(() => this.#write(options, write));
      this.#revision = revision;
      return result;
    } finally {
      resolve();
    }
  }

  /** Sets the file aside, so that the next use begins an empty one. */
  async reset(): Promise<void> {
    await this.#open();
    await this.#lock(OPEN_WAIT_MS, async () => {
      this.#drop();
      if (this.#folder !== null) await removeFile(join(this.#folder, FILE_NAME));
    });
  }

  /**
   * Changes when another process, or another index of this one, has written more than vectors; never for
   * what was written through this object.
   */
  async version(): Promise<string> {
    return await this.#guard(async () => {
      const { writer } = await this.#open();
      const state = `${this.#opened}:${writer.number("PRAGMA data_version")}`;
      if (state !== this.#state) {
        this.#state = state;
        this.#meet(readRevision(writer));
      }
      return `${this.#opened}:${this.#epoch}`;
    });
  }

  /** Bytes of the database and its journals on disk; 0 in memory. */
  async size(): Promise<number> {
    const { path } = await this.#open();
    const infos = await Promise.all(PARTS.map((part) => Deno.stat(path + part).catch(() => null)));
    return infos.reduce((sum, info) => sum + (info?.size ?? 0), 0);
  }

  /** Path of a lock file beside the database; null when it lives in memory. */
  async lockPath(name: string): Promise<string | null> {
    await this.#open();
    return this.#folder === null ? null : join(this.#folder, name);
  }

  /** Gives back the memory that holds parts of the file, where nothing is being written. */
  rest(): void {
    if (this.#db === null || this.#db.writer.isWriting) return;
    this.#db.writer.rest();
    this.#db.reader.rest();
  }

  /** Closes the database, after the write that is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#tail;
    this.#drop();
  }

  /** A revision that this object did not write itself means that others have written. */
  #meet(revision: number): void {
    if (revision === this.#revision) return;
    this.#revision = revision;
    this.#epoch++;
  }

  async #write<T>({ timeoutMs, room }: WriteOptions, write: Write<T>): Promise<T> {
    await this.#open();
    return await this.#lock(timeoutMs, async () => {
      this.#reopenIfReplaced();
      const { writer } = this.#db ?? await this.#openLocked();
      writer.setRoom(room);
      writer.begin();
      try {
        const result = await write(writer);
        writer.commit();
        return result;
      } catch (error) {
        writer.rollback();
        throw error;
      }
    });
  }

  async #lock<T>(timeoutMs: number, action: () => Promise<T>): Promise<T> {
    if (this.#folder === null) return await action();
    await restoreFolder(this.#folder);
    return await withWriterTurn(this.#folder, timeoutMs, action);
  }

  /**
   * A damaged database is set aside once, and the action is done again on a new one. Others may have met the damage at the
   * same time: what lies there once the lock is held is set aside only if it is what failed here.
   */
  async #guard<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      if (!isDamage(error)) throw makeDatabaseError(this.path ?? FILE_NAME, error);
      const failed = this.#inode;
      await this.#lock(OPEN_WAIT_MS, async () => {
        const isMended = this.#folder !== null &&
          readInode(join(this.#folder, FILE_NAME)) !== failed;
        if (this.#inode === failed) this.#drop();
        if (!isMended) await this.#setAside("damaged");
      });
      return await action();
    }
  }

  async #open(): Promise<IndexDatabase> {
    if (this.#isClosed) {
      throw new CodeIntelError("cancelled", "Cannot use the index: it was closed");
    }
    if (this.#db !== null) {
      this.#reopenIfReplaced();
      if (this.#db !== null) return this.#db;
    }
    this.#folder ??= await this.#chooseFolder();
    for (const endsAt = performance.now() + OPEN_WAIT_MS;;) {
      const ready = await this.#openReady();
      if (ready !== null) return ready;
      try {
        return await this.#lock(OPEN_STEP_MS, () => this.#openLocked());
      } catch (error) {
        const isBusy = error instanceof CodeIntelError && error.code === "busy";
        if (!isBusy || performance.now() > endsAt) throw error;
      }
    }
  }

  /** Opens a database that needs nothing to be written, without the lock: a reader never waits for a writer. */
  async #openReady(): Promise<IndexDatabase | null> {
    if (this.#db !== null) return this.#db;
    if (this.#folder === null) return null;
    const path = join(this.#folder, FILE_NAME);
    const inode = readInode(path);
    if (inode === null) return null;
    const extension = await this.#findExtension();
    let db: IndexDatabase | null;
    try {
      db = openReadyDatabase(path, extension);
    } catch (error) {
      // What is wrong with it is looked at again, and fixed, under the lock.
      if (error instanceof UnusableDatabase) return null;
      throw error;
    }
    // Replaced meanwhile: what was opened may be in two halves.
    if (db !== null && (readInode(path) !== inode || this.#db !== null)) {
      db.close();
      db = null;
    }
    return db === null ? this.#db : this.#keep(db);
  }

  async #openLocked(): Promise<IndexDatabase> {
    if (this.#db !== null) return this.#db;
    const path = this.#folder === null ? IN_MEMORY : join(this.#folder, FILE_NAME);
    const extension = await this.#findExtension();
    try {
      this.#db = openDatabase(path, extension);
    } catch (error) {
      if (!(error instanceof UnusableDatabase)) throw error;
      await this.#setAside(error.state);
      this.#db = openDatabase(path, extension);
    }
    return this.#keep(this.#db);
  }

  #keep(db: IndexDatabase): IndexDatabase {
    this.#db = db;
    this.#opened++;
    this.#revision = -1;
    this.#inode = readInode(db.path);
    this.#sharedBytes = db.path === IN_MEMORY ? 0 : keepSharedMemory(db.path, 0);
    return db;
  }

  async #findExtension(): Promise<string | null> {
    const found = await findExtension();
    if (found.path === null && this.#opened === 0) {
      this.#options.onNotice(
        `Vectors are compared without sqlite-vec, slower: ${found.reason}. ` +
          "CODE_INTEL_CACHE_DIR names another folder to unpack it to.",
      );
    }
    return found.path;
  }

  /** Another process may have set the file aside, or a person removed it, or cut a part of it short. */
  #reopenIfReplaced(): void {
    if (this.#db === null || this.#db.path === IN_MEMORY || this.#db.writer.isWriting) return;
    this.#sharedBytes = keepSharedMemory(this.#db.path, this.#sharedBytes);
    if (readInode(this.#db.path) !== this.#inode) this.#drop();
  }

  #drop(): void {
    this.#db?.close();
    this.#db = null;
  }

  async #chooseFolder(): Promise<string | null> {
    const { folder, fallbackFolder, onNotice } = this.#options;
    const refusal = await checkFolder(folder);
    if (refusal === null) return folder;
    if (refusal.code === "disk_full") throw refusal;
    if (fallbackFolder !== undefined && await checkFolder(fallbackFolder) === null) {
      onNotice(`The index lies in "${fallbackFolder}": ${refusal.message}.`);
      return fallbackFolder;
    }
    onNotice(`The index lives in memory only: ${refusal.message}.`);
    return null;
  }

  async #setAside(state: UnusableDatabase["state"]): Promise<void> {
    if (this.#folder === null) return;
    const path = join(this.#folder, FILE_NAME);
    const stamp = new Date(this.#options.nowMs()).toISOString().replaceAll(/[-:.]/g, "");
    const aside = `${path}.${state}-${stamp}`;
    for (const part of PARTS) await renameIfAny(path + part, aside + part);
    await removeOldest(this.#folder);
    const { onNotice, onSetAside = onNotice } = this.#options;
    onSetAside(
      `The index was ${REASONS[state]}; it was set aside as "${aside}" and is built again.`,
    );
  }
}

const REASONS: Readonly<Record<UnusableDatabase["state"], string>> = {
  damaged: "damaged",
  newer: "of a newer version of the program",
  foreign: "no file of this program",
};

function readRevision(db: Connection): number {
  return db.number("SELECT number FROM revision");
}

/** Synchronous: it is asked before every question, and waiting would take longer than looking. */
function readInode(path: string): number | null {
  return path === IN_MEMORY ? null : statIfThere(path)?.ino ?? null;
}

async function renameIfAny(from: string, to: string): Promise<void> {
  try {
    await Deno.rename(from, to);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw makeIoError(`set "${from}" aside`, error);
  }
}

async function removeFile(path: string): Promise<void> {
  for (const part of PARTS) await Deno.remove(path + part).catch(() => {});
}

async function removeOldest(folder: string): Promise<void> {
  const aside = /^index\.db\.(?:damaged|newer|foreign)-\d{8}T\d+Z$/;
  const names = (await listOwnFolder(folder)).map(({ name }) => name).filter((name) =>
    aside.test(name)
  )
    .sort((a, b) => a.slice(-20).localeCompare(b.slice(-20)));
  for (const name of names.slice(0, -MAX_SET_ASIDE)) await removeFile(join(folder, name));
}
