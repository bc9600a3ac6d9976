/**
 * Members of types: their own, in whatever file of the folder they stand, and inherited ones; and the types round a place, whose
 * members it names without a receiver. Pure over the facts.
 */
import { toPosition } from "../base/text/position.ts";
import type { SymbolHit } from "../index/read/view.ts";
import type { ImportEntry, TypeFact } from "../analysis/analysis.ts";
import { findEnclosing, findHeld, pickOne, splitQualified, toHolder } from "./hit_names.ts";
import type { ProjectFacts } from "./reference_facts.ts";
import { BLOCKS, IMPLICIT_MEMBERS, TYPES } from "./reference_facts.ts";
import type { Family } from "../language/families.ts";
import { isInBlock, keepTypes } from "./resolution_rules.ts";
import { toFolder } from "../base/repo_path.ts";
import { isAddition } from "../language/kinds.ts";
import { findImport } from "./import_trail.ts";

/** A place, with its column where that is known. */
export interface OwnSpot {
  readonly path: string;
  readonly line: number;
  /** 1-based; absent: the begin of the line. */
  readonly column?: number;
}

/** What the types round a place ask of the rules that follow references. */
export interface OwnDoor {
  readonly family: Family;
  readonly facts: ProjectFacts;
  candidates(name: string): readonly SymbolHit[];
  findType(name: string, path: string, line: number): SymbolHit | null;
  memberOf(type: SymbolHit, found: readonly SymbolHit[]): SymbolHit | null;
  /** The type of a value, by its text. */
  valueType(text: string, path: string, line: number): SymbolHit | null;
}

/** One of the types round a place. */
interface OwnType {
  /** Null where nothing says it. */
  readonly type: SymbolHit | null;
  /** Where an object without a name is written, of whose own members no type knows. */
  readonly within?: readonly [from: number, to: number];
}

/** The types round the places of one project. */
export class OwnTypes {
  readonly #door: OwnDoor;

  constructor(door: OwnDoor) {
    this.#door = door;
  }

  /** The type round a line, or the one that the method round it names. */
  ofLine(path: string, line: number): SymbolHit | null {
    for (const around of findEnclosing(this.#door.facts, path, line)) {
      const type = this.#typeOf(around);
      if (type !== null) return type;
    }
    return null;
  }

  /** The types whose members a place names without a receiver, innermost first; null is one that nothing names. */
  list(spot: OwnSpot): readonly (SymbolHit | null)[] {
    return this.#list(spot).filter(({ type, within }) => type !== null || within === undefined)
      .map(({ type }) => type);
  }

  /** The type of the object itself; null where it has no name. */
  ofSelf(spot: OwnSpot): SymbolHit | null {
    return this.#list(spot)[0]?.type ?? null;
  }

  /**
   * The member that a place names without a receiver, or by `this`.
   *
   * @returns undefined where no type round the place is known to have it; null where an object may have it of which
   *   nothing says the type.
   */
  find(
    spot: OwnSpot,
    found: readonly SymbolHit[],
    { isSelf }: { readonly isSelf: boolean },
  ): SymbolHit | null | undefined {
    const { facts, memberOf } = this.#door;
    const all = this.#list(spot);
    for (const { type, within } of isSelf ? all.slice(0, 1) : all) {
      const [own] = within === undefined ? [] : keepOfBody(found, spot.path, { facts, within });
      if (own !== undefined) return own;
      if (type === null && within === undefined) return null;
      const hit = type === null ? null : memberOf(type, found);
      if (hit !== null) return hit;
    }
    return undefined;
  }

  /**
   * The same for a name without a receiver, where the language has such members.
   *
   * @param visible what the scopes of the file alone lead to.
   */
  findPlain(
    spot: OwnSpot,
    found: readonly SymbolHit[],
    visible: SymbolHit | null,
  ): SymbolHit | null | undefined {
    const { family, facts } = this.#door;
    if (!BLOCKS.has(family) || !IMPLICIT_MEMBERS.has(family)) return undefined;
    if (visible !== null && isInBlock(visible, facts)) return undefined;
    const own = this.find(spot, found, { isSelf: false });
    // Of one type that is written in several places, the part round the place or in its file comes first.
    const isSame = own !== undefined && own !== null && visible !== null &&
      toHolder(own) === toHolder(visible);
    return isSame ? visible : own;
  }

  #list({ path, line, column = 1 }: OwnSpot): readonly OwnType[] {
    const { facts, findType, valueType } = this.#door;
    const at = toPosition(line, column);
    const listed: { readonly from: number; readonly own: OwnType }[] = [];
    for (const { within, text, line: from } of listObjects(facts, path)) {
      if (within === undefined || at < within[0] || within[1] <= at) continue;
      const isValue = text.startsWith("=");
      const type = text === ""
        ? null
        : isValue
        ? valueType(text.slice(1), path, from)
        : findType(text, path, from);
      listed.push({
        from: within[0],
        own: { type, ...(text === "" || isValue ? {} : { within }) },
      });
    }
    const known = new Set<SymbolHit>();
    for (const around of findEnclosing(facts, path, line)) {
      const type = this.#typeOf(around);
      if (type === null || known.has(type)) continue;
      known.add(type);
      const isRound = type.path === path && type.startLine <= line && line <= type.endLine;
      const { startLine } = isRound ? type : around;
      listed.push({ from: toPosition(startLine, 1), own: { type } });
    }
    return listed.sort((a, b) => b.from - a.from).map(({ own }) => own);
  }

  /** The type that a symbol is, or that has it. */
  #typeOf(around: SymbolHit): SymbolHit | null {
    if (TYPES.has(around.kind)) return around;
    const { facts, findType, candidates } = this.#door;
    const { scope, path, line } = around;
    // A method may stand beside its type, in the same file or in another.
    const holder = around.parent === null ? undefined : facts.symbols(path)[around.parent];
    if (holder !== undefined && TYPES.has(holder.kind)) return holder;
    if (scope === undefined) return null;
    const name = scope.slice(scope.lastIndexOf(".") + 1);
    // A header elsewhere declares it: one type of the name in the project is it.
    return findType(name, path, line) ?? pickOne(keepTypes(candidates(name)));
  }
}

function listObjects(facts: ProjectFacts, path: string): readonly TypeFact[] {
  return facts.types(path).byName.get("this") ?? [];
}

/** The members that the body of an object without a name has itself. */
function keepOfBody(
  hits: readonly SymbolHit[],
  path: string,
  { facts, within: [from, to] }: {
    readonly facts: ProjectFacts;
    readonly within: readonly [number, number];
  },
): readonly SymbolHit[] {
  return hits.filter((hit) => {
    const at = toPosition(hit.line, hit.column);
    if (hit.path !== path || at < from || to < at) return false;
    const inner = listObjects(facts, path).some(({ within: [start, end] = [0, 0] }) =>
      from < start && start <= at && at <= end
    );
    const holder = hit.parent === null ? undefined : facts.symbols(path)[hit.parent];
    return !inner && (holder === undefined || toPosition(holder.startLine, 4_000) <= from);
  });
}

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
