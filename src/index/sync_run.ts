/**
 * Brings what is remembered of a worktree's files to what a scan saw: reads changed files, has unseen
 * contents analysed, and writes in small transactions, so that whatever ends it loses only the last one.
 */
import { join } from "node:path";
import type { Analyser, StoredContent } from "../analysis/mod.ts";
import { judgeContent } from "./scan/content_check.ts";
import { ContentWriter } from "./store/content_writer.ts";
import type { Connection } from "./store/database.ts";
import { hashContent, readFileAtRest } from "./scan/file_reader.ts";
import { isStill, lookAt } from "./scan/file_stamp.ts";
import { FileTable, openWorktree } from "./store/file_table.ts";
import type { FileStamp } from "../base/files/file_stamp.ts";
import type { FileRecord } from "./store/file_table.ts";
import type { IndexFile } from "./store/index_file.ts";
import type { Candidate, ScanResult } from "./scan/scanner.ts";
import type { Variant } from "./store/variant.ts";
import { toVariant } from "./store/variant.ts";

/** What a run works with. */
export interface SyncRunDeps {
  /** Absolute root of the worktree's project. */
  readonly root: string;
  readonly file: IndexFile;
  readonly analyser: Analyser;
  readonly nowMs: () => number;
}

/** How a run works. */
export interface SyncRunOptions {
  readonly chunkMaxTokens: number;
  /** Ends the run after what is under way; what is done stays. */
  readonly signal?: AbortSignal;
  /** Told after every batch that was written. */
  readonly onBatch?: (records: BatchRecords) => void;
}

/** What one batch left behind. */
export interface BatchRecords {
  /** Records that hold now. */
  readonly put: readonly FileRecord[];
  /** Paths that are forgotten. */
  readonly removed: readonly string[];
}

/** How much a run did. */
export interface SyncCounts {
  /** Files whose bytes were read. */
  read: number;
  /** Contents that were analysed. */
  parsed: number;
  /** Files that were left out. */
  skipped: number;
  /** Files that are gone. */
  removed: number;
}

interface FileItem {
  readonly path: string;
  readonly stamp: FileStamp;
  readonly hashedAtMs: number;
  readonly skipped: string | null;
  readonly body?: ContentItem;
}

interface ContentItem {
  readonly hash: Uint8Array;
  readonly variant: Variant;
  readonly sizeBytes: number;
  /** Null when the index has it already. */
  readonly content: StoredContent | null;
}

/** Paths that are no longer files of the project. */
interface Gone {
  readonly paths: readonly string[];
  /** Before they were found missing in the list. */
  readonly atMs: number;
}

const NOTHING_GONE: Gone = { paths: [], atMs: 0 };
// Contents that wait for an analyser: enough to start one more thread.
const WAITING = 5;
const BATCH_FILES = 100;
const BATCH_MS = 1_000;
// The thread that writes is the one that answers: it pauses after each short piece.
const PIECE_MS = 8;
const WRITE_WAIT_MS = 30_000;

const writers = new WeakMap<Connection, ContentWriter>();

/** One run over the files of a scan. */
export class SyncRun {
  readonly counts: SyncCounts = { read: 0, parsed: 0, skipped: 0, removed: 0 };
  readonly #deps: SyncRunDeps;
  readonly #options: SyncRunOptions;
  readonly #analysing = new Map<string, Promise<StoredContent | string>>();
  #items: FileItem[] = [];
  #lastWriteMs = performance.now();
  #writing: Promise<void> = Promise.resolve();

  /** @param deps nothing is done before {@link finish}. */
  constructor(deps: SyncRunDeps, options: SyncRunOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  /**
   * Does all that the scan found, or what can be done before the signal.
   *
   * @param atMs before the files of the scan were listed, in milliseconds since 1970.
   * @throws {CodeIntelError} `io_failed`, `disk_full`, `busy`.
   */
  async finish(scan: ScanResult, atMs: number): Promise<void> {
    const hashedAtMs = this.#deps.nowMs();
    for (const { path, stamp, reason } of scan.skipped) {
      this.#items.push({ path, stamp, hashedAtMs, skipped: reason });
    }
    await this.#write({ paths: scan.gone, atMs });
    const limit = this.#deps.analyser.concurrency + WAITING;
    const running = new Set<Promise<void>>();
    let failure: unknown;
    for (const candidate of scan.changed) {
      if (this.#options.signal?.aborted === true || failure !== undefined) break;
      const one = this.#do(candidate).catch((error) => failure ??= error)
        .finally(() => running.delete(one));
      running.add(one);
      if (running.size >= limit) await Promise.race(running);
      if (this.#isBatchFull()) {
        // One batch is written while the next one is made.
        const before = this.#writing;
        this.#write().catch(() => {});
        await before;
      }
    }
    await Promise.all(running);
    await this.#write();
    if (failure !== undefined) throw failure;
  }

  async #do(candidate: Candidate): Promise<void> {
    const { path } = candidate;
    const read = readFileAtRest(join(this.#deps.root, path), {
      within: this.#deps.root,
      nowMs: this.#deps.nowMs,
    });
    if (read.kind === "gone" || read.kind === "restless") {
      // It stays pending: the next scan sees what it has become.
      return;
    }
    if (read.kind === "unreadable") {
      const { stamp, reason } = read;
      this.#items.push({ path, stamp, hashedAtMs: this.#deps.nowMs(), skipped: reason });
      return;
    }
    this.counts.read++;
    const { bytes, stamp, hashedAtMs } = read;
    const file = { path, stamp, hashedAtMs };
    const reason = judgeContent(path, bytes);
    if (reason !== null) {
      this.#items.push({ ...file, skipped: reason });
      return;
    }
    const hash = hashContent(bytes);
    const variant = toVariant(path, this.#options.chunkMaxTokens);
    const sizeBytes = bytes.length;
    const content = await this.#contentOf({ path, bytes, hash, variant });
    if (typeof content === "string") this.#items.push({ ...file, skipped: content });
    else this.#items.push({ ...file, skipped: null, body: { hash, variant, sizeBytes, content } });
  }

  /** The content to be stored, null when it is stored, or why it is left out. */
  async #contentOf(file: {
    readonly path: string;
    readonly bytes: Uint8Array;
    readonly hash: Uint8Array;
    readonly variant: Variant;
  }): Promise<StoredContent | string | null> {
    const { path, bytes, hash, variant } = file;
    const isKnown = await this.#deps.file.read((db) =>
      db.number(
        `SELECT blob.id FROM blobs AS blob JOIN variants AS variant ON variant.id = blob.variant
          WHERE blob.hash = ? AND variant.key = ?`,
        hash,
        variant.key,
      ) > 0
    );
    if (isKnown) return null;
    const key = toKey({ hash, variant });
    const known = this.#analysing.get(key);
    // Both files carry the content to the writer, which stores it once.
    if (known !== undefined) return await known;
    this.counts.parsed++;
    const analysing = this.#analyse(path, bytes);
    this.#analysing.set(key, analysing);
    return await analysing;
  }

  async #analyse(path: string, bytes: Uint8Array): Promise<StoredContent | string> {
    const { chunkMaxTokens } = this.#options;
    const result = await this.#deps.analyser.analyse({ path, bytes, chunkMaxTokens });
    return result.kind === "analysed" ? result.content : result.reason;
  }

  #isBatchFull(): boolean {
    if (this.#items.length === 0) return false;
    return this.#items.length >= BATCH_FILES ||
      performance.now() - this.#lastWriteMs > BATCH_MS;
  }

  /** Writes what is ready; batches follow each other. */
  #write(gone: Gone = NOTHING_GONE): Promise<void> {
    const items = this.#items;
    this.#items = [];
    this.#lastWriteMs = performance.now();
    if (items.length === 0 && gone.paths.length === 0) return this.#writing;
    const writing = this.#writing.then(() => this.#writeBatch(items, gone));
    writing.catch(() => {});
    this.#writing = writing;
    return writing;
  }

  async #writeBatch(items: readonly FileItem[], gone: Gone): Promise<void> {
    const { file, root, nowMs } = this.#deps;
    const put: FileRecord[] = [];
    const removed: string[] = [];
    let failed: ContentWriter | undefined;
    try {
      await file.write(WRITE_WAIT_MS, async (db) => {
        const contents = toWriter(db);
        failed = contents;
        const table = new FileTable(db, openWorktree(db, root, nowMs()));
        for (const path of gone.paths) {
          // It may be on disk and yet be none of the project's files: ignored, or in a repository of its own.
          // What another process has read since the list was made is newer than the list.
          const isOnDisk = lookAt(join(root, path)).kind !== "gone";
          if (isOnDisk && (table.hashedAtMs(path) ?? 0) >= gone.atMs) continue;
          table.remove(path, nowMs());
          removed.push(path);
        }
        const rest = toRests();
        for (const item of items) {
          // Another process may have written what the file became since it was read here.
          const isCurrent = isStill(lookAt(join(root, item.path)), item.stamp) &&
            !table.isNewer(item);
          const record = isCurrent ? toRecord(item, contents) : null;
          if (record === null) continue;
          table.put(record);
          put.push(record);
          await rest();
        }
        await contents.finish(rest);
      });
    } catch (error) {
      // Names that the transaction made are gone with it.
      failed?.forget();
      throw error;
    }
    this.counts.skipped += put.filter(({ skipped }) => skipped !== null).length;
    this.counts.removed += removed.length;
    for (const { body } of items) if (body !== undefined) this.#analysing.delete(toKey(body));
    this.#options.onBatch?.({ put, removed });
  }
}

/** Waits a moment after each piece of work, else returns at once. */
function toRests(): () => Promise<void> | void {
  let since = performance.now();
  return () => {
    if (performance.now() - since < PIECE_MS) return;
    // An immediate would leave the loop no time for the messages of the threads, nor for requests.
    return new Promise((resolve) =>
      setTimeout(() => {
        since = performance.now();
        resolve();
      }, 0)
    );
  };
}

function toWriter(db: Connection): ContentWriter {
  let writer = writers.get(db);
  if (writer === undefined) {
    writer = new ContentWriter(db);
    writers.set(db, writer);
  }
  return writer;
}

function toKey({ hash, variant }: Pick<ContentItem, "hash" | "variant">): string {
  return `${hash.toHex()}|${variant.key}`;
}

/** Stores the content of a file; null when it was known and has been removed meanwhile. */
function toRecord(item: FileItem, contents: ContentWriter): FileRecord | null {
  const { path, stamp, hashedAtMs, skipped, body } = item;
  const file = { ...stamp, path, hashedAtMs, skipped };
  if (body === undefined) return { ...file, blob: null, variant: null };
  const key = {
    hash: body.hash,
    variant: contents.variantOf(body.variant.key, body.variant.language),
  };
  const blob = body.content === null
    ? contents.find(key)
    : contents.put(key, body.content, body.sizeBytes);
  return blob === null ? null : { ...file, blob, variant: body.variant.key };
}
