/** The types of variables and fields where the analysis tells the blocks that variables hold in. Pure over the facts. */
import type { TypeFact } from "../../analysis/analysis.ts";
import { toPosition } from "../../base/text/position.ts";
import type { LocalType, ProjectFacts } from "../reference_facts.ts";
import { DYNAMIC } from "../reference_facts.ts";
import type { SymbolHit } from "../../index/read/view.ts";
import type { Family } from "../../language/families.ts";
import { isCallable, isField, isSpace, isVariable } from "../../language/kinds.ts";

/** A variable, and the place where it is used. */
export interface BoundSpot {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  /** 1-based; absent: the begin of the line. */
  readonly column?: number;
}

const WHOLE: readonly [number, number] = [0, Infinity];

/** The declarations of the innermost block round a place that stand before it; none where no block has the name. */
export function findDeclared(facts: ProjectFacts, spot: BoundSpot): readonly TypeFact[] {
  const at = toPosition(spot.line, spot.column ?? 1);
  const seen = listHolding(facts, spot)
    .filter((fact) => startOf(fact) < at && !isInOwnValue(facts, spot, fact));
  const innermost = Math.max(...seen.map(({ within = WHOLE }) => within[0]));
  return seen.filter(({ within = WHOLE }) => within[0] === innermost);
}

/**
 * Whatever may have set a variable that has no declaration: each place of the widest block up to a parameter, and those of
 * the blocks inside. None where no block has the name, or nothing sets it before the place.
 */
export function findGiven(facts: ProjectFacts, spot: BoundSpot): readonly TypeFact[] {
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
  const at = toPosition(spot.line, spot.column ?? 1);
  return given.some((fact) => startOf(fact) < at) ? given : [];
}

function listFacts(facts: ProjectFacts, { name, path }: BoundSpot): readonly TypeFact[] {
  return (facts.types(path).byName.get(name) ?? []).filter(({ kind }) => kind === "local");
}

function listHolding(facts: ProjectFacts, spot: BoundSpot): readonly TypeFact[] {
  const at = toPosition(spot.line, spot.column ?? 1);
  return listFacts(facts, spot).filter(({ within: [from, to] = WHOLE }) => from <= at && at <= to);
}

function startOf({ line, column }: TypeFact): number {
  return toPosition(line, column);
}

/** Whether a place lies in the first value of a variable, which does not know the variable yet: `x = x.next()`. */
function isInOwnValue(
  facts: ProjectFacts,
  { path, line, column = 1 }: BoundSpot,
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

/** What stands before the dot, and where. */
export interface Spot {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  /** 1-based; absent: the begin of the line. */
  readonly column?: number;
  /** Whether what stands first before the dot is bound in a block round the place; absent where nothing says it. */
  readonly isLocal?: boolean;
}

/** What the types of variables ask of the rules that follow references. */
export interface BoundDoor {
  readonly facts: ProjectFacts;
  readonly family: Family;
  candidates(name: string): readonly SymbolHit[];
  enclosing(path: string, line: number): readonly SymbolHit[];
  /** The types whose members a place names without a receiver, innermost first; null is one that nothing names. */
  enclosingTypes(spot: Spot): readonly (SymbolHit | null)[];
  /** The type of the object itself. */
  selfType(spot: Spot): SymbolHit | null;
  memberOf(type: SymbolHit, found: readonly SymbolHit[]): SymbolHit | null;
  /** The type that a declaration says. */
  ofLocal(declared: LocalType, path: string): SymbolHit | null;
}

/** The types of the variables of one project. */
export class BoundTypes {
  readonly #door: BoundDoor;

  constructor(door: BoundDoor) {
    this.#door = door;
  }

  /** The type of a variable by the block that holds it, else by the type or the file round the place. */
  ofVariable(spot: Spot): SymbolHit | null {
    const { name, path, line, isLocal } = spot;
    const { facts, family } = this.#door;
    const isDynamic = DYNAMIC.has(family);
    if (isDynamic && name.startsWith("@")) {
      const type = this.#door.selfType(spot);
      return type === null ? null : this.ofField(type, spot);
    }
    const bound = isDynamic ? findGiven(facts, spot) : findDeclared(facts, spot);
    if (bound.length > 0) return this.#ofSame(bound.map((fact) => this.#ofPlace(fact, path)));
    if (isLocal === true) return null;
    const values = this.#door.candidates(name).filter(({ kind }) =>
      isField(kind) || isVariable(kind)
    );
    for (const type of family === "php" ? [] : this.#door.enclosingTypes(spot)) {
      if (type === null) return null;
      const field = this.#door.memberOf(type, values);
      if (field !== null) return this.ofField(type, spot);
    }
    const isInside = this.#door.enclosing(path, line).some(({ kind }) => isCallable(kind));
    if (isDynamic && isInside) return this.#ofExamples(spot);
    const own = values.filter((hit) =>
      hit.path === path && (hit.parent === null || isSpace(hit.holderKind ?? ""))
    );
    if (own.length > 0) return this.#ofSame(own.map((hit) => this.#ofPlace(hit, path)));
    return isDynamic ? this.#ofExamples(spot) : null;
  }

  /** What RSpec gives its examples by name, where all of a file agree. */
  #ofExamples({ name, path }: Spot): SymbolHit | null {
    const { facts, family } = this.#door;
    if (family !== "ruby") return null;
    const all = (facts.localTypes?.(path, name) ?? [])
      .filter(({ line, column }) => facts.lineText?.(path, line)?.charAt(column - 2) === ":");
    return this.#ofSame(all.map((one) => this.#door.ofLocal(one, path)));
  }

  /** The one type that all of some places say; null where one says none. */
  #ofSame(types: readonly (SymbolHit | null)[]): SymbolHit | null {
    const [first = null] = types;
    return types.every((type) => type === first) ? first : null;
  }

  /** The type that the text says of the name at a place. */
  #ofPlace({ name, line, column }: Pick<SymbolHit, "name" | "line" | "column">, path: string) {
    const all = (this.#door.facts.localTypes?.(path, name) ?? [])
      .filter((one) => one.line === line && one.column === column && one.isField !== true);
    // Forms of declarations come after those of first values.
    const declared = preferDeclared(all).at(-1);
    return declared === undefined ? null : this.#door.ofLocal(declared, path);
  }

  /** The type of a field by its declaration, else by all that methods give it. */
  ofField(type: SymbolHit, { name }: Pick<Spot, "name">): SymbolHit | null {
    const { facts, family } = this.#door;
    const values = this.#door.candidates(name).filter(({ kind }) =>
      isField(kind) || isVariable(kind)
    );
    const field = this.#door.memberOf(type, values);
    const known = field === null ? null : this.#ofPlace(field, field.path);
    if (known !== null || !DYNAMIC.has(family)) return known;
    const given = (facts.localTypes?.(type.path, name) ?? []).filter(({ line, isField }) =>
      isField === true && type.startLine <= line && line <= type.endLine
    );
    return this.#ofSame(
      given.map((one) => one.of === "" ? null : this.#door.ofLocal(one, type.path)),
    );
  }
}

/** What a line declares holds beside what it calls for the first value: `field: Base = Derived()` is a `Base`. */
export function preferDeclared(all: readonly LocalType[]): readonly LocalType[] {
  const declared = new Set(all.filter(({ kind }) => kind === "type").map(({ line }) => line));
  return all.filter(({ kind, line }) => kind === "type" || !declared.has(line));
}
