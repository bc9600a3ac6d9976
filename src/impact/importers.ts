/** Who imports a file as a whole: by module names that may mean it, each followed. Asks the facts alone. */
import { familiesWith } from "../language/families.ts";
import { languageOfPath } from "../language/languages.ts";
import type { IndexFacts } from "../resolve/index_facts.ts";
import type { Edge } from "./edges.ts";

/** Families where a module is a file; elsewhere an import names a package, which is more than the file. */
const FILE_FAMILIES = familiesWith("moduleIsFile");

/** An edge for each file that imports one of the files. */
export function findImporters(facts: IndexFacts, files: readonly string[]): readonly Edge[] {
  return files.flatMap((file) => {
    const family = languageOfPath(file)?.family ?? null;
    if (family !== null && !FILE_FAMILIES.has(family)) return [];
    const found = new Map<string, Edge>();
    for (const { path, line, isReexport } of facts.importsInto(file)) {
      if (files.includes(path) || found.has(path)) continue;
      found.set(path, {
        path,
        line,
        kind: languageOfPath(path)?.name === "Blade" ? "markup" : "import",
        confidence: "resolved",
        depth: 1,
        symbol: file,
        ...(isReexport === true ? { within: "(passed on)" } : {}),
      });
    }
    return [...found.values()];
  });
}
