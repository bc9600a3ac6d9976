/**
 * Members of types: their own, in whatever file of the folder they stand, and inherited ones; and the types round a place, whose
 * members it names without a receiver. Pure over the facts.
 */
import type { ImportEntry, TypeFact } from "../analysis/analysis.ts";
import { folderOf } from "../base/repo_path.ts";
import { packPosition } from "../base/text/position.ts";
import type { SymbolHit } from "../index/read/view.ts";
import { isAddition } from "../language/kinds.ts";
import { filterByParent, findEnclosing, parentName, pickOne, splitQualified } from "./hit_names.ts";
import { findImport, followImport, followWhole, isFrom } from "./import_trail.ts";
import type { ProjectFacts, Rules, Spot } from "./reference_facts.ts";
import { BLOCKS, IMPLICIT_MEMBERS, TYPES } from "./reference_facts.ts";
import { isInBlock, listTypes } from "./resolution_rules.ts";

const MAX_STEPS = 4;

/** The member that a type has: its own one, else the nearest that it inherits. */
export function memberOf(
  rules: Rules,
  type: SymbolHit,
  found: readonly SymbolHit[],
  steps = 0,
): SymbolHit | null {
  const held = filterByParent(found, type.name).filter((hit) => !isOfOther(rules, hit, type));
  const here = held.filter((hit) => hit.path === type.path);
  // Members of one name of the types that an alias joins: which one is meant nobody says.
  if (here.length > 1 && type.kind === "type") return null;
  // A type may be written in several files of its folder (Go, Rust, partial classes, C++).
  return here[0] ??
    pickOne(held.filter((one) => folderOf(one.path) === folderOf(type.path))) ??
    inheritedMember(rules, type, found, steps);
}

/** The member that a type has of its bases. */
export function inheritedMember(
  rules: Rules,
  type: SymbolHit,
  found: readonly SymbolHit[],
  steps = 0,
): SymbolHit | null {
  if (steps >= MAX_STEPS) return null;
  for (const parent of basesOf(rules, type)) {
    const hit = memberOf(rules, parent, found, steps + 1);
    if (hit !== null) return hit;
  }
  return null;
}

/** Whether a definition stands in another type of the same name: one that is inside of something else. */
function isOfOther({ facts }: Rules, hit: SymbolHit, type: SymbolHit): boolean {
  const holder = hit.parent === null ? undefined : facts.symbols(hit.path)[hit.parent];
  return holder !== undefined && holder.path === type.path && TYPES.has(holder.kind) &&
    !isAddition(holder.kind) && holder.qualifiedName !== type.qualifiedName;
}

/** The types that a type extends, as far as they are known. */
export function basesOf(rules: Rules, type: SymbolHit): readonly SymbolHit[] {
  const { bases = [], path, line } = type;
  // What a class of Ruby includes comes before what it extends, the last first.
  return (type.language === "Ruby" ? bases.toReversed() : bases).flatMap((base) => {
    const { last: name, holder } = splitQualified(base);
    const told = rules.findBase(base, type);
    const parent = told !== undefined ? told : findHeldType(rules, name, holder, type) ??
      rules.findType(name, path, line) ?? findRenamedType(rules, name, type);
    const seen = parent !== null && isInside(parent, type)
      ? findTypeBeside(rules, name, type)
      : parent;
    return seen === null || seen === type ? [] : [seen];
  });
}

/** A type that is no inner one of a type: what a type holds is not known in its own head. */
function findTypeBeside(rules: Rules, name: string, type: SymbolHit): SymbolHit | null {
  const others = listTypes(rules, name).filter((one) => !isInside(one, type));
  const entry = findImport(name, type, rules.facts)?.entry;
  return entry !== undefined
    ? followImport(rules, entry, name, type.path, others)
    : pickOne(others.filter(({ path }) => folderOf(path) === folderOf(type.path)));
}

/** The type that an import brings under another name. */
function findRenamedType(
  rules: Rules,
  name: string,
  spot: Pick<Spot, "path" | "line">,
): SymbolHit | null {
  const entry = findImport(name, spot, rules.facts)?.entry;
  const other = entry?.name ?? null;
  if (entry === undefined || other === null || other === name) return null;
  return followImport(rules, entry, other, spot.path, listTypes(rules, other));
}

/** `module.Type`, where an import brings the module. */
function findHeldType(
  rules: Rules,
  name: string,
  holder: string,
  spot: SymbolHit,
): SymbolHit | null {
  const entry = holder === "" ? undefined : findImport(holder, spot, rules.facts)?.entry;
  return entry === undefined ? null : followMember(rules, entry, spot.path, listTypes(rules, name));
}

/** A member of what an import names: of the module itself, of a class in it, or of a module below it. */
export function followMember(
  rules: Rules,
  entry: ImportEntry,
  from: string,
  found: readonly SymbolHit[],
): SymbolHit | null {
  const { family } = rules;
  const last = entry.name ?? entry.module.split(/::|[.\\/]/).at(-1) ?? "";
  const types = listTypes(rules, last);
  const known = types.length === 0 ? null : followImport(rules, entry, last, from, types);
  const member = known === null ? null : memberOf(rules, known, found);
  if (member !== null) return member;
  const separator = family === "rust" ? "::" : /\.$/.test(entry.module) ? "" : ".";
  const below = entry.name === null || entry.name === "*"
    ? entry
    : { ...entry, module: `${entry.module}${separator}${entry.name}` };
  const hit = followWhole(rules, below, found[0]?.name ?? "", from, found);
  if (hit !== null) return hit;
  return pickOne(
    family === "elixir"
      ? found.filter((one) => one.qualifiedName === `${entry.module}.${one.name}`)
      : found.filter((one) => parentName(one) === last && isFrom(rules, entry, from, one)),
  );
}

function isInside(inner: SymbolHit, outer: SymbolHit): boolean {
  return inner.path === outer.path && outer.startLine < inner.startLine &&
    inner.endLine <= outer.endLine;
}

/** A place, with its column where that is known. */
type OwnSpot = Pick<Spot, "path" | "line" | "column">;

/** One of the types round a place. */
interface OwnType {
  /** Null where nothing says it. */
  readonly type: SymbolHit | null;
  /** Where an object without a name is written, of whose own members no type knows. */
  readonly within?: readonly [from: number, to: number];
}

/** The type round a line, or the one that the method round it names. */
export function enclosingType(rules: Rules, path: string, line: number): SymbolHit | null {
  for (const around of findEnclosing(rules.facts, path, line)) {
    const type = typeOfHolder(rules, around);
    if (type !== null) return type;
  }
  return null;
}

/** The types whose members a place names without a receiver, innermost first; null is one that nothing names. */
export function listEnclosingTypes(rules: Rules, spot: OwnSpot): readonly (SymbolHit | null)[] {
  return listRound(rules, spot).filter(({ type, within }) => type !== null || within === undefined)
    .map(({ type }) => type);
}

/** The type of the object itself; null where it has no name. */
export function typeOfSelf(rules: Rules, spot: OwnSpot): SymbolHit | null {
  return listRound(rules, spot)[0]?.type ?? null;
}

/**
 * The member that a place names without a receiver, or by `this`.
 *
 * @returns undefined where no type round the place is known to have it; null where an object may have it of which
 *   nothing says the type.
 */
export function findOwnMember(
  rules: Rules,
  spot: OwnSpot,
  found: readonly SymbolHit[],
  { isSelf }: { readonly isSelf: boolean },
): SymbolHit | null | undefined {
  const all = listRound(rules, spot);
  for (const { type, within } of isSelf ? all.slice(0, 1) : all) {
    const [own] = within === undefined ? [] : keepOfBody(found, spot.path, rules.facts, within);
    if (own !== undefined) return own;
    if (type === null && within === undefined) return null;
    const hit = type === null ? null : memberOf(rules, type, found);
    if (hit !== null) return hit;
  }
  return undefined;
}

/**
 * The same for a name without a receiver, where the language has such members.
 *
 * @param visible what the scopes of the file alone lead to.
 */
export function findPlainMember(
  rules: Rules,
  spot: OwnSpot,
  found: readonly SymbolHit[],
  visible: SymbolHit | null,
): SymbolHit | null | undefined {
  const { family, facts } = rules;
  if (!BLOCKS.has(family) || !IMPLICIT_MEMBERS.has(family)) return undefined;
  if (visible !== null && isInBlock(visible, facts)) return undefined;
  const own = findOwnMember(rules, spot, found, { isSelf: false });
  // Of one type that is written in several places, the part round the place or in its file comes first.
  const isSame = own !== undefined && own !== null && visible !== null &&
    parentName(own) === parentName(visible);
  return isSame ? visible : own;
}

function listRound(rules: Rules, { path, line, column = 1 }: OwnSpot): readonly OwnType[] {
  const { facts } = rules;
  const at = packPosition(line, column);
  const listed: { readonly from: number; readonly own: OwnType }[] = [];
  for (const { within, text, line: from } of listObjects(facts, path)) {
    if (within === undefined || at < within[0] || within[1] <= at) continue;
    const isValue = text.startsWith("=");
    const type = text === ""
      ? null
      : isValue
      ? rules.typeOfText(text.slice(1), { path, line: from })
      : rules.findType(text, path, from);
    listed.push({
      from: within[0],
      own: { type, ...(text === "" || isValue ? {} : { within }) },
    });
  }
  const known = new Set<SymbolHit>();
  for (const around of findEnclosing(facts, path, line)) {
    const type = typeOfHolder(rules, around);
    if (type === null || known.has(type)) continue;
    known.add(type);
    const isRound = type.path === path && type.startLine <= line && line <= type.endLine;
    const { startLine } = isRound ? type : around;
    listed.push({ from: packPosition(startLine, 1), own: { type } });
  }
  return listed.sort((a, b) => b.from - a.from).map(({ own }) => own);
}

/** The type that a symbol is, or that has it. */
function typeOfHolder(rules: Rules, around: SymbolHit): SymbolHit | null {
  if (TYPES.has(around.kind)) return around;
  const { scope, path, line } = around;
  // A method may stand beside its type, in the same file or in another.
  const holder = around.parent === null ? undefined : rules.facts.symbols(path)[around.parent];
  if (holder !== undefined && TYPES.has(holder.kind)) return holder;
  if (scope === undefined) return null;
  const name = scope.slice(scope.lastIndexOf(".") + 1);
  // A header elsewhere declares it: one type of the name in the project is it.
  return rules.findType(name, path, line) ?? pickOne(listTypes(rules, name));
}

function listObjects(facts: ProjectFacts, path: string): readonly TypeFact[] {
  return facts.types(path).byName.get("this") ?? [];
}

/** The members that the body of an object without a name has itself. */
function keepOfBody(
  hits: readonly SymbolHit[],
  path: string,
  facts: ProjectFacts,
  [from, to]: readonly [number, number],
): readonly SymbolHit[] {
  return hits.filter((hit) => {
    const at = packPosition(hit.line, hit.column);
    if (hit.path !== path || at < from || to < at) return false;
    const inner = listObjects(facts, path).some(({ within: [start, end] = [0, 0] }) =>
      from < start && start <= at && at <= end
    );
    const holder = hit.parent === null ? undefined : facts.symbols(path)[hit.parent];
    return !inner && (holder === undefined || packPosition(holder.startLine, 4_000) <= from);
  });
}
