/**
 * What is special in the types of Python: decorators, properties, attributes that methods give their object, definitions
 * that stand several times, and functions that do not declare what they answer with. Pure over the facts.
 */
import type { TypeFact } from "../../analysis/analysis.ts";
import type { SymbolHit } from "../../index/read/view.ts";
import type { TypeAsker } from "./context_types.ts";
import { CALLABLES } from "../reference_tables.ts";
import { awaitedOf, elementOf } from "./many.ts";
import { findFixture, givesYielded } from "./python_fixtures.ts";
import { readTypeForm } from "./type_text.ts";
import type { NameDoor, Typed } from "./typed.ts";
import { joinTypes, placeOf } from "./typed.ts";

const MAX_BASES = 6;
/** What the decorator of a property leaves of its function: the result. */
const READ = "()";

/** The types of definitions of Python in one project. */
export class PythonTypes {
  readonly #door: NameDoor;
  readonly #asker: TypeAsker;

  constructor(door: NameDoor, asker: TypeAsker) {
    this.#door = door;
    this.#asker = asker;
  }

  /** What a definition that is no type is where its name stands as a value. */
  ofSymbol(hit: SymbolHit, of: Typed | null): Typed | null {
    if (!CALLABLES.has(hit.kind)) return this.#ofValue(hit);
    const made = this.#factsAt(hit).find(({ kind }) => kind === "value");
    if (made === undefined) return { kind: "callable", hit, of };
    if (made.text === READ) return this.resultOf(hit, of);
    const decorator = this.#asker.typeOf(made.text.slice(0, -READ.length), placeOf(hit));
    if (decorator === null) return null;
    const isSame = decorator.kind === "callable" && givesItsArgument(decorator.hit);
    return isSame ? { kind: "callable", hit, of } : this.#asker.called(decorator);
  }

  /** What a call of a function answers with, of each definition of its name. */
  resultOf(hit: SymbolHit, of: Typed | null): Typed | null {
    return joinTypes(this.#sameAs(hit).map((one) => this.#resultOfOne(one, of)));
  }

  /** What a parameter holds that the runner of the tests fills. */
  ofInjected({ name, line }: TypeFact, path: string): Typed | null {
    const fixture = findFixture({ name, path, line }, this.#door);
    const made = fixture === null ? null : this.resultOf(fixture, null);
    if (fixture === null || made === null) return null;
    return givesYielded(fixture) ? elementOf(made, this.#asker) : awaitedOf(made, this.#asker);
  }

  /** An attribute that the methods of a type give its objects. */
  attributeOf(typed: Typed, name: string): Typed | null {
    const isOf = typed.kind === "object" || typed.kind === "class" || typed.kind === "base";
    return isOf ? this.#attribute(typed.type, name, 0) : null;
  }

  #attribute(type: SymbolHit, name: string, steps: number): Typed | null {
    const { path } = type;
    const facts = (this.#door.facts.types(path).byName.get(name) ?? []).filter((fact) =>
      fact.kind === "attribute" && fact.text !== "None" &&
      isSame(this.#door.enclosingType(path, fact.line), type)
    );
    const declared = facts.find(({ text }) => text.startsWith("<"));
    if (declared !== undefined) return this.#ofText(declared, path);
    if (facts.length > 0) return joinTypes(facts.map((fact) => this.#ofText(fact, path)));
    if (steps >= MAX_BASES) return null;
    for (const base of this.#door.basesOf(type)) {
      const typed = this.#attribute(base, name, steps + 1);
      if (typed !== null) return typed;
    }
    return null;
  }

  #ofValue(hit: SymbolHit): Typed | null {
    const facts = this.#sameAs(hit).flatMap((one) => this.#factsAt(one));
    const declared = facts.find(({ kind }) => kind === "type");
    if (declared !== undefined) {
      return this.#asker.ofForm(readTypeForm(declared.text), placeOf(hit));
    }
    const values = facts.filter(({ kind, text }) => kind === "value" && text !== "None");
    return joinTypes(values.map((fact) => this.#ofText(fact, hit.path)));
  }

  #resultOfOne(hit: SymbolHit, of: Typed | null): Typed | null {
    const own = of === null || of.kind !== "class" && of.kind !== "base" ? of : toObject(of.type);
    const fact = this.#factsAt(hit).find(({ kind }) => kind === "result");
    if (fact === undefined) return this.#returnedBy(hit, own);
    const form = readTypeForm(fact.text);
    const isOwn = form.kind === "named" && own !== null &&
      (form.name === "this" || isTypeOfSelf(hit, form.name));
    return isOwn ? own : this.#asker.ofForm(form, placeOf(hit));
  }

  /** What the places say where a function ends that declares nothing. */
  #returnedBy({ path, name, startLine, endLine }: SymbolHit, own: Typed | null): Typed | null {
    const facts = (this.#door.facts.types(path).byName.get(name) ?? []).filter((fact) =>
      fact.kind === "returned" && startLine <= fact.line && fact.line <= endLine &&
      fact.text !== "None"
    );
    return joinTypes(
      facts.map((fact) =>
        own !== null && (fact.text === "self" || fact.text === "cls()")
          ? own
          : this.#ofText(fact, path)
      ),
    );
  }

  #ofText({ text, line, column }: TypeFact, path: string): Typed | null {
    return text === "" ? null : this.#asker.typeOf(text, { path, line, column });
  }

  #factsAt({ path, name, line, column }: SymbolHit): readonly TypeFact[] {
    return (this.#door.facts.types(path).byName.get(name) ?? [])
      .filter((fact) => fact.line === line && fact.column === column && fact.kind !== "returned");
  }

  /** The definitions of one name in one scope: overloads, branches, and variables that are set again. */
  #sameAs(hit: SymbolHit): readonly SymbolHit[] {
    const same = this.#door.candidates(hit.name).filter((one) =>
      one.path === hit.path && one.qualifiedName === hit.qualifiedName
    );
    return same.length === 0 ? [hit] : same;
  }
}

function toObject(type: SymbolHit): Typed {
  return { kind: "object", type };
}

function isSame(one: SymbolHit | null, other: SymbolHit): boolean {
  return one?.path === other.path && one.line === other.line && one.column === other.column;
}

/** Whether a decorator answers with what it is given: `def setup(f: F) -> F`. */
function givesItsArgument({ signature = "" }: SymbolHit): boolean {
  const [, given, made] =
    /^\(\s*\w+\s*:\s*([\w.]+)\s*,?\s*\)\s*->\s*([\w.]+)\s*$/.exec(signature) ??
      [];
  return given !== undefined && given === made;
}

/** Whether a function says that its object is of a type by this name: `def enter(self: T) -> T`. */
function isTypeOfSelf({ signature = "" }: SymbolHit, name: string): boolean {
  const given = /^\(\s*(?:self|cls)\s*:\s*(?:(?:\w+\.)*[tT]ype\[)?["']?([\w.]+)/.exec(signature)
    ?.[1];
  return given === name;
}
