/**
 * The tables of a store in PostgreSQL and the steps that bring an older store to the present form. Tables that SQLite has
 * too have the same columns, so that the same questions fit both; `docs/formats.md` says what they mean.
 */
import { CodeIntelError } from "../../../base/errors.ts";
import type { PostgresLink } from "./link.ts";
import { describeStore } from "./store_place.ts";

/** Number of the form that this program writes. */
export const STORE_VERSION = 3;

/** Any number that no other program's lock has; the lock is held while the tables are made. */
const MIGRATION_LOCK = 0x43496e78;
/** Room for the chunks of a content behind its number: no file that is read has as many. */
export const CHUNK_ROOM = 65_536;

/** One step a version, in order. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE store (version integer NOT NULL);

  -- Words as SQLite's tokenizer leaves them: stems of English words, and no word left out.
  CREATE TEXT SEARCH DICTIONARY stems (TEMPLATE = pg_catalog.snowball, Language = porter);
  CREATE TEXT SEARCH CONFIGURATION words (PARSER = pg_catalog."default");
  ALTER TEXT SEARCH CONFIGURATION words ADD MAPPING FOR asciiword, word, numword, int, uint, float,
    sfloat, host, email, version, file, url, url_path, hword, numhword, asciihword, hword_part,
    hword_asciipart, hword_numpart WITH stems;

  -- How often a word stands in a text: what the rank of one word says, solved for the number.
  CREATE FUNCTION count_of(vector tsvector, word tsquery) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE WHEN rank = 0 THEN 0
        ELSE greatest(1, round(1 / (1.6449340668 - 1.64493406685 * rank) - 0.5)) END
      FROM (SELECT ts_rank('{1,1,1,1}', vector, word)::double precision AS rank) AS ranked
    $$;

  -- Where code comes from, and a branch of it: the number of a branch is that of its worktree in the questions.
  CREATE TABLE origins (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, url text NOT NULL UNIQUE
  );
  CREATE TABLE repositories (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, origin bigint NOT NULL REFERENCES origins,
    name text COLLATE "C" NOT NULL UNIQUE, branch text, commit_id text, indexed_at timestamptz,
    revision bigint NOT NULL DEFAULT 0, variant text NOT NULL DEFAULT '',
    files bigint NOT NULL DEFAULT 0, chunks bigint NOT NULL DEFAULT 0,
    tokens bigint NOT NULL DEFAULT 0
  );
  CREATE INDEX repositories_by_origin ON repositories (origin);

  -- One job an origin; whoever does it holds a lease, and does nothing more once it is another one's.
  CREATE TABLE jobs (
    origin bigint PRIMARY KEY REFERENCES origins ON DELETE CASCADE,
    asked_at timestamptz NOT NULL DEFAULT clock_timestamp(), lease text, leased_until timestamptz,
    attempts integer NOT NULL DEFAULT 0, failure text
  );

  CREATE TABLE names (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE
  );
  CREATE TABLE name_parts (id bigint PRIMARY KEY, parts tsvector NOT NULL);
  CREATE INDEX name_parts_by_part ON name_parts USING gin (parts);

  CREATE TABLE variants (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, key text NOT NULL UNIQUE, language text
  );
  CREATE SEQUENCE blob_ids INCREMENT ${CHUNK_ROOM} START ${CHUNK_ROOM};
  CREATE TABLE blobs (
    id bigint PRIMARY KEY, origin bigint NOT NULL, hash bytea NOT NULL, variant bigint NOT NULL,
    size bigint NOT NULL, lines bigint NOT NULL, parser integer NOT NULL,
    is_partial integer NOT NULL, chunk_count integer NOT NULL, names bytea NOT NULL,
    UNIQUE (origin, hash, variant)
  );
  CREATE INDEX blobs_by_hash ON blobs (hash);
  CREATE TABLE chunks (
    id bigint PRIMARY KEY, start integer NOT NULL, "end" integer NOT NULL, kind bigint NOT NULL,
    name text NOT NULL, symbols bytea NOT NULL
  );
  CREATE TABLE symbols (
    blob bigint NOT NULL, ord integer NOT NULL, name bigint NOT NULL, kind bigint NOT NULL,
    line integer NOT NULL, col integer NOT NULL, start integer NOT NULL, "end" integer NOT NULL,
    parent integer, exported integer, signature text, doc text, bases text, scope text,
    PRIMARY KEY (blob, ord)
  );
  CREATE INDEX symbols_by_name ON symbols (name);
  CREATE TABLE occurrences (
    name bigint NOT NULL, blob bigint NOT NULL, places bytea NOT NULL, PRIMARY KEY (name, blob)
  );
  CREATE TABLE imports (
    blob bigint NOT NULL, ord integer NOT NULL, module bigint NOT NULL, name bigint,
    alias bigint NOT NULL, line integer NOT NULL, is_reexport integer NOT NULL,
    PRIMARY KEY (blob, ord)
  );
  CREATE INDEX imports_by_module ON imports (module);
  CREATE TABLE types (blob bigint PRIMARY KEY, facts bytea NOT NULL);
  CREATE TABLE word_vectors (blob bigint PRIMARY KEY, windows bytea NOT NULL);
  -- The words of chunks, with the origin as one word more, so that one index serves questions about one of many.
  CREATE TABLE texts (
    id bigint PRIMARY KEY, blob bigint NOT NULL, tokens integer NOT NULL, vector tsvector NOT NULL
  );
  CREATE INDEX texts_by_word ON texts USING gin (vector);
  -- The bytes of contents, compressed, for the lines that answers show.
  CREATE TABLE sources (
    origin bigint NOT NULL, hash bytea NOT NULL, bytes bytea NOT NULL, PRIMARY KEY (origin, hash)
  );
  ALTER TABLE sources ALTER bytes SET STORAGE EXTERNAL;

  CREATE TABLE paths (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, path text COLLATE "C" NOT NULL UNIQUE,
    words tsvector NOT NULL
  );
  CREATE INDEX paths_by_word ON paths USING gin (words);
  CREATE TABLE files (
    worktree bigint NOT NULL REFERENCES repositories ON DELETE CASCADE, path bigint NOT NULL,
    blob bigint, skipped text, object_id text NOT NULL, PRIMARY KEY (worktree, path)
  );
  CREATE INDEX files_by_blob ON files (blob, worktree) WHERE blob IS NOT NULL;
  `,
  `
  -- How often the words of a content stand in it, packed.
  CREATE TABLE word_counts (blob bigint PRIMARY KEY, counts bytea NOT NULL);

  -- Names that are written with what holds them are found by their last part too.
  UPDATE name_parts SET parts = parts || array_to_tsvector(ARRAY[
      '=' || regexp_replace(lower(regexp_replace(name, '^.*[.:\\\\]', '')), '[^[:alnum:]]', '', 'g')])
    FROM names WHERE names.id = name_parts.id
      AND name ~ '^([[:alpha:]_][[:alnum:]_]*([.]|::|\\\\))+[[:alpha:]_][[:alnum:]_]*$';
  `,
  `
  -- Why a branch could not be refreshed while its remote answered; the state before it is served.
  ALTER TABLE repositories ADD COLUMN problem text;
  `,
];

/** A table that another connection holds is waited for so long, and so often: others wait behind the one who waits. */
const LOCK_WAIT = "2s";
const LOCK_TRIES = 4;

/**
 * Makes the tables, or brings them to the present form, under a lock that one process at a time has.
 *
 * @throws {CodeIntelError} `store_newer`; `store_refused` where the user does not own the tables; `busy` where another
 * connection holds them; else as a statement.
 */
export function migrateStore(link: PostgresLink): void {
  const version = readVersion(link);
  if (version === STORE_VERSION) return;
  for (let attempt = 1;; attempt++) {
    try {
      return migrate(link);
    } catch (error) {
      const state = error instanceof CodeIntelError ? error.details["sqlState"] : null;
      if (state === "42501" && version > 0) throw makeNotOwnerError(link, version, error);
      if (state !== "55P03") throw error;
      if (attempt === LOCK_TRIES) throw makeHeldError(link, error);
    }
  }
}

function migrate(link: PostgresLink): void {
  link.transaction(() => {
    link.exec(`SET LOCAL lock_timeout = '${LOCK_WAIT}'`);
    link.exec(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    const version = readVersion(link);
    if (version > STORE_VERSION) throw makeNewerError(link, version);
    if (version === 0) link.exec("CREATE SCHEMA IF NOT EXISTS code_intel");
    for (const step of MIGRATIONS.slice(version)) link.exec(step);
    link.exec(`DELETE FROM store; INSERT INTO store VALUES (${STORE_VERSION})`);
  });
}

/**
 * Looks whether the store still has the form that this program writes: a newer program may have brought it up to date since.
 *
 * @throws {CodeIntelError} `store_newer`.
 */
export function expectForm(link: PostgresLink): void {
  const version = link.number("SELECT version FROM store");
  if (version !== STORE_VERSION) throw makeNewerError(link, version);
}

function makeNotOwnerError(link: PostgresLink, version: number, cause: unknown): CodeIntelError {
  const named = describeStore(link.place);
  return new CodeIntelError(
    "store_refused",
    `Cannot bring the store ${named} from form ${version} to form ${STORE_VERSION}: the user does not own its tables`,
    {
      hint:
        "The user has to own the tables of the schema code_intel for this: run `code-intel hub list` once as their owner.",
      cause,
    },
  );
}

function makeHeldError(link: PostgresLink, cause: unknown): CodeIntelError {
  const named = describeStore(link.place);
  return new CodeIntelError(
    "busy",
    `Cannot bring the store ${named} to form ${STORE_VERSION}: another connection uses its tables`,
    {
      hint:
        "End servers, indexers and dumps that use the store, or wait until they are done, and try again; nothing was changed.",
      cause,
    },
  );
}

function makeNewerError(link: PostgresLink, version: number): CodeIntelError {
  const named = describeStore(link.place);
  return new CodeIntelError(
    "store_newer",
    `Cannot use the store ${named}: its form is ${version}, this program reads ${STORE_VERSION}`,
    { hint: "Update this executable to the version of the others that use the store." },
  );
}

function readVersion(link: PostgresLink): number {
  const [found] = link.exec("SELECT to_regclass('code_intel.store') IS NOT NULL AS is_there");
  return found?.["is_there"] === 1 ? link.number("SELECT version FROM store") : 0;
}
