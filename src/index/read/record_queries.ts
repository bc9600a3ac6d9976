/** Reads contents as other machines can use them: the records of what this index holds. */
import { toImportEntry, toSymbolFields, toTextOrNull } from "./reader.ts";
import type { RecordedContent } from "../../analysis/record/content_record.ts";
import { encodeContent, isRepeatable } from "../../analysis/record/content_record.ts";
import { unpackRising } from "../../analysis/record/pack.ts";
import type { SharedKey } from "./view.ts";
import { PARSERS } from "../../analysis/record/content_record.ts";
import type { Row } from "./reader.ts";
import type { Connection } from "../store/database.ts";
import { computePart } from "../store/schema.ts";

/** A content of the worktree. */
export interface HeldContent extends SharedKey {
  /** Its number in the database. */
  readonly blob: number;
  /** The files that have it, from the root of the worktree. */
  readonly paths: readonly string[];
  /** Whether this machine analysed it, and any other one would find the same. */
  readonly isOwn: boolean;
}

/** The contents of a worktree's files that were analysed in the present way, in the order of their paths, each once. */
export function listContents(
  db: Connection,
  { worktree, variantPrefix }: { readonly worktree: number; readonly variantPrefix: string },
): readonly HeldContent[] {
  const rows = db.all(
    `SELECT blob.id, blob.hash, blob.parser, blob.is_partial, variant.key, variant.language,
        origin.pack, path.path FROM files AS file JOIN paths AS path ON path.id = file.path
      JOIN blobs AS blob ON blob.id = file.blob JOIN variants AS variant ON variant.id = blob.variant
      LEFT JOIN origins AS origin ON origin.blob = blob.id
      WHERE file.worktree = ? ORDER BY path.path`,
    worktree,
  );
  const held = new Map<number, HeldContent & { readonly paths: string[] }>();
  for (const row of rows) {
    const blob = Number(row["id"]);
    const variant = String(row["key"]);
    const path = String(row["path"]);
    held.get(blob)?.paths.push(path);
    if (held.has(blob) || !variant.startsWith(variantPrefix)) continue;
    const found = { ...readParser(row), language: toTextOrNull(row["language"]) };
    const isOwn = row["pack"] === null && isRepeatable(found);
    held.set(blob, { blob, hash: row["hash"] as Uint8Array, variant, paths: [path], isOwn });
  }
  return [...held.values()];
}

/** The record of a content; null where it is gone. */
export function readRecord(db: Connection, blob: number): Uint8Array | null {
  const row = db.get(
    `SELECT blobs.*, variant.language, types.facts, word_vectors.windows FROM blobs
      JOIN variants AS variant ON variant.id = blobs.variant
      LEFT JOIN types ON types.blob = blobs.id
      LEFT JOIN word_vectors ON word_vectors.blob = blobs.id WHERE blobs.id = ?`,
    blob,
  );
  if (row === undefined) return null;
  const content: RecordedContent = {
    ...readParser(row),
    language: toTextOrNull(row["language"]),
    lineCount: Number(row["lines"]),
    symbols: readSymbols(db, blob),
    occurrences: unpackRising(row["names"] as Uint8Array).map((name) => {
      const one = db.get(
        `SELECT names.name, places FROM occurrence_rows AS entry JOIN names ON names.id = entry.name
          WHERE part = ? AND entry.name = ? AND blob = ?`,
        computePart(blob),
        name,
        blob,
      );
      return { name: String(one?.["name"]), places: one?.["places"] as Uint8Array };
    }),
    imports: readImports(db, blob),
    types: (row["facts"] ?? null) as Uint8Array | null,
    chunks: readChunks(db, { blob, count: Number(row["chunk_count"]) }),
    vectors: (row["windows"] ?? null) as Uint8Array | null,
  };
  return encodeContent(content);
}

function readParser(row: Row): Pick<RecordedContent, "parser" | "isPartial"> {
  return { parser: PARSERS[Number(row["parser"])] ?? "none", isPartial: row["is_partial"] === 1 };
}

function readSymbols(db: Connection, blob: number): RecordedContent["symbols"] {
  const rows = db.all(
    `SELECT symbols.*, name.name AS own_name, kind.name AS own_kind FROM symbols
      JOIN names AS name ON name.id = symbols.name JOIN names AS kind ON kind.id = symbols.kind
      WHERE blob = ? ORDER BY ord`,
    blob,
  );
  return rows.map((row) => ({
    name: String(row["own_name"]),
    kind: String(row["own_kind"]),
    parent: row["parent"] === null ? null : Number(row["parent"]),
    ...toSymbolFields(row),
    ...(row["scope"] === null ? {} : { scope: String(row["scope"]) }),
  }));
}

function readImports(db: Connection, blob: number): RecordedContent["imports"] {
  return db.all(
    `SELECT module.name AS module, own.name AS name, alias.name AS alias, line, is_reexport
      FROM imports JOIN names AS module ON module.id = imports.module
      JOIN names AS alias ON alias.id = imports.alias
      LEFT JOIN names AS own ON own.id = imports.name WHERE blob = ? ORDER BY ord`,
    blob,
  ).map(toImportEntry);
}

function readChunks(
  db: Connection,
  { blob, count }: { readonly blob: number; readonly count: number },
): RecordedContent["chunks"] {
  const rows = db.all(
    `SELECT start, end, kind.name AS kind, chunks.name, symbols FROM chunks
      JOIN names AS kind ON kind.id = chunks.kind
      WHERE chunks.id >= ? AND chunks.id < ? ORDER BY chunks.id`,
    blob,
    blob + count,
  );
  return rows.map((row) => ({
    startLine: Number(row["start"]),
    endLine: Number(row["end"]),
    kind: String(row["kind"]),
    name: String(row["name"]),
    symbols: row["symbols"] as Uint8Array,
  }));
}
