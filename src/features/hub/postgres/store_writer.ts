/**
 * Writes contents and states of repositories into a store. Contents come many at once, a statement a table, because each
 * statement is a round to the server. What is written here is never changed afterwards.
 */
import type { StoredContent } from "../../../analysis/record/content.ts";
import { packRising, unpackRising } from "../../../analysis/record/pack.ts";
import { listNameForms, splitWords } from "../../../analysis/tokens.ts";
import { PARSERS } from "../../../analysis/record/content_record.ts";
import type { Variant } from "../../../index/store/variant.ts";
import type { PostgresLink } from "./link.ts";
import { wordOfOrigin } from "./postgres_source.ts";
import { keepStemmable } from "./word_query.ts";

/** A content to be stored. */
export interface NewContent {
  readonly hash: Uint8Array;
  readonly variant: Variant;
  readonly sizeBytes: number;
  readonly content: StoredContent;
  /** The bytes of the file, compressed. */
  readonly source: Uint8Array;
}

/** A file of the next state of a repository. */
export interface NewFile {
  readonly path: string;
  readonly objectId: string;
  readonly blob: number | null;
  readonly skipped: string | null;
}

// Names are asked for again and again; beyond this many the cache begins again.
const MAX_CACHED_NAMES = 200_000;

/** Writes what one indexer finds. */
export class StoreWriter {
  readonly #link: PostgresLink;
  readonly #names = new Map<string, number>();
  readonly #variants = new Map<string, number>();

  constructor(link: PostgresLink) {
    this.#link = link;
  }

  /** The numbers of contents that are stored already, by {@link keyOfContent}. */
  findContents(
    origin: number,
    wanted: readonly { readonly hash: Uint8Array; readonly variant: Variant }[],
  ): ReadonlyMap<string, number> {
    const rows = this.#link.all(
      `SELECT blob.id, blob.hash, variant.key FROM blobs AS blob
        JOIN variants AS variant ON variant.id = blob.variant
        WHERE blob.origin = ? AND blob.hash IN (
          SELECT decode(value, 'hex') FROM jsonb_array_elements_text(?::jsonb) AS value)`,
      origin,
      JSON.stringify(wanted.map(({ hash }) => hash.toHex())),
    );
    return new Map(rows.map((row) => [
      keyOfContent(row["hash"] as Uint8Array, String(row["key"])),
      Number(row["id"]),
    ]));
  }

  /** Stores contents, each unless it is there, and answers the numbers of all of them. */
  putContents(origin: number, contents: readonly NewContent[]): ReadonlyMap<string, number> {
    const unlike = [
      ...new Map(contents.map((one) => [keyOfContent(one.hash, one.variant.key), one])).values(),
    ];
    if (unlike.length === 0) return new Map();
    // Names are written before: two indexers that wait for each other's names would stand still.
    this.#loadNames(unlike);
    this.#link.transaction(() => this.#insert(origin, unlike));
    return this.findContents(origin, unlike);
  }

  /** The numbers of paths, which are made at their first use. */
  pathIds(paths: readonly string[]): ReadonlyMap<string, number> {
    const list = JSON.stringify(
      [...new Set(paths)].sort().map((path) => ({
        path,
        words: keepStemmable(splitWords(path)),
      })),
    );
    this.#link.run(
      `INSERT INTO paths (path, words) SELECT path, to_tsvector('words', words)
        FROM jsonb_to_recordset(?::jsonb) AS one (path text, words text)
        ORDER BY path COLLATE "C" ON CONFLICT DO NOTHING`,
      list,
    );
    const rows = this.#link.all(
      `SELECT id, path FROM paths WHERE path IN (
        SELECT value->>'path' FROM jsonb_array_elements(?::jsonb) AS value)`,
      list,
    );
    return new Map(rows.map((row) => [String(row["path"]), Number(row["id"])]));
  }

  #insert(origin: number, contents: readonly NewContent[]): void {
    const ids = this.#link.all(
      "SELECT nextval('blob_ids') AS id FROM generate_series(1, ?::integer)",
      contents.length,
    );
    const numbered = contents.map((one, at) => ({ ...one, id: Number(ids[at]?.["id"]) }));
    const inserted = new Set(
      this.#rows(
        `INSERT INTO blobs (id, origin, hash, variant, size, lines, parser, is_partial, chunk_count, names)
          SELECT id, origin, decode(hash, 'hex'), variant, size, lines, parser, is_partial, chunk_count,
            decode(names, 'hex')
          FROM jsonb_to_recordset(?::jsonb) AS one (id bigint, origin bigint, hash text,
            variant bigint, size bigint, lines bigint, parser integer, is_partial integer,
            chunk_count integer, names text)
          ORDER BY hash ON CONFLICT DO NOTHING RETURNING id`,
        numbered.map(({ id, hash, variant, sizeBytes, content }) => ({
          id,
          origin,
          hash: hash.toHex(),
          variant: this.#variantId(variant),
          size: sizeBytes,
          lines: content.lineCount,
          parser: PARSERS.indexOf(content.parser),
          is_partial: content.isPartial ? 1 : 0,
          chunk_count: content.chunks.length,
          names: packRising(
            content.occurrences.map(({ name }) => this.#nameId(name)).sort((a, b) => a - b),
          ).toHex(),
        })),
      ).map(({ id }) => Number(id)),
    );
    const own = numbered.filter(({ id }) => inserted.has(id));
    this.#insertNamed(own);
    this.#insertPacked(own);
    this.#insertChunks(origin, own);
    this.#rows(
      `INSERT INTO sources (origin, hash, bytes) SELECT origin, decode(hash, 'hex'), decode(bytes, 'hex')
        FROM jsonb_to_recordset(?::jsonb) AS one (origin bigint, hash text, bytes text)
        ORDER BY hash ON CONFLICT DO NOTHING`,
      own.map(({ hash, source }) => ({ origin, hash: hash.toHex(), bytes: source.toHex() })),
    );
  }

  #insertNamed(contents: readonly (NewContent & { readonly id: number })[]): void {
    this.#rows(
      `INSERT INTO symbols SELECT * FROM jsonb_to_recordset(?::jsonb) AS one (blob bigint, ord integer,
        name bigint, kind bigint, line integer, col integer, start integer, "end" integer,
        parent integer, exported integer, signature text, doc text, bases text, scope text)`,
      contents.flatMap(({ id: blob, content }) =>
        content.symbols.map((symbol, ord) => ({
          blob,
          ord,
          name: this.#nameId(symbol.name),
          kind: this.#nameId(symbol.kind),
          line: symbol.line,
          col: symbol.column,
          start: symbol.startLine,
          end: symbol.endLine,
          parent: symbol.parent,
          exported: symbol.isExported === undefined ? null : Number(symbol.isExported),
          signature: symbol.signature ?? null,
          doc: symbol.doc ?? null,
          bases: symbol.bases === undefined ? null : JSON.stringify(symbol.bases),
          scope: symbol.scope ?? null,
        }))
      ),
    );
    this.#rows(
      `INSERT INTO occurrences SELECT name, blob, decode(places, 'hex')
        FROM jsonb_to_recordset(?::jsonb) AS one (name bigint, blob bigint, places text)`,
      contents.flatMap(({ id: blob, content }) =>
        content.occurrences.map(({ name, places }) => ({
          name: this.#nameId(name),
          blob,
          places: places.toHex(),
        }))
      ),
    );
    this.#rows(
      `INSERT INTO imports SELECT * FROM jsonb_to_recordset(?::jsonb) AS one (blob bigint, ord integer,
        module bigint, name bigint, alias bigint, line integer, is_reexport integer)`,
      contents.flatMap(({ id: blob, content }) =>
        content.imports.map((entry, ord) => ({
          blob,
          ord,
          module: this.#nameId(entry.module),
          name: entry.name === null ? null : this.#nameId(entry.name),
          alias: this.#nameId(entry.alias),
          line: entry.line,
          is_reexport: entry.isReexport === true ? 1 : 0,
        }))
      ),
    );
  }

  /** What lies packed in one row a content. */
  #insertPacked(contents: readonly (NewContent & { readonly id: number })[]): void {
    const pack = (
      table: string,
      column: string,
      read: (content: StoredContent) => Uint8Array | null,
    ) =>
      this.#rows(
        `INSERT INTO ${table} SELECT blob, decode(${column}, 'hex')
          FROM jsonb_to_recordset(?::jsonb) AS one (blob bigint, ${column} text)`,
        contents.flatMap(({ id: blob, content }) => {
          const bytes = read(content) ?? new Uint8Array();
          return bytes.length === 0 ? [] : [{ blob, [column]: bytes.toHex() }];
        }),
      );
    pack("types", "facts", ({ types }) => types);
    pack("word_vectors", "windows", ({ vectors }) => vectors);
    pack("word_counts", "counts", ({ counts }) => counts);
  }

  #insertChunks(
    origin: number,
    contents: readonly (NewContent & { readonly id: number })[],
  ): void {
    const chunks = contents.flatMap(({ id: blob, content }) =>
      content.chunks.map((chunk, at) => ({
        id: blob + at,
        blob,
        start: chunk.startLine,
        end: chunk.endLine,
        kind: this.#nameId(chunk.kind),
        name: chunk.name,
        symbols: chunk.symbols.toHex(),
        words: chunk.words,
      }))
    );
    this.#rows(
      `INSERT INTO chunks SELECT id, start, "end", kind, name, decode(symbols, 'hex')
        FROM jsonb_to_recordset(?::jsonb) AS one (id bigint, start integer, "end" integer,
          kind bigint, name text, symbols text)`,
      chunks.map(({ blob: _blob, words: _words, ...chunk }) => chunk),
    );
    this.#rows(
      `INSERT INTO texts SELECT id, blob, tokens, array_to_tsvector(ARRAY[origin])
          || setweight(to_tsvector('words', name), 'A')
          || setweight(to_tsvector('words', signature), 'B')
          || setweight(to_tsvector('words', comments), 'C')
          || setweight(to_tsvector('words', body), 'D')
        FROM jsonb_to_recordset(?::jsonb) AS one (id bigint, blob bigint, tokens integer,
          origin text, name text, signature text, comments text, body text)`,
      chunks.map(({ id, blob, words }) => ({
        id,
        blob,
        tokens: Object.values(words).reduce((sum, text) => sum + countWords(text), 0),
        origin: wordOfOrigin(origin),
        name: keepStemmable(words.name),
        signature: keepStemmable(words.signature),
        comments: keepStemmable(words.comments),
        body: keepStemmable(words.body),
      })),
    );
  }

  #rows(sql: string, rows: readonly Readonly<Record<string, unknown>>[]) {
    // PostgreSQL's texts hold no character 0, which a name or a comment of a damaged file may have.
    return rows.length === 0 ? [] : this.#link.all(sql, formatJson(rows));
  }

  #loadNames(contents: readonly NewContent[]): void {
    const all = new Set<string>();
    const defined = new Set<string>();
    for (const { content } of contents) {
      for (const { name } of content.occurrences) all.add(name);
      for (const { name, kind } of content.symbols) {
        defined.add(name);
        all.add(name).add(kind);
      }
      for (const { module, name, alias } of content.imports) {
        all.add(module).add(alias);
        if (name !== null) all.add(name);
      }
      for (const { kind } of content.chunks) all.add(kind);
    }
    if (this.#names.size > MAX_CACHED_NAMES) this.#names.clear();
    const unknown = [...all].filter((name) => !this.#names.has(name)).sort();
    if (unknown.length > 0) {
      const list = formatJson(unknown);
      this.#link.all(
        `INSERT INTO names (name) SELECT value FROM jsonb_array_elements_text(?::jsonb) AS value
          ORDER BY value COLLATE "C" ON CONFLICT DO NOTHING`,
        list,
      );
      const rows = this.#link.all(
        `SELECT id, name FROM names WHERE name IN (
          SELECT value FROM jsonb_array_elements_text(?::jsonb) AS value)`,
        list,
      );
      for (const row of rows) this.#names.set(String(row["name"]), Number(row["id"]));
    }
    this.#rows(
      `INSERT INTO name_parts (id, parts) SELECT id, array_to_tsvector(parts)
        FROM jsonb_to_recordset(?::jsonb) AS one (id bigint, parts text[])
        ORDER BY id ON CONFLICT DO NOTHING`,
      [...defined].map((name) => ({
        id: this.#nameId(name),
        parts: listNameForms(name),
      })),
    );
    for (const { variant } of contents) this.#variantId(variant);
  }

  #nameId(name: string): number {
    const id = this.#names.get(cleanText(name));
    if (id === undefined) throw new Error(`no number for the name ${JSON.stringify(name)}`);
    return id;
  }

  #variantId({ key, language }: Variant): number {
    let id = this.#variants.get(key);
    if (id === undefined) {
      this.#link.run(
        "INSERT INTO variants (key, language) VALUES (?, ?) ON CONFLICT DO NOTHING",
        key,
        language,
      );
      id = this.#link.number("SELECT id FROM variants WHERE key = ?", key);
      this.#variants.set(key, id);
    }
    return id;
  }
}

/** What makes a content one within an origin. */
export function keyOfContent(hash: Uint8Array, variantKey: string): string {
  return `${hash.toHex()} ${variantKey}`;
}

/**
 * Removes contents that no branch of an origin has any more. Only whoever holds the origin's job may do that: the contents
 * of another one that is under way have no file yet.
 */
export function removeIdle(link: PostgresLink, origin: number): number {
  const rows = link.all(
    `SELECT id, hash, chunk_count, names FROM blobs WHERE origin = ?
      AND NOT EXISTS (SELECT 1 FROM files WHERE files.blob = blobs.id)`,
    origin,
  );
  if (rows.length === 0) return 0;
  const ids = JSON.stringify(rows.map(({ id }) => Number(id)));
  const numbers = "(SELECT value::bigint FROM jsonb_array_elements_text(?::jsonb) AS value)";
  const pairs = rows.flatMap((row) =>
    unpackRising(row["names"] as Uint8Array).map((name) => [name, Number(row["id"])])
  );
  link.run(
    `DELETE FROM occurrences USING jsonb_array_elements(?::jsonb) AS pair
      WHERE name = (pair->>0)::bigint AND blob = (pair->>1)::bigint`,
    JSON.stringify(pairs),
  );
  for (const table of ["symbols", "imports", "types", "word_vectors", "word_counts"]) {
    link.run(`DELETE FROM ${table} WHERE blob IN ${numbers}`, ids);
  }
  const chunks = JSON.stringify(
    rows.flatMap((row) =>
      Array.from({ length: Number(row["chunk_count"]) }, (_, at) => Number(row["id"]) + at)
    ),
  );
  for (const table of ["chunks", "texts"]) {
    link.run(`DELETE FROM ${table} WHERE id IN ${numbers}`, chunks);
  }
  link.run(`DELETE FROM blobs WHERE id IN ${numbers}`, ids);
  link.run(
    `DELETE FROM sources WHERE origin = ? AND NOT EXISTS (
      SELECT 1 FROM blobs WHERE blobs.origin = sources.origin AND blobs.hash = sources.hash)`,
    origin,
  );
  return rows.length;
}

function countWords(words: string): number {
  return words === "" ? 0 : words.split(" ").length;
}

function formatJson(value: unknown): string {
  return JSON.stringify(value, (_, one) => typeof one === "string" ? cleanText(one) : one);
}

/** PostgreSQL's texts hold neither the character 0 nor half a pair. */
function cleanText(text: string): string {
  return text.replaceAll("\0", "\u{fffd}").toWellFormed();
}
