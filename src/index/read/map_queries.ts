/**
 * Questions about all files at once, for a picture of the code: rows of numbers, since the same paths and names stand in
 * many thousand of them.
 */
import { unpackPlaces, unpackRising } from "../../analysis/record/pack.ts";
import { isSpace, KINDS } from "../../language/kinds.ts";
import type { Source } from "./reader.ts";
import type { IndexView, MapView, PlacesRow } from "./view.ts";

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
