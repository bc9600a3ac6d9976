/** What resolution compares definitions by: their holders, folders, packages, and which of several is meant. Pure. */
import { folderOf } from "../base/repo_path.ts";
import type { SymbolHit } from "../index/read/view.ts";
import type { Family } from "../language/families.ts";
import type { ProjectFacts } from "./reference_facts.ts";
import { FOLDER_PACKAGES, NAMESPACES, TYPES } from "./reference_facts.ts";
import { familyOf } from "../language/languages.ts";

/** Finds among the definitions of a name the one that a file sees without an import; null where none or several are. */
export function findNeighbour(
  path: string,
  found: readonly SymbolHit[],
  { family, facts, isTop }: {
    readonly family: Family;
    readonly facts: ProjectFacts;
    /** Whether a definition stands at the top of its file. */
    readonly isTop: (hit: SymbolHit) => boolean;
  },
): SymbolHit | null {
  const top = found.filter((hit) => isTop(hit) && !isExtension(hit));
  if (FOLDER_PACKAGES.has(family)) {
    const here = top.filter((hit) => folderOf(hit.path) === folderOf(path));
    return here.length > 0 || family !== "jvm" ? pickOne(here) : findOfPackage(path, top, facts);
  }
  if (NAMESPACES.has(family)) {
    const symbols = (file: string) => facts.symbols(file);
    const own = listNamespaces(symbols(path));
    return pickOne(top.filter((hit) => own.some((space) => isInNamespace(hit, space, symbols))));
  }
  if (family === "swift") return pickOne(top);
  return family === "ruby" ? pickOne(found.filter(({ kind }) => TYPES.has(kind))) : null;
}

/** What another source set of the module, else another module, has in the package that the file declares. */
function findOfPackage(
  path: string,
  found: readonly SymbolHit[],
  facts: Pick<ProjectFacts, "symbols">,
): SymbolHit | null {
  const same = found.filter((hit) => isSamePackage(path, hit.path, facts));
  const module = moduleOf(path);
  return pickOne(same.filter((hit) => moduleOf(hit.path) === module)) ?? pickOne(same);
}

/** Whether two files declare that they are of one package; a package may lie in several folders (`src/main`, `src/test`). */
export function isSamePackage(
  one: string,
  other: string,
  facts: Pick<ProjectFacts, "symbols">,
): boolean {
  const own = findPackage(one, facts);
  return own !== undefined && own === findPackage(other, facts);
}

function findPackage(path: string, facts: Pick<ProjectFacts, "symbols">): string | undefined {
  return facts.symbols(path).find(({ kind }) => kind === "package")?.qualifiedName;
}

/** The folder that holds the source sets of a module. */
function moduleOf(path: string): string {
  return /^(.*?)(?:^|\/)src\//.exec(path)?.[1] ?? "";
}

/**
 * The one that is meant; several of one qualified name in one file are its overloads. In one folder
 * of Go they are the same thing for other builds.
 */
export function pickOne(hits: readonly SymbolHit[]): SymbolHit | null {
  const [first] = hits;
  if (first === undefined) return null;
  const isOne = hits.every(({ path, qualifiedName, language }) =>
    qualifiedName === first.qualifiedName &&
    (path === first.path || language === "Go" && folderOf(path) === folderOf(first.path))
  );
  return isOne ? first : null;
}

/** A prototype in a header is no second definition of what a source file defines. */
export function preferSources(hits: readonly SymbolHit[]): readonly SymbolHit[] {
  const sources = hits.filter(({ path }) => !/\.h(?:h|pp|xx)?$/i.test(path));
  return sources.length > 0 ? sources : hits;
}

/** The plain name of what holds a definition; empty at the top. */
export function parentName({ name, qualifiedName }: SymbolHit): string {
  const prefix = qualifiedName.slice(0, -name.length - 1);
  return prefix.split(/::|[.\\]/).at(-1) ?? "";
}

const HELD = new WeakMap<readonly SymbolHit[], ReadonlyMap<string, readonly SymbolHit[]>>();

/** Those of the definitions that a holder of this name has; a list that is asked again is put in order once. */
export function filterByParent(hits: readonly SymbolHit[], holder: string): readonly SymbolHit[] {
  const known = HELD.get(hits);
  if (known !== undefined) return known.get(holder) ?? [];
  const grouped = Map.groupBy(hits, parentName);
  HELD.set(hits, grouped);
  return grouped.get(holder) ?? [];
}

/** `a.b.C` is C, held by b. */
export function splitQualified(name: string): { readonly last: string; readonly holder: string } {
  const parts = name.split(/::|[.\\]/).filter((part) => part !== "");
  return { last: parts.at(-1) ?? "", holder: parts.at(-2) ?? "" };
}

/** Whether the last part of a module's name is this. */
export function endsWithName(module: string, name: string): boolean {
  return name !== "" && (module.split(/::|[.\\/]/).at(-1) ?? "") === name;
}

/** The symbols of a file whose lines hold the line, innermost first. */
export function findEnclosing(
  facts: Pick<ProjectFacts, "enclosing" | "symbols">,
  path: string,
  line: number,
): readonly SymbolHit[] {
  return facts.enclosing?.(path, line) ?? filterEnclosing(facts.symbols(path), line);
}

/** The symbols whose lines hold the line, innermost first. */
export function filterEnclosing(symbols: readonly SymbolHit[], line: number): readonly SymbolHit[] {
  return symbols.filter((hit) => hit.startLine <= line && line <= hit.endLine)
    .sort((a, b) =>
      (a.endLine - a.startLine) - (b.endLine - b.startLine) || b.position - a.position
    );
}

/** The namespaces that a file declares. */
export function listNamespaces(symbols: readonly SymbolHit[]): readonly string[] {
  return symbols.filter(({ kind }) => kind === "namespace")
    .map(({ qualifiedName }) => qualifiedName);
}

/** Whether a definition belongs to a namespace, by its own name or by the one that its file declares. */
export function isInNamespace(
  hit: SymbolHit,
  space: string,
  symbols: (path: string) => readonly SymbolHit[],
): boolean {
  const prefix = hit.qualifiedName.slice(0, -hit.name.length - 1);
  if (prefix === space) return true;
  return hit.parent === null && listNamespaces(symbols(hit.path)).includes(space);
}

/** Whether a namespace that is used holds the definition, or names it itself. */
export function isOfNamespace(
  hit: SymbolHit,
  used: string,
  symbols: (path: string) => readonly SymbolHit[],
): boolean {
  const cut = used.search(/[.\\][^.\\]*$/);
  return isInNamespace(hit, used, symbols) ||
    cut > 0 && hit.name === used.slice(cut + 1) && isInNamespace(hit, used.slice(0, cut), symbols);
}

/** Whether a definition is a module of Elixir, or stands in it. */
export function isOfModule(hit: SymbolHit, module: string): boolean {
  return hit.qualifiedName === module || hit.qualifiedName === `${module}.${hit.name}`;
}

/** Whether a function of Kotlin or Scala extends a type: without an object of that type its name means something else. */
export function isExtension({ language, scope, parent }: SymbolHit): boolean {
  return scope !== undefined && parent === null && familyOf(language) === "jvm";
}
