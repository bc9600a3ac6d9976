/** Questions about definitions: by name in several ways, by file, by folder. */
import type { Reader, Row, Source } from "./reader.ts";
import { toUnder } from "./under.ts";
import type { NamedSymbol } from "../../analysis/mod.ts";
import { foldName, splitIdentifier, toApartScope, toQualifiedName } from "../../analysis/mod.ts";
import type { IndexView, SymbolHit, SymbolQuery } from "./view.ts";

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
): Pick<IndexView, "findSymbols" | "listSymbols"> {
  const { db, worktree } = source;
  const byName = toByName(source.dialect.numbers);
  const toHits = (rows: readonly Row[], known: readonly Row[] = []) => {
    const parents = createParentReader(db, known);
    return rows.map((row) => toHit(row, parents));
  };
  return {
    findSymbols: (query) => {
      const ids = findNames(source, query);
      const { sql, values } = toUnder(query.under ?? ".");
      const rows = db.all(
        `${byName} WHERE ${sql} ${ORDER}`,
        JSON.stringify(ids),
        worktree,
        ...values,
      );
      return { hits: toHits(rows.slice(0, query.limit ?? DEFAULT_LIMIT)), total: rows.length };
    },
    listSymbols: (under) => {
      const { sql, values } = toUnder(under);
      const rows = db.all(`${BY_FILE} WHERE ${sql} ${ORDER}`, worktree, ...values);
      // All that holds any of them is among them.
      return toHits(rows, rows);
    },
  };
}

function findNames(
  { db, words }: Source,
  { name, match = "exact" }: SymbolQuery,
): readonly number[] {
  if (match === "exact") {
    const id = db.number("SELECT id FROM names WHERE name = ?", name);
    return id === 0 ? [] : [id];
  }
  const expression = toPartsMatch(name, match);
  if (expression === null) return [];
  return words.findNames(expression);
}

function toPartsMatch(name: string, match: Exclude<SymbolQuery["match"], "exact">): string | null {
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

type ParentReader = (blob: number, position: number) => Holder;

/** Reads the holders of symbols, each once; what is known already is not read. */
function createParentReader(db: Reader, known: readonly Row[]): ParentReader {
  const seen = new Map<number, Map<number, Holder>>();
  const blobOf = (blob: number) => {
    let own = seen.get(blob);
    if (own === undefined) seen.set(blob, own = new Map());
    return own;
  };
  for (const row of known) blobOf(Number(row["blob"])).set(Number(row["ord"]), toNamed(row));
  return (blob, position) => {
    const own = blobOf(blob);
    let found = own.get(position);
    if (found === undefined) {
      const row = db.get(
        `SELECT name.name, kind.name AS kind, symbol.parent, symbol.scope FROM symbols AS symbol
          JOIN names AS name ON name.id = symbol.name JOIN names AS kind ON kind.id = symbol.kind
          WHERE blob = ? AND ord = ?`,
        blob,
        position,
      );
      found = toNamed(row ?? {});
      own.set(position, found);
    }
    return found;
  };
}

function toNamed(row: Row): Holder {
  const { parent = null, scope = null } = row;
  return {
    name: String(row["name"] ?? ""),
    kind: String(row["kind"] ?? ""),
    parent: parent === null ? null : Number(parent),
    ...(scope === null ? {} : { scope: String(scope) }),
  };
}

function toHit(row: Row, readParent: ParentReader): SymbolHit {
  const blob = Number(row["blob"]);
  const named = toNamed(row);
  const readHolder = (position: number) => readParent(blob, position);
  const holder = named.parent === null ? undefined : readHolder(named.parent);
  const apart = toApartScope(named, holder);
  return {
    path: String(row["path"]),
    position: Number(row["ord"]),
    name: named.name,
    qualifiedName: toQualifiedName(named, readHolder),
    kind: named.kind,
    ...(holder === undefined ? {} : { holderKind: holder.kind }),
    language: row["language"] === null ? null : String(row["language"]),
    line: Number(row["line"]),
    column: Number(row["col"]),
    startLine: Number(row["start"]),
    endLine: Number(row["end"]),
    parent: named.parent,
    ...(apart.length === 0 ? {} : { scope: apart.join(".") }),
    ...(row["exported"] === null ? {} : { isExported: row["exported"] === 1 }),
    ...(row["signature"] === null ? {} : { signature: String(row["signature"]) }),
    ...(row["doc"] === null ? {} : { doc: String(row["doc"]) }),
    ...(row["bases"] === null ? {} : { bases: JSON.parse(String(row["bases"])) as string[] }),
  };
}
