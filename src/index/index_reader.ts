/**
 * Reads the index of another project, as its own processes left it: nothing is looked at on disk, brought up to date,
 * fixed or written.
 */
import { statIfThere } from "../base/files/file_stamp.ts";
import { join } from "node:path";
import { CodeIntelError } from "../base/errors.ts";
import type { Connection } from "./store/database.ts";
import { isDamage, openForReading, UnusableDatabase } from "./store/database.ts";
import { keepSharedMemory } from "./store/index_folder.ts";
import { FILE_NAME } from "./store/index_folder.ts";
import { ANALYSIS_VERSION } from "./store/variant.ts";
import { findWorktree } from "./store/worktree_state.ts";
import { readEntry } from "./scan/scanner.ts";
import { createView } from "./read/read_view.ts";
import { createSqliteSource } from "./read/sqlite_source.ts";
import type { IndexView } from "./read/view.ts";

/** An index that is open for reading. */
export interface IndexReader {
  /** Answers over one state inside {@link IndexReader.snapshot}. */
  readonly view: IndexView;
  /** Whether another version of the program analysed some of it. */
  readonly isOld: boolean;
  /** Whether a file looks on disk as it did when the index saw it. */
  isAsSeen(path: string): boolean;
  /** Runs `read` over one state of the index; readers may be nested. */
  snapshot<T>(read: () => T): T;
  /** Whether another file lies in the place of the one that is open. */
  isReplaced(): boolean;
  /** Ends the reading. */
  close(): void;
}

/** An open index, or why there is none to read. */
export type ReaderOpening =
  | { readonly kind: "open"; readonly reader: IndexReader }
  /** `missing`: no index, or none of this worktree. `older`: its tables have an earlier form. */
  | { readonly kind: "missing" | "older" | "newer" | "foreign" | "damaged" }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * Opens the index of the worktree at `root`.
 *
 * @param folder absolute path of the folder of the database.
 */
export function openIndexReader(folder: string, root: string): ReaderOpening {
  const path = join(folder, FILE_NAME);
  const inode = statIfThere(path)?.ino ?? null;
  if (inode === null) return { kind: "missing" };
  let db: Connection | null = null;
  try {
    db = openForReading(path);
    if (db === null) return { kind: "older" };
    const opened = db;
    const worktree = findWorktree(opened, root);
    let sharedBytes = keepSharedMemory(path, 0);
    const isSynced =
      opened.number("SELECT synced_at IS NOT NULL FROM worktrees WHERE id = ?", worktree) === 1;
    if (!isSynced) {
      opened.close();
      return { kind: "missing" };
    }
    return {
      kind: "open",
      reader: {
        view: createView(createSqliteSource(opened, worktree)),
        isAsSeen: (path) => isAsSeen(opened, worktree, { root, path }),
        isOld: isOfOtherVersion(opened, worktree),
        snapshot: (read) => opened.snapshot(read),
        isReplaced: () => {
          sharedBytes = keepSharedMemory(path, sharedBytes);
          return (statIfThere(path)?.ino ?? null) !== inode;
        },
        close: () => opened.close(),
      },
    };
  } catch (error) {
    db?.close();
    if (error instanceof UnusableDatabase) return { kind: error.state };
    if (isDamage(error)) return { kind: "damaged" };
    if (!(error instanceof CodeIntelError)) throw error;
    return { kind: "failed", reason: error.message };
  }
}

function isOfOtherVersion(db: Connection, worktree: number): boolean {
  return db.number(
    `SELECT EXISTS (
      SELECT 1 FROM files JOIN blobs ON blobs.id = files.blob JOIN variants ON variants.id = blobs.variant
      WHERE files.worktree = ? AND variants.key NOT LIKE ?
    )`,
    worktree,
    `${ANALYSIS_VERSION}|%`,
  ) === 1;
}

function isAsSeen(
  db: Connection,
  worktree: number,
  { root, path }: { readonly root: string; readonly path: string },
): boolean {
  const row = db.get(
    `SELECT size, mtime_ms FROM files WHERE worktree = ? AND path = (SELECT id FROM paths WHERE path = ?)`,
    worktree,
    path,
  );
  const entry = readEntry(join(root, path));
  return entry.kind === "file" && row?.["size"] === entry.stamp.sizeBytes &&
    row["mtime_ms"] === entry.stamp.mtimeMs;
}
