/** The types of variables and fields where the analysis tells the blocks that variables hold in. Pure over the facts. */
import type { SymbolHit } from "../../index/read/view.ts";
import type { Family } from "../../language/families.ts";
import { isCallable, isField, isSpace, isVariable } from "../../language/kinds.ts";
import type { ProjectFacts } from "../reference_facts.ts";
import { DYNAMIC } from "../reference_tables.ts";
import { findDeclared, findGiven } from "./block_bindings.ts";
import type { LocalType } from "./local_types.ts";

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
