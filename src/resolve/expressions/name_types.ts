/**
 * What a name means at a place, as the beginning of an expression or as a type: a variable of a block, what an import
 * brings, else what the rules of scope lead to. Pure over the facts.
 */
import { toPosition } from "../../base/text/position.ts";
import type { ImportEntry, TypeFact } from "../../analysis/analysis.ts";
import type { SymbolHit } from "../../index/read/view.ts";
import { findImport } from "../import_trail.ts";
import type { Binding } from "../modules/module_bindings.ts";
import { findBindings } from "./python_types.ts";
import { TYPES } from "../reference_facts.ts";
import type { NameDoor, Typed } from "./typed.ts";
import { findLocal, joinTypes, preferValues } from "./typed.ts";
import type { Place } from "../reference_facts.ts";

/** What the types of names ask of the types of expressions. */
export interface FactAsker {
  typeOf(expression: string, place: Place): Typed | null;
  ofFact(fact: TypeFact, path: string): Typed | null;
  /** What a definition is where its name stands as a value. */
  ofSymbol(hit: SymbolHit): Typed | null;
}

/** The meanings of names in one project. */
export class NameTypes {
  readonly #door: NameDoor;
  readonly #asker: FactAsker;

  constructor(door: NameDoor, asker: FactAsker) {
    this.#door = door;
    this.#asker = asker;
  }

  /** The object itself: what the function says that is round the place, else that of the type. */
  self(place: Place, kind: "object" | "class" | "base", word = ""): Typed | null {
    const type = this.#door.enclosingType(place.path, place.line);
    if (this.#door.family === "python") {
      // A function may say what its object is.
      const declared = word === "" ? null : this.local(word, place) ?? null;
      if (declared !== null || type === null) return declared;
      return { kind, type };
    }
    const own = findLocal(this.#door.facts.types(place.path), "this", place);
    const isInside = type !== null && toPosition(type.startLine, 1) > (own?.within?.[0] ?? 0);
    if (own !== undefined && !isInside) return this.#asker.ofFact(own, place.path);
    return type === null ? null : { kind: "object", type };
  }

  /** What a name means as a value; null where nothing says it. */
  named(name: string, place: Place): Typed | null {
    const { path, line, isLocal } = place;
    if (isLocal !== false) {
      const local = this.local(name, place);
      if (local !== undefined) return local;
    }
    if (isLocal === true) return null;
    const entry = findImport(name, place, this.#door.facts)?.entry;
    if (entry !== undefined) {
      // `import a.b` of Python binds `a`, of which `.b` is a part.
      const isPart = this.#door.family === "python" && entry.name === null &&
        entry.module.startsWith(`${name}.`);
      return isPart ? null : this.#imported(entry, path);
    }
    const found = preferValues(this.#door.candidates(name));
    const hit = this.#door.resolvePlain({ name, path, line }, found);
    return hit === null ? null : this.#asker.ofSymbol(hit);
  }

  /** What a variable of a block holds; undefined where none of the name is known at the place. */
  local(name: string, place: Place): Typed | null | undefined {
    const file = this.#door.facts.types(place.path);
    if (this.#door.family === "python") {
      const bound = findBindings(file, name, place);
      if (bound.length === 0) return undefined;
      return joinTypes(bound.map((fact) => this.#asker.ofFact(fact, place.path)));
    }
    const local = findLocal(file, name, place);
    return local === undefined ? undefined : this.#asker.ofFact(local, place.path);
  }

  /** What a module of scripts gives. */
  ofBinding(binding: Binding | null): Typed | null {
    if (binding === null || binding.kind === "module") return binding;
    const [hit] = preferValues(binding.hits);
    return hit === undefined ? null : this.#asker.ofSymbol(hit);
  }

  /** The type that `Name` or `space.Name` means; in scripts also the class that a value is. */
  typeNamed(name: string, place: Place): SymbolHit | null {
    const type = this.#typeNamed(name, place);
    if (type !== null || this.#door.bindings === null) return type;
    const typed = this.#asker.typeOf(name, place);
    return typed?.kind === "class" ? typed.type : null;
  }

  #imported(entry: ImportEntry, from: string): Typed | null {
    const { bindings, family } = this.#door;
    if (bindings !== null) return this.ofBinding(bindings.ofEntry(entry, from));
    const { name } = entry;
    if (family !== "python" || name === null || name === "*") {
      return { kind: "module", entry, from };
    }
    const hit = this.#door.follow(entry, name, from, preferValues(this.#door.candidates(name)));
    if (hit !== null) return this.#asker.ofSymbol(hit);
    const module = `${entry.module}${entry.module.endsWith(".") ? "" : "."}${name}`;
    return this.#door.filesOf(module, from).length === 0
      ? null
      : { kind: "module", entry: { ...entry, module, name: null }, from };
  }

  #typeNamed(name: string, { path, line }: Place): SymbolHit | null {
    const parts = name.split(".");
    const last = parts.at(-1) ?? "";
    const [head = ""] = parts;
    const entry = findImport(head, { path, line }, this.#door.facts)?.entry;
    if (parts.length === 1) {
      return this.#door.findType(name, path, line) ?? this.#renamed(entry, path);
    }
    const types = this.#typesOf(last);
    const { bindings } = this.#door;
    let space = entry === undefined ? null : this.#imported(entry, path);
    for (const part of parts.slice(1, -1)) {
      if (space?.kind !== "module" || bindings === null) return null;
      space = this.ofBinding(bindings.ofModule(space.entry.module, part, space.from));
    }
    if (space?.kind !== "module") return null;
    if (bindings === null) {
      return this.#door.follow({ ...space.entry, name: "*", alias: "" }, last, space.from, types);
    }
    const binding = bindings.ofModule(space.entry.module, last, space.from);
    return binding?.kind === "symbols"
      ? binding.hits.find(({ kind }) => TYPES.has(kind)) ?? null
      : null;
  }

  /** `from module import Type as Other`. */
  #renamed(entry: ImportEntry | undefined, path: string): SymbolHit | null {
    const other = entry?.name ?? null;
    if (this.#door.family !== "python" || entry === undefined || other === null) return null;
    return this.#door.follow(entry, other, path, this.#typesOf(other));
  }

  #typesOf(name: string): readonly SymbolHit[] {
    return this.#door.candidates(name).filter(({ kind }) => TYPES.has(kind));
  }
}
