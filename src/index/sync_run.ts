/**
 * Brings what is remembered of a worktree's files to what a scan saw: reads changed files, has unseen
 * contents analysed, and writes in small transactions, so that whatever ends it loses only the last one.
 */
import { join } from "node:path";
import type { Analyser } from "../analysis/analyser.ts";
import type { StoredContent } from "../analysis/record/content.ts";
import { hashContent, judgeContent, readStableFile } from "./scan/file_reader.ts";
import { ContentWriter } from "./store/content_writer.ts";
import type { Connection } from "./store/database.ts";
import type { Candidate, ScanResult } from "./scan/scanner.ts";
import { isStill, readEntry } from "./scan/scanner.ts";
import { FileTable, openWorktree } from "./store/file_table.ts";
import type { FileStamp } from "../base/files/file_stamp.ts";
import type { FileRecord } from "./store/file_table.ts";
import type { IndexFile } from "./store/index_file.ts";
import type { SharedContents, SharedRecord } from "./read/view.ts";
import type { Variant } from "./store/variant.ts";
import { chooseVariant } from "./store/variant.ts";

/** What a run works with. */
export interface SyncRunDeps {
  /** Absolute root of the worktree's project. */
  readonly root: string;
  readonly file: IndexFile;
  readonly analyser: Analyser;
  /** Contents that other machines analysed; null or absent without any. */
  readonly shared?: SharedContents | null;
  readonly nowMs: () => number;
}

/** How a run works. */
export interface SyncRunOptions {
  readonly chunkMaxTokens: number;
  /** Ends the run after what is under way; what is done stays. */
  readonly signal?: AbortSignal;
  /** Called after every batch that was written. */
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
  /** Contents that were taken from other machines. */
  taken: number;
  /** Packs of other machines that were wrong: what came in them is to be read again by another run. */
  refused: number;
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
  /** The pack that it was taken from; absent where this machine analysed it. */
  readonly pack?: string;
}

/** What is to be stored of a content. */
type Found = Pick<ContentItem, "content" | "pack">;

/** Paths that are no longer files of the project. */
interface Gone {
  readonly paths: readonly string[];
  /** Before they were found missing in the list. */
  readonly atMs: number;
}

const NOTHING_GONE: Gone = { paths: [], atMs: 0 };
// Contents that wait for an analyser: enough to start one more thread.
const WAITING = 5;
/**
 * Files of one transaction, and its age. Rows by name touch pages all over the database, and about the same ones with each
 * transaction: of much work larger parts are written, which a kill loses one of.
 */
const BATCH_FILES = 100;
const BATCH_MS = 1_000;
const BATCHES_AT_LEAST = 5;
const LARGEST_BATCH_FILES = 500;
// The thread that writes is the one that answers: it pauses after each short piece.
const PIECE_MS = 8;
const WRITE_WAIT_MS = 30_000;
/** With fewer files to read it takes longer to look through what others shared than to analyse them. */
const SHARED_FROM_FILES = 20;

const writers = new WeakMap<Connection, ContentWriter>();

/** One run over the files of a scan. */
export class SyncRun {
  readonly counts: SyncCounts = {
    read: 0,
    parsed: 0,
    taken: 0,
    refused: 0,
    skipped: 0,
    removed: 0,
  };
  readonly #deps: SyncRunDeps;
  readonly #options: SyncRunOptions;
  readonly #analysing = new Map<string, Promise<Found | string>>();
  #shared: SharedContents | null = null;
  /** Packs that turned out to be wrong, and whose contents have to leave the index. */
  #unfit = new Set<string>();
  #items: FileItem[] = [];
  #batchFiles = BATCH_FILES;
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
    const part = Math.ceil(scan.changed.length / BATCHES_AT_LEAST);
    this.#batchFiles = Math.min(LARGEST_BATCH_FILES, Math.max(BATCH_FILES, part));
    if (scan.changed.length >= SHARED_FROM_FILES) this.#shared = this.#deps.shared ?? null;
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
    const read = readStableFile(join(this.#deps.root, path), {
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
    const variant = chooseVariant(path, this.#options.chunkMaxTokens);
    const sizeBytes = bytes.length;
    const found = await this.#contentOf({ path, bytes, hash, variant });
    if (typeof found === "string") this.#items.push({ ...file, skipped: found });
    else this.#items.push({ ...file, skipped: null, body: { hash, variant, sizeBytes, ...found } });
  }

  /** The content to be stored, or why it is left out. */
  async #contentOf(file: {
    readonly path: string;
    readonly bytes: Uint8Array;
    readonly hash: Uint8Array;
    readonly variant: Variant;
  }): Promise<Found | string> {
    const { path, bytes, hash, variant } = file;
    const isKnown = await this.#deps.file.read((db) =>
      db.number(
        `SELECT blob.id FROM blobs AS blob JOIN variants AS variant ON variant.id = blob.variant
          WHERE blob.hash = ? AND variant.key = ?`,
        hash,
        variant.key,
      ) > 0
    );
    if (isKnown) return { content: null };
    const key = keyOfContent({ hash, variant });
    const known = this.#analysing.get(key);
    // Both files carry the content to the writer, which stores it once.
    if (known !== undefined) return await known;
    const analysing = this.#analyse({ path, bytes, hash, variant });
    this.#analysing.set(key, analysing);
    return await analysing;
  }

  async #analyse({ path, bytes, hash, variant }: {
    readonly path: string;
    readonly bytes: Uint8Array;
    readonly hash: Uint8Array;
    readonly variant: Variant;
  }): Promise<Found | string> {
    const shared = await this.#shared?.find({ hash, variant: variant.key }) ?? null;
    const { chunkMaxTokens } = this.#options;
    const of = shared === null ? {} : { record: shared.record, isProof: shared.isProof };
    const result = await this.#deps.analyser.analyse({ path, bytes, chunkMaxTokens, ...of });
    if (result.kind === "failed") {
      this.counts.parsed++;
      return result.reason;
    }
    const { content, unfit } = result;
    if (shared === null || unfit !== undefined) {
      this.counts.parsed++;
      if (shared !== null && unfit !== undefined) await this.#refuse(shared, unfit);
      return { content };
    }
    this.counts.taken++;
    return { content, pack: shared.pack };
  }

  /** What came in a pack with a wrong record is taken out again: one of its records stands for all. */
  async #refuse({ pack }: SharedRecord, reason: string): Promise<void> {
    this.#unfit.add(pack);
    this.counts.refused++;
    await this.#shared?.refuse(pack, reason);
  }

  #isBatchFull(): boolean {
    if (this.#items.length === 0) return false;
    const ageMs = performance.now() - this.#lastWriteMs;
    return this.#items.length >= this.#batchFiles ||
      ageMs > BATCH_MS * this.#batchFiles / BATCH_FILES;
  }

  /** Writes what is ready; batches follow each other. */
  #write(gone: Gone = NOTHING_GONE): Promise<void> {
    const items = this.#items;
    this.#items = [];
    this.#lastWriteMs = performance.now();
    const hasWork = items.length > 0 || gone.paths.length > 0 || this.#unfit.size > 0;
    if (!hasWork) return this.#writing;
    const writing = this.#writing.then(() => this.#writeBatch(items, gone));
    writing.catch(() => {});
    this.#writing = writing;
    return writing;
  }

  async #writeBatch(items: readonly FileItem[], gone: Gone): Promise<void> {
    const { file, root, nowMs } = this.#deps;
    const put: FileRecord[] = [];
    const removed: string[] = [];
    const again: string[] = [];
    const unfit = [...this.#unfit];
    this.#unfit.clear();
    let failed: ContentWriter | undefined;
    try {
      await file.write(WRITE_WAIT_MS, async (db) => {
        const contents = openWriter(db);
        failed = contents;
        const worktree = openWorktree(db, root, nowMs());
        const table = new FileTable(db, worktree);
        for (const pack of unfit) again.push(...contents.removePack(pack, worktree));
        for (const path of gone.paths) {
          // It may be on disk and yet be none of the project's files: ignored, or in a repository of its own.
          // What another process has read since the list was made is newer than the list.
          const isOnDisk = readEntry(join(root, path)).kind !== "gone";
          if (isOnDisk && (table.hashedAtMs(path) ?? 0) >= gone.atMs) continue;
          table.remove(path, nowMs());
          removed.push(path);
        }
        const rest = createRests();
        for (const item of items) {
          // What came from a pack that is refused by now is read again by the next run.
          if (this.#isRefused(item)) continue;
          // Another process may have written what the file became since it was read here.
          const isCurrent = isStill(readEntry(join(root, item.path)), item.stamp) &&
            !table.isNewer(item);
          const record = isCurrent ? buildRecord(item, contents) : null;
          if (record === null) continue;
          table.put(record);
          put.push(record);
          await rest();
        }
        await contents.finish(rest);
      }, this.#batchFiles > BATCH_FILES ? "bulk" : "usual");
    } catch (error) {
      // Names that the transaction made are gone with it.
      failed?.forget();
      throw error;
    }
    this.counts.skipped += put.filter(({ skipped }) => skipped !== null).length;
    this.counts.removed += removed.length;
    for (const { body } of items) {
      if (body !== undefined) this.#analysing.delete(keyOfContent(body));
    }
    this.#options.onBatch?.({ put, removed: [...removed, ...again] });
  }

  #isRefused({ body }: FileItem): boolean {
    return body?.pack !== undefined && this.#shared?.isRefused(body.pack) === true;
  }
}

/** Waits a moment after each piece of work, else returns at once. */
function createRests(): () => Promise<void> | void {
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

function openWriter(db: Connection): ContentWriter {
  let writer = writers.get(db);
  if (writer === undefined) {
    writer = new ContentWriter(db);
    writers.set(db, writer);
  }
  return writer;
}

function keyOfContent({ hash, variant }: Pick<ContentItem, "hash" | "variant">): string {
  return `${hash.toHex()}|${variant.key}`;
}

/** Stores the content of a file; null when it was known and has been removed meanwhile. */
function buildRecord(item: FileItem, contents: ContentWriter): FileRecord | null {
  const { path, stamp, hashedAtMs, skipped, body } = item;
  const file = { ...stamp, path, hashedAtMs, skipped };
  if (body === undefined) return { ...file, blob: null, variant: null };
  const key = {
    hash: body.hash,
    variant: contents.variantOf(body.variant.key, body.variant.language),
  };
  const blob = body.content === null
    ? contents.find(key)
    : contents.put(key, body.content, { sizeBytes: body.sizeBytes, pack: body.pack });
  return blob === null ? null : { ...file, blob, variant: body.variant.key };
}
