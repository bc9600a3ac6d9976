/** Questions about the files of a worktree: which there are, which were left out, how many. */
import { PARSERS } from "../store/content_writer.ts";
import type { Reader, Row, Source } from "./reader.ts";
import { toMatchAny } from "../../analysis/tokens.ts";
import type { FileInfo, IndexView } from "./view.ts";

const FILES = `SELECT path.path, variant.language, blob.parser, blob.is_partial, blob.lines,
    blob.size, blob.hash
  FROM files AS file
  JOIN paths AS path ON path.id = file.path
  JOIN blobs AS blob ON blob.id = file.blob
  JOIN variants AS variant ON variant.id = blob.variant
  WHERE file.worktree = ?`;

/** Digits of a content's hash in the names of its chunks. */
export const HASH_DIGITS = 16;

/** Makes the questions about files. */
export function createFileQueries(
  { db, worktree, words }: Source,
): Pick<
  IndexView,
  "getFile" | "listFiles" | "listSkipped" | "countSkipped" | "count" | "searchPaths"
> {
  return {
    getFile: (path) => {
      const row = db.get(`${FILES} AND path.path = ?`, worktree, path);
      return row === undefined ? null : toFile(row);
    },
    listFiles: () => db.all(`${FILES} ORDER BY path.path`, worktree).map(toFile),
    listSkipped: () =>
      db.all(
        `SELECT path.path, skipped FROM files JOIN paths AS path ON path.id = files.path
          WHERE worktree = ? AND skipped IS NOT NULL ORDER BY path.path`,
        worktree,
      ).map((row) => ({ path: String(row["path"]), reason: String(row["skipped"]) })),
    countSkipped: () =>
      new Map(
        db.all(
          `SELECT skipped, count(*) AS files FROM files
            WHERE worktree = ? AND skipped IS NOT NULL GROUP BY skipped`,
          worktree,
        ).map((row) => [String(row["skipped"]), Number(row["files"])]),
      ),
    count: () => countAll(db, worktree),
    searchPaths: (text, limit) => {
      const match = toMatchAny(text);
      return match === null ? [] : words.findPaths(match, limit);
    },
  };
}

function toFile(row: Row): FileInfo {
  return {
    path: String(row["path"]),
    language: row["language"] === null ? null : String(row["language"]),
    parser: PARSERS[Number(row["parser"])] ?? "none",
    isPartial: row["is_partial"] === 1,
    lineCount: Number(row["lines"]),
    sizeBytes: Number(row["size"]),
    hash: toShortHash(row["hash"]),
  };
}

/** The first digits of a hash as it stands in a row. */
export function toShortHash(hash: Row[string] | undefined): string {
  return hash instanceof Uint8Array ? hash.toHex().slice(0, HASH_DIGITS) : "";
}

/**
 * The contents of a worktree are nearly all that the database holds, and rows of a whole table are counted in a tenth of the time
 * that those of many contents take: where the others are fewer, they are counted and taken off.
 */
function countAll(db: Reader, worktree: number): ReturnType<IndexView["count"]> {
  const inWorktree = "SELECT blob FROM files WHERE worktree = ? AND blob IS NOT NULL";
  const others = `SELECT id FROM blobs WHERE id NOT IN (${inWorktree})`;
  const one = (sql: string) => db.number(sql, worktree);
  const contents = one(
    `SELECT count(*) FROM (SELECT DISTINCT blob FROM (${inWorktree}) AS held) AS own`,
  );
  const rest = db.number("SELECT count(*) FROM blobs") - contents;
  const sum = (sql: string, of: "id" | "blob") => {
    if (rest > contents) return one(`${sql} WHERE ${of} IN (${inWorktree})`);
    return db.number(sql) - (rest === 0 ? 0 : one(`${sql} WHERE ${of} IN (${others})`));
  };
  return {
    files: one("SELECT count(blob) FROM files WHERE worktree = ?"),
    skipped: one("SELECT count(skipped) FROM files WHERE worktree = ?"),
    contents,
    chunks: sum("SELECT sum(chunk_count) FROM blobs", "id"),
    symbols: sum("SELECT count(*) FROM symbols", "blob"),
  };
}
