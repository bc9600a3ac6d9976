/** What resolution compares definitions by: their holders, folders, and which of several is meant. Pure. */
import type { SymbolHit } from "../index/mod.ts";

/** The one that is meant; several of one qualified name in one file are overloads of it. */
export function pickOne(hits: readonly SymbolHit[]): SymbolHit | null {
  const [first] = hits;
  if (first === undefined) return null;
  const isOne = hits.every(({ path, qualifiedName }) =>
    path === first.path && qualifiedName === first.qualifiedName
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

/** Whether the last part of a module's name is this. */
export function endsWithName(module: string, name: string): boolean {
  return name !== "" && (module.split(/::|[.\\/]/).at(-1) ?? "") === name;
}

/** The folder of a path, without a slash at its end; empty for the root. */
export function toFolder(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
