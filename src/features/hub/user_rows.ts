/** Asks a store which files of other repositories import some modules, and what these name. */
import { gunzipSync } from "node:zlib";
import type { Place } from "../../analysis/record/pack.ts";
import { unpackPlaces } from "../../analysis/record/pack.ts";
import { decodeText } from "../../base/files/source_text.ts";
import type { PostgresLink } from "./postgres/link.ts";
import type { ModuleRange } from "./package_imports.ts";
import type { SourceOwner } from "./source_reader.ts";
import type { FileImport } from "./user_places.ts";

/** An import of a file of another repository. */
export interface OtherImport extends FileImport {
  readonly repository: string;
  readonly worktree: number;
  readonly path: string;
  readonly content: number;
}

/** What contents name and import. */
export interface ContentRows {
  /** By content, then by name. */
  readonly places: ReadonlyMap<number, ReadonlyMap<string, readonly Place[]>>;
  readonly imports: ReadonlyMap<number, readonly FileImport[]>;
  /** Texts of the manifests that were asked for, by the number of the repository that has them. */
  readonly manifests: ReadonlyMap<number, ReadonlyMap<string, string>>;
}

const NUMBERS = "SELECT value::bigint FROM jsonb_array_elements_text(?::jsonb) AS value";
const TEXTS = "SELECT value FROM jsonb_array_elements_text(?::jsonb) AS value";

/** Imports of the modules in repositories of other origins, by repository, path and place; at most `limit`. */
export function listOtherImports(
  link: PostgresLink,
  { origin }: Pick<SourceOwner, "origin">,
  { modules, limit }: { readonly modules: readonly ModuleRange[]; readonly limit: number },
): readonly OtherImport[] {
  return link.all(
    `SELECT repository.name AS repository, file.worktree, path.path, file.blob, module.name AS module,
        name.name AS name, alias.name AS alias, entry.line
      FROM jsonb_to_recordset(?::jsonb) AS asked (low text, high text)
      JOIN names AS module ON module.name >= asked.low AND module.name < asked.high
      JOIN imports AS entry ON entry.module = module.id
      JOIN files AS file ON file.blob = entry.blob
      JOIN repositories AS repository ON repository.id = file.worktree AND repository.origin <> ?
      JOIN paths AS path ON path.id = file.path
      JOIN names AS alias ON alias.id = entry.alias LEFT JOIN names AS name ON name.id = entry.name
      ORDER BY repository.name, path.path, entry.ord LIMIT ?`,
    JSON.stringify(modules),
    origin,
    limit,
  ).map((row) => ({
    repository: String(row["repository"]),
    worktree: Number(row["worktree"]),
    path: String(row["path"]),
    content: Number(row["blob"]),
    ...toImport(row),
  }));
}

/** What some contents name and import, and files of their repositories, in one round. */
export function readContents(
  link: PostgresLink,
  { names, contents, worktrees, manifests }: {
    readonly names: readonly string[];
    readonly contents: readonly number[];
    readonly worktrees: readonly number[];
    readonly manifests: readonly string[];
  },
): ContentRows {
  const numbers = JSON.stringify(contents);
  const [placed = [], imported = [], read = []] = link.several([
    {
      sql: `SELECT entry.blob, name.name, entry.places FROM names AS name
          JOIN occurrences AS entry ON entry.name = name.id
          WHERE name.name IN (${TEXTS}) AND entry.blob IN (${NUMBERS})`,
      values: [JSON.stringify(names), numbers],
    },
    {
      sql: `SELECT entry.blob, module.name AS module, name.name AS name, alias.name AS alias,
            entry.line FROM imports AS entry JOIN names AS module ON module.id = entry.module
          JOIN names AS alias ON alias.id = entry.alias LEFT JOIN names AS name ON name.id = entry.name
          WHERE entry.blob IN (${NUMBERS}) ORDER BY entry.blob, entry.ord`,
      values: [numbers],
    },
    {
      sql: `SELECT file.worktree, path.path, source.bytes FROM paths AS path
          JOIN files AS file ON file.path = path.id AND file.worktree IN (${NUMBERS})
          JOIN blobs AS blob ON blob.id = file.blob
          JOIN sources AS source ON source.origin = blob.origin AND source.hash = blob.hash
          WHERE path.path IN (${TEXTS})`,
      values: [JSON.stringify(worktrees), JSON.stringify(manifests)],
    },
  ]);
  const places = new Map<number, Map<string, readonly Place[]>>();
  for (const row of placed) {
    const content = Number(row["blob"]);
    const own = places.get(content) ?? new Map<string, readonly Place[]>();
    own.set(String(row["name"]), unpackPlaces(row["places"] as Uint8Array));
    places.set(content, own);
  }
  const imports = Map.groupBy(
    imported.map((row) => ({ content: Number(row["blob"]), ...toImport(row) })),
    ({ content }) => content,
  );
  const texts = new Map<number, Map<string, string>>();
  for (const row of read) {
    const own = texts.get(Number(row["worktree"])) ?? new Map<string, string>();
    own.set(String(row["path"]), unpackText(row["bytes"] as Uint8Array));
    texts.set(Number(row["worktree"]), own);
  }
  return { places, imports, manifests: texts };
}

/** The lines of contents. */
export function readContentLines(
  link: PostgresLink,
  contents: readonly number[],
): ReadonlyMap<number, readonly string[]> {
  const rows = link.all(
    `SELECT blob.id, source.bytes FROM blobs AS blob
      JOIN sources AS source ON source.origin = blob.origin AND source.hash = blob.hash
      WHERE blob.id IN (${NUMBERS})`,
    JSON.stringify(contents),
  );
  return new Map(
    rows.map((row) => [Number(row["id"]), unpackText(row["bytes"] as Uint8Array).split(/\r?\n/)]),
  );
}

function toImport(row: Readonly<Record<string, unknown>>): FileImport {
  return {
    module: String(row["module"]),
    name: row["name"] === null ? null : String(row["name"]),
    alias: String(row["alias"]),
    line: Number(row["line"]),
  };
}

function unpackText(bytes: Uint8Array): string {
  return decodeText(new Uint8Array(gunzipSync(bytes))) ?? "";
}
