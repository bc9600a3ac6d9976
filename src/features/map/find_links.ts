/**
 * Which files lead to which, for all files of a project at once. What references and impact follow place by place is too
 * slow for that, so only what needs no types is found: imports, and names of the top of a file that an importing file or
 * the same package mentions. Members are left out rather than guessed. Asks the index alone.
 */
import { getOrInsert } from "../../base/once.ts";
import { FAMILIES } from "../../language/families.ts";
import { isType, KINDS } from "../../language/kinds.ts";
import type { Family } from "../../language/families.ts";
import type { IndexView, OutlineRow, PlacesRow } from "../../index/read/view.ts";
import type { IndexFacts } from "../../resolve/index_facts.ts";
import type { MapLink } from "./code_map.ts";

/** What links are found from: a state of the index, and where modules lead. */
export interface LinkSources {
  readonly view: Pick<
    IndexView,
    "listFileNumbers" | "listAllImports" | "listMentioned" | "listPlacesOf" | "readNames"
  >;
  readonly facts: Pick<IndexFacts, "filesOf" | "spoken">;
  readonly outlines: readonly OutlineRow[];
}

/** Numbers of the database with what they stand for. */
interface Files {
  readonly numbers: ReadonlyMap<string, number>;
  readonly paths: ReadonlyMap<number, string>;
  readonly families: ReadonlyMap<number, Family | null>;
  /** By file; the folder as one of its files. */
  readonly folders: ReadonlyMap<number, string>;
}

/** A link while it is counted. */
interface Counted {
  readonly by: MapLink["by"];
  calls: number;
  uses: number;
}

/** Links by the files that they lead from and to. */
type Links = Map<number, Map<number, Counted>>;

/** Which files one file may take names from, and what its imports are called in it. */
interface Sight {
  /** Files that an import means alone. */
  readonly files: Set<number>;
  /** Files of packages that are imported as a whole. */
  readonly packages: Set<number>;
  /** Files that a name before a dot leads to. */
  readonly byAlias: Map<string, Set<number>>;
}

/** Finds the links, by `from`, then `to`. */
export function findLinks(sources: LinkSources): readonly MapLink[] {
  const { view } = sources;
  const files = readFiles(sources);
  const sights = collectSights(sources, files);
  const links: Links = new Map();
  for (const [from, { files: imported }] of sights) {
    const own = getOrInsert(links, from, () => new Map());
    for (const to of imported) own.set(to, { by: "import", calls: 0, uses: 0 });
  }
  const owners = findOwners(sources, files, sights);
  const wanted = new Map([...owners].map(([file, own]) => [file, [...own.keys()]]));
  for (const mention of view.listPlacesOf(wanted)) {
    const owner = owners.get(mention.file)?.get(mention.name);
    if (owner !== undefined) count(links, mention, owner, sights.get(mention.file));
  }
  const toPath = (file: number) => files.paths.get(file) ?? "";
  return [...links].flatMap(([from, own]) =>
    [...own].map(([to, counted]) => ({ from: toPath(from), to: toPath(to), ...counted }))
  ).toSorted((a, b) => compare(a.from, b.from) || compare(a.to, b.to));
}

function readFiles({ view, facts }: LinkSources): Files {
  const numbers = view.listFileNumbers();
  const paths = new Map([...numbers].map(([path, file]) => [file, path]));
  const families = new Map([...paths].map(([file, path]) => [file, facts.spoken(path).family]));
  const folders = new Map(
    [...paths].map(([file, path]) => [file, path.slice(0, path.lastIndexOf("/") + 1)]),
  );
  return { numbers, paths, families, folders };
}

function collectSights(
  { view, facts }: LinkSources,
  { numbers, paths, families }: Files,
): ReadonlyMap<number, Sight> {
  const imports = view.listAllImports();
  const names = view.readNames(
    new Set(imports.flatMap(({ module, name, alias }) => [module, name ?? module, alias])),
  );
  const toText = (number: number) => names.get(number) ?? "";
  const sights = new Map<number, Sight>();
  for (const { file, module, name, alias } of imports) {
    const entry = { module: toText(module), name: name === null ? null : toText(name) };
    const found = facts.filesOf(entry, paths.get(file) ?? "")
      .flatMap((path) => numbers.get(path) ?? []).filter((other) => other !== file);
    if (found.length === 0) continue;
    const family = families.get(file) ?? null;
    const isFile = family !== null && FAMILIES[family].moduleIsFile === true || found.length === 1;
    const sight = getOrInsert(sights, file, () => ({
      ...{ files: new Set<number>(), packages: new Set<number>() },
      byAlias: new Map<string, Set<number>>(),
    }));
    const own = getOrInsert(sight.byAlias, lastPartOf(toText(alias)), () => new Set<number>());
    for (const other of found) {
      (isFile ? sight.files : sight.packages).add(other);
      own.add(other);
    }
  }
  return sights;
}

/** The one file that defines a name, and what says that it is meant. */
interface Owner {
  readonly file: number;
  readonly by: MapLink["by"];
}

/** More files with one name at their top tell nothing apart. */
const MOST_OWNERS = 50;

/** For each file, the names that it mentions and that exactly one file which it sees defines. */
function findOwners(
  { view, outlines }: LinkSources,
  files: Files,
  sights: ReadonlyMap<number, Sight>,
): ReadonlyMap<number, ReadonlyMap<number, Owner>> {
  const definers = collectDefiners(view, outlines);
  const owners = new Map<number, ReadonlyMap<number, Owner>>();
  for (const { file, names } of view.listMentioned()) {
    if ((files.families.get(file) ?? null) === null) continue;
    const own = new Map<number, Owner>();
    for (const name of names) {
      const defining = definers.get(name);
      if (defining === undefined || defining.size > MOST_OWNERS || defining.has(file)) continue;
      const owner = findOwner(file, defining, { files, sight: sights.get(file) });
      if (owner !== null) own.set(name, owner);
    }
    if (own.size > 0) owners.set(file, own);
  }
  return owners;
}

/** The files that define a name at their top, each with whether it is a type there. */
type Definers = ReadonlyMap<number, boolean>;

function collectDefiners(
  view: LinkSources["view"],
  outlines: readonly OutlineRow[],
): ReadonlyMap<number, Definers> {
  const kinds = view.readNames(new Set(outlines.map(({ kind }) => kind)));
  const typeNames: ReadonlySet<string> = new Set(KINDS.filter(isType));
  const types = new Set([...kinds].flatMap(([kind, name]) => typeNames.has(name) ? [kind] : []));
  const definers = new Map<number, Map<number, boolean>>();
  for (const { name, file, kind } of outlines) {
    const own = getOrInsert(definers, name, () => new Map<number, boolean>());
    own.set(file, own.get(file) === true || types.has(kind));
  }
  return definers;
}

/** The file that the name of a file means; null where none or several could be. */
function findOwner(
  file: number,
  defining: Definers,
  { files: { families, folders }, sight }: {
    readonly files: Files;
    readonly sight: Sight | undefined;
  },
): Owner | null {
  const family = families.get(file) ?? null;
  if (family === null) return null;
  const { folderPackage, open } = FAMILIES[family];
  const inPackage = (other: number) =>
    sight?.packages.has(other) === true ||
    folderPackage === "always" && folders.get(other) === folders.get(file);
  // Of what an import names alone, of the package, and of all: the first that has any decides.
  const found = { import: [] as number[], package: [] as number[], name: [] as number[] };
  let isType = true;
  for (const [other, isTypeThere] of defining) {
    if (families.get(other) !== family) continue;
    isType &&= isTypeThere;
    if (sight?.files.has(other) === true) found.import.push(other);
    else if (inPackage(other)) found.package.push(other);
    else found.name.push(other);
  }
  const by = found.import.length > 0 ? "import" : found.package.length > 0 ? "package" : "name";
  if (by === "name" && !(open === true && isType)) return null;
  const [only, second] = found[by];
  return only === undefined || second !== undefined ? null : { file: only, by };
}

function count(
  links: Links,
  { file, places }: PlacesRow,
  owner: Owner,
  sight: Sight | undefined,
): void {
  const telling = places.filter(({ kind, isLocal, receiver }) =>
    kind !== "definition" && kind !== "import" && isLocal !== true &&
    (receiver === undefined || sight?.byAlias.get(lastPartOf(receiver))?.has(owner.file) === true)
  );
  if (telling.length === 0) return;
  const own = getOrInsert(links, file, () => new Map<number, Counted>());
  const link = getOrInsert(own, owner.file, () => ({ by: owner.by, calls: 0, uses: 0 }));
  if (telling.some(({ kind }) => kind === "call")) link.calls++;
  else link.uses++;
}

/** The last part of a name with dots, colons or slashes. */
function lastPartOf(name: string): string {
  return name.split(/[./\\:]/).at(-1) ?? name;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
