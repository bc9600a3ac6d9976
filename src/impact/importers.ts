/** Who imports a file as a whole: by module names that may mean it, each followed. Asks the facts alone. */
import { familiesWith, languageOfPath } from "../language/mod.ts";
import type { IndexFacts } from "../resolve/mod.ts";
import type { Edge } from "./edges.ts";

/** Families where a module is a file; elsewhere an import names a package, which is more than the file. */
const FILE_FAMILIES = familiesWith("moduleIsFile");
/** Files that stand for their folder. */
const ENTRY = /^(?:index|mod|main|lib|init|__init__)$/;

/** An edge for each file that imports one of the files. */
export function findImporters(facts: IndexFacts, files: readonly string[]): readonly Edge[] {
  return files.flatMap((file) => {
    const family = languageOfPath(file)?.family ?? null;
    if (family !== null && !FILE_FAMILIES.has(family)) return [];
    const found = new Map<string, Edge>();
    for (const module of new Set(toEnds(file).flatMap((end) => facts.modulesEndingWith(end)))) {
      for (const { path, line, isReexport } of facts.view.findImports(module)) {
        if (files.includes(path) || found.has(path)) continue;
        if (!facts.importsOf(path).includes(file)) continue;
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
    }
    return [...found.values()];
  });
}

/** Last parts of modules that may mean the file. */
function toEnds(file: string): readonly string[] {
  const parts = file.split("/");
  const name = parts.pop() ?? "";
  const stem = name.replace(/\.blade\.php$|\.d\.[mc]?ts$|\.[^.]+$/, "").replace(/^_/, "");
  const ends = [stem.split(".").at(-1) ?? stem, stem];
  if (ENTRY.test(stem)) ends.push(...parts, "");
  if (/\.py$/.test(name)) ends.push(...parts.slice(-1), "");
  return [...new Set(ends.map((end) => end.toLowerCase()))];
}
