/** The questions' words for PostgreSQL: lists by `jsonb`, full text by `tsvector` and its GIN indexes, scored as FTS5 does. */
import type { Dialect, Row, Source, WordIndex, WordScope } from "../read/reader.ts";
import { toUnder } from "../read/under.ts";
import type { ChunkScore } from "../read/view.ts";
import type { PostgresLink } from "./link.ts";
import { CHUNK_ROOM } from "./store_schema.ts";
import type { WordQuery } from "./word_query.ts";
import { parseWordQuery, toBoundQuery, toStemmable } from "./word_query.ts";

const DIALECT: Dialect = {
  numbers: "(SELECT value::bigint AS value FROM jsonb_array_elements_text(?::jsonb) AS value)",
  texts: "(SELECT value FROM jsonb_array_elements_text(?::jsonb) AS value)",
  pairs: `(SELECT (value->>0)::bigint AS one, (value->>1)::bigint AS other
    FROM jsonb_array_elements(?::jsonb) AS value)`,
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
export function toPostgresSource(
  link: PostgresLink,
  worktree: number,
  facts: RepositoryFacts,
): Source {
  return { db: link, worktree, dialect: DIALECT, words: createWords(link, worktree, facts) };
}

/** The words that tell an origin's chunks from those of others. */
export function toOriginWord(origin: number): string {
  return `@${origin}`;
}

function createWords(link: PostgresLink, worktree: number, facts: RepositoryFacts): WordIndex {
  const own = toOriginWord(facts.origin);
  const read = (expression: string) => readQueries(link, parseWordQuery(expression));
  return {
    stamp: () => String(facts.revision),
    findNames: (expression) =>
      link.all(
        "SELECT id FROM name_parts WHERE parts @@ ?::tsquery ORDER BY id",
        parseWordQuery(expression).plain,
      ).map(({ id }) => Number(id)),
    findPaths: (expression, limit) =>
      link.all(
        `SELECT path.path FROM paths AS path
          JOIN files AS file ON file.path = path.id AND file.worktree = ? AND file.blob IS NOT NULL
          WHERE path.words @@ ?::tsquery
          ORDER BY ts_rank('{1,1,1,1}', path.words, ?::tsquery) / length(path.words) DESC, path.path
          LIMIT ?`,
        worktree,
        read(expression).join(" | "),
        read(expression).join(" | "),
        limit,
      ).map((row) => String(row["path"])),
    scoreChunks: (expression, scope) => {
      const queries = read(expression);
      const counts = countAll(link, queries.map((query) => toBoundQuery([query], own)));
      return scoreChunks(link, { worktree, facts, own }, { ...scope, queries, counts });
    },
    findContents: (expression, limit) =>
      link.all(
        `SELECT DISTINCT blob FROM (SELECT blob FROM texts WHERE vector @@ ?::tsquery LIMIT ?) AS found
          ORDER BY blob`,
        toBoundQuery(read(expression), own),
        limit,
      ).map(({ blob }) => Number(blob)),
    countChunks: (expression) =>
      link.number(
        "SELECT count(*) FROM texts WHERE vector @@ ?::tsquery",
        toBoundQuery(read(expression), own),
      ),
    findIn: (content, expressions) =>
      link.all(
        `SELECT EXISTS (SELECT 1 FROM texts WHERE id >= ? AND id < ?
            AND vector @@ value::tsquery) AS is_there
          FROM jsonb_array_elements_text(?::jsonb) WITH ORDINALITY AS one (value, place)
          ORDER BY place`,
        content,
        content + CHUNK_ROOM,
        JSON.stringify(expressions.map((one) => toBoundQuery(read(one), own))),
      ).map((row) => row["is_there"] === 1),
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

/** How many chunks fit each of the queries, by one statement. */
function countAll(link: PostgresLink, queries: readonly string[]): readonly number[] {
  return link.all(
    `SELECT (SELECT count(*) FROM texts WHERE vector @@ value::tsquery) AS count
      FROM jsonb_array_elements_text(?::jsonb) WITH ORDINALITY AS one (value, place) ORDER BY place`,
    JSON.stringify(queries),
  ).map(({ count }) => Number(count));
}

/** Stems of phrases never change. */
const STEMMED = new Map<string, string>();
const MAX_STEMMED = 20_000;

/** The alternatives of an expression as PostgreSQL asks them; none for words that leave nothing. */
function readQueries(link: PostgresLink, { phrases, weights }: WordQuery): readonly string[] {
  const unknown = phrases.filter((phrase) => !STEMMED.has(phrase));
  if (unknown.length > 0) {
    if (STEMMED.size + unknown.length > MAX_STEMMED) STEMMED.clear();
    const rows = link.all(
      `SELECT phraseto_tsquery('words', value)::text AS query
        FROM jsonb_array_elements_text(?::jsonb) WITH ORDINALITY AS one (value, place) ORDER BY place`,
      JSON.stringify(unknown.map(toStemmable)),
    );
    unknown.forEach((phrase, at) => STEMMED.set(phrase, String(rows[at]?.["query"] ?? "")));
  }
  return phrases.flatMap((phrase) => {
    const query = STEMMED.get(phrase) ?? "";
    if (query === "") return [];
    return [`(${weights === "" ? query : query.replaceAll(/'(?:[^']|'')*'/g, `$&:${weights}`)})`];
  });
}

interface Place {
  readonly worktree: number;
  readonly facts: RepositoryFacts;
  readonly own: string;
}

interface Scored extends WordScope {
  readonly queries: readonly string[];
  /** In how many chunks each of them is. */
  readonly counts: readonly number[];
}

function scoreChunks(link: PostgresLink, place: Place, asked: Scored): ChunkScore[] {
  const { worktree, facts, own } = place;
  const { limit, under, queries, counts } = asked;
  if (queries.length === 0 || facts.chunks === 0) return [];
  const { sql, values } = toUnder(under);
  const meanTokens = Math.max(1, facts.tokens / facts.chunks);
  const parts = queries.map((query) => {
    // A phrase is counted once a chunk: PostgreSQL says whether it is there, not how often.
    const count = query.includes("<")
      ? "(CASE WHEN text.vector @@ ?::tsquery THEN 1 ELSE 0 END)"
      : "count_of(text.vector, ?::tsquery)";
    return `(SELECT ?::float8 * found.times * ${GROWTH + 1} / (found.times + norm.length)
      FROM (SELECT ${count} AS times) AS found)`;
  });
  const given = queries.flatMap((query, at) => [toWeight(counts[at] ?? 0, facts.chunks), query]);
  const rows = link.all(
    `SELECT text.id AS number, text.blob, ${parts.join(" + ")} AS score
      FROM texts AS text CROSS JOIN LATERAL (SELECT ${GROWTH} * (${1 - LENGTH_SHARE} +
        ${LENGTH_SHARE} * text.tokens / ?::float8) AS length) AS norm
      WHERE text.vector @@ ?::tsquery AND EXISTS (
        SELECT 1 FROM files JOIN paths AS path ON path.id = files.path
          WHERE files.blob = text.blob AND files.worktree = ? AND ${sql})
      ORDER BY score DESC, number LIMIT ?`,
    ...given,
    meanTokens,
    toBoundQuery(queries, own),
    worktree,
    ...values,
    limit,
  );
  return rows.map(toScore);
}

function toScore(row: Row): ChunkScore {
  return {
    number: Number(row["number"]),
    content: Number(row["blob"]),
    score: Number(row["score"]),
  };
}

/** What a word tells that so many of all chunks have. */
function toWeight(having: number, all: number): number {
  return Math.max(LEAST_WEIGHT, Math.log((all - having + 0.5) / (having + 0.5)));
}
