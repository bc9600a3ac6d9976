/** What resolution compares definitions by: their holders, folders, and which of several is meant. Pure. */
import { toFolder } from "../base/repo_path.ts";
import type { SymbolHit } from "../index/read/view.ts";
import { toFamily } from "../language/languages.ts";
import type { ProjectFacts } from "./reference_facts.ts";

/**
 * The one that is meant; several of one qualified name in one file are overloads of it, and in one folder of Go
 * they are the same thing for other builds.
 */
export function pickOne(hits: readonly SymbolHit[]): SymbolHit | null {
  const [first] = hits;
  if (first === undefined) return null;
  const isOne = hits.every(({ path, qualifiedName, language }) =>
    qualifiedName === first.qualifiedName &&
    (path === first.path || language === "Go" && toFolder(path) === toFolder(first.path))
  );
  return isOne ? first : null;
}

/** A prototype in a header is no second definition of what a source file defines. */
export function preferSources(hits: readonly SymbolHit[]): readonly SymbolHit[] {
  const sources = hits.filter(({ path }) => !/\.h(?:h|pp|xx)?$/i.test(path));
  return sources.length > 0 ? sources : hits;
}

/** The plain name of what holds a definition; empty at the top. */
export function toHolder({ name, qualifiedName }: SymbolHit): string {
  const prefix = qualifiedName.slice(0, -name.length - 1);
  return prefix.split(/::|[.\\]/).at(-1) ?? "";
}

const HELD = new WeakMap<readonly SymbolHit[], ReadonlyMap<string, readonly SymbolHit[]>>();

/** Those of the definitions that a holder of this name has; a list that is asked again is put in order once. */
export function findHeld(hits: readonly SymbolHit[], holder: string): readonly SymbolHit[] {
  const known = HELD.get(hits);
  if (known !== undefined) return known.get(holder) ?? [];
  const grouped = Map.groupBy(hits, toHolder);
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
  return facts.enclosing?.(path, line) ?? toEnclosing(facts.symbols(path), line);
}

/** The symbols whose lines hold the line, innermost first. */
export function toEnclosing(symbols: readonly SymbolHit[], line: number): readonly SymbolHit[] {
  return symbols.filter((hit) => hit.startLine <= line && line <= hit.endLine)
    .sort((a, b) =>
      (a.endLine - a.startLine) - (b.endLine - b.startLine) || b.position - a.position
    );
}

/** The namespaces that a file declares. */
export function toNamespaces(symbols: readonly SymbolHit[]): readonly string[] {
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
  return hit.parent === null && toNamespaces(symbols(hit.path)).includes(space);
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
  return scope !== undefined && parent === null && toFamily(language) === "jvm";
}
