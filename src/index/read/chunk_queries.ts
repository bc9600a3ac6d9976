/** Questions about chunks: of a file, by name, and by the words in them. */
import type { Connection, Row } from "../store/database.ts";
import { HASH_DIGITS, toShortHash } from "./file_queries.ts";
import { toMatchAny, unpackRising } from "../../analysis/mod.ts";
import type { ChunkHit, IndexView, TextHit, TextSearch } from "./view.ts";

const DEFAULT_LIMIT = 400;

// The content of a chunk is the last one whose id is not above the chunk's.
const CHUNK = `SELECT chunk.id, chunk.start, chunk.end, kind.name AS kind, chunk.name, chunk.symbols
  FROM chunks AS chunk JOIN names AS kind ON kind.id = chunk.kind WHERE chunk.id = ?`;
const BLOB_OF_CHUNK = "SELECT id, hash FROM blobs WHERE id <= ? ORDER BY id DESC LIMIT 1";
const PATHS = `SELECT path.path FROM files AS file JOIN paths AS path ON path.id = file.path
  WHERE file.blob = ? AND file.worktree = ? ORDER BY path.path`;

/** Makes the questions about chunks. */
export function createChunkQueries(
  db: Connection,
  worktree: number,
): Pick<IndexView, "listChunks" | "getChunk" | "searchText"> {
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
      return numbers.flatMap((number) => readChunk(db, worktree, number) ?? []);
    },
    getChunk: (id) => getChunk(db, worktree, id),
    searchText: (search) => searchText(db, worktree, search),
  };
}

function getChunk(db: Connection, worktree: number, id: string): ChunkHit | null {
  const [, hash, start, end] = /^([0-9a-f]{16}):(\d+)-(\d+)$/.exec(id) ?? [];
  if (hash === undefined) return null;
  const lowest = Uint8Array.fromHex(hash);
  const above = BigInt(`0x${hash}`) + 1n;
  const highest = above.toString(16).padStart(HASH_DIGITS, "0");
  const rows = db.all(
    `SELECT chunk.id FROM blobs AS blob
      CROSS JOIN chunks AS chunk ON chunk.id >= blob.id AND chunk.id < blob.id + blob.chunk_count
      WHERE blob.hash >= ? AND blob.hash < ? AND +chunk.start = ? AND +chunk.end = ?`,
    lowest,
    // Longer than any hash where there is no next prefix.
    highest.length > HASH_DIGITS ? new Uint8Array(64).fill(0xff) : Uint8Array.fromHex(highest),
    Number(start),
    Number(end),
  );
  for (const row of rows) {
    const chunk = readChunk(db, worktree, Number(row["id"]));
    if (chunk !== null) return chunk;
  }
  return null;
}

function searchText(db: Connection, worktree: number, search: TextSearch): TextHit[] {
  const match = toMatchAny(search.text);
  if (match === null) return [];
  const { name = 1, signature = 1, comments = 1, body = 1 } = search.weights ?? {};
  const limit = search.limit ?? DEFAULT_LIMIT;
  // The table holds the contents of every worktree: more of its best are read until enough are ours.
  for (let wanted = limit;; wanted *= 8) {
    const rows = db.all(
      `SELECT rowid AS number, bm25(texts, ?, ?, ?, ?) AS score FROM texts WHERE texts MATCH ?
        ORDER BY score, rowid LIMIT ?`,
      name,
      signature,
      comments,
      body,
      match,
      wanted,
    );
    const hits = rows.flatMap(({ number, score }) => {
      const chunk = readChunk(db, worktree, Number(number));
      return chunk === null ? [] : [{ ...chunk, score: -Number(score) }];
    });
    if (hits.length >= limit || rows.length < wanted) return hits.slice(0, limit);
  }
}

/** A chunk, or null when no file of the worktree has its content. */
export function readChunk(db: Connection, worktree: number, number: number): ChunkHit | null {
  const blob = db.get(BLOB_OF_CHUNK, number);
  if (blob === undefined) return null;
  const paths = db.all(PATHS, Number(blob["id"]), worktree).map((row) => String(row["path"]));
  const row = paths.length === 0 ? undefined : db.get(CHUNK, number);
  if (row === undefined) return null;
  return toChunk(row, paths, toShortHash(blob["hash"]));
}

function toChunk(row: Row, paths: readonly string[], hash: string): ChunkHit {
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
