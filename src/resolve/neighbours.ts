/** What needs no import: files of the same package or namespace, and names of the whole program. Pure. */
import { toFolder } from "../base/repo_path.ts";
import type { SymbolHit } from "../index/read/view.ts";
import type { Family } from "../language/families.ts";
import { isExtension, isInNamespace, pickOne, toNamespaces } from "./hit_names.ts";
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
  const top = found.filter((hit) => isTop(hit) && !isExtension(hit));
  if (FOLDER_PACKAGES.has(family)) {
    const here = top.filter((hit) => toFolder(hit.path) === toFolder(path));
    return here.length > 0 || family !== "jvm" ? pickOne(here) : findOfPackage(path, top, facts);
  }
  if (NAMESPACES.has(family)) {
    const symbols = (file: string) => facts.symbols(file);
    const own = toNamespaces(symbols(path));
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
  const module = toModule(path);
  return pickOne(same.filter((hit) => toModule(hit.path) === module)) ?? pickOne(same);
}

/** Whether two files declare that they are of one package; a package may lie in several folders (`src/main`, `src/test`). */
export function isSamePackage(
  one: string,
  other: string,
  facts: Pick<ProjectFacts, "symbols">,
): boolean {
  const own = toPackage(one, facts);
  return own !== undefined && own === toPackage(other, facts);
}

function toPackage(path: string, facts: Pick<ProjectFacts, "symbols">): string | undefined {
  return facts.symbols(path).find(({ kind }) => kind === "package")?.qualifiedName;
}

/** The folder that holds the source sets of a module. */
function toModule(path: string): string {
  return /^(.*?)(?:^|\/)src\//.exec(path)?.[1] ?? "";
}
