/** Questions about what files mention and import. */
import { toImportEntry } from "./reader.ts";
import { unpackPlaces, unpackRising, unpackTypes } from "../../analysis/record/pack.ts";
import { isSpace, KINDS } from "../../language/kinds.ts";
import type { Row, Source } from "./reader.ts";
import type {
  ImportHit,
  IndexView,
  MapView,
  NamedOccurrence,
  OccurrenceHit,
  PlacesRow,
} from "./view.ts";
import type { TypeFact } from "../../analysis/analysis.ts";

const SPACES = JSON.stringify(KINDS.filter(isSpace));

/** Makes the questions. */
export function createMapQueries(
  source: Source,
): Pick<IndexView, keyof MapView> {
  const { db, worktree, dialect } = source;
  return {
    listFileNumbers: () =>
      new Map(
        db.all(
          `SELECT path.id, path.path FROM files AS file JOIN paths AS path ON path.id = file.path
            WHERE file.worktree = ? AND file.blob IS NOT NULL`,
          worktree,
        ).map((row) => [String(row["path"]), Number(row["id"])]),
      ),
    readNames: (numbers) =>
      new Map(
        db.all(
          `SELECT id, name FROM names WHERE id IN (SELECT value FROM ${dialect.numbers} AS list)`,
          JSON.stringify([...numbers]),
        ).map((row) => [Number(row["id"]), String(row["name"])]),
      ),
    listOutlines: () =>
      // CROSS JOIN keeps the order as it is written: the files of the worktree first.
      db.all(
        `SELECT file.path AS file, symbol.name, symbol.kind, symbol.line FROM files AS file
          CROSS JOIN symbols AS symbol ON symbol.blob = file.blob
          WHERE file.worktree = ? AND (symbol.parent IS NULL OR (
            SELECT holder.kind FROM symbols AS holder
              WHERE holder.blob = symbol.blob AND holder.ord = symbol.parent
          ) IN (SELECT id FROM names WHERE name IN (SELECT value FROM ${dialect.texts} AS list)))`,
        worktree,
        SPACES,
      ).map((row) => ({
        file: Number(row["file"]),
        name: Number(row["name"]),
        kind: Number(row["kind"]),
        line: Number(row["line"]),
      })),
    listAllImports: () =>
      db.all(
        `SELECT file.path AS file, entry.module, entry.name, entry.alias FROM files AS file
          CROSS JOIN imports AS entry ON entry.blob = file.blob WHERE file.worktree = ?`,
        worktree,
      ).map((row) => ({
        file: Number(row["file"]),
        module: Number(row["module"]),
        name: row["name"] === null ? null : Number(row["name"]),
        alias: Number(row["alias"]),
      })),
    listMentioned: () =>
      db.all(
        `SELECT file.path AS file, blob.names FROM files AS file
          JOIN blobs AS blob ON blob.id = file.blob WHERE file.worktree = ?`,
        worktree,
      ).map((row) => ({
        file: Number(row["file"]),
        names: unpackRising(row["names"] as Uint8Array),
      })),
    listPlacesOf: (wanted) => listPlacesOf(source, wanted),
  };
}

function listPlacesOf(
  { db, worktree, dialect }: Source,
  wanted: Parameters<MapView["listPlacesOf"]>[0],
): PlacesRow[] {
  const pairs = [...wanted].flatMap(([file, names]) => names.map((name) => [file, name]));
  return db.all(
    `SELECT file.path AS file, entry.name, entry.places FROM ${dialect.pairs} AS wanted
      CROSS JOIN files AS file ON file.worktree = ? AND file.path = wanted.one
      CROSS JOIN ${dialect.placesIn("file.blob")} AND entry.name = wanted.other`,
    JSON.stringify(pairs),
    worktree,
  ).map((row) => ({
    file: Number(row["file"]),
    name: Number(row["name"]),
    places: unpackPlaces(row["places"] as Uint8Array),
  }));
}

const DEFAULT_LIMIT = 10_000;

const IMPORT = `SELECT path.path, module.name AS module, name.name AS name, alias.name AS alias,
  entry.line, entry.is_reexport FROM`;
const IMPORT_NAMES = `
  JOIN names AS module ON module.id = entry.module
  LEFT JOIN names AS name ON name.id = entry.name
  JOIN names AS alias ON alias.id = entry.alias`;
// CROSS JOIN keeps the order as it is written: SQLite would rather go through all files.
const FILES_OF = `CROSS JOIN files AS file ON file.blob = entry.blob AND file.worktree = ?
  CROSS JOIN paths AS path ON path.id = file.path`;

/** Makes the questions about mentions and imports. */
export function createMentionQueries(
  source: Source,
): Pick<
  IndexView,
  | "findOccurrences"
  | "expectNames"
  | "listPlacesNaming"
  | "listOccurrences"
  | "listNames"
  | "listImports"
  | "listImportsOf"
  | "listTypes"
  | "listTypesOf"
  | "findImports"
  | "listModules"
> {
  const { db, worktree } = source;
  return {
    findOccurrences: (name, { limit = DEFAULT_LIMIT } = {}) => {
      const rows = db.all(
        `SELECT path.path, places FROM occurrences AS entry ${FILES_OF}
          WHERE entry.name = (SELECT id FROM names WHERE name = ?) ORDER BY path.path`,
        worktree,
        name,
      );
      const hits: OccurrenceHit[] = [];
      let total = 0;
      for (const row of rows) {
        const places = unpackPlaces(row["places"] as Uint8Array);
        total += places.length;
        const path = String(row["path"]);
        for (const place of places.slice(0, limit - hits.length)) hits.push({ path, ...place });
      }
      return { hits, total };
    },
    expectNames: () => {},
    listPlacesNaming: (names) => listPlacesNaming(source, names),
    listOccurrences: (path) => listOccurrences(source, path),
    listNames: (path) => listNames(source, path),
    listImports: (path) => listImportsOf(source, [path])[0] ?? [],
    listImportsOf: (paths) => listImportsOf(source, paths),
    listTypes: (path) => listTypesOf(source, [path])[0] ?? [],
    listTypesOf: (paths) => listTypesOf(source, paths),
    findImports: (module) =>
      db.all(
        `${IMPORT} imports AS entry ${FILES_OF} ${IMPORT_NAMES}
          WHERE entry.module = (SELECT id FROM names WHERE name = ?)
          ORDER BY path.path, entry.ord`,
        worktree,
        module,
      ).map(readImport),
    listModules: () =>
      db.all(
        `SELECT name FROM names WHERE id IN (
          SELECT entry.module FROM imports AS entry
          JOIN files AS file ON file.blob = entry.blob AND file.worktree = ?) ORDER BY name`,
        worktree,
      ).map(({ name }) => String(name)),
  };
}

function listPlacesNaming(
  { db, worktree, dialect }: Source,
  names: readonly string[],
): OccurrenceHit[][] {
  const rows = db.all(
    `SELECT name.name, path.path, places FROM names AS name
      CROSS JOIN occurrences AS entry ON entry.name = name.id ${FILES_OF}
      WHERE name.name IN (SELECT value FROM ${dialect.texts} AS list) ORDER BY path.path`,
    worktree,
    JSON.stringify(names),
  );
  const found = Map.groupBy(rows, (row) => String(row["name"]));
  return names.map((name) => (found.get(name) ?? []).flatMap(unpackHits));
}

function listImportsOf(
  { db, worktree, dialect }: Source,
  paths: readonly string[],
): ImportHit[][] {
  const hits = db.all(
    `${IMPORT} ${dialect.texts} AS wanted CROSS JOIN paths AS path ON path.path = wanted.value
      CROSS JOIN files AS file ON file.worktree = ? AND file.path = path.id
      CROSS JOIN imports AS entry ON entry.blob = file.blob ${IMPORT_NAMES}
      ORDER BY path.path, entry.ord`,
    JSON.stringify(paths),
    worktree,
  ).map(readImport);
  const found = Map.groupBy(hits, ({ path }) => path);
  return paths.map((path) => found.get(path) ?? []);
}

function listTypesOf({ db, worktree, dialect }: Source, paths: readonly string[]): TypeFact[][] {
  const rows = db.all(
    `SELECT path.path, facts FROM ${dialect.texts} AS wanted
      CROSS JOIN paths AS path ON path.path = wanted.value
      CROSS JOIN files AS file ON file.worktree = ? AND file.path = path.id
      CROSS JOIN types AS entry ON entry.blob = file.blob`,
    JSON.stringify(paths),
    worktree,
  );
  const found = new Map(rows.map((row) => [String(row["path"]), row["facts"] as Uint8Array]));
  return paths.map((path) => {
    const facts = found.get(path);
    return facts === undefined ? [] : [...unpackTypes(facts)];
  });
}

function listOccurrences({ db, worktree, dialect }: Source, path: string): NamedOccurrence[] {
  const row = db.get(
    `SELECT blob.id, blob.names FROM files AS file JOIN blobs AS blob ON blob.id = file.blob
      WHERE file.worktree = ? AND file.path = (SELECT id FROM paths WHERE path = ?)`,
    worktree,
    path,
  );
  if (row === undefined) return [];
  // By name and content there is an index, by content alone there is none.
  const blob = Number(row["id"]);
  return db.all(
    `SELECT name.name, entry.places FROM ${dialect.pairs} AS wanted
      CROSS JOIN ${dialect.placesIn("wanted.one")} AND entry.name = wanted.other
      CROSS JOIN names AS name ON name.id = entry.name ORDER BY name.name`,
    JSON.stringify(unpackRising(row["names"] as Uint8Array).map((name) => [blob, name])),
  ).flatMap((entry) => {
    const name = String(entry["name"]);
    return unpackPlaces(entry["places"] as Uint8Array).map((place) => ({ path, name, ...place }));
  });
}

function unpackHits(row: Row): OccurrenceHit[] {
  const path = String(row["path"]);
  return unpackPlaces(row["places"] as Uint8Array).map((place) => ({ path, ...place }));
}

function listNames({ db, worktree, dialect }: Source, path: string): string[] {
  const row = db.get(
    `SELECT blob.names FROM files AS file JOIN blobs AS blob ON blob.id = file.blob
      WHERE file.worktree = ? AND file.path = (SELECT id FROM paths WHERE path = ?)`,
    worktree,
    path,
  );
  if (row === undefined) return [];
  const ids = unpackRising(row["names"] as Uint8Array);
  return db.all(
    `SELECT name FROM names WHERE id IN (SELECT value FROM ${dialect.numbers} AS list) ORDER BY name`,
    JSON.stringify(ids),
  ).map(({ name }) => String(name));
}

function readImport(row: Row): ImportHit {
  return { path: String(row["path"]), ...toImportEntry(row) };
}
