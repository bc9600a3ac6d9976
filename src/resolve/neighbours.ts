/** What needs no import: files of the same package or namespace, and names of the whole program. Pure. */
import type { SymbolHit } from "../index/mod.ts";
import type { Family } from "../language/mod.ts";
import { isInNamespace, pickOne, toFolder, toNamespaces } from "./hit_names.ts";
import type { ProjectFacts } from "./reference_facts.ts";
import { FOLDER_PACKAGES, NAMESPACES, TYPES } from "./reference_tables.ts";

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
  const top = found.filter(isTop);
  if (FOLDER_PACKAGES.has(family)) {
    return pickOne(top.filter((hit) => toFolder(hit.path) === toFolder(path)));
  }
  if (NAMESPACES.has(family)) {
    const symbols = (file: string) => facts.symbols(file);
    const own = toNamespaces(symbols(path));
    return pickOne(top.filter((hit) => own.some((space) => isInNamespace(hit, space, symbols))));
  }
  if (family === "swift") return pickOne(top);
  return family === "ruby" ? pickOne(found.filter(({ kind }) => TYPES.has(kind))) : null;
}
