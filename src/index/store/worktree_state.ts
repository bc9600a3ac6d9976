/**
 * What is remembered of the files of one worktree, held in memory beside the database, and how it differs
 * from the disk: a scan compares thousands of files with it. Reading all records from the database
 * each time would cost more than looking at the files.
 */
import { join } from "node:path";
import { readControlTextIfUsable } from "../../base/files/control_file.ts";
import type { Connection } from "./database.ts";
import type { Candidate, FileRules, ScanResult } from "../scan/scanner.ts";
import { createFileRules, IGNORE_FILE, isStill, readEntry, scanFiles } from "../scan/scanner.ts";
import type { FileList } from "../scan/file_list.ts";
import type { FileStamp } from "../../base/files/file_stamp.ts";
import { isSameStamp, statIfThere, toStamp } from "../../base/files/file_stamp.ts";
import type { FileRecord } from "./file_table.ts";
import { FileTable } from "./file_table.ts";
import type { IndexSettings } from "../index_api.ts";
import type { IndexFile } from "./index_file.ts";
import type { BatchRecords } from "../sync_run.ts";
import { buildVariantPrefix } from "./variant.ts";

/** What the state is made from. */
export interface WorktreeStateDeps {
  /** Absolute root of the project. */
  readonly root: string;
  readonly file: IndexFile;
  readonly list: FileList;
  readonly loadSettings: () => Promise<IndexSettings>;
  readonly nowMs: () => number;
}

/** One comparison of the disk with the index. */
export interface Look {
  readonly scan: ScanResult;
  /** Every file of the project. */
  readonly listed: readonly string[];
  /** Every path that is not as the index has it. */
  readonly paths: readonly string[];
  /** What the index had of those paths at this look. */
  readonly before: ReadonlyMap<string, FileRecord>;
  readonly settings: IndexSettings;
  /** Patterns that are none, in words. */
  readonly notices: readonly string[];
  /** Before the first file was looked at, in milliseconds since 1970. */
  readonly atMs: number;
}

/** What is compared. */
export interface ObservationOptions {
  readonly signal?: AbortSignal;
  /** Age in milliseconds from which files count as changed; default none does. */
  readonly rehashAfterMs?: (settings: IndexSettings) => number;
}

interface KnownRules {
  readonly key: string;
  readonly stamp: FileStamp | null;
  readonly rules: FileRules;
}

/** How long it is waited for whoever is writing, in which time nothing is answered. */
const FORGET_WAIT_MS = 5_000;

const CHUNK_COUNTS = `SELECT id, chunk_count FROM blobs
  WHERE id IN (SELECT value FROM json_each(?))`;

interface WholeLook {
  readonly listed: readonly string[];
  readonly names: ReadonlySet<string>;
  readonly rules: FileRules;
  readonly variantPrefix: string;
}

/** The records of one worktree, as the database has them. */
export class WorktreeState {
  readonly #deps: WorktreeStateDeps;
  #records = new Map<string, FileRecord>();
  #version: string | null = null;
  /** What the last look at all files went by. */
  #whole: WholeLook | null = null;
  #rules: KnownRules | null = null;
  #chunks: { readonly count: number; readonly revision: number } | null = null;
  /** Chunks of contents: counting them again after each edit would cost a large project half a second. */
  #chunkCounts = new Map<number, number>();
  #files: { readonly count: number; readonly revision: number } | null = null;
  #revision = 0;
  /** Revisions at which files last got another content. */
  readonly #changedAt = new Map<string, number>();

  /** @param deps nothing is read before the first look. */
  constructor(deps: WorktreeStateDeps) {
    this.#deps = deps;
  }

  /** Compares every file of the project with its record. */
  async look(options: ObservationOptions = {}): Promise<Look> {
    const { root, list, loadSettings, nowMs } = this.#deps;
    const settings = await loadSettings();
    const rules = this.#readRules(settings);
    const atMs = nowMs();
    const { signal } = options;
    const paths = await list.read(signal === undefined ? {} : { signal });
    const records = await this.#load();
    const rehashBeforeMs = atMs - (options.rehashAfterMs?.(settings) ?? Infinity);
    const variantPrefix = buildVariantPrefix(settings.chunkMaxTokens);
    const scan = scanFiles({ root, paths, records, rules, rehashBeforeMs, variantPrefix });
    this.#whole = { listed: paths, names: new Set(paths), rules, variantPrefix };
    return this.#toLook({ scan, settings, rules, atMs, listed: paths });
  }

  /**
   * Compares some files, where nothing but files can have changed since the last look at all of them.
   *
   * @param isQuiet whether nothing changed in the folders of the project since then, new and removed files included.
   * @returns null where all have to be looked at: the list, the settings or the rules are not the same.
   */
  async lookAgain(
    last: Look,
    paths: ReadonlySet<string>,
    { isQuiet }: { readonly isQuiet: boolean },
  ): Promise<Look | null> {
    const { root, list, loadSettings, nowMs } = this.#deps;
    const settings = await loadSettings();
    const rules = this.#readRules(settings);
    const atMs = nowMs();
    const listed = await list.read({ isQuiet });
    const all = await this.#load();
    const whole = this.#whole;
    const variantPrefix = buildVariantPrefix(settings.chunkMaxTokens);
    if (
      whole === null || listed !== whole.listed || rules !== whole.rules ||
      variantPrefix !== whole.variantPrefix
    ) return null;
    const records = new Map([...paths].flatMap((path): [string, FileRecord][] => {
      const record = all.get(path);
      return record === undefined ? [] : [[path, record]];
    }));
    const some = [...paths].filter((path) => whole.names.has(path));
    const scan = scanFiles({ root, paths: some, records, rules, variantPrefix });
    const unchanged = last.scan.unchanged;
    return this.#toLook({ scan: { ...scan, unchanged }, settings, rules, atMs, listed });
  }

  #toLook({ scan, settings, rules, atMs, listed }: {
    readonly scan: ScanResult;
    readonly settings: IndexSettings;
    readonly rules: FileRules;
    readonly atMs: number;
    readonly listed: readonly string[];
  }): Look {
    const changed = [...scan.changed, ...scan.skipped].map(({ path }) => path);
    const known = changed.flatMap((path): [string, FileRecord][] => {
      const record = this.#records.get(path);
      return record === undefined ? [] : [[path, record]];
    });
    return {
      scan,
      listed,
      paths: [...changed, ...scan.gone],
      before: new Map(known),
      settings,
      notices: rules.notices,
      atMs,
    };
  }

  /** Takes over what this process has written itself. */
  apply({ put, removed }: BatchRecords): void {
    this.#revision++;
    for (const record of put) {
      this.#noteChange(record.path, record);
      this.#records.set(record.path, record);
    }
    for (const path of removed) {
      this.#noteChange(path, undefined);
      this.#records.delete(path);
    }
  }

  /**
   * Forgets what the index has of files that are pending: their content is another one by now, or they are gone. What was
   * written since the look stays.
   */
  async forgetPending(look: Look): Promise<void> {
    const { file, root, nowMs } = this.#deps;
    // What is only read once more, since it is young, is most likely as it was: another process may have just read it.
    const stale = this.listPending(look).flatMap((path) => this.#records.get(path) ?? [])
      .filter((record) => !isStill(readEntry(join(root, record.path)), record));
    if (stale.length === 0) return;
    const removed = await file.write(FORGET_WAIT_MS, (db) => {
      const table = new FileTable(db, findWorktree(db, root));
      const same = stale.filter(({ path, hashedAtMs }) => table.hashedAtMs(path) === hashedAtMs);
      for (const { path } of same) table.remove(path, nowMs());
      return Promise.resolve(same.map(({ path }) => path));
    });
    this.apply({ put: [], removed });
  }

  /** Whether a file that is remembered has another content than it had at a revision. */
  hasChanged(path: string, revision: number): boolean {
    if ((this.#changedAt.get(path) ?? 0) > revision) return true;
    const record = this.#records.get(path);
    return record !== undefined && record.blob !== null &&
      !isStill(readEntry(join(this.#deps.root, path)), record);
  }

  #noteChange(path: string, next: FileRecord | undefined): void {
    if (this.#records.get(path)?.blob !== next?.blob) this.#changedAt.set(path, this.#revision);
  }

  /** Grows whenever the records change. */
  get revision(): number {
    return this.#revision;
  }

  /** Whether a file is remembered, so that a look tells when it changes. */
  holds(path: string): boolean {
    return this.#records.has(path);
  }

  /** Counts the chunks of the files, as the last look found their records; remembered until something is written. */
  async countChunks(): Promise<number> {
    const revision = this.#revision;
    if (this.#chunks?.revision === revision) return this.#chunks.count;
    const own = new Set<number>();
    for (const { blob } of this.#records.values()) if (blob !== null) own.add(blob);
    const counts = this.#chunkCounts;
    const unknown = [...own].filter((blob) => !counts.has(blob));
    if (unknown.length > 0) {
      const rows = await this.#deps.file.read((db) =>
        db.all(CHUNK_COUNTS, JSON.stringify(unknown))
      );
      for (const row of rows) counts.set(Number(row["id"]), Number(row["chunk_count"]));
    }
    let count = 0;
    for (const blob of own) count += counts.get(blob) ?? 0;
    this.#chunks = { count, revision };
    return count;
  }

  /** Counts the files in the index. It never waits, so that what is pending can be reported beside it. */
  countFiles(): number {
    if (this.#files?.revision === this.#revision) return this.#files.count;
    let count = 0;
    for (const { skipped } of this.#records.values()) if (skipped === null) count++;
    this.#files = { count, revision: this.#revision };
    return count;
  }

  /** Which paths of a look are still not in the index as they were then, or later. */
  listPending({ scan, before, atMs }: Look): string[] {
    const isDone = ({ path, stamp }: Candidate) => {
      const record = this.#records.get(path);
      const old = before.get(path);
      if (record === undefined || old !== undefined && isSameRecord(record, old)) return false;
      // A job that began earlier may have read it before the look, and written it since.
      return record.hashedAtMs >= atMs || isSameStamp(record, stamp);
    };
    const changed = [...scan.changed, ...scan.skipped].filter((candidate) => !isDone(candidate));
    const gone = scan.gone.filter((path) => this.#records.has(path));
    return [...changed.map(({ path }) => path), ...gone];
  }

  /** The records; read again when another process has written. */
  async #load(): Promise<ReadonlyMap<string, FileRecord>> {
    const { file, root } = this.#deps;
    const version = await file.version();
    if (version !== this.#version) {
      const records = await file.read((db) => new FileTable(db, findWorktree(db, root)).load());
      this.#revision++;
      for (const path of this.#records.keys()) this.#noteChange(path, records.get(path));
      this.#records = records;
      this.#version = version;
      this.#chunkCounts = new Map();
    }
    return this.#records;
  }

  /** Which files belong to the index, by the settings and the project's ignore file as it is now. */
  #readRules({ sourceDirs, excludePatterns }: IndexSettings): FileRules {
    const key = JSON.stringify([sourceDirs, excludePatterns]);
    const path = join(this.#deps.root, IGNORE_FILE);
    const info = statIfThere(path);
    const stamp = info?.isFile === true ? toStamp(info) : null;
    const known = this.#rules;
    if (known !== null && known.key === key && isSameOrNull(known.stamp, stamp)) return known.rules;
    const ignoreText = stamp === null ? "" : readControlTextIfUsable(path, "manifest") ?? "";
    const rules = createFileRules({ sourceDirs, excludePatterns, ignoreText });
    this.#rules = { key, stamp, rules };
    return rules;
  }
}

/** Number of the worktree with this root; 0, which no worktree has, before its first file. */
export function findWorktree(db: Connection, root: string): number {
  return db.number("SELECT id FROM worktrees WHERE root = ?", root);
}

function isSameRecord(a: FileRecord, b: FileRecord): boolean {
  return a.hashedAtMs === b.hashedAtMs && isSameStamp(a, b);
}

function isSameOrNull(a: FileStamp | null, b: FileStamp | null): boolean {
  return a === null || b === null ? a === b : isSameStamp(a, b);
}
