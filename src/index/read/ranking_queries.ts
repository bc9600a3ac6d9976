/**
 * Questions of the ranking: many small facts about many contents at once, by numbers, so that a question
 * of a person costs a few statements and not one a chunk.
 */
import { readChunk } from "./chunk_queries.ts";
import type { Connection, Row } from "../store/database.ts";
import { toUnder } from "./symbol_queries.ts";
import { foldName, toMatchAny, toWords } from "../../analysis/mod.ts";
import type {
  ChunkScore,
  ContentDefinition,
  IndexView,
  RankedContent,
  RankingView,
  ScoreOptions,
  TextColumn,
} from "./view.ts";

/** Makes the questions of the ranking. */
export function createRankingQueries(
  db: Connection,
  worktree: number,
): Pick<IndexView, keyof RankingView> {
  return {
    stamp: () => readStamp(db),
    scoreChunks: (text, options) => {
      const { countOf = (word) => countChunksWith(db, word) } = options;
      const match = toScoredMatch(db, text, countOf);
      return match === null ? [] : scoreChunks(db, worktree, { ...options, match });
    },
    scorePhrases: (phrases, options) => {
      const match = toPhraseMatch(phrases, options.columns);
      return match === null ? [] : scoreChunks(db, worktree, { ...options, match });
    },
    findPhrase: (phrase, { limit, columns }) => {
      const match = toPhraseMatch([phrase], columns);
      return match === null ? [] : toNumbers(db.all(
        `SELECT DISTINCT (SELECT id FROM blobs WHERE id <= number ORDER BY id DESC LIMIT 1) AS blob
          FROM (SELECT rowid AS number FROM texts WHERE texts MATCH ? LIMIT ?) ORDER BY blob`,
        match,
        limit,
      ));
    },
    findNamers: (name, limit) => findNamers(db, name, limit),
    findDefiners: (name, limit) =>
      toNumbers(db.all(
        `SELECT DISTINCT blob FROM symbols WHERE name IN (
            SELECT rowid FROM name_parts WHERE name_parts MATCH ?)
          ORDER BY blob LIMIT ?`,
        `"=${foldName(name)}"`,
        limit,
      )),
    listDefinedNames: (limit) =>
      db.all("SELECT name FROM names WHERE is_defined = 1 ORDER BY id LIMIT ?", limit)
        .map((row) => String(row["name"])),
    countChunksWith: (word) => countChunksWith(db, word),
    findWordsIn: (content, words) => words.filter((word) => hasWord(db, content, word)),
    countAllChunks: () => db.number("SELECT total(chunk_count) FROM blobs"),
    listContents: (contents) => listContents(db, worktree, contents),
    findContents: (paths) =>
      toNumbers(db.all(
        `SELECT DISTINCT file.blob FROM files AS file JOIN paths AS path ON path.id = file.path
          WHERE file.worktree = ? AND file.blob IS NOT NULL
            AND path.path IN (SELECT value FROM json_each(?)) ORDER BY file.blob`,
        worktree,
        JSON.stringify(paths),
      )),
    listDefinitions: (content) => listDefinitions(db, content),
    listUsers: (content) => listUsers(db, worktree, content),
    readWindows: (content) => {
      const row = db.get("SELECT windows FROM word_vectors WHERE blob = ?", content);
      return row?.["windows"] instanceof Uint8Array ? row["windows"] : null;
    },
    findChunkAt: (content, line) =>
      db.number(
        `SELECT chunk.id FROM blobs AS blob
          JOIN chunks AS chunk ON chunk.id >= blob.id AND chunk.id < blob.id + blob.chunk_count
          WHERE blob.id = ? AND chunk.end >= ? ORDER BY chunk.id LIMIT 1`,
        content,
        line,
      ) || null,
    readChunks: (numbers) => numbers.flatMap((number) => readChunk(db, worktree, number) ?? []),
  };
}

function hasWord(db: Connection, content: number, word: string): boolean {
  const row = db.get(
    `SELECT 1 FROM texts WHERE texts MATCH ?1 AND rowid >= ?2
      AND rowid < ?2 + (SELECT chunk_count FROM blobs WHERE id = ?2) LIMIT 1`,
    toPhraseMatch([word]) ?? `""`,
    content,
  );
  return row !== undefined;
}

/** Below this number of chunks every word of a question is scored. */
const LARGE_CHUNKS = 20_000;
/** Chunks with a word that are scored in a large index, all words together: about 50 ms. */
const MAX_HITS = 20_000;
/** Chunks that are scored at the most, where even the rarest word is everywhere. */
const MAX_SCORED = 50_000;

/**
 * An expression for any of the words. Scoring costs as much as there are hits, so that in a large index a
 * question is asked by its rarer words, which say most; null when it has no word.
 */
function toScoredMatch(
  db: Connection,
  text: string,
  countOf: (word: string) => number,
): string | null {
  const match = toMatchAny(text);
  // Numbers of chunks go on growing, so that the last one is at least their count.
  if (match === null || db.number("SELECT max(id) FROM blobs") < LARGE_CHUNKS) return match;
  const counted = match.split(" OR ").map((word) => ({
    word,
    hits: countOf(word.slice(1, -1)),
  })).filter(({ hits }) => hits > 0).sort((one, other) => one.hits - other.hits);
  let total = 0;
  const rare = counted.filter(({ hits }, at) => (total += hits) <= MAX_HITS || at === 0);
  return rare.length === 0 ? null : rare.map(({ word }) => word).join(" OR ");
}

function countChunksWith(db: Connection, word: string): number {
  return db.number("SELECT count(*) FROM texts WHERE texts MATCH ?", toPhraseMatch([word]) ?? `""`);
}

/** An expression for any of the phrases, whose words follow each other. */
function toPhraseMatch(phrases: readonly string[], columns?: readonly TextColumn[]): string | null {
  const quoted = phrases.map((phrase) => toWords(phrase)).filter((phrase) => phrase !== "");
  if (quoted.length === 0) return null;
  const any = quoted.map((phrase) => `"${phrase}"`).join(" OR ");
  return columns === undefined ? any : `{${columns.join(" ")}} : (${any})`;
}

/** Changes with each commit to the database, by whichever process. */
function readStamp(db: Connection): string {
  const version = db.number("PRAGMA data_version");
  return `${version}:${db.number("SELECT total_changes()")}`;
}

const NUMBERS = "SELECT value FROM json_each(?)";

function scoreChunks(
  db: Connection,
  worktree: number,
  { match, limit, under = "." }: ScoreOptions & { readonly match: string },
): ChunkScore[] {
  const { sql, values } = toUnder(under);
  // The table holds the contents of every worktree: more of its best are read until enough are ours.
  for (let wanted = limit;; wanted *= 8) {
    const rows = db.all(
      `SELECT number, score, blob,
          EXISTS (SELECT 1 FROM files CROSS JOIN paths AS path ON path.id = files.path
            WHERE files.blob = best.blob AND worktree = ? AND ${sql}) AS is_ours
        FROM (
          SELECT number, score,
            (SELECT id FROM blobs WHERE id <= number ORDER BY id DESC LIMIT 1) AS blob
          FROM (SELECT rowid AS number, bm25(texts) AS score FROM texts WHERE texts MATCH ? LIMIT ?)
          ORDER BY score, number LIMIT ?) AS best`,
      worktree,
      ...values,
      match,
      MAX_SCORED,
      wanted,
    );
    const ours = rows.filter(({ is_ours: isOurs }) => isOurs === 1).map((row) => ({
      number: Number(row["number"]),
      content: Number(row["blob"]),
      score: -Number(row["score"]),
    }));
    if (ours.length >= limit || rows.length < wanted) {
      return ours.sort((a, b) => b.score - a.score || a.number - b.number).slice(0, limit);
    }
  }
}

function listContents(
  db: Connection,
  worktree: number,
  contents: readonly number[],
): RankedContent[] {
  const rows = db.all(
    `SELECT file.blob, blob.hash, blob.lines, path.path, variant.language
      FROM files AS file
      JOIN paths AS path ON path.id = file.path
      JOIN blobs AS blob ON blob.id = file.blob
      JOIN variants AS variant ON variant.id = blob.variant
      WHERE file.blob IN (${NUMBERS}) AND file.worktree = ? ORDER BY path.path`,
    JSON.stringify(contents),
    worktree,
  );
  return rows.map((row) => ({
    content: Number(row["blob"]),
    path: String(row["path"]),
    hash: row["hash"] instanceof Uint8Array ? row["hash"].toHex() : "",
    lineCount: Number(row["lines"]),
    language: row["language"] === null ? null : String(row["language"]),
  }));
}

function listDefinitions(db: Connection, content: number): ContentDefinition[] {
  return db.all(
    `SELECT name.name, kind.name AS kind, holder.name AS holder_kind,
        coalesce(holder_name.name, symbol.scope) AS holder, symbol.line
      FROM symbols AS symbol
      JOIN names AS name ON name.id = symbol.name
      JOIN names AS kind ON kind.id = symbol.kind
      LEFT JOIN symbols AS parent ON parent.blob = symbol.blob AND parent.ord = symbol.parent
      LEFT JOIN names AS holder ON holder.id = parent.kind
      LEFT JOIN names AS holder_name ON holder_name.id = parent.name
      WHERE symbol.blob = ? ORDER BY symbol.ord`,
    content,
  ).map((row) => ({
    name: String(row["name"]),
    kind: String(row["kind"]),
    holder: row["holder"] === null ? null : lastPart(String(row["holder"])),
    holderKind: row["holder_kind"] === null ? null : String(row["holder_kind"]),
    line: Number(row["line"]),
  }));
}

/** `B` of `A::B`: a scope stands as it is written. */
function lastPart(scope: string): string {
  return scope.split(/::|[.:\\]/).at(-1) ?? scope;
}

/**
 * Names that more contents define say nothing about which of them is meant: of parallel implementations each
 * would have the users of all (2 gave .002 less with one repository left out).
 */
const MAX_OWNERS = 1;

function listUsers(db: Connection, worktree: number, content: number): number[] {
  return toNumbers(db.all(
    `SELECT DISTINCT mention.blob
      FROM (SELECT DISTINCT symbol.name FROM symbols AS symbol
        JOIN names ON names.id = symbol.name WHERE blob = ? AND length(names.name) > 2) AS own
      JOIN occurrences AS mention ON mention.name = own.name
      WHERE mention.blob <> ?
        AND (SELECT count(*) FROM (SELECT DISTINCT owner.blob FROM symbols AS owner
          WHERE owner.name = own.name
            AND EXISTS (SELECT 1 FROM files WHERE blob = owner.blob AND worktree = ?)
          LIMIT ${MAX_OWNERS + 1})) <= ${MAX_OWNERS}
        AND EXISTS (SELECT 1 FROM files WHERE blob = mention.blob AND worktree = ?)
      ORDER BY mention.blob`,
    content,
    content,
    worktree,
    worktree,
  ));
}

function findNamers(db: Connection, name: string, limit: number): number[] {
  return toNumbers(db.all(
    `SELECT blob FROM occurrences WHERE name = (SELECT id FROM names WHERE name = ?)
      ORDER BY blob LIMIT ?`,
    name,
    limit,
  ));
}

function toNumbers(rows: readonly Row[]): number[] {
  return rows.map(({ blob }) => Number(blob));
}
