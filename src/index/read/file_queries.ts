/** Questions about the files of a worktree: which there are, which were left out, how many. */
import { toTextOrNull } from "./reader.ts";
import type { Reader, Row, Source } from "./reader.ts";
import { unpackRising } from "../../analysis/record/pack.ts";
import { buildMatchAny } from "../../analysis/tokens.ts";
import type { ChunkHit, FileInfo, IndexView, TextHit, TextSearch } from "./view.ts";
import { PARSERS } from "../../analysis/record/content_record.ts";

const DEFAULT_LIMIT = 400;

// The content of a chunk is the last one whose id is not above the chunk's.
const CHUNK = `SELECT chunk.id, chunk.start, chunk.end, kind.name AS kind, chunk.name,
  chunk.symbols, blob.hash, path.path`;

/** Makes the questions about chunks. */
export function createChunkQueries(
  source: Source,
): Pick<IndexView, "listChunks" | "getChunk" | "searchText"> {
  const { db, worktree } = source;
  return {
    listChunks: (path) => {
      const row = db.get(
        `SELECT blob.id, blob.chunk_count FROM files AS file JOIN blobs AS blob ON blob.id = file.blob
          WHERE file.worktree = ? AND file.path = (SELECT id FROM paths WHERE path = ?)`,
        worktree,
        path,
      );
      const first = Number(row?.["id"] ?? 0);
      const numbers = Array.from(
        { length: Number(row?.["chunk_count"] ?? 0) },
        (_, at) => first + at,
      );
      return readChunks(source, numbers);
    },
    getChunk: (id) => getChunk(source, id),
    searchText: (search) => searchText(source, search),
  };
}

function getChunk(source: Source, id: string): ChunkHit | null {
  const [, hash, start, end] = /^([0-9a-f]{16}):(\d+)-(\d+)$/.exec(id) ?? [];
  if (hash === undefined) return null;
  const lowest = Uint8Array.fromHex(hash);
  const above = BigInt(`0x${hash}`) + 1n;
  const highest = above.toString(16).padStart(HASH_DIGITS, "0");
  const rows = source.db.all(
    `SELECT chunk.id FROM blobs AS blob
      CROSS JOIN chunks AS chunk ON chunk.id >= blob.id AND chunk.id < blob.id + blob.chunk_count
      WHERE blob.hash >= ? AND blob.hash < ? AND +chunk.start = ? AND +chunk.end = ?`,
    lowest,
    // Longer than any hash where there is no next prefix.
    highest.length > HASH_DIGITS ? new Uint8Array(64).fill(0xff) : Uint8Array.fromHex(highest),
    Number(start),
    Number(end),
  );
  return readChunks(source, rows.map((row) => Number(row["id"])))[0] ?? null;
}

function searchText(source: Source, search: TextSearch): TextHit[] {
  const match = buildMatchAny(search.text);
  if (match === null) return [];
  const limit = search.limit ?? DEFAULT_LIMIT;
  const scores = source.words.scoreChunks(match, { limit, under: "." });
  const chunks = readChunks(source, scores.map(({ number }) => number));
  const byNumber = new Map(chunks.map((chunk) => [chunk.number, chunk]));
  return scores.flatMap(({ number, score }) => {
    const chunk = byNumber.get(number);
    return chunk === undefined ? [] : [{ ...chunk, score }];
  });
}

/** Chunks by their numbers, in their order; one that no file of the worktree has is left out. */
export function readChunks(
  { db, worktree, dialect }: Source,
  numbers: readonly number[],
): readonly ChunkHit[] {
  if (numbers.length === 0) return [];
  const rows = db.all(
    `${CHUNK} FROM ${dialect.numbers} AS wanted
      CROSS JOIN chunks AS chunk ON chunk.id = wanted.value
      CROSS JOIN blobs AS blob ON blob.id = (
        SELECT max(id) FROM blobs AS own WHERE own.id <= chunk.id)
      CROSS JOIN names AS kind ON kind.id = chunk.kind
      CROSS JOIN files AS file ON file.blob = blob.id AND file.worktree = ?
      CROSS JOIN paths AS path ON path.id = file.path ORDER BY path.path`,
    JSON.stringify(numbers),
    worktree,
  );
  const found = Map.groupBy(rows, ({ id }) => Number(id));
  return numbers.flatMap((number) => {
    const own = found.get(number);
    const [row] = own ?? [];
    if (row === undefined) return [];
    return [readChunk(row, own?.map(({ path }) => String(path)) ?? [], shortenHash(row["hash"]))];
  });
}

function readChunk(row: Row, paths: readonly string[], hash: string): ChunkHit {
  const [startLine, endLine] = [Number(row["start"]), Number(row["end"])];
  return {
    number: Number(row["id"]),
    id: `${hash}:${startLine}-${endLine}`,
    paths,
    startLine,
    endLine,
    kind: String(row["kind"]),
    name: String(row["name"]),
    symbols: unpackRising(row["symbols"] as Uint8Array),
  };
}

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
      return row === undefined ? null : readFileRow(row);
    },
    listFiles: () => db.all(`${FILES} ORDER BY path.path`, worktree).map(readFileRow),
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
      const match = buildMatchAny(text);
      return match === null ? [] : words.findPaths(match, limit);
    },
  };
}

function readFileRow(row: Row): FileInfo {
  return {
    path: String(row["path"]),
    language: toTextOrNull(row["language"]),
    parser: PARSERS[Number(row["parser"])] ?? "none",
    isPartial: row["is_partial"] === 1,
    lineCount: Number(row["lines"]),
    sizeBytes: Number(row["size"]),
    hash: shortenHash(row["hash"]),
  };
}

/** The first digits of a hash as it stands in a row. */
export function shortenHash(hash: Row[string] | undefined): string {
  return hash instanceof Uint8Array ? hash.toHex().slice(0, HASH_DIGITS) : "";
}

/**
 * The contents of a worktree are nearly all that the database holds. Counting a whole table takes a
 * tenth of the time that counting the rows of many contents takes. So where the other contents are
 * fewer, theirs are counted and subtracted.
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
