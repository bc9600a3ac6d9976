/** The questions' words for SQLite: lists by `json_each`, full text by FTS5. */
import type { Connection } from "../store/database.ts";
import { PART_NUMBERS } from "../store/schema.ts";
import type { Dialect, Source, WordIndex, WordScope } from "./reader.ts";
import { buildUnder, splitByRarity } from "./reader.ts";
import type { ChunkScore } from "./view.ts";

const DIALECT: Dialect = {
  numbers: "json_each(?)",
  texts: "json_each(?)",
  pairs: `(SELECT json_extract(value, '$[0]') AS one, json_extract(value, '$[1]') AS other
    FROM json_each(?))`,
  listOf: (column) => `json_group_array(${column})`,
  placesIn: (content) =>
    `occurrence_rows AS entry ON entry.part = ${content} / ${PART_NUMBERS} AND entry.blob = ${content}`,
};

/** Below this number of chunks every word of a question is scored. */
const LARGE_CHUNKS = 20_000;
/** Chunks that are scored at the most, where even the rarest word is everywhere. */
const MAX_SCORED = 50_000;

/** What a worktree's questions are asked with. */
export function createSqliteSource(db: Connection, worktree: number): Source {
  return {
    db,
    worktree,
    dialect: DIALECT,
    words: createWords(db, worktree),
    toUsers: (contents) =>
      contents.map((content) => ({
        sql: USERS,
        values: [content, content, content, worktree, worktree],
      })),
  };
}

// Names that more contents define say nothing about which of them is meant: of parallel implementations each would have
// the users of all (2 gave .002 less with one repository left out).
// One after the other: SQLite goes from the names of a content to those who mention them, and counts few owners of each.
const USERS = `SELECT DISTINCT ? AS content, mention.blob
  FROM (SELECT DISTINCT symbol.name FROM symbols AS symbol
    JOIN names ON names.id = symbol.name WHERE blob = ? AND length(names.name) > 2) AS own
  JOIN occurrences AS mention ON mention.name = own.name
  WHERE mention.blob <> ?
    AND (SELECT count(*) FROM (SELECT DISTINCT owner.blob FROM symbols AS owner
      WHERE owner.name = own.name
        AND EXISTS (SELECT 1 FROM files WHERE blob = owner.blob AND worktree = ?)
      LIMIT 2) AS owners) <= 1
    AND EXISTS (SELECT 1 FROM files WHERE blob = mention.blob AND worktree = ?)
  ORDER BY mention.blob`;

function createWords(db: Connection, worktree: number): WordIndex {
  return {
    // Changes with each commit to the database, by whichever process.
    stamp: () => `${db.number("PRAGMA data_version")}:${db.number("SELECT total_changes()")}`,
    findNames: (expression) =>
      db.all("SELECT rowid AS id FROM name_parts WHERE name_parts MATCH ?", expression)
        .map(({ id }) => Number(id)),
    findPaths: (expression, limit) => findPaths(db, worktree, expression, limit),
    scoreChunks: (expression, scope) => scoreChunks(db, worktree, { ...scope, expression }),
    findContents: (expressions, limit) =>
      expressions.map((expression) =>
        db.all(
          `SELECT DISTINCT (SELECT id FROM blobs WHERE id <= number ORDER BY id DESC LIMIT 1) AS blob
            FROM (SELECT rowid AS number FROM texts WHERE texts MATCH ? LIMIT ?) ORDER BY blob`,
          expression,
          limit,
        ).map(({ blob }) => Number(blob))
      ),
    countChunks: (expressions) => expressions.map((one) => countChunks(db, worktree, one)),
    findIn: (contents, expressions) =>
      contents.map((content) => expressions.map((one) => hasWord(db, content, one))),
    countAllChunks: () => db.number("SELECT total(chunk_count) FROM blobs"),
    // Numbers of chunks go on growing, so that the last one is at least their count.
    isLarge: () => db.number("SELECT max(id) FROM blobs") >= LARGE_CHUNKS,
    listDefinedNames: (limit) =>
      db.all("SELECT name FROM names WHERE is_defined = 1 ORDER BY id LIMIT ?", limit)
        .map((row) => String(row["name"])),
  };
}

/** Paths with one of the rarer words that are scored, more or less; several times as many as a question asks for. */
const RARE_PATHS = 400;

function findPaths(db: Connection, worktree: number, expression: string, limit: number): string[] {
  const words = expression.split(" OR ").map((word) => ({
    word,
    hits: db.number("SELECT count(*) FROM path_words WHERE path_words MATCH ?", word),
  }));
  const { rare, common } = splitByRarity(words, { rareHits: RARE_PATHS });
  const score = (one: string) =>
    db.all(
      `SELECT path.path, bm25(path_words) AS score FROM path_words
        JOIN paths AS path ON path.id = path_words.rowid
        JOIN files AS file ON file.path = path.id AND file.worktree = ? AND file.blob IS NOT NULL
        WHERE path_words MATCH ? ORDER BY score, path.path LIMIT ?`,
      worktree,
      one,
      limit,
    ).map((row) => ({ path: String(row["path"]), score: Number(row["score"]) }));
  if (common === null) return score(rare).map(({ path }) => path);
  const best = [...score(`(${rare}) NOT (${common})`), ...score(`(${rare}) AND (${common})`)]
    .sort((a, b) => a.score - b.score || (a.path < b.path ? -1 : 1));
  const more = best.length < limit ? score(`(${common}) NOT (${rare})`) : [];
  return [...best, ...more].slice(0, limit).map(({ path }) => path);
}

/** A word of fewer chunks is looked for among those of the files that are there: contents stay for a time when their files are gone. */
const RARE_CHUNKS = 50;

function countChunks(db: Connection, worktree: number, expression: string): number {
  const all = countMatches(db, expression);
  if (all === 0 || all > RARE_CHUNKS) return all;
  return db.number(
    `SELECT count(*) FROM (SELECT rowid AS number FROM texts WHERE texts MATCH ?)
      WHERE EXISTS (SELECT 1 FROM files WHERE worktree = ?
        AND blob = (SELECT id FROM blobs WHERE id <= number ORDER BY id DESC LIMIT 1))`,
    expression,
    worktree,
  );
}

function hasWord(db: Connection, content: number, expression: string): boolean {
  const row = db.get(
    `SELECT 1 FROM texts WHERE texts MATCH ?1 AND rowid >= ?2
      AND rowid < ?2 + (SELECT chunk_count FROM blobs WHERE id = ?2) LIMIT 1`,
    expression,
    content,
  );
  return row !== undefined;
}

function scoreChunks(
  db: Connection,
  worktree: number,
  { expression, common = null, ...scope }: WordScope & { readonly expression: string },
): ChunkScore[] {
  if (common === null) return scoreEach(db, worktree, [expression], scope);
  const [rare, other] = [`(${expression})`, `(${common})`];
  // Each chunk fits one of them, and has the score that it has for all words.
  const best = scoreEach(db, worktree, [`${rare} NOT ${other}`, `${rare} AND ${other}`], scope);
  if (best.length >= scope.limit) return best;
  const rest = { ...scope, limit: scope.limit - best.length };
  return [...best, ...scoreEach(db, worktree, [`${other} NOT ${rare}`], rest)];
}

function countMatches(db: Connection, expression: string): number {
  return db.number("SELECT count(*) FROM texts WHERE texts MATCH ?", expression);
}

/** The best chunks of those that fit any of some expressions, of which a chunk fits one at the most. */
function scoreEach(
  db: Connection,
  worktree: number,
  expressions: readonly string[],
  { limit, under }: Pick<WordScope, "limit" | "under">,
): ChunkScore[] {
  // The table holds the contents of every worktree: more of its best are read until enough are ours.
  for (let wanted = limit;; wanted *= 8) {
    const lists = expressions.map((expression) => scoreOne(db, expression, wanted));
    const found = lists.flat();
    const best = found.toSorted((a, b) => b.score - a.score || a.number - b.number)
      .slice(0, wanted);
    const own = findOwn(db, worktree, best.map(({ number }) => number), under);
    const ours = best.flatMap(({ number, score }) => {
      const content = own.get(number);
      return content === undefined ? [] : [{ number, content, score }];
    });
    const isAll = found.length <= wanted && lists.every((list) => list.length < wanted);
    if (ours.length >= limit || isAll) return ours.slice(0, limit);
  }
}

/** The best chunks of any worktree for one expression, in no order. */
function scoreOne(
  db: Connection,
  expression: string,
  limit: number,
): readonly Pick<ChunkScore, "number" | "score">[] {
  return db.all(
    `SELECT number, score
      FROM (SELECT rowid AS number, bm25(texts) AS score FROM texts WHERE texts MATCH ? LIMIT ?)
      ORDER BY score, number LIMIT ?`,
    expression,
    MAX_SCORED,
    limit,
  ).map((row) => ({ number: Number(row["number"]), score: -Number(row["score"]) }));
}

/** The contents of those of the chunks that a file of the worktree has, by their numbers. */
function findOwn(
  db: Connection,
  worktree: number,
  numbers: readonly number[],
  under: string,
): ReadonlyMap<number, number> {
  if (numbers.length === 0) return new Map();
  const { sql, values } = buildUnder(under);
  const rows = db.all(
    `SELECT number, own.blob FROM (SELECT value AS number,
        (SELECT id FROM blobs WHERE id <= value ORDER BY id DESC LIMIT 1) AS blob FROM json_each(?)) AS own
      WHERE EXISTS (SELECT 1 FROM files CROSS JOIN paths AS path ON path.id = files.path
        WHERE files.blob = own.blob AND worktree = ? AND ${sql})`,
    JSON.stringify(numbers),
    worktree,
    ...values,
  );
  return new Map(rows.map((row) => [Number(row["number"]), Number(row["blob"])]));
}
