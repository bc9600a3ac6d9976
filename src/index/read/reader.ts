/**
 * What the questions need of a database, whichever engine it is: rows for a statement, and what engines say in words of
 * their own. The statements themselves are written once, in what SQLite and PostgreSQL have in common. Pure types.
 */
import type { CodeSymbol, ImportEntry } from "../../analysis/analysis.ts";
import type { ChunkScore } from "./view.ts";

/** A condition for one file, or all below a folder, of the table `path`. */
export function buildUnder(under: string): { readonly sql: string; readonly values: string[] } {
  if (under === "." || under === "") return { sql: "TRUE", values: [] };
  // A range rather than LIKE: no wildcards, and the index of paths serves it. `0` follows `/`.
  const sql = "(path.path = ? OR (path.path > ? AND path.path < ?))";
  return { sql, values: [under, `${under}/`, `${under}0`] };
}

/** Words of a question, as expressions of the full text. */
export interface WordsByRarity {
  /** Its rarer words. */
  readonly rare: string;
  /** Those that so much has that little of it can be among the best without a rarer one; null without any. */
  readonly common: string | null;
}

/**
 * The rarer words, as long as all of them together have at most `rareHits`, and one at least; the others are common, the rarest
 * of them first, up to `mostHits` of all words, beyond which words are left out. Words that nothing has are left out too, where
 * there are others.
 */
export function splitByRarity(
  words: readonly { readonly word: string; readonly hits: number }[],
  { rareHits, mostHits = Infinity }: { readonly rareHits: number; readonly mostHits?: number },
): WordsByRarity {
  const some = words.filter(({ hits }) => hits > 0);
  const sorted = (some.length === 0 ? words : some).toSorted((one, other) => one.hits - other.hits);
  let total = 0;
  const totals = sorted.map(({ hits }) => total += hits);
  const take = (most: number) =>
    sorted.filter((_, at) => at === 0 || (totals[at] ?? 0) <= most).map(({ word }) => word);
  const asked = take(mostHits);
  const rare = take(Math.min(rareHits, mostHits));
  return { rare: rare.join(" OR "), common: asked.slice(rare.length).join(" OR ") || null };
}

/** A row as every engine gives it: whole numbers as numbers, truth as 1 and 0. */
export type Row = Readonly<Record<string, string | number | bigint | Uint8Array | null>>;

/** A value of a statement. */
export type Value = string | number | bigint | Uint8Array | null;

/** Answers statements with `?` for each value. */
export interface Reader {
  /** Every row of a query. */
  all(sql: string, ...values: readonly Value[]): Row[];
  /** The first row of a query, if any. */
  get(sql: string, ...values: readonly Value[]): Row | undefined;
  /** The first column of the first row as a number; 0 without a row. */
  number(sql: string, ...values: readonly Value[]): number;
  /** The rows of each of several statements that do not need each other's answers. */
  several(statements: readonly Statement[]): readonly (readonly Row[])[];
}

/** A statement with its values. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** What engines say in different words. */
export interface Dialect {
  /** A table `value` of whole numbers out of a parameter, which is a list in JSON. */
  readonly numbers: string;
  /** The same of texts. */
  readonly texts: string;
  /** A table of whole numbers `one` and `other` out of a parameter, which is a list of pairs in JSON. */
  readonly pairs: string;
  /** A list in JSON of the values of a column, as the rows come. */
  readonly listOf: (column: string) => string;
  /** The places `entry` of names in one content, joined by its number: where they lie in parts, one part is read. */
  readonly placesIn: (content: string) => string;
}

/** Which chunks are wanted. */
export interface WordScope {
  readonly limit: number;
  /** Only of this file, or of files below this folder; `.` for all. */
  readonly under: string;
  /**
   * An expression for words that count where the first expression fits too. Chunks that fit this one alone come after all
   * others, and only where these are too few.
   */
  readonly common?: string | null;
}

/**
 * Full text and parts of names, by the engine's own indexes. An expression is written as SQLite's FTS5 has it: phrases in
 * quotes, of which a last `*` makes a beginning, with `OR` or `AND` between them, and columns before all of it:
 * `{name body} : ("a b" OR "c")`.
 */
export interface WordIndex {
  /** Changes whenever the answers may. */
  stamp(): string;
  /** Numbers of names whose parts fit. */
  findNames(expression: string): readonly number[];
  /** Paths of the worktree whose words fit, best first. */
  findPaths(expression: string, limit: number): readonly string[];
  /** The best chunks of the worktree, best first. */
  scoreChunks(expression: string, scope: WordScope): readonly ChunkScore[];
  /** For each expression the contents with a chunk that fits; some of them may be those of other worktrees. */
  findContents(expressions: readonly string[], limit: number): readonly (readonly number[])[];
  /** How many chunks fit each of the expressions. */
  countChunks(expressions: readonly string[]): readonly number[];
  /** For each content whether it has a chunk that fits, for each of the expressions. */
  findIn(
    contents: readonly number[],
    expressions: readonly string[],
  ): readonly (readonly boolean[])[];
  /** How many chunks there are. */
  countAllChunks(): number;
  /** Whether there are so many chunks that words which most of them have are not scored. */
  isLarge(): boolean;
  /** Names that are defined. */
  listDefinedNames(limit: number): readonly string[];
}

/** All that the questions about one worktree are asked with. */
export interface Source {
  readonly db: Reader;
  /** Number of the worktree. */
  readonly worktree: number;
  readonly dialect: Dialect;
  readonly words: WordIndex;
  /** The question for the users of some contents, with rows of `content` and `blob`, by `blob`. */
  readonly toUsers: (contents: readonly number[]) => readonly Statement[];
}

/** A column that may hold nothing, as a text. */
export function toTextOrNull(value: Row[string] | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

/** What rows of symbols have in common, whatever question they answer. */
export function toSymbolFields(row: Row): Omit<CodeSymbol, "name" | "kind" | "parent" | "scope"> {
  const [signature, doc, bases] = [row["signature"], row["doc"], row["bases"]].map(toTextOrNull);
  return {
    line: Number(row["line"]),
    column: Number(row["col"]),
    startLine: Number(row["start"]),
    endLine: Number(row["end"]),
    ...(row["exported"] === null ? {} : { isExported: row["exported"] === 1 }),
    ...(typeof signature === "string" ? { signature } : {}),
    ...(typeof doc === "string" ? { doc } : {}),
    ...(typeof bases === "string" ? { bases: JSON.parse(bases) as string[] } : {}),
  };
}

/** What rows of imports have in common. */
export function toImportEntry(row: Row): ImportEntry {
  return {
    module: String(row["module"]),
    name: toTextOrNull(row["name"]),
    alias: String(row["alias"]),
    line: Number(row["line"]),
    ...(row["is_reexport"] === 1 ? { isReexport: true } : {}),
  };
}
