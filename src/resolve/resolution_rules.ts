/** What a name can mean by the kind of its place, and which definitions are overloads of each other. Pure. */
import { packPosition } from "../base/text/position.ts";
import type { SymbolHit } from "../index/read/view.ts";
import {
  canNameType,
  IN_BLOCK,
  isAddition,
  isDeclaredCallable,
  OF_TYPE,
} from "../language/kinds.ts";
import { familyOf, languageByName } from "../language/languages.ts";
import { getOrInsert } from "../base/once.ts";
import { isExtension, parentName } from "./hit_names.ts";
import type { Family } from "../language/families.ts";
import type { Mention, ProjectFacts, Rules } from "./reference_facts.ts";
import { BINDING, CALLABLES, LOOSE_TYPES, SPACES, TYPES } from "./reference_facts.ts";

/** Keeps of definitions those that a place can mean. */
export type Keep = (hits: readonly SymbolHit[]) => readonly SymbolHit[];

const CANDIDATES = new WeakMap<Rules, Map<string, readonly SymbolHit[]>>();

/** Every definition of a name in the family; the same list for each question about the name. */
export function listCandidates(rules: Rules, name: string): readonly SymbolHit[] {
  const known = getOrInsert(CANDIDATES, rules, () => new Map<string, readonly SymbolHit[]>());
  return getOrInsert(
    known,
    name,
    () => rules.facts.named(name).filter((hit) => familyOf(hit.language) === rules.family),
  );
}

/** The types of a name. */
export function listTypes(rules: Rules, name: string): readonly SymbolHit[] {
  return keepTypes(listCandidates(rules, name));
}

/** Whether a definition stands at the top of its file. */
export function isTop(rules: Rules, hit: SymbolHit): boolean {
  return !isOutsideItsType(rules, hit) && (hit.parent === null || SPACES.has(hit.holderKind ?? ""));
}

/** Whether a definition belongs to a type that does not stand round it. */
export function isOutsideItsType(rules: Rules, { scope }: SymbolHit): boolean {
  // An extension of Kotlin is imported and seen in its package like any function.
  if (scope === undefined || rules.family === "jvm") return false;
  const name = scope.slice(scope.lastIndexOf(".") + 1);
  return !listCandidates(rules, name).some(({ kind }) => SPACES.has(kind));
}

/** The definitions that are types. */
export function keepTypes(hits: readonly SymbolHit[]): readonly SymbolHit[] {
  return hits.filter(({ kind }) => TYPES.has(kind));
}

/** The definitions among `found`, all of one name, that a place of this kind can mean. */
export function keepFitting(
  found: readonly SymbolHit[],
  { kind, receiver, language }: Mention,
  family: Family,
): readonly SymbolHit[] {
  // The name of a constructor is that of its type, and means the type.
  let hits = receiver === undefined
    ? found.filter((hit) => !isDeclaredCallable(hit.kind) || parentName(hit) !== hit.name)
    : found;
  if (kind === "type" && !LOOSE_TYPES.has(family)) {
    hits = hits.filter((hit) => canNameType(hit.kind));
  }
  // Methods and variables of Java have names apart.
  if (language === "Java" && (kind === "read" || kind === "write")) {
    hits = hits.filter((hit) => !CALLABLES.has(hit.kind));
  }
  const own = hits.filter((hit) => !isAddition(hit.kind));
  return own.length > 0 ? own : hits;
}

/** A class may extend what a variable holds: its name in the head of the class is no name of a type alone. */
export function readAsValue(mention: Mention, around: () => readonly SymbolHit[]): Mention {
  const isBase = mention.kind === "type" &&
    around().some(({ bases }) => bases?.includes(mention.name) === true);
  return isBase ? { ...mention, kind: "read" } : mention;
}

/** Whether a parameter or variable of the function round a place may have the name, or the function sets it again. */
export function mayBeShadowed(
  { name, path, line }: Pick<Mention, "name" | "path" | "line">,
  hit: SymbolHit,
  { around, writes, family }: {
    readonly around: SymbolHit;
    readonly writes: readonly number[];
    readonly family: Family;
  },
): boolean {
  if (around.line === line && around.name === name) return false;
  const isInside = hit.path === path && hit.startLine > around.startLine &&
    hit.endLine <= around.endLine;
  if (isInside) return false;
  const words: readonly string[] = BINDING.has(family)
    ? []
    : around.signature?.match(/[\p{L}\p{N}_$]+/gu) ?? [];
  // A type in the signature is what it is; only a name that is no type can be a parameter.
  if (words.includes(name) && !TYPES.has(hit.kind) && line !== around.line) return true;
  if (!CALLABLES.has(hit.kind) && !TYPES.has(hit.kind)) return false;
  return writes.some((at) => around.startLine <= at && at <= around.endLine);
}

/** Whether a definition is a method of an object or of a class without a name: no name of the scope round that. */
export function isOfObject(
  { kind, scope }: SymbolHit,
  holder: SymbolHit | undefined,
  family: Family,
): boolean {
  if (kind !== "method" || scope !== undefined) return false;
  return holder === undefined ? family === "script" : !TYPES.has(holder.kind);
}

/**
 * How many definitions of one holder and file share the name of `target`, itself included, and differ in
 * their parameters: which of them a call means depends on types that nothing here knows. At least 1.
 */
export function countOverloads(target: SymbolHit, facts: ProjectFacts): number {
  const overloads = languageByName(target.language ?? "")?.overloads === true;
  if (!overloads || !CALLABLES.has(target.kind)) return 1;
  const { path, qualifiedName, kind } = target;
  // What a type of C++ declares is no overload of what stands beside it.
  const isHeld = (hit: SymbolHit): boolean => {
    const holder = hit.parent === null ? undefined : facts.symbols(path)[hit.parent];
    return holder !== undefined && holder.startLine <= hit.line && hit.line <= holder.endLine;
  };
  const same = facts.named(target.name).filter((hit) =>
    hit.path === path && hit.qualifiedName === qualifiedName && hit.kind === kind &&
    isHeld(hit) === isHeld(target)
  );
  return Math.max(1, new Set(same.map(({ signature = "" }) => signature)).size);
}

/** Those outside of everything where `::` alone stands before the name; null where something else stands there. */
export function keepOutermost(
  { path, line, column = 1 }: {
    readonly path: string;
    readonly line: number;
    readonly column?: number;
  },
  found: readonly SymbolHit[],
  facts: ProjectFacts,
): readonly SymbolHit[] | null {
  const before = facts.lineText?.(path, line)?.slice(0, column - 1) ?? "";
  if (!/(?:^|[^\w>])::\s*$/.test(before)) return null;
  return found.filter(({ parent, scope }) => parent === null && scope === undefined);
}

/**
 * The member that a type has itself, not its objects, by the name of the type before it.
 *
 * @returns null where only objects have it; undefined where nothing tells the two apart.
 */
export function findOfType(
  type: SymbolHit,
  found: readonly SymbolHit[],
  facts: ProjectFacts,
): SymbolHit | null | undefined {
  const prefix = `${type.qualifiedName}.`;
  if (type.language === "Kotlin" && type.kind !== "object") {
    const own = found.find((hit) => hit.qualifiedName === `${prefix}Companion.${hit.name}`);
    return own ?? (found.some(({ kind }) => !CALLABLES.has(kind)) ? undefined : null);
  }
  if (type.language !== "Ruby") return undefined;
  return found.find(({ name, path, line, column, qualifiedName }) =>
    qualifiedName === prefix + name &&
    (facts.types(path).byName.get(name) ?? []).some((fact) =>
      fact.text === OF_TYPE && fact.line === line && fact.column === column
    )
  );
}

/** Whether only a block knows a definition. */
export function isInBlock({ name, path, line, column }: SymbolHit, facts: ProjectFacts) {
  return (facts.types(path).byName.get(name) ?? []).some((fact) =>
    fact.text === IN_BLOCK && fact.line === line && fact.column === column
  );
}

/** Without definitions in blocks that do not hold the place, inner ones first. */
export function keepInSight(
  { name, path, line, column }: Pick<Mention, "name" | "path" | "line"> & {
    readonly column?: number;
  },
  all: readonly SymbolHit[],
  facts: ProjectFacts,
): readonly SymbolHit[] {
  const found = all.filter((hit) => !isExtension(hit));
  const inBlocks = (facts.types(path).byName.get(name) ?? []).filter(({ text }) =>
    text === IN_BLOCK
  );
  if (inBlocks.length === 0) return found;
  const [first, last] = [packPosition(line, column ?? Infinity), packPosition(line, column ?? 1)];
  const blockOf = (hit: SymbolHit) =>
    hit.path !== path
      ? undefined
      : inBlocks.find((fact) => fact.line === hit.line && fact.column === hit.column)?.within;
  return found.filter((hit) => {
    const [from, to] = blockOf(hit) ?? [0, Infinity];
    return from <= first && last <= to;
  }).toSorted((a, b) => (blockOf(b)?.[0] ?? 0) - (blockOf(a)?.[0] ?? 0));
}
