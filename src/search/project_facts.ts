/** What the rules of resolution ask about the project, read from one state of the index, each once. */
import { once } from "../base/once.ts";
import type { ImportEntry, IndexView, OccurrenceHit, SymbolHit } from "../index/mod.ts";
import type { ProjectFacts } from "./reference_facts.ts";

/** Facts of one question about the places of `name`. */
export function createProjectFacts(
  view: IndexView,
  places: readonly OccurrenceHit[],
): ProjectFacts {
  const files = new Map<string, boolean>();
  const imports = new Map<string, readonly ImportEntry[]>();
  const symbols = new Map<string, readonly SymbolHit[]>();
  const named = new Map<string, readonly SymbolHit[]>();
  const writes = new Map<string, number[]>();
  for (const { path, kind, receiver, isLocal, line } of places) {
    if (kind !== "write" || receiver !== undefined || isLocal === true) continue;
    const lines = writes.get(path);
    if (lines === undefined) writes.set(path, [line]);
    else lines.push(line);
  }
  return {
    isFile: (path) => once(files, path, () => view.getFile(path) !== null),
    imports: (path) => once(imports, path, () => view.listImports(path)),
    symbols: (path) => once(symbols, path, () => view.listSymbols(path)),
    named: (name) => once(named, name, () => view.findSymbols({ name, limit: MAX_NAMED }).hits),
    writes: (path) => writes.get(path) ?? [],
  };
}

/** A name of more definitions leads nowhere for certain. */
const MAX_NAMED = 5_000;
