/** What a name can mean by the kind of its place, and which definitions are overloads of each other. Pure. */
import type { SymbolHit } from "../index/mod.ts";
import { toHolder } from "./hit_names.ts";
import type { Family } from "./module_paths.ts";
import type { Mention, ProjectFacts } from "./reference_facts.ts";
import { ADDITIONS, CALLABLES, LOOSE_TYPES, TYPE_NAMES, TYPES } from "./reference_tables.ts";

/** The definitions among `found`, all of one name, that a place of this kind can mean. */
export function keepFitting(
  found: readonly SymbolHit[],
  { kind, receiver, language }: Mention,
  family: Family,
): readonly SymbolHit[] {
  // The name of a constructor is that of its type, and means the type.
  let hits = receiver === undefined
    ? found.filter((hit) => !CALLABLES.has(hit.kind) || toHolder(hit) !== hit.name)
    : found;
  if (kind === "type" && !LOOSE_TYPES.has(family)) {
    hits = hits.filter((hit) => TYPES.has(hit.kind) || TYPE_NAMES.has(hit.kind));
  }
  // Methods and variables of Java have names apart.
  if (language === "Java" && (kind === "read" || kind === "write")) {
    hits = hits.filter((hit) => !CALLABLES.has(hit.kind));
  }
  const own = hits.filter((hit) => !ADDITIONS.has(hit.kind));
  return own.length > 0 ? own : hits;
}

const OVERLOADING: ReadonlySet<string> = new Set(["Java", "Kotlin", "Scala", "C#", "C++", "Swift"]);

/**
 * How many definitions of one holder and file share the name of `target`, itself included, and differ in
 * their parameters: which of them a call means depends on types that nothing here knows. At least 1.
 */
export function countOverloads(target: SymbolHit, facts: ProjectFacts): number {
  if (!OVERLOADING.has(target.language ?? "") || !CALLABLES.has(target.kind)) return 1;
  const { path, qualifiedName, kind, scope } = target;
  const same = facts.named(target.name).filter((hit) =>
    hit.path === path && hit.qualifiedName === qualifiedName && hit.kind === kind &&
    hit.scope === scope
  );
  return Math.max(1, new Set(same.map(({ signature = "" }) => signature)).size);
}
