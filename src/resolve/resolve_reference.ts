/** Which definition a place that names something leads to. Pure over the facts that it is given. */
import type { SymbolHit } from "../index/read/view.ts";
import type { Family } from "../language/families.ts";
import { toFamily } from "../language/languages.ts";
import type { Mention, ProjectFacts } from "./reference_facts.ts";
import { Resolver } from "./resolver.ts";

/**
 * The definition that the place leads to, or null where only the name is the same.
 *
 * @param isAsked which one is meant where the place leads to several: a member of what is one of several types.
 */
export function resolveReference(
  mention: Mention,
  facts: ProjectFacts,
  isAsked?: (hit: SymbolHit) => boolean,
): SymbolHit | null {
  const proven = facts.proven?.(mention);
  if (proven !== undefined) return proven.hit;
  const family = toFamily(mention.language);
  if (family === null) return null;
  const known = RESOLVERS.get(facts) ?? new Map<Family, Resolver>();
  RESOLVERS.set(facts, known);
  const resolver = known.get(family) ?? new Resolver(family, facts);
  known.set(family, resolver);
  return resolver.resolve(mention, isAsked);
}

/** A question follows thousands of places with the same facts. */
const RESOLVERS = new WeakMap<ProjectFacts, Map<Family, Resolver>>();
