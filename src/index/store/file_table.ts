/**
 * Which file of one worktree has which content: rows of `files` with what was seen of each file on
 * disk. It keeps book of the contents that lose their last file.
 */
import type { FileStamp } from "../../base/files/file_stamp.ts";
import type { Connection } from "./database.ts";
import { splitWords } from "../../analysis/tokens.ts";
import { ANALYSIS_VERSION } from "./variant.ts";

/** What is remembered of a file. */
export interface FileRecord extends FileStamp {
  readonly path: string;
  /** When its bytes were hashed: before they were read. */
  readonly hashedAtMs: number;
  /** Its content; null when it was skipped. */
  readonly blob: number | null;
  /** Key of the variant in which the content was analysed; null when it was skipped. */
  readonly variant: string | null;
  /** Why it was skipped; null when it has a content. */
  readonly skipped: string | null;
}

/** The files of one worktree. */
export class FileTable {
  readonly #db: Connection;
  readonly #worktree: number;

  /** @param db any connection; the methods that change rows need the writing one. */
  constructor(db: Connection, worktree: number) {
    this.#db = db;
    this.#worktree = worktree;
  }

  /** Everything that is remembered, by path. */
  load(): Map<string, FileRecord> {
    const rows = this.#db.iterate(
      `SELECT path.path, blob, skipped, files.size AS "sizeBytes", mtime_ms AS "mtimeMs",
          ctime_ms AS "ctimeMs", inode, hashed_at AS "hashedAtMs", variant.key AS variant
        FROM files JOIN paths AS path ON path.id = files.path
        LEFT JOIN blobs ON blobs.id = files.blob
        LEFT JOIN variants AS variant ON variant.id = blobs.variant WHERE worktree = ?`,
      this.#worktree,
    );
    const records = rows as Iterable<unknown> as Iterable<FileRecord>;
    return new Map(Array.from(records, (record) => [record.path, { ...record }]));
  }

  /** Whether a record of the same state of the file was made later than this one. */
  isNewer(
    record: { readonly path: string; readonly stamp: FileStamp; readonly hashedAtMs: number },
  ): boolean {
    const { stamp, hashedAtMs } = record;
    const row = this.#db.get(
      `SELECT 1 FROM files WHERE worktree = ? AND path = (SELECT id FROM paths WHERE path = ?)
        AND size = ? AND mtime_ms = ? AND ctime_ms = ? AND inode = ? AND hashed_at > ?`,
      this.#worktree,
      record.path,
      stamp.sizeBytes,
      stamp.mtimeMs,
      stamp.ctimeMs,
      stamp.inode,
      hashedAtMs,
    );
    return row !== undefined;
  }

  /** Remembers a file as it is now. */
  put(record: FileRecord): void {
    const path = this.#pathId(record.path);
    const before = this.#blobAt(path);
    // `OR REPLACE` is a change that may end half way, for which the full text would write what it has gathered.
    this.#db.run(
      `INSERT INTO files
        (worktree, path, blob, skipped, size, mtime_ms, ctime_ms, inode, hashed_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (worktree, path) DO UPDATE SET
          (blob, skipped, size, mtime_ms, ctime_ms, inode, hashed_at) =
          (excluded.blob, excluded.skipped, excluded.size, excluded.mtime_ms, excluded.ctime_ms,
            excluded.inode, excluded.hashed_at)`,
      this.#worktree,
      path,
      record.blob,
      record.skipped,
      record.sizeBytes,
      record.mtimeMs,
      record.ctimeMs,
      record.inode,
      record.hashedAtMs,
    );
    if (record.blob !== null && record.blob !== before) {
      this.#db.run("DELETE FROM idle_blobs WHERE blob = ?", record.blob);
    }
    if (before !== null && before !== record.blob) noteIfIdle(this.#db, before, record.hashedAtMs);
  }

  /** When the bytes of a file were hashed; null when it is not remembered. */
  hashedAtMs(path: string): number | null {
    const row = this.#db.get(
      `SELECT hashed_at FROM files WHERE worktree = ? AND path = (SELECT id FROM paths WHERE path = ?)`,
      this.#worktree,
      path,
    );
    return row === undefined ? null : Number(row["hashed_at"]);
  }

  /** Forgets a file that is gone; `nowMs` is when. */
  remove(path: string, nowMs: number): void {
    const id = this.#db.number("SELECT id FROM paths WHERE path = ?", path);
    const before = this.#blobAt(id);
    this.#db.run("DELETE FROM files WHERE worktree = ? AND path = ?", this.#worktree, id);
    if (before !== null) noteIfIdle(this.#db, before, nowMs);
  }

  #blobAt(path: number): number | null {
    const sql = "SELECT blob FROM files WHERE worktree = ? AND path = ?";
    return this.#db.number(sql, this.#worktree, path) || null;
  }

  #pathId(path: string): number {
    const known = this.#db.number("SELECT id FROM paths WHERE path = ?", path);
    if (known > 0) return known;
    const id = this.#db.run("INSERT INTO paths (path) VALUES (?)", path);
    this.#db.run("INSERT INTO path_words (rowid, words) VALUES (?, ?)", id, splitWords(path));
    return id;
  }
}

/** Number of the worktree with this root, which is made at its first use. Needs the writer. */
export function openWorktree(db: Connection, root: string, nowMs: number): number {
  return db.number("SELECT id FROM worktrees WHERE root = ?", root) ||
    db.run("INSERT INTO worktrees (root, seen_at) VALUES (?, ?)", root, nowMs);
}

/** Forgets a worktree with all its files; its contents stay until they have been idle long enough. */
export function removeWorktree(db: Connection, worktree: number, nowMs: number): void {
  const rows = db.all("SELECT DISTINCT blob FROM files WHERE worktree = ?", worktree);
  db.run("DELETE FROM files WHERE worktree = ?", worktree);
  db.run("DELETE FROM worktrees WHERE id = ?", worktree);
  for (const { blob } of rows) if (blob !== null) noteIfIdle(db, Number(blob), nowMs);
}

/** Which contents leave the index. */
export interface IdleLimits {
  /** No file has had them since then. */
  readonly beforeMs: number;
  /** The same for what an older version of the program analysed: no file can have it again. */
  readonly outdatedBeforeMs: number;
}

const IDLE = `SELECT idle.blob FROM idle_blobs AS idle
  WHERE idle.since < ? OR (idle.since < ? AND EXISTS (
    SELECT 1 FROM blobs AS blob JOIN variants AS variant ON variant.id = blob.variant
      WHERE blob.id = idle.blob AND CAST(variant.key AS INTEGER) < ${ANALYSIS_VERSION}))
  ORDER BY idle.since LIMIT ?`;

/** At most `limit` contents that are due to leave. */
export function findIdle(db: Connection, limits: IdleLimits, limit: number): number[] {
  return db.all(IDLE, limits.beforeMs, limits.outdatedBeforeMs, limit)
    .map(({ blob }) => Number(blob));
}

/** Removes at most `limit` paths that no worktree has. */
export function removeUnusedPaths(db: Connection, limit: number): void {
  const rows = db.all(
    "SELECT id FROM paths WHERE NOT EXISTS (SELECT 1 FROM files WHERE path = paths.id) LIMIT ?",
    limit,
  );
  for (const { id } of rows) {
    db.run("DELETE FROM path_words WHERE rowid = ?", Number(id));
    db.run("DELETE FROM paths WHERE id = ?", Number(id));
  }
}

function noteIfIdle(db: Connection, blob: number, nowMs: number): void {
  if (db.get("SELECT 1 FROM files WHERE blob = ? LIMIT 1", blob) !== undefined) return;
  db.run("INSERT OR IGNORE INTO idle_blobs (blob, since) VALUES (?, ?)", blob, nowMs);
}
