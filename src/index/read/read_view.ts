/** Puts the questions of one worktree together; each family of them has its own file. */
import { toSymbolFields, toTextOrNull } from "./reader.ts";
import type { Row, Source } from "./reader.ts";
import { buildUnder } from "./reader.ts";
import type { NamedSymbol } from "../../analysis/tokens.ts";
import { foldName, qualifyName, splitIdentifier, splitScope } from "../../analysis/tokens.ts";
import type { IndexView, SymbolHit, SymbolQuery } from "./view.ts";
import { createChunkQueries, createFileQueries } from "./file_queries.ts";
import { createMapQueries, createMentionQueries } from "./mention_queries.ts";
import { createRankingQueries } from "./ranking_queries.ts";

const DEFAULT_LIMIT = 1_000;

const COLUMNS = `path.path, symbol.blob, symbol.ord, name.name, kind.name AS kind, symbol.line,
    symbol.col, symbol.start, symbol.end, symbol.parent, symbol.exported, symbol.signature,
    symbol.doc, symbol.bases, symbol.scope, variant.language`;
const DETAILS = `CROSS JOIN names AS name ON name.id = symbol.name
  CROSS JOIN names AS kind ON kind.id = symbol.kind
  CROSS JOIN blobs AS blob ON blob.id = symbol.blob
  CROSS JOIN variants AS variant ON variant.id = blob.variant`;

// CROSS JOIN keeps the order as it is written: SQLite would rather go through all files.
const toByName = (numbers: string) =>
  `SELECT ${COLUMNS} FROM ${numbers} AS wanted
  CROSS JOIN symbols AS symbol ON symbol.name = wanted.value
  CROSS JOIN files AS file ON file.blob = symbol.blob AND file.worktree = ?
  CROSS JOIN paths AS path ON path.id = file.path ${DETAILS}`;
const BY_FILE = `SELECT ${COLUMNS} FROM paths AS path
  CROSS JOIN files AS file ON file.worktree = ? AND file.path = path.id
  CROSS JOIN symbols AS symbol ON symbol.blob = file.blob ${DETAILS}`;
const ORDER = "ORDER BY path.path, symbol.ord";

/** Makes the questions about definitions. */
export function createSymbolQueries(
  source: Source,
): Pick<IndexView, "findSymbols" | "listSymbols" | "listSymbolsOf"> {
  const { db, worktree, dialect } = source;
  const byName = toByName(dialect.numbers);
  const exactly = toByName("(SELECT id AS value FROM names WHERE name = ?)");
  const toHits = (rows: readonly Row[], known: readonly Row[] = readHolders(source, rows)) => {
    const holders = createHolderReader(known);
    return rows.map((row) => readHit(row, holders));
  };
  return {
    findSymbols: (query) => {
      const { name, match = "exact" } = query;
      const { sql, values } = buildUnder(query.under ?? ".");
      const isExact = match === "exact";
      const rows = db.all(
        `${isExact ? exactly : byName} WHERE ${sql} ${ORDER}`,
        isExact ? name : JSON.stringify(findNames(source, name, match)),
        worktree,
        ...values,
      );
      return { hits: toHits(rows.slice(0, query.limit ?? DEFAULT_LIMIT)), total: rows.length };
    },
    listSymbols: (under) => {
      const { sql, values } = buildUnder(under);
      const rows = db.all(`${BY_FILE} WHERE ${sql} ${ORDER}`, worktree, ...values);
      // All that holds any of them is among them.
      return toHits(rows, rows);
    },
    listSymbolsOf: (paths) => {
      if (paths.length === 0) return [];
      const rows = db.all(
        `${BY_FILE} WHERE path.path IN (SELECT value FROM ${dialect.texts} AS list) ${ORDER}`,
        worktree,
        JSON.stringify(paths),
      );
      const hits = Map.groupBy(toHits(rows, rows), ({ path }) => path);
      return paths.map((path) => hits.get(path) ?? []);
    },
  };
}

function findNames(
  { words }: Source,
  name: string,
  match: Exclude<SymbolQuery["match"], "exact" | undefined>,
): readonly number[] {
  const expression = buildPartsMatch(name, match);
  if (expression === null) return [];
  return words.findNames(expression);
}

function buildPartsMatch(
  name: string,
  match: Exclude<SymbolQuery["match"], "exact">,
): string | null {
  const folded = foldName(name);
  if (folded === "") return null;
  if (match === "folded") return `"=${folded}"`;
  if (match === "prefix") return `"=${folded}"*`;
  // Every word must be there; the last may be the beginning of one.
  const words = splitIdentifier(name);
  return words.map((word, at) => `"${word}"${at === words.length - 1 ? "*" : ""}`).join(" AND ");
}

interface Holder extends NamedSymbol {
  readonly kind: string;
}

type HolderReader = (blob: number, position: number) => Holder;

/** The rows of all that holds any of the symbols, and of what holds that. */
function readHolders({ db, dialect }: Source, rows: readonly Row[]): readonly Row[] {
  const held = rows.filter(({ parent }) => parent !== null);
  if (held.length === 0) return [];
  return db.all(
    `WITH RECURSIVE held (blob, ord) AS (
        SELECT one, other FROM ${dialect.pairs} AS pair
        UNION SELECT symbol.blob, symbol.parent FROM held
          JOIN symbols AS symbol ON symbol.blob = held.blob AND symbol.ord = held.ord
          WHERE symbol.parent IS NOT NULL)
      SELECT symbol.blob, symbol.ord, name.name, kind.name AS kind, symbol.parent, symbol.scope
      FROM held CROSS JOIN symbols AS symbol ON symbol.blob = held.blob AND symbol.ord = held.ord
      CROSS JOIN names AS name ON name.id = symbol.name
      CROSS JOIN names AS kind ON kind.id = symbol.kind`,
    JSON.stringify(held.map((row) => [Number(row["blob"]), Number(row["parent"])])),
  );
}

function createHolderReader(known: readonly Row[]): HolderReader {
  const holders = new Map(known.map((row) => [`${row["blob"]}:${row["ord"]}`, row]));
  return (blob, position) => readNamed(holders.get(`${blob}:${position}`) ?? {});
}

function readNamed(row: Row): Holder {
  const { parent = null, scope = null } = row;
  return {
    name: String(row["name"] ?? ""),
    kind: String(row["kind"] ?? ""),
    parent: parent === null ? null : Number(parent),
    ...(scope === null ? {} : { scope: String(scope) }),
  };
}

function readHit(row: Row, readHeld: HolderReader): SymbolHit {
  const blob = Number(row["blob"]);
  const named = readNamed(row);
  const readHolder = (position: number) => readHeld(blob, position);
  const holder = named.parent === null ? undefined : readHolder(named.parent);
  const apart = splitScope(named, holder);
  return {
    path: String(row["path"]),
    position: Number(row["ord"]),
    name: named.name,
    qualifiedName: qualifyName(named, readHolder),
    kind: named.kind,
    ...(holder === undefined ? {} : { holderKind: holder.kind }),
    language: toTextOrNull(row["language"]),
    ...toSymbolFields(row),
    parent: named.parent,
    ...(apart.length === 0 ? {} : { scope: apart.join(".") }),
  };
}

/** The view of one worktree; ask it inside a snapshot. */
export function createView(source: Source): IndexView {
  return {
    ...createFileQueries(source),
    ...createSymbolQueries(source),
    ...createMentionQueries(source),
    ...createMapQueries(source),
    ...createChunkQueries(source),
    ...createRankingQueries(source),
  };
}
