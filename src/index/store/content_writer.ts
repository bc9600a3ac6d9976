/**
 * Writes contents into the index, and takes out those that nobody has any more. It runs inside a
 * transaction of the one writer; what is written here is never changed afterwards.
 */
import { PARSERS } from "../../analysis/record/content_record.ts";
import type { StoredChunk, StoredContent } from "../../analysis/record/content.ts";
import type { Connection } from "./database.ts";
import { packRising, unpackRising } from "../../analysis/record/pack.ts";
import { listNameForms } from "../../analysis/tokens.ts";
import { computePart } from "./schema.ts";

/** What makes a content one: its bytes and the way in which it is analysed. */
export interface ContentKey {
  /** Hash of the bytes. */
  readonly hash: Uint8Array;
  /** Number of the variant. */
  readonly variant: number;
}

/** What else is kept of a content. */
export interface ContentFacts {
  readonly sizeBytes: number;
  /** The pack of another machine that it came in; undefined where this one analysed it. */
  readonly pack?: string | undefined;
}

/** The places of a name in a content, not written yet. */
interface OccurrenceRow {
  readonly part: number;
  readonly name: number;
  readonly blob: number;
  readonly places: Uint8Array;
}

const INSERT_OCCURRENCES = "INSERT INTO occurrence_rows (part, name, blob, places) VALUES ";
const DELETE_OCCURRENCE = "DELETE FROM occurrence_rows WHERE part = ? AND name = ? AND blob = ?";
// Most of what is written are these rows: many at once cost half of what they cost one by one.
const ROWS_AT_ONCE = 32;
const MANY_VALUES = Array.from({ length: ROWS_AT_ONCE }, () => "(?, ?, ?, ?)").join(", ");

/** The tables with rows of one content. */
const OF_CONTENT = [
  "symbols",
  "imports",
  "spans",
  "types",
  "word_vectors",
  "word_counts",
  "origins",
  "idle_blobs",
];
// Names are asked for again and again; beyond this many the cache begins again.
const MAX_CACHED_NAMES = 200_000;

/** Writes and removes contents. */
export class ContentWriter {
  readonly #db: Connection;
  readonly #names = new Map<string, number>();
  readonly #defined = new Set<number>();
  readonly #variants = new Map<string, number>();
  #occurrences: OccurrenceRow[] = [];
  /** The number of the next content; null until one is asked for in a transaction. */
  #next: number | null = null;

  /** @param db the writing connection. */
  constructor(db: Connection) {
    this.#db = db;
  }

  /** Forgets what was cached: needed after a rollback, and when another process may have written. */
  forget(): void {
    this.#names.clear();
    this.#defined.clear();
    this.#variants.clear();
    this.#occurrences = [];
    this.#next = null;
  }

  /** Number of a variant, which is made at its first use. */
  variantOf(key: string, language: string | null): number {
    let id = this.#variants.get(key);
    if (id === undefined) {
      id = this.#db.number("SELECT id FROM variants WHERE key = ?", key) ||
        this.#db.run("INSERT INTO variants (key, language) VALUES (?, ?)", key, language);
      this.#variants.set(key, id);
    }
    return id;
  }

  /** Id of a content that is stored already, else null. */
  find({ hash, variant }: ContentKey): number | null {
    const sql = "SELECT id FROM blobs WHERE hash = ? AND variant = ?";
    return this.#db.number(sql, hash, variant) || null;
  }

  /** Stores a content unless it is there, and answers its id. It is whole after {@link finish}. */
  put(key: ContentKey, content: StoredContent, { sizeBytes, pack }: ContentFacts): number {
    const known = this.find(key);
    if (known !== null) return known;
    const blob = this.#takeId(content.chunks.length);
    // Definitions first: their names are then written once.
    this.#putSymbols(blob, content);
    const nameIds = this.#putOccurrences(blob, content);
    this.#putImports(blob, content);
    if (content.types !== null) {
      this.#db.run("INSERT INTO types (blob, facts) VALUES (?, ?)", blob, content.types);
    }
    if (content.vectors !== null) {
      const sql = "INSERT INTO word_vectors (blob, windows) VALUES (?, ?)";
      this.#db.run(sql, blob, content.vectors);
    }
    if (content.counts.length > 0) {
      const sql = "INSERT INTO word_counts (blob, counts) VALUES (?, ?)";
      this.#db.run(sql, blob, content.counts);
    }
    if (pack !== undefined) {
      this.#db.run("INSERT INTO origins (blob, pack) VALUES (?, ?)", blob, pack);
    }
    content.chunks.forEach((chunk, at) => this.#putChunk(blob + at, chunk));
    this.#db.run(
      `INSERT INTO blobs
        (id, hash, variant, size, lines, parser, is_partial, chunk_count, names)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      blob,
      key.hash,
      key.variant,
      sizeBytes,
      content.lineCount,
      PARSERS.indexOf(content.parser),
      content.isPartial ? 1 : 0,
      content.chunks.length,
      packRising(nameIds),
    );
    return blob;
  }

  /**
   * Writes what many contents have in common order: the rows of a table by name lie together, so that each
   * page is written once. To be called before the transaction ends.
   *
   * @param rest called again and again, to let others work meanwhile.
   */
  async finish(rest: () => Promise<void> | void): Promise<void> {
    // Each change of a table that may end half way makes the full text write what it has gathered: once is enough.
    if (this.#next !== null) this.#db.run("UPDATE next_blob SET id = ?", this.#next);
    this.#next = null;
    const rows = this.#occurrences.sort((a, b) =>
      a.part - b.part || a.name - b.name || a.blob - b.blob
    );
    this.#occurrences = [];
    for (const part of new Set(rows.map((row) => row.part))) this.#addPart(part);
    const toValues = ({ part, name, blob, places }: OccurrenceRow) => [part, name, blob, places];
    let at = 0;
    for (; at + ROWS_AT_ONCE <= rows.length; at += ROWS_AT_ONCE) {
      const values = rows.slice(at, at + ROWS_AT_ONCE).flatMap(toValues);
      this.#db.run(INSERT_OCCURRENCES + MANY_VALUES, ...values);
      await rest();
    }
    for (const row of rows.slice(at)) {
      this.#db.run(`${INSERT_OCCURRENCES}(?, ?, ?, ?)`, ...toValues(row));
    }
  }

  /** Removes a content with all that hangs on it. No file may have it. */
  remove(blob: number): void {
    const row = this.#db.get("SELECT chunk_count, names FROM blobs WHERE id = ?", blob);
    if (row === undefined) return;
    const count = Number(row["chunk_count"]);
    this.#db.run("DELETE FROM texts WHERE rowid >= ? AND rowid < ?", blob, blob + count);
    this.#db.run("DELETE FROM chunks WHERE id >= ? AND id < ?", blob, blob + count);
    for (const name of unpackRising(row["names"] as Uint8Array)) {
      this.#db.run(DELETE_OCCURRENCE, computePart(blob), name, blob);
    }
    for (const table of OF_CONTENT) this.#db.run(`DELETE FROM ${table} WHERE blob = ?`, blob);
    this.#db.run("DELETE FROM blobs WHERE id = ?", blob);
  }

  /**
   * Removes all contents that came in a pack, with the files that have them, so that these are read again.
   *
   * @returns the paths of those files in one worktree.
   */
  removePack(pack: string, worktree: number): readonly string[] {
    const paths: string[] = [];
    for (const row of this.#db.all("SELECT blob FROM origins WHERE pack = ?", pack)) {
      const blob = Number(row["blob"]);
      const own = this.#db.all(
        `SELECT paths.path FROM files JOIN paths ON paths.id = files.path
          WHERE files.blob = ? AND files.worktree = ?`,
        blob,
        worktree,
      );
      for (const { path } of own) paths.push(String(path));
      this.#db.run("DELETE FROM files WHERE blob = ?", blob);
      this.remove(blob);
    }
    return paths;
  }

  /** Forgets the parts that have no places any more, so that no question goes through them. */
  removeEmptyParts(): void {
    this.#db.run(`DELETE FROM occurrence_parts
      WHERE NOT EXISTS (SELECT 1 FROM occurrence_rows WHERE part = occurrence_parts.id)`);
  }

  /** Another process may have removed a part that was empty, so that nothing is remembered of them. */
  #addPart(part: number): void {
    if (this.#db.get("SELECT 1 FROM occurrence_parts WHERE id = ?", part) !== undefined) return;
    this.#db.run("INSERT INTO occurrence_parts (id) VALUES (?)", part);
  }

  /** A number that no content had before, with room for the chunks behind it. */
  #takeId(chunks: number): number {
    const id = this.#next ?? this.#db.number("SELECT id FROM next_blob");
    this.#next = id + Math.max(1, chunks);
    return id;
  }

  #nameId(name: string): number {
    return this.#names.get(name) ?? this.#findName(name) ?? this.#addName(name, 0);
  }

  /** The same for the name of a definition, which can be found by its words and whatever its case. */
  #definedId(name: string): number {
    const id = this.#names.get(name) ?? this.#findName(name);
    if (id !== null && this.#defined.has(id)) return id;
    if (id !== null) this.#db.run("UPDATE names SET is_defined = 1 WHERE id = ?", id);
    const own = id ?? this.#addName(name, 1);
    this.#defined.add(own);
    const words = listNameForms(name).join(" ");
    this.#db.run("INSERT INTO name_parts (rowid, parts) VALUES (?, ?)", own, words);
    return own;
  }

  #findName(name: string): number | null {
    const row = this.#db.get("SELECT id, is_defined FROM names WHERE name = ?", name);
    if (row === undefined) return null;
    const id = Number(row["id"]);
    this.#keepName(name, id);
    if (row["is_defined"] === 1) this.#defined.add(id);
    return id;
  }

  #addName(name: string, isDefined: 0 | 1): number {
    const sql = "INSERT INTO names (name, is_defined) VALUES (?, ?)";
    const id = this.#db.run(sql, name, isDefined);
    this.#keepName(name, id);
    return id;
  }

  #keepName(name: string, id: number): void {
    if (this.#names.size >= MAX_CACHED_NAMES) {
      this.#names.clear();
      this.#defined.clear();
    }
    this.#names.set(name, id);
  }

  /** Answers the ids of all names of the content, rising. */
  #putOccurrences(blob: number, content: StoredContent): number[] {
    const rows = content.occurrences.map(({ name, places }) => ({
      part: computePart(blob),
      name: this.#nameId(name),
      blob,
      places,
    }));
    for (const row of rows) this.#occurrences.push(row);
    return rows.map(({ name }) => name).sort((a, b) => a - b);
  }

  #putSymbols(blob: number, content: StoredContent): void {
    content.symbols.forEach((symbol, ord) => {
      const name = this.#definedId(symbol.name);
      this.#db.run(
        `INSERT INTO symbols
          (blob, ord, name, kind, line, col, start, end, parent, exported, signature, doc, bases,
            scope)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        blob,
        ord,
        name,
        this.#nameId(symbol.kind),
        symbol.line,
        symbol.column,
        symbol.startLine,
        symbol.endLine,
        symbol.parent,
        symbol.isExported === undefined ? null : Number(symbol.isExported),
        symbol.signature ?? null,
        symbol.doc ?? null,
        symbol.bases === undefined ? null : JSON.stringify(symbol.bases),
        symbol.scope ?? null,
      );
    });
  }

  #putImports(blob: number, content: StoredContent): void {
    content.imports.forEach((entry, ord) => {
      this.#db.run(
        `INSERT INTO imports (blob, ord, module, name, alias, line, is_reexport)
          VALUES (?, ?, ?, ?, ?, ?, ?)`,
        blob,
        ord,
        this.#nameId(entry.module),
        entry.name === null ? null : this.#nameId(entry.name),
        this.#nameId(entry.alias),
        entry.line,
        entry.isReexport === true ? 1 : 0,
      );
    });
  }

  #putChunk(id: number, chunk: StoredChunk): void {
    this.#db.run(
      "INSERT INTO chunks (id, start, end, kind, name, symbols) VALUES (?, ?, ?, ?, ?, ?)",
      id,
      chunk.startLine,
      chunk.endLine,
      this.#nameId(chunk.kind),
      chunk.name,
      chunk.symbols,
    );
    const { name, signature, comments, body } = chunk.words;
    this.#db.run(
      "INSERT INTO texts (rowid, name, signature, comments, body) VALUES (?, ?, ?, ?, ?)",
      id,
      name,
      signature,
      comments,
      body,
    );
  }
}
