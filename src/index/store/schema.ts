/**
 * The tables of the index database and the steps that bring an older database to the present form.
 * What each table means for a reader is in `docs/formats.md`.
 */
import type { DatabaseSync } from "node:sqlite";
import { foldName, readLastPart } from "../../analysis/tokens.ts";

/** Marks the file as ours: the bytes `CInx`. */
export const APPLICATION_ID = 0x43496e78;

/** Number of the form that this program writes (`PRAGMA user_version`). */
export const SCHEMA_VERSION = 10;

/**
 * Numbers of contents and chunks that one part of the places of names covers: some thousand files.
 * Rows of a part lie by name. So new rows go to the pages of the last part, and not to pages all
 * over a large table.
 */
export const PART_NUMBERS = 65_536;

/** Which part has the places of a content. */
export function computePart(blob: number): number {
  return Math.floor(blob / PART_NUMBERS);
}

/**
 * One step a version, in order; the first makes the tables of version 1. A later form adds its step and
 * raises {@link SCHEMA_VERSION}, so that what was analysed or embedded is never thrown away for it.
 */
const MIGRATIONS: readonly (string | ((db: DatabaseSync) => void))[] = [
  `
  -- Every name, kind and module once. Its parts are searched in name_parts where it names a definition.
  CREATE TABLE names (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, is_defined INTEGER NOT NULL DEFAULT 0
  );
  CREATE VIRTUAL TABLE name_parts USING fts5(
    parts, content='', detail='none', columnsize=0, tokenize="ascii tokenchars '='"
  );

  -- How contents were analysed: language, special file, rules of the analyser, largest chunk.
  CREATE TABLE variants (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, language TEXT);

  -- A content analysed in one way. Its chunks have the numbers from its id on, so that a number of a
  -- chunk names both; the ids of contents leave room for them.
  CREATE TABLE blobs (
    id INTEGER PRIMARY KEY, hash BLOB NOT NULL, variant INTEGER NOT NULL, size INTEGER NOT NULL,
    lines INTEGER NOT NULL, parser INTEGER NOT NULL, is_partial INTEGER NOT NULL,
    chunk_count INTEGER NOT NULL, names BLOB NOT NULL, UNIQUE (hash, variant)
  );
  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY, start INTEGER NOT NULL, end INTEGER NOT NULL, kind INTEGER NOT NULL,
    name TEXT NOT NULL, symbols BLOB NOT NULL
  );
  CREATE TABLE symbols (
    blob INTEGER NOT NULL, ord INTEGER NOT NULL, name INTEGER NOT NULL, kind INTEGER NOT NULL,
    line INTEGER NOT NULL, col INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL,
    parent INTEGER, exported INTEGER, signature TEXT, doc TEXT, bases TEXT,
    PRIMARY KEY (blob, ord)
  ) WITHOUT ROWID;
  CREATE INDEX symbols_by_name ON symbols (name);
  CREATE TABLE occurrences (
    name INTEGER NOT NULL, blob INTEGER NOT NULL, places BLOB NOT NULL, PRIMARY KEY (name, blob)
  ) WITHOUT ROWID;
  CREATE TABLE imports (
    blob INTEGER NOT NULL, ord INTEGER NOT NULL, module INTEGER NOT NULL, name INTEGER,
    alias INTEGER NOT NULL, line INTEGER NOT NULL, is_reexport INTEGER NOT NULL,
    PRIMARY KEY (blob, ord)
  ) WITHOUT ROWID;
  CREATE INDEX imports_by_module ON imports (module);
  CREATE VIRTUAL TABLE texts USING fts5(
    name, signature, comments, body, content='', contentless_delete=1, tokenize='porter ascii'
  );

  -- Which worktree has which content at which path, and how its file looked when it was read.
  CREATE TABLE paths (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
  CREATE VIRTUAL TABLE path_words USING fts5(
    words, content='', contentless_delete=1, tokenize='porter ascii'
  );
  CREATE TABLE worktrees (
    id INTEGER PRIMARY KEY, root TEXT NOT NULL UNIQUE, seen_at INTEGER NOT NULL, synced_at INTEGER
  );
  CREATE TABLE files (
    worktree INTEGER NOT NULL, path INTEGER NOT NULL, blob INTEGER, skipped TEXT,
    size INTEGER NOT NULL, mtime_ms INTEGER NOT NULL, ctime_ms INTEGER NOT NULL,
    inode INTEGER NOT NULL, hashed_at INTEGER NOT NULL, PRIMARY KEY (worktree, path)
  ) WITHOUT ROWID;
  CREATE INDEX files_by_blob ON files (blob, worktree) WHERE blob IS NOT NULL;
  CREATE INDEX files_by_path ON files (path);

  -- Contents that no file has any more, and since when.
  CREATE TABLE idle_blobs (blob INTEGER PRIMARY KEY, since INTEGER NOT NULL);
  `,
  `
  -- Vectors of texts: each text once for each model, as bytes and as signs.
  CREATE TABLE models (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE vectors (
    id INTEGER PRIMARY KEY, model INTEGER NOT NULL, text_hash BLOB NOT NULL, bytes BLOB NOT NULL,
    signs BLOB NOT NULL, UNIQUE (model, text_hash)
  );
  -- Which lines of a content at a path a vector stands for; a row without one says: nothing to embed.
  CREATE TABLE spans (
    blob INTEGER NOT NULL, path INTEGER NOT NULL, layer INTEGER NOT NULL, model INTEGER NOT NULL,
    start INTEGER NOT NULL, end INTEGER NOT NULL, vector INTEGER,
    PRIMARY KEY (blob, path, layer, model, start)
  ) WITHOUT ROWID;
  CREATE INDEX spans_by_vector ON spans (vector);

  -- Grows with every write that changes more than vectors, so that others need not look for what is new.
  CREATE TABLE revision (number INTEGER NOT NULL);
  INSERT INTO revision VALUES (1);
  `,
  `
  -- What a symbol says holds it, where that does not stand round it: \`Server\` of a Go method.
  ALTER TABLE symbols ADD COLUMN scope TEXT;
  `,
  `
  -- The number that the next content gets. None is given twice: what hangs on a number, in rows or in the work of a
  -- process, never meets another content.
  CREATE TABLE next_blob (id INTEGER NOT NULL);
  INSERT INTO next_blob SELECT coalesce(max(id + max(1, chunk_count)), 1) FROM blobs;
  DELETE FROM spans WHERE NOT EXISTS (
    SELECT 1 FROM files WHERE files.blob = spans.blob AND files.path = spans.path
  );
  `,
  `
  -- What a content says of the types of its names, packed; a content that says nothing has no row.
  CREATE TABLE types (blob INTEGER PRIMARY KEY, facts BLOB NOT NULL);
  `,
  `
  -- Word vectors of the windows of a content, packed.
  CREATE TABLE word_vectors (blob INTEGER PRIMARY KEY, windows BLOB NOT NULL);
  `,
  `
  -- Contents that another machine analysed, and the pack that they came in.
  CREATE TABLE origins (blob INTEGER PRIMARY KEY, pack TEXT NOT NULL);
  CREATE INDEX origins_by_pack ON origins (pack);
  -- The same for a vector; null for one that was made here.
  ALTER TABLE vectors ADD COLUMN pack TEXT;
  CREATE INDEX vectors_by_pack ON vectors (pack) WHERE pack IS NOT NULL;
  `,
  `
  -- The places of names in parts by the number of their content, with a row for each part that is not empty: readers go
  -- through these few, and ask the view as if it were one table.
  ALTER TABLE occurrences RENAME TO occurrences_in_one;
  CREATE TABLE occurrence_parts (id INTEGER PRIMARY KEY);
  CREATE TABLE occurrence_rows (
    part INTEGER NOT NULL, name INTEGER NOT NULL, blob INTEGER NOT NULL, places BLOB NOT NULL,
    PRIMARY KEY (part, name, blob)
  ) WITHOUT ROWID;
  INSERT INTO occurrence_rows
    SELECT blob / ${PART_NUMBERS}, name, blob, places FROM occurrences_in_one;
  INSERT INTO occurrence_parts SELECT DISTINCT id / ${PART_NUMBERS} FROM blobs;
  DROP TABLE occurrences_in_one;
  CREATE VIEW occurrences AS SELECT entry.name, entry.blob, entry.places
    FROM occurrence_parts AS part CROSS JOIN occurrence_rows AS entry ON entry.part = part.id;
  `,
  `
  -- How often the words of a content stand in it, packed; a content without words has no row.
  CREATE TABLE word_counts (blob INTEGER PRIMARY KEY, counts BLOB NOT NULL);
  `,
  addLastParts,
];

/** Names that are written with what holds them are found by their last part too. */
function addLastParts(db: DatabaseSync): void {
  const insert = db.prepare("INSERT INTO name_parts (rowid, parts) VALUES (?, ?)");
  const rows = db.prepare("SELECT id, name FROM names WHERE is_defined = 1").all();
  for (const { id = null, name } of rows) {
    const last = readLastPart(String(name));
    if (last !== name) insert.run(id, `=${foldName(last)}`);
  }
}

/** What a database file is to this program. */
export type SchemaState = "empty" | "present" | "older" | "newer" | "foreign";

/** Reads what kind of database this is; throws what SQLite throws on a damaged file. */
export function readSchemaState(db: DatabaseSync): SchemaState {
  const version = readPragma(db, "user_version");
  const application = readPragma(db, "application_id");
  if (application === APPLICATION_ID) {
    if (version === SCHEMA_VERSION) return "present";
    return version > SCHEMA_VERSION ? "newer" : "older";
  }
  const tables = db.prepare("SELECT count(*) AS count FROM sqlite_schema").get()?.["count"];
  return application === 0 && version === 0 && tables === 0 ? "empty" : "foreign";
}

/** Brings an empty or older database to the present form, in one transaction. */
export function migrateSchema(db: DatabaseSync): void {
  db.exec("BEGIN IMMEDIATE");
  try {
    for (const step of MIGRATIONS.slice(readPragma(db, "user_version"))) {
      if (typeof step === "string") db.exec(step);
      else step(db);
    }
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
    db.exec("COMMIT");
  } catch (error) {
    db.exec("ROLLBACK");
    throw error;
  }
}

function readPragma(db: DatabaseSync, name: "user_version" | "application_id"): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
}
