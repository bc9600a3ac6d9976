/**
 * Which other repositories of a hub use definitions of one: by the names of packages in imports, and by names behind them.
 * All of them are asked together, whatever their number.
 */
import { gunzipSync } from "node:zlib";
import type { Place } from "../../analysis/record/pack.ts";
import { unpackPlaces } from "../../analysis/record/pack.ts";
import { decodeText } from "../../base/files/source_text.ts";
import type { PostgresLink } from "./postgres/link.ts";
import type { FileImport, ModuleRange, UserPlace } from "./user_places.ts";
import { findUserPlaces, isGiven, listNames, toModules } from "./user_places.ts";
import type { SourceOwner } from "./source_reader.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { clip } from "../../base/text/clip.ts";
import { measureJson } from "../../base/text/json_record.ts";
import type { Seeds } from "../../impact/affected.ts";
import type { SymbolHit } from "../../index/read/view.ts";
import { familyOf } from "../../language/languages.ts";
import type { PackageFacts } from "../../resolve/packages/package_links.ts";
import { isManifest, readPackageFacts } from "../../resolve/packages/package_facts.ts";
import type { HubRepository, HubStore } from "./hub_store.ts";

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

/** What one repository says. */
export interface UsingRepository {
  readonly repository: string;
  readonly total: number;
  /** The first places: `src/a.ts:12 call Cart.add (name): cart.add(1)`. */
  readonly places: readonly string[];
}

/** What all of them say. */
export interface UsersAnswer {
  readonly others: readonly UsingRepository[];
  readonly notices: readonly string[];
}

/** Definitions that are looked for; a file that is changed as a whole seldom has more. */
const MAX_SEEDS = 200;
const MAX_IMPORTS = 20_000;
const MAX_MANIFESTS = 400;
const MAX_REPOSITORIES = 20;
const MAX_PLACES = 10;
const MAX_TEXT_CHARS = 100;
const FAMILIES: ReadonlySet<string> = new Set(["script", "go", "python", "jvm", "rust"]);

interface Found {
  readonly file: OtherImport;
  readonly place: UserPlace;
}

/** Finds the users of one repository's definitions; what its manifests say is remembered for each state of it. */
export class OtherUsers {
  readonly #store: HubStore;
  readonly #repository: () => HubRepository;
  readonly #listFiles: () => Promise<readonly string[]>;
  #packages: { readonly revision: number; readonly facts: PackageFacts } | null = null;

  constructor(store: HubStore, parts: {
    readonly repository: () => HubRepository;
    readonly listFiles: () => Promise<readonly string[]>;
  }) {
    [this.#store, this.#repository, this.#listFiles] = [store, parts.repository, parts.listFiles];
  }

  /** Users of the definitions in other repositories, those with the most places first. */
  async find({ symbols }: Seeds): Promise<UsersAnswer> {
    const given = symbols.filter((hit) =>
      isGiven(hit) && FAMILIES.has(familyOf(hit.language) ?? "")
    );
    if (given.length === 0) return { others: [], notices: [] };
    const seeds = given.slice(0, MAX_SEEDS);
    const repository = this.#repository();
    const facts = await this.#loadPackages(repository);
    const modules = toModules(seeds, facts.given);
    if (modules.length === 0) {
      return {
        others: [],
        notices: [
          "No manifest of this repository names a package that others could import: who uses it elsewhere is not known.",
        ],
      };
    }
    const { link } = this.#store;
    const imports = listOtherImports(link, repository, { modules, limit: MAX_IMPORTS });
    const others = imports.length === 0 ? [] : this.#match(imports, seeds, facts);
    return {
      others,
      notices: [
        ...(imports.length < MAX_IMPORTS ? [] : [
          `Only the first ${MAX_IMPORTS} imports in other repositories were followed.`,
        ]),
        ...(given.length <= MAX_SEEDS ? [] : [
          `Users in other repositories were looked for of the first ${MAX_SEEDS} of ${given.length} definitions.`,
        ]),
      ],
    };
  }

  #match(
    imports: readonly OtherImport[],
    seeds: readonly SymbolHit[],
    facts: PackageFacts,
  ): readonly UsingRepository[] {
    const names = listNames(seeds, imports);
    const contents = [...new Set(imports.map(({ content }) => content))];
    const worktrees = [...new Set(imports.map(({ worktree }) => worktree))];
    const { link } = this.#store;
    const manifests = this.#manifestsOf(facts);
    const rows = readContents(link, { names, contents, worktrees, manifests });
    const copies = findCopies(rows, facts);
    const files = Map.groupBy(
      imports.filter(({ worktree }) => !copies.has(worktree)),
      ({ worktree, path }) => `${worktree} ${path}`,
    );
    const found = [...files.values()].flatMap((own): Found[] => {
      const [file] = own;
      if (file === undefined) return [];
      const all = rows.imports.get(file.content) ?? [];
      const places = rows.places.get(file.content) ?? new Map();
      return findUserPlaces({ own, all, places }, seeds).map((place) => ({ file, place }));
    });
    return this.#tell(found);
  }

  #tell(found: readonly Found[]): readonly UsingRepository[] {
    const grouped = [...Map.groupBy(found, ({ file }) => file.repository)]
      .sort(([a, one], [b, other]) => other.length - one.length || (a < b ? -1 : 1))
      .slice(0, MAX_REPOSITORIES);
    const shown = grouped.flatMap(([, own]) => own.slice(0, MAX_PLACES));
    const texts = shown.length === 0 ? new Map<number, readonly string[]>() : readContentLines(
      this.#store.link,
      [...new Set(shown.map(({ file }) => file.content))],
    );
    let left = LIMITS.workspaceReplyBytes.value;
    return grouped.map(([repository, own]) => {
      const places: string[] = [];
      for (const { file: { path, content }, place: { line, kind, symbol } } of own) {
        const text = texts.get(content)?.[line - 1]?.trim() ?? "";
        const told = `${path}:${line} ${kind} ${symbol} (name): ${clip(text, MAX_TEXT_CHARS)}`;
        left -= measureJson(told) + 1;
        if (places.length === MAX_PLACES || left < 0) break;
        places.push(told);
      }
      return { repository, total: own.length, places };
    });
  }

  async #loadPackages(repository: HubRepository): Promise<PackageFacts> {
    const { revision } = repository;
    if (this.#packages?.revision === revision) return this.#packages.facts;
    const paths = await this.#listFiles();
    const manifests = paths.filter(isManifest)
      .sort((a, b) => a.split("/").length - b.split("/").length).slice(0, MAX_MANIFESTS);
    const texts = new Map<string, string>();
    if (manifests.length > 0) {
      for (const [path, bytes] of this.#store.sources.read(repository, manifests)) {
        texts.set(path, decodeText(bytes) ?? "");
      }
    }
    const facts = readPackageFacts(texts, paths);
    this.#packages = { revision, facts };
    return facts;
  }

  /** Where a copy of this repository would name the same packages. */
  #manifestsOf({ given }: PackageFacts): readonly string[] {
    return given.flatMap(({ family, folder }) =>
      (MANIFESTS[family] ?? []).map((name) => folder === "." ? name : `${folder}/${name}`)
    );
  }
}

const MANIFESTS: Readonly<Record<string, readonly string[]>> = {
  script: ["package.json", "deno.json", "deno.jsonc"],
  go: ["go.mod"],
  python: ["pyproject.toml", "setup.py", "setup.cfg"],
  rust: ["Cargo.toml"],
  jvm: ["pom.xml", "build.gradle", "build.gradle.kts"],
};

/** Repositories that give a package of the same name, and so mean their own by it: a fork, or a second copy. */
function findCopies({ manifests }: ContentRows, facts: PackageFacts): ReadonlySet<number> {
  const own = new Set(facts.given.map(({ family, name }) => `${family} ${name}`));
  const copies = [...manifests].filter(([, texts]) =>
    readPackageFacts(texts, [...texts.keys()]).given
      .some(({ family, name }) => own.has(`${family} ${name}`))
  );
  return new Set(copies.map(([worktree]) => worktree));
}
