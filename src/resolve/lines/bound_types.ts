/** The types of variables and fields where the analysis tells the blocks that variables hold in. Pure over the facts. */
import type { TypeFact } from "../../analysis/analysis.ts";
import { packPosition } from "../../base/text/position.ts";
import type { SymbolHit } from "../../index/read/view.ts";
import { isCallable, isField, isSpace, isVariable } from "../../language/kinds.ts";
import { findEnclosing } from "../hit_names.ts";
import { listEnclosingTypes, memberOf, typeOfSelf } from "../members.ts";
import type { LocalType, ProjectFacts, Rules, Spot } from "../reference_facts.ts";
import { DYNAMIC, UNBOUND_LINES } from "../reference_facts.ts";
import { listCandidates } from "../resolution_rules.ts";

const WHOLE: readonly [number, number] = [0, Infinity];

/** The declarations of the innermost block round a place that stand before it; none where no block has the name. */
function findDeclared(facts: ProjectFacts, spot: Spot): readonly TypeFact[] {
  const at = packPosition(spot.line, spot.column ?? 1);
  const seen = listHolding(facts, spot)
    .filter((fact) => startOf(fact) < at && !isInOwnValue(facts, spot, fact));
  const innermost = Math.max(...seen.map(({ within = WHOLE }) => within[0]));
  return seen.filter(({ within = WHOLE }) => within[0] === innermost);
}

/**
 * Whatever may have set a variable that has no declaration: each place of the widest block up to a parameter, and those of
 * the blocks inside. None where no block has the name, or nothing sets it before the place.
 */
function findGiven(facts: ProjectFacts, spot: Spot): readonly TypeFact[] {
  const all = listFacts(facts, spot);
  const inner = listHolding(facts, spot)
    .toSorted((a, b) => (b.within ?? WHOLE)[0] - (a.within ?? WHOLE)[0]);
  const parameter = inner.findIndex((fact) => !isAssigned(facts, spot.path, fact));
  const last = parameter < 0 ? inner.at(-1) : inner[parameter];
  if (last === undefined) return [];
  const [from, to] = last.within ?? WHOLE;
  const given = all.filter((fact) => {
    const [start, end] = fact.within ?? WHOLE;
    const isHolding = inner.includes(fact);
    return from <= start && end <= to && (isHolding || isAssigned(facts, spot.path, fact));
  });
  const at = packPosition(spot.line, spot.column ?? 1);
  return given.some((fact) => startOf(fact) < at) ? given : [];
}

function listFacts(facts: ProjectFacts, { name, path }: Spot): readonly TypeFact[] {
  return (facts.types(path).byName.get(name) ?? []).filter(({ kind }) => kind === "local");
}

function listHolding(facts: ProjectFacts, spot: Spot): readonly TypeFact[] {
  const at = packPosition(spot.line, spot.column ?? 1);
  return listFacts(facts, spot).filter(({ within: [from, to] = WHOLE }) => from <= at && at <= to);
}

function startOf({ line, column }: TypeFact): number {
  return packPosition(line, column);
}

/** Whether a place lies in the first value of a variable, which does not know the variable yet: `x = x.next()`. */
function isInOwnValue(
  facts: ProjectFacts,
  { path, line, column = 1 }: Spot,
  fact: TypeFact,
): boolean {
  if (fact.line !== line) return false;
  const text = facts.lineText?.(path, line);
  return text !== undefined &&
    /^\w+[^={;)]*=(?![=>])[^{;]*$/.test(text.slice(fact.column - 1, column));
}

/** Whether a place assigns to a variable, and does not declare one of its own as a parameter does. */
function isAssigned(facts: ProjectFacts, path: string, { name, line, column }: TypeFact): boolean {
  const rest = facts.lineText?.(path, line)?.slice(column - 1 + name.length) ?? "";
  return /^\s*(?:[-+*\/.]|\*\*|\|\||&&|\?\?)?=(?![=~>])/.test(rest);
}

/** What the types of variables ask of the types of lines. */
export interface LineTypes {
  readonly rules: Rules;
  /** The type that a declaration says. */
  ofLocal(declared: LocalType, path: string): SymbolHit | null;
}

/** The type of a variable by the block that holds it, else by the type or the file round the place. */
export function typeOfVariable(types: LineTypes, spot: Spot): SymbolHit | null {
  const { rules } = types;
  const { facts, family } = rules;
  const { name, path, line, isLocal } = spot;
  const isDynamic = DYNAMIC.has(family);
  if (isDynamic && name.startsWith("@")) {
    const type = typeOfSelf(rules, spot);
    return type === null ? null : typeOfField(types, type, name);
  }
  const bound = isDynamic ? findGiven(facts, spot) : findDeclared(facts, spot);
  if (bound.length > 0) return pickSame(bound.map((fact) => typeAt(types, fact, path)));
  if (isLocal === true) return null;
  const values = listValues(rules, name);
  for (const type of family === "php" ? [] : listEnclosingTypes(rules, spot)) {
    if (type === null) return null;
    if (memberOf(rules, type, values) !== null) return typeOfField(types, type, name);
  }
  const isInside = findEnclosing(facts, path, line).some(({ kind }) => isCallable(kind));
  if (isDynamic && isInside) return typeOfExample(types, spot);
  const own = values.filter((hit) =>
    hit.path === path && (hit.parent === null || isSpace(hit.holderKind ?? ""))
  );
  if (own.length > 0) return pickSame(own.map((hit) => typeAt(types, hit, path)));
  return isDynamic
    ? typeOfExample(types, spot)
    : UNBOUND_LINES.has(family)
    ? typeOfUnbound(types, spot)
    : null;
}

/** The type that the lines of the innermost definition round a place agree on that speak of the name, else those outside. */
function typeOfUnbound(types: LineTypes, { name, path, line }: Spot): SymbolHit | null {
  const { facts } = types.rules;
  const all = preferDeclared(facts.localTypes?.(path, name) ?? []);
  const round = findEnclosing(facts, path, line).map(({ startLine, endLine }) =>
    all.filter((one) => startLine <= one.line && one.line <= endLine)
  ).find((some) => some.length > 0);
  const said = round ?? keepOutside(types.rules, all, path);
  const [first] = said;
  const isOne = said.every(({ of, kind }) => of === first?.of && kind === first.kind);
  return first !== undefined && isOne ? types.ofLocal(first, path) : null;
}

/** Declarations that stand in no function: those of the file and of its types. */
function keepOutside(
  { facts }: Rules,
  all: readonly LocalType[],
  path: string,
): readonly LocalType[] {
  return all.filter(({ line }) =>
    !findEnclosing(facts, path, line).some(({ kind }) => isCallable(kind))
  );
}

/** What RSpec gives its examples by name, where all of a file agree. */
function typeOfExample(types: LineTypes, { name, path }: Spot): SymbolHit | null {
  const { facts, family } = types.rules;
  if (family !== "ruby") return null;
  const all = (facts.localTypes?.(path, name) ?? [])
    .filter(({ line, column }) => facts.lineText?.(path, line)?.charAt(column - 2) === ":");
  return pickSame(all.map((one) => types.ofLocal(one, path)));
}

/** The one type that all of some places say; null where one says none. */
function pickSame(types: readonly (SymbolHit | null)[]): SymbolHit | null {
  const [first = null] = types;
  return types.every((type) => type === first) ? first : null;
}

/** The type that the text says of the name at a place. */
function typeAt(
  types: LineTypes,
  { name, line, column }: Pick<SymbolHit, "name" | "line" | "column">,
  path: string,
): SymbolHit | null {
  const all = (types.rules.facts.localTypes?.(path, name) ?? [])
    .filter((one) => one.line === line && one.column === column && one.isField !== true);
  // Forms of declarations come after those of first values.
  const declared = preferDeclared(all).at(-1);
  return declared === undefined ? null : types.ofLocal(declared, path);
}

/** The type of a field by its declaration, else by all that methods give it. */
export function typeOfField(types: LineTypes, type: SymbolHit, name: string): SymbolHit | null {
  const { rules } = types;
  const field = memberOf(rules, type, listValues(rules, name));
  const known = field === null ? null : typeAt(types, field, field.path);
  if (known !== null || !DYNAMIC.has(rules.family)) return known;
  const given = (rules.facts.localTypes?.(type.path, name) ?? []).filter(({ line, isField }) =>
    isField === true && type.startLine <= line && line <= type.endLine
  );
  return pickSame(given.map((one) => one.of === "" ? null : types.ofLocal(one, type.path)));
}

function listValues(rules: Rules, name: string): readonly SymbolHit[] {
  return listCandidates(rules, name).filter(({ kind }) => isField(kind) || isVariable(kind));
}

/** What a line declares holds beside what it calls for the first value: `field: Base = Derived()` is a `Base`. */
function preferDeclared(all: readonly LocalType[]): readonly LocalType[] {
  const declared = new Set(all.filter(({ kind }) => kind === "type").map(({ line }) => line));
  return all.filter(({ kind, line }) => kind === "type" || !declared.has(line));
}
