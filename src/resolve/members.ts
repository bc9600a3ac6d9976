/** Members of types: their own, in whatever file of the folder they stand, and those that they inherit. Pure over the facts. */
import { toFolder } from "../base/repo_path.ts";
import type { ImportEntry } from "../analysis/analysis.ts";
import type { SymbolHit } from "../index/read/view.ts";
import { isAddition } from "../language/kinds.ts";
import { findHeld, pickOne, splitQualified } from "./hit_names.ts";
import { findImport } from "./import_sight.ts";
import type { ProjectFacts } from "./reference_facts.ts";
import { TYPES } from "./reference_tables.ts";

const MAX_STEPS = 4;

/** What members ask of the rules of scope and imports. */
export interface MemberDoor {
  readonly facts: ProjectFacts;
  candidates(name: string): readonly SymbolHit[];
  /** The type that a name means in a file. */
  findType(name: string, path: string, line: number): SymbolHit | null;
  follow(
    entry: ImportEntry,
    name: string,
    from: string,
    found: readonly SymbolHit[],
  ): SymbolHit | null;
  /** The type that a base is called, in families where values say it; absent in others. */
  readonly baseOf?: ((base: string, type: SymbolHit) => SymbolHit | null) | undefined;
  /** A member of what an import names. */
  followMember(entry: ImportEntry, from: string, found: readonly SymbolHit[]): SymbolHit | null;
}

/** The members of the types of one project. */
export class Members {
  readonly #door: MemberDoor;

  constructor(door: MemberDoor) {
    this.#door = door;
  }

  /** The member that a type has: its own one, else the nearest that it inherits. */
  memberOf(type: SymbolHit, found: readonly SymbolHit[]): SymbolHit | null {
    return this.#memberOf(type, found, 0);
  }

  /** The member that a type has of its bases. */
  inherited(type: SymbolHit, found: readonly SymbolHit[], steps = 0): SymbolHit | null {
    if (steps >= MAX_STEPS) return null;
    for (const parent of this.basesOf(type)) {
      const hit = this.#memberOf(parent, found, steps + 1);
      if (hit !== null) return hit;
    }
    return null;
  }

  #memberOf(type: SymbolHit, found: readonly SymbolHit[], steps: number): SymbolHit | null {
    const held = findHeld(found, type.name).filter((hit) => !this.#isOfOther(hit, type));
    const here = held.filter((hit) => hit.path === type.path);
    // Members of one name of the types that an alias joins: which one is meant nobody says.
    if (here.length > 1 && type.kind === "type") return null;
    // A type may be written in several files of its folder (Go, Rust, partial classes, C++).
    return here[0] ??
      pickOne(held.filter((one) => toFolder(one.path) === toFolder(type.path))) ??
      this.inherited(type, found, steps);
  }

  /** Whether a definition stands in another type of the same name: one that is inside of something else. */
  #isOfOther(hit: SymbolHit, type: SymbolHit): boolean {
    const holder = hit.parent === null ? undefined : this.#door.facts.symbols(hit.path)[hit.parent];
    return holder !== undefined && holder.path === type.path && TYPES.has(holder.kind) &&
      !isAddition(holder.kind) && holder.qualifiedName !== type.qualifiedName;
  }

  /** The types that a type extends, as far as they are known. */
  basesOf(type: SymbolHit): readonly SymbolHit[] {
    const bases = type.bases ?? [];
    // What a class of Ruby includes comes before what it extends, the last first.
    return (type.language === "Ruby" ? bases.toReversed() : bases).flatMap((base) => {
      const { last: name, holder } = splitQualified(base);
      const parent = this.#door.baseOf !== undefined
        ? this.#door.baseOf(base, type)
        : this.#findHeld(name, holder, type) ??
          this.#door.findType(name, type.path, type.line) ?? this.#findRenamed(name, type);
      const seen = parent !== null && isInside(parent, type)
        ? this.#findBeside(name, type)
        : parent;
      return seen === null || seen === type ? [] : [seen];
    });
  }

  /** A type that is no inner one of a type: what a type holds is not known in its own head. */
  #findBeside(name: string, type: SymbolHit): SymbolHit | null {
    const { follow, facts } = this.#door;
    const others = this.#typesOf(name).filter((one) => !isInside(one, type));
    const entry = findImport(name, type, facts)?.entry;
    if (entry !== undefined) return follow(entry, name, type.path, others);
    return pickOne(others.filter(({ path }) => toFolder(path) === toFolder(type.path)));
  }

  /** The type that an import brings under another name. */
  #findRenamed(name: string, { path, line }: SymbolHit): SymbolHit | null {
    const entry = findImport(name, { path, line }, this.#door.facts)?.entry;
    const other = entry?.name ?? null;
    if (entry === undefined || other === null || other === name) return null;
    return this.#door.follow(entry, other, path, this.#typesOf(other));
  }

  /** `module.Type`, where an import brings the module. */
  #findHeld(name: string, holder: string, { path, line }: SymbolHit): SymbolHit | null {
    const entry = holder === ""
      ? undefined
      : findImport(holder, { path, line }, this.#door.facts)?.entry;
    return entry === undefined ? null : this.#door.followMember(entry, path, this.#typesOf(name));
  }

  #typesOf(name: string): readonly SymbolHit[] {
    return this.#door.candidates(name).filter(({ kind }) => TYPES.has(kind));
  }
}

function isInside(inner: SymbolHit, outer: SymbolHit): boolean {
  return inner.path === outer.path && outer.startLine < inner.startLine &&
    inner.endLine <= outer.endLine;
}
