/** What a plain name means at a place, by scope and import: the names that a file sees, and what hides them. Pure over the facts. */
import type { SymbolHit } from "../index/read/view.ts";
import { findEnclosing, findNeighbour, pickOne } from "./hit_names.ts";
import { findImport, followImport } from "./import_trail.ts";
import { enclosingType, findPlainMember, memberOf } from "./members.ts";
import { bindingOfEntry, hitsOfBinding } from "./modules/module_bindings.ts";
import type { Rules, Spot } from "./reference_facts.ts";
import {
  CALLABLES,
  IMPLICIT_MEMBERS,
  OPEN_SPACES,
  OWN_FIRST,
  SPACES,
  TYPES,
} from "./reference_facts.ts";
import type { Keep } from "./resolution_rules.ts";
import {
  isOfObject,
  isOutsideItsType,
  isTop,
  keepInSight,
  keepOutermost,
  keepTypes,
  listTypes,
  mayBeShadowed,
} from "./resolution_rules.ts";

/**
 * The definition among `found` that a plain name leads to.
 *
 * @param keep which of the definitions that an import brings can be meant; those that bear another name too.
 */
export function findPlain(
  rules: Rules,
  spot: Spot,
  found: readonly SymbolHit[],
  keep: Keep = (hits) => hits,
): SymbolHit | null {
  if (findImport(spot.name, spot, rules.facts)?.isInner === true) {
    return findBrought(rules, spot, found, keep);
  }
  const visible = findVisible(rules, spot, found) ?? findInherited(rules, spot, found);
  const outer = rules.family === "c" ? keepOutermost(spot, found, rules.facts) : null;
  if (outer !== null) return pickOne(outer) ?? findBrought(rules, spot, outer, keep);
  const own = findPlainMember(rules, spot, found, visible);
  if (own !== undefined) return unlessShadowed(rules, spot, own);
  return visible !== null
    ? unlessShadowed(rules, spot, visible)
    : findBrought(rules, spot, found, keep);
}

/** The type that a name means at a place. A type inside of another one or of a function is known by its own name only there. */
export function findVisibleType(rules: Rules, spot: Spot): SymbolHit | null {
  const types = listTypes(rules, spot.name);
  return findVisible(rules, spot, types) ?? findInherited(rules, spot, types) ??
    findBrought(rules, spot, types, keepTypes);
}

/** What an import brings, or what needs none. */
function findBrought(
  rules: Rules,
  spot: Spot,
  found: readonly SymbolHit[],
  keep: Keep,
): SymbolHit | null {
  const { family, facts } = rules;
  const { name, path } = spot;
  const bound = findImport(name, spot, facts)?.entry;
  if (bound !== undefined) {
    if (family === "script") {
      const hit = pickOne(keep(hitsOfBinding(bindingOfEntry(rules, bound, path))));
      if (hit !== null || bound.name !== null) return unlessShadowed(rules, spot, hit);
      // `const run = require("./run")` of a module that does not say what it is as a whole.
    }
    // `import { other as name }` leads to the other one.
    if (bound.name !== null && bound.name !== name) return null;
    return unlessShadowed(rules, spot, followImport(rules, bound, name, path, found));
  }
  const near = { family, facts, isTop: (hit: SymbolHit) => isTop(rules, hit) };
  const isOwnFirst = OWN_FIRST.has(family) && !path.endsWith(".scala");
  let hit = isOwnFirst ? findNeighbour(path, found, near) : null;
  for (const entry of facts.imports(path)) {
    if (entry.alias === "") hit ??= followImport(rules, entry, name, path, found);
  }
  return unlessShadowed(rules, spot, hit ?? findNeighbour(path, found, near));
}

/** The definition, or null where a parameter or a variable of the function round the place hides it. */
function unlessShadowed(rules: Rules, spot: Spot, hit: SymbolHit | null): SymbolHit | null {
  if (hit === null) return null;
  const { facts, family } = rules;
  const around = findEnclosing(facts, spot.path, spot.line)
    .find(({ kind }) => CALLABLES.has(kind));
  if (around === undefined) return hit;
  const writes = facts.writes(spot.path);
  return mayBeShadowed(spot, hit, { around, writes, family }) ? null : hit;
}

/** A definition of the same file whose scope holds the place, the innermost one. */
function findVisible(rules: Rules, spot: Spot, found: readonly SymbolHit[]): SymbolHit | null {
  const { family, facts } = rules;
  const { path, line } = spot;
  const symbols = facts.symbols(path);
  let best: SymbolHit | null = null;
  let bestDepth = -1;
  for (const hit of keepInSight(spot, found, facts)) {
    if (hit.path !== path) continue;
    // A member that stands beside its type; the rules of members find it where they hold.
    if (isOutsideItsType(rules, hit) && !isMemberHere(rules, hit, spot)) continue;
    const holder = hit.parent === null ? undefined : symbols[hit.parent];
    if (isOfObject(hit, holder, family)) continue;
    if (holder !== undefined && !OPEN_SPACES.has(holder.kind)) {
      const isInside = holder.startLine <= line && line <= holder.endLine;
      const isMember = TYPES.has(holder.kind) && !SPACES.has(holder.kind);
      if (!isInside || (isMember && !IMPLICIT_MEMBERS.has(family))) continue;
    }
    const depth = hit.qualifiedName.split(".").length;
    if (depth > bestDepth) [best, bestDepth] = [hit, depth];
  }
  return best;
}

/** A member of a base of the type round the place, where members need no receiver. */
function findInherited(rules: Rules, spot: Spot, found: readonly SymbolHit[]): SymbolHit | null {
  if (!IMPLICIT_MEMBERS.has(rules.family)) return null;
  const type = enclosingType(rules, spot.path, spot.line);
  return type === null ? null : memberOf(rules, type, found);
}

/** Whether a line lies in a member of the same type, where members need no receiver. */
function isMemberHere({ family, facts }: Rules, { scope }: SymbolHit, spot: Spot): boolean {
  return IMPLICIT_MEMBERS.has(family) &&
    findEnclosing(facts, spot.path, spot.line).some((around) => around.scope === scope);
}
