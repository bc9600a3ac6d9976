/**
 * The definition that a type inherits under a name: `Flask.route` where only its base `Scaffold` defines
 * `route`. Bases are followed by the rules of the language, as for a call on the object itself.
 */
import type { SymbolHit } from "../../index/mod.ts";
import type { FactStore } from "../../resolve/mod.ts";
import type { IndexTag } from "../index_access.ts";
import { toTag } from "../index_access.ts";
import type { Nearest } from "./nearest_definitions.ts";
import { resolveReference, TYPES } from "../../resolve/mod.ts";
import type { SymbolName } from "./symbol_name.ts";
import { isInScope } from "./symbol_name.ts";

/** Inherited definitions, and a sentence for each that says from where. */
export interface Inherited {
  readonly nearest: Nearest<IndexTag>;
  readonly notices: readonly string[];
}

/** Types of one name that are followed: more are no name of one thing. */
const MAX_TYPES = 50;

/** Finds what `Type.member` inherits; null where the name has no scope, or no type of that name inherits it. */
export async function findInherited(
  facts: FactStore,
  wanted: SymbolName,
  { covers, signal }: {
    readonly covers: (path: string) => boolean;
    readonly signal?: AbortSignal;
  },
): Promise<Inherited | null> {
  const { name, scope } = wanted;
  const type = scope.at(-1);
  if (type === undefined) return null;
  const holder: SymbolName = { name: type, scope: scope.slice(0, -1), whole: scope.join(".") };
  const found = await facts.ask((_view, open) => {
    const shared = open();
    const project = shared.forPlaces([]);
    const types = shared.named(type)
      .filter((hit) => TYPES.has(hit.kind) && covers(hit.path) && isInScope(toTag(hit), holder));
    return types.slice(0, MAX_TYPES).flatMap((from) => {
      const { path, line } = from;
      const { language } = shared.spoken(path);
      const mention = { name, path, line, column: 0, kind: "read", receiver: "self", language };
      const member = resolveReference(mention, project);
      return member === null ? [] : [{ from, member, sameNamed: shared.named(name).length }];
    });
  }, signal === undefined ? {} : { signal });
  const [first] = found;
  if (first === undefined) return null;
  const places = new Map(found.map(({ member }) => [`${member.path}:${member.line}`, member]));
  return {
    nearest: {
      match: "exact",
      tags: [...places.values()].map(toTag),
      sameNamed: first.sameNamed,
    },
    notices: [...new Set(found.map(({ from, member }) => toNotice(from, member)))],
  };
}

function toNotice(from: SymbolHit, member: SymbolHit): string {
  const place = `${from.path}:${from.line}`;
  return `${from.qualifiedName} (${place}) does not define ${member.name} itself: it inherits ${member.qualifiedName}.`;
}
