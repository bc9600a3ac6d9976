/** Which import a name means at a place: what a function imports is known in that function alone. Pure over the facts. */
import type { ImportEntry } from "../analysis/analysis.ts";
import { findEnclosing } from "./hit_names.ts";
import type { ProjectFacts } from "./reference_facts.ts";
import { CALLABLES } from "./reference_tables.ts";

/** An import that a name means. */
export interface SeenImport {
  readonly entry: ImportEntry;
  /** Whether a function round the place imports it, so that it comes before what the file defines. */
  readonly isInner: boolean;
}

/** The import that binds a name at a line, the one of the innermost function; undefined where none does. */
export function findImport(
  name: string,
  { path, line }: { readonly path: string; readonly line: number },
  facts: ProjectFacts,
): SeenImport | undefined {
  let found: SeenImport | undefined;
  let innermost = 0;
  for (const entry of facts.imports(path)) {
    if (entry.alias !== name || entry.isReexport === true) continue;
    const holder = findEnclosing(facts, path, entry.line).find(({ kind, startLine }) =>
      CALLABLES.has(kind) && startLine < entry.line
    );
    if (holder === undefined) found ??= { entry, isInner: false };
    else if (holder.startLine <= line && line <= holder.endLine && holder.startLine > innermost) {
      found = { entry, isInner: true };
      innermost = holder.startLine;
    }
  }
  return found;
}
