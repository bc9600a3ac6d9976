/** The questions' words for PostgreSQL: lists by `jsonb`, full text by `tsvector` and its GIN indexes, scored as FTS5 does. */
import { BoundedMap, getOrInsertAll } from "../../../base/once.ts";
import type { Dialect, Row, Source, WordIndex, WordScope } from "../../../index/read/reader.ts";
import { buildUnder } from "../../../index/read/reader.ts";
import type { ChunkScore } from "../../../index/read/view.ts";
import type { PostgresLink } from "./link.ts";
import { CHUNK_ROOM } from "./store_schema.ts";
import type { WordQuery } from "./word_query.ts";
import { bindQuery, keepStemmable, parseWordQuery } from "./word_query.ts";

const DIALECT: Dialect = {
  numbers: "(SELECT value::bigint AS value FROM jsonb_array_elements_text(?::jsonb) AS value)",
  texts: "(SELECT value FROM jsonb_array_elements_text(?::jsonb) AS value)",
  pairs: `(SELECT (value->>0)::bigint AS one, (value->>1)::bigint AS other
    FROM jsonb_array_elements(?::jsonb) AS value)`,
  listOf: (column) => `coalesce(json_agg(${column})::text, '[]')`,
  placesIn: (content) => `occurrences AS entry ON entry.blob = ${content}`,
};

/** As for SQLite: below this number of chunks every word of a question is scored. */
const LARGE_CHUNKS = 20_000;
// BM25 as FTS5 has it.
const GROWTH = 1.2;
const LENGTH_SHARE = 0.75;
const LEAST_WEIGHT = 1e-6;

/** What the store knows of a repository as a whole. */
export interface RepositoryFacts {
  readonly origin: number;
  /** Grows with each state of its files. */
  readonly revision: number;
  readonly files: number;
  readonly chunks: number;
  readonly tokens: number;
}

/** What a repository's questions are asked with. */
export function createPostgresSource(
  link: PostgresLink,
  worktree: number,
  facts: RepositoryFacts,
): Source {
  return {
    db: link,
    worktree,
    dialect: DIALECT,
    words: createWords(link, worktree, facts),
    toUsers: (contents) => [
      { sql: USERS, values: [JSON.stringify(contents), worktree, worktree] },
    ],
  };
}

// For all contents at once: users of names that nothing else of the worktree defines.
const USERS = `WITH own AS (
    SELECT DISTINCT symbol.blob, symbol.name FROM symbols AS symbol
      JOIN names ON names.id = symbol.name
      WHERE length(names.name) > 2
        AND symbol.blob IN (SELECT value FROM ${DIALECT.numbers} AS list)
  ), single AS (
    SELECT own.blob, own.name FROM own WHERE NOT EXISTS (
      SELECT 1 FROM symbols AS owner
        JOIN files AS file ON file.blob = owner.blob AND file.worktree = ?
        WHERE owner.name = own.name AND owner.blob <> own.blob)
  )
  SELECT DISTINCT single.blob AS content, mention.blob FROM single
    JOIN occurrences AS mention ON mention.name = single.name AND mention.blob <> single.blob
    JOIN files AS file ON file.blob = mention.blob AND file.worktree = ?
    ORDER BY content, mention.blob`;

/** The words that tell an origin's chunks from those of others. */
export function wordOfOrigin(origin: number): string {
  return `@${origin}`;
}

/** Paths with words of a query, those first of which they are the larger part. */
function findPaths(
  link: PostgresLink,
  worktree: number,
  { query, limit }: { readonly query: string; readonly limit: number },
): readonly string[] {
  return link.all(
    `SELECT path.path FROM paths AS path
      JOIN files AS file ON file.path = path.id AND file.worktree = ? AND file.blob IS NOT NULL
      WHERE path.words @@ ?::tsquery
      ORDER BY ts_rank('{1,1,1,1}', path.words, ?::tsquery) / length(path.words) DESC, path.path
      LIMIT ?`,
    worktree,
    query,
    query,
    limit,
  ).map((row) => String(row["path"]));
}

function createWords(link: PostgresLink, worktree: number, facts: RepositoryFacts): WordIndex {
  const own = wordOfOrigin(facts.origin);
  const read = (expression: string) => readQueries(link, parseWordQuery(expression));
  const readEach = (expressions: readonly string[]) => {
    const parsed = expressions.map(parseWordQuery);
    // All at once: the next lines find them known.
    buildStemQueries(link, parsed.flatMap(({ phrases }) => phrases));
    return parsed.map((one) => bindQuery(readQueries(link, one), own));
  };
  return {
    stamp: () => String(facts.revision),
    findNames: (expression) =>
      link.all(
        "SELECT id FROM name_parts WHERE parts @@ ?::tsquery ORDER BY id",
        parseWordQuery(expression).plain,
      ).map(({ id }) => Number(id)),
    findPaths: (expression, limit) =>
      findPaths(link, worktree, { query: read(expression).join(" | "), limit }),
    scoreChunks: (expression, { common = null, ...scope }) =>
      scoreByRare(link, { worktree, facts, own }, {
        ...scope,
        rare: read(expression),
        common: common === null ? [] : read(common),
      }),
    findContents: (expressions, limit) => {
      const rows = link.all(
        `SELECT one.place, own.blob FROM ${ALL_QUERIES} CROSS JOIN LATERAL (
            SELECT DISTINCT blob FROM (
              SELECT blob FROM texts WHERE vector @@ one.value::tsquery LIMIT ?) AS found) AS own
          ORDER BY own.blob`,
        JSON.stringify(readEach(expressions)),
        limit,
      );
      const found = Map.groupBy(rows, ({ place }) => Number(place));
      return expressions.map((_, at) => (found.get(at + 1) ?? []).map(({ blob }) => Number(blob)));
    },
    countChunks: (expressions) =>
      link.all(
        `SELECT (SELECT count(*) FROM texts WHERE vector @@ one.value::tsquery) AS count
          FROM ${ALL_QUERIES} ORDER BY one.place`,
        JSON.stringify(readEach(expressions)),
      ).map(({ count }) => Number(count)),
    findIn: (contents, expressions) => findIn(link, contents, readEach(expressions)),
    countAllChunks: () => facts.chunks,
    isLarge: () => facts.chunks >= LARGE_CHUNKS,
    listDefinedNames: (limit) =>
      link.all(
        `SELECT name.name FROM names AS name WHERE name.id IN (
            SELECT symbol.name FROM files AS file JOIN symbols AS symbol ON symbol.blob = file.blob
              WHERE file.worktree = ?)
          ORDER BY name.id LIMIT ?`,
        worktree,
        limit,
      ).map((row) => String(row["name"])),
  };
}

/** For each content whether it has a chunk that fits, for each of the queries. */
function findIn(
  link: PostgresLink,
  contents: readonly number[],
  queries: readonly string[],
): readonly (readonly boolean[])[] {
  if (contents.length === 0 || queries.length === 0) return contents.map(() => []);
  const rows = link.all(
    `SELECT content.value AS content, one.place FROM ${ALL_QUERIES},
        ${DIALECT.numbers} AS content
      WHERE EXISTS (SELECT 1 FROM texts
        WHERE id >= content.value AND id < content.value + ${CHUNK_ROOM}
          AND vector @@ one.value::tsquery)`,
    JSON.stringify(queries),
    JSON.stringify(contents),
  );
  const found = new Set(rows.map(({ content, place }) => `${content}:${place}`));
  return contents.map((content) => queries.map((_, at) => found.has(`${content}:${at + 1}`)));
}

/** The queries of a parameter, each with its place from 1 on. */
const ALL_QUERIES = "jsonb_array_elements_text(?::jsonb) WITH ORDINALITY AS one (value, place)";

/** Stems of phrases never change. */
const STEMMED = new BoundedMap<string, string>(20_000);

/** The stems of phrases as queries, in their order; those that are not known yet are asked for by one statement. */
function buildStemQueries(link: PostgresLink, phrases: readonly string[]): readonly string[] {
  return getOrInsertAll(STEMMED, phrases, (unknown) => {
    const rows = link.all(
      `SELECT phraseto_tsquery('words', one.value)::text AS query FROM ${ALL_QUERIES} ORDER BY one.place`,
      JSON.stringify(unknown.map(keepStemmable)),
    );
    return unknown.map((_, at) => String(rows[at]?.["query"] ?? ""));
  });
}

/** The alternatives of an expression as PostgreSQL asks them; none for words that leave nothing. */
function readQueries(link: PostgresLink, { phrases, weights }: WordQuery): readonly string[] {
  return buildStemQueries(link, phrases).flatMap((query) => {
    if (query === "") return [];
    return [`(${weights === "" ? query : query.replaceAll(/'(?:[^']|'')*'/g, `$&:${weights}`)})`];
  });
}

interface Place {
  readonly worktree: number;
  readonly facts: RepositoryFacts;
  readonly own: string;
}

interface Scored extends Omit<WordScope, "common"> {
  /** A chunk fits any of these. */
  readonly rare: readonly string[];
  /** These only add to its score. */
  readonly common: readonly string[];
}

/** The best chunks; those without a rare word come after all others. */
function scoreByRare(link: PostgresLink, place: Place, asked: Scored): ChunkScore[] {
  const { limit, rare, common } = asked;
  const best = scoreChunks(link, place, asked);
  if (best.length >= limit || common.length === 0) return best;
  const known = new Set(best.map(({ number }) => number));
  const all = scoreChunks(link, place, { ...asked, rare: [...rare, ...common], common: [] });
  return [...best, ...all.filter(({ number }) => !known.has(number))].slice(0, limit);
}

function scoreChunks(link: PostgresLink, place: Place, asked: Scored): ChunkScore[] {
  const { worktree, facts, own } = place;
  const { limit, under, rare, common } = asked;
  if (rare.length === 0 || facts.chunks === 0) return [];
  const queries = [...rare, ...common];
  const { sql, values } = buildUnder(under);
  const meanTokens = Math.max(1, facts.tokens / facts.chunks);
  const parts = queries.map((query, at) => {
    // A phrase is counted once a chunk: PostgreSQL says whether it is there, not how often.
    const count = query.includes("<")
      ? "(CASE WHEN text.vector @@ ?::tsquery THEN 1 ELSE 0 END)"
      : "count_of(text.vector, ?::tsquery)";
    return `(SELECT told.weights[${at + 1}] * found.times * ${
      GROWTH + 1
    } / (found.times + norm.length)
      FROM (SELECT ${count} AS times) AS found)`;
  });
  // What a word tells that so many of all chunks have: the rarer the more.
  const rows = link.all(
    `WITH told AS MATERIALIZED (
        SELECT array_agg(greatest(${LEAST_WEIGHT},
            ln((greatest(?::float8 - counted.times, 0) + 0.5) / (counted.times + 0.5)))
          ORDER BY counted.place) AS weights
        FROM (SELECT one.place, (SELECT count(*) FROM texts WHERE vector @@ one.value::tsquery)::float8
          AS times FROM ${ALL_QUERIES}) AS counted)
      SELECT text.id AS number, text.blob, ${parts.join(" + ")} AS score
      FROM texts AS text, told CROSS JOIN LATERAL (SELECT ${GROWTH} * (${1 - LENGTH_SHARE} +
        ${LENGTH_SHARE} * text.tokens / ?::float8) AS length) AS norm
      WHERE text.vector @@ ?::tsquery AND EXISTS (
        SELECT 1 FROM files JOIN paths AS path ON path.id = files.path
          WHERE files.blob = text.blob AND files.worktree = ? AND ${sql})
      ORDER BY score DESC, number LIMIT ?`,
    facts.chunks,
    JSON.stringify(queries.map((query) => bindQuery([query], own))),
    ...queries,
    meanTokens,
    bindQuery(rare, own),
    worktree,
    ...values,
    limit,
  );
  return rows.map(readScore);
}

function readScore(row: Row): ChunkScore {
  return {
    number: Number(row["number"]),
    content: Number(row["blob"]),
    score: Number(row["score"]),
  };
}
