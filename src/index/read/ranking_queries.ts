/**
 * Questions of the ranking: many small facts about many contents at once, by numbers, so that a question
 * of a person costs a few statements and not one a chunk.
 */
import { readChunks } from "./chunk_queries.ts";
import type { Reader, Row, Source, WordIndex } from "./reader.ts";
import { foldName, toMatchAny, toWords } from "../../analysis/mod.ts";
import type {
  ContentDefinition,
  IndexView,
  RankedContent,
  RankingView,
  TextColumn,
} from "./view.ts";

/** Makes the questions of the ranking. */
export function createRankingQueries(
  source: Source,
): Pick<IndexView, keyof RankingView> {
  const { db, worktree, dialect, words } = source;
  return {
    stamp: () => words.stamp(),
    scoreChunks: (text, options) => {
      const { limit, under = ".", countOf = (word) => countChunksWith(words, word) } = options;
      const match = toScoredMatch(words, text, countOf);
      return match === null ? [] : words.scoreChunks(match, { limit, under });
    },
    scorePhrases: (phrases, { limit, under = ".", columns }) => {
      const match = toPhraseMatch(phrases, columns);
      return match === null ? [] : words.scoreChunks(match, { limit, under });
    },
    findPhrase: (phrase, { limit, columns }) => {
      const match = toPhraseMatch([phrase], columns);
      return match === null ? [] : words.findContents(match, limit);
    },
    findNamers: (name, limit) => findNamers(source, name, limit),
    findDefiners: (name, limit) =>
      toNumbers(db.all(
        `SELECT DISTINCT blob FROM symbols AS symbol
          WHERE name IN (SELECT value FROM ${dialect.numbers} AS list)
            AND EXISTS (SELECT 1 FROM files WHERE files.blob = symbol.blob AND worktree = ?)
          ORDER BY blob LIMIT ?`,
        JSON.stringify(words.findNames(`"=${foldName(name)}"`)),
        worktree,
        limit,
      )),
    listDefinedNames: (limit) => words.listDefinedNames(limit),
    countChunksWith: (word) => countChunksWith(words, word),
    findWordsIn: (content, asked) => {
      const expressions = asked.map((word) => toPhraseMatch([word]) ?? `""`);
      const found = words.findIn(content, expressions);
      return asked.filter((_, at) => found[at] === true);
    },
    countAllChunks: () => words.countAllChunks(),
    listContents: (contents) => listContents(source, contents),
    findContents: (paths) =>
      toNumbers(db.all(
        `SELECT DISTINCT file.blob FROM files AS file JOIN paths AS path ON path.id = file.path
          WHERE file.worktree = ? AND file.blob IS NOT NULL
            AND path.path IN (SELECT value FROM ${dialect.texts} AS list) ORDER BY file.blob`,
        worktree,
        JSON.stringify(paths),
      )),
    listDefinitions: (content) => readDefinitions(source, [content]).get(content) ?? [],
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
    readChunks: (numbers) => readChunks(source, numbers),
  };
}

/** Chunks with a word that are scored in a large index, all words together: about 50 ms. */
const MAX_HITS = 20_000;

/**
 * An expression for any of the words. Scoring costs as much as there are hits, so that in a large index a
 * question is asked by its rarer words, which say most; null when it has no word.
 */
function toScoredMatch(
  words: WordIndex,
  text: string,
  countOf: (word: string) => number,
): string | null {
  const match = toMatchAny(text);
  if (match === null || !words.isLarge()) return match;
  const counted = match.split(" OR ").map((word) => ({
    word,
    hits: countOf(word.slice(1, -1)),
  })).filter(({ hits }) => hits > 0).sort((one, other) => one.hits - other.hits);
  let total = 0;
  const rare = counted.filter(({ hits }, at) => (total += hits) <= MAX_HITS || at === 0);
  return rare.length === 0 ? null : rare.map(({ word }) => word).join(" OR ");
}

function countChunksWith(words: WordIndex, word: string): number {
  const match = toPhraseMatch([word]);
  return match === null ? 0 : words.countChunks(match);
}

/** An expression for any of the phrases, whose words follow each other. */
function toPhraseMatch(phrases: readonly string[], columns?: readonly TextColumn[]): string | null {
  const quoted = phrases.map((phrase) => toWords(phrase)).filter((phrase) => phrase !== "");
  if (quoted.length === 0) return null;
  const any = quoted.map((phrase) => `"${phrase}"`).join(" OR ");
  return columns === undefined ? any : `{${columns.join(" ")}} : (${any})`;
}

function listContents(
  { db, worktree, dialect }: Source,
  contents: readonly number[],
): RankedContent[] {
  const rows = db.all(
    `SELECT file.blob, blob.hash, blob.lines, path.path, variant.language
      FROM files AS file
      JOIN paths AS path ON path.id = file.path
      JOIN blobs AS blob ON blob.id = file.blob
      JOIN variants AS variant ON variant.id = blob.variant
      WHERE file.blob IN (SELECT value FROM ${dialect.numbers} AS list) AND file.worktree = ? ORDER BY path.path`,
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

/** The definitions of some contents, each content's in order; a content without any is not there. */
export function readDefinitions(
  { db, dialect }: Pick<Source, "db" | "dialect">,
  contents: readonly number[],
): ReadonlyMap<number, readonly ContentDefinition[]> {
  const rows = db.all(
    `SELECT symbol.blob, name.name, kind.name AS kind, holder.name AS holder_kind,
        coalesce(holder_name.name, symbol.scope) AS holder, symbol.line
      FROM ${dialect.numbers} AS wanted
      CROSS JOIN symbols AS symbol ON symbol.blob = wanted.value
      JOIN names AS name ON name.id = symbol.name
      JOIN names AS kind ON kind.id = symbol.kind
      LEFT JOIN symbols AS parent ON parent.blob = symbol.blob AND parent.ord = symbol.parent
      LEFT JOIN names AS holder ON holder.id = parent.kind
      LEFT JOIN names AS holder_name ON holder_name.id = parent.name
      ORDER BY symbol.blob, symbol.ord`,
    JSON.stringify(contents),
  );
  const definitions = new Map<number, ContentDefinition[]>();
  for (const row of rows) {
    const blob = Number(row["blob"]);
    const own = definitions.get(blob);
    const definition = {
      name: String(row["name"]),
      kind: String(row["kind"]),
      holder: row["holder"] === null ? null : lastPart(String(row["holder"])),
      holderKind: row["holder_kind"] === null ? null : String(row["holder_kind"]),
      line: Number(row["line"]),
    };
    if (own === undefined) definitions.set(blob, [definition]);
    else own.push(definition);
  }
  return definitions;
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

function listUsers(db: Reader, worktree: number, content: number): number[] {
  return toNumbers(db.all(
    `SELECT DISTINCT mention.blob
      FROM (SELECT DISTINCT symbol.name FROM symbols AS symbol
        JOIN names ON names.id = symbol.name WHERE blob = ? AND length(names.name) > 2) AS own
      JOIN occurrences AS mention ON mention.name = own.name
      WHERE mention.blob <> ?
        AND (SELECT count(*) FROM (SELECT DISTINCT owner.blob FROM symbols AS owner
          WHERE owner.name = own.name
            AND EXISTS (SELECT 1 FROM files WHERE blob = owner.blob AND worktree = ?)
          LIMIT ${MAX_OWNERS + 1}) AS owners) <= ${MAX_OWNERS}
        AND EXISTS (SELECT 1 FROM files WHERE blob = mention.blob AND worktree = ?)
      ORDER BY mention.blob`,
    content,
    content,
    worktree,
    worktree,
  ));
}

function findNamers({ db, worktree }: Source, name: string, limit: number): number[] {
  return toNumbers(db.all(
    `SELECT blob FROM occurrences AS entry WHERE name = (SELECT id FROM names WHERE name = ?)
      AND EXISTS (SELECT 1 FROM files WHERE files.blob = entry.blob AND worktree = ?)
      ORDER BY blob LIMIT ?`,
    name,
    worktree,
    limit,
  ));
}

function toNumbers(rows: readonly Row[]): number[] {
  return rows.map(({ blob }) => Number(blob));
}
