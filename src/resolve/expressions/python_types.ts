/**
 * What is special in the types of Python: decorators, properties, attributes that methods give their object, definitions
 * that stand several times, and functions that do not declare what they answer with. Pure over the facts.
 */
import type { ImportEntry, TypeFact } from "../../analysis/analysis.ts";
import { toColumn, toPosition } from "../../base/text/position.ts";
import type { FileTypes, Place, ProjectFacts } from "../reference_facts.ts";
import { CALLABLES } from "../reference_facts.ts";
import type { NameDoor, Typed } from "./typed.ts";
import { isVariableFact, isWithin, joinTypes, placeOf } from "./typed.ts";
import type { SymbolHit } from "../../index/read/view.ts";
import { toFolder } from "../../base/repo_path.ts";
import type { TypeAsker } from "./many.ts";
import { awaitedOf, elementOf } from "./many.ts";
import { readTypeForm } from "./type_text.ts";

/**
 * The bindings of the name in the innermost scope that holds the place: the last that surely happened before it, with
 * those in blocks after that. A value of `None` says nothing, as none of its members is asked for.
 */
export function findBindings(
  file: FileTypes,
  name: string,
  place: Place,
): readonly TypeFact[] {
  const at = toPosition(place.line, place.column);
  const seen = (file.byName.get(name) ?? []).filter((fact) =>
    isVariableFact(fact) && isWithin(fact, place) && toPosition(fact.line, fact.column) !== at
  );
  const start = Math.max(...seen.map(({ within }) => within?.[0] ?? 0));
  const inner = seen.filter((fact) => fact.within?.[0] === start || positionOf(fact) >= start)
    .toSorted((a, b) => positionOf(a) - positionOf(b));
  // What stands in the scope at its margin happens whenever the place is reached.
  const isSure = (fact: TypeFact) => positionOf(fact) < start || fact.column === toColumn(start);
  const before = inner.filter((fact) => positionOf(fact) < at);
  const last = before.findLastIndex(isSure);
  const reaching = before.length === 0 ? inner : before.slice(Math.max(0, last));
  const declared = new Set(
    reaching.filter(({ kind }) => kind === "type").map((fact) => positionOf(fact)),
  );
  const told = reaching.filter((fact) =>
    fact.text !== "None" && (fact.kind === "type" || !declared.has(positionOf(fact)))
  );
  return told.length > 0 ? told : reaching.slice(0, 1);
}

function positionOf({ line, column }: TypeFact): number {
  return toPosition(line, column);
}

/** What is asked of the rules of scope and imports. */
export interface FixtureDoor extends Pick<NameDoor, "candidates" | "follow"> {
  readonly facts: ProjectFacts;
}

interface Spot {
  readonly name: string;
  readonly path: string;
  readonly line: number;
}

/** The short form of the decorators that make a fixture, after which a call answers. */
const FIXTURE = /^(?:\w+\.)*(?:yield_)?fixture(?:\(\)){1,2}$/;
const GENERATOR = /->\s*["']?(?:\w+\.)*(?:Async)?(?:Iterator|Generator)\s*\[/;

/** The fixture that a parameter at a place gets; null where none of the project is known to be it. */
export function findFixture(spot: Spot, door: FixtureDoor): SymbolHit | null {
  const { name, path } = spot;
  // A fixture that asks for its own name gets the one that it replaces.
  const all = door.candidates(name).filter((hit) =>
    isFixture(hit, door.facts) && !(hit.path === path && isRound(hit, spot))
  );
  if (all.length === 0) return null;
  const own = findOwn(all, path, spot, door.facts) ?? findImported(all, path, spot, door);
  if (own !== null) return own;
  for (let folder = toFolder(path);; folder = toFolder(folder)) {
    const file = folder === "" ? "conftest.py" : `${folder}/conftest.py`;
    const hit = file === path || !door.facts.isFile(file)
      ? null
      : findOwn(all, file, null, door.facts) ?? findImported(all, file, spot, door);
    if (hit !== null || folder === "") return hit;
  }
}

/** The fixture that a parameter gets, where the place is one that the runner of the tests fills. */
export function findInjected(
  { name, path, line, column }: Spot & { readonly column?: number },
  door: FixtureDoor,
): SymbolHit | null {
  const isFilled = (door.facts.types(path).byName.get(name) ?? []).some((fact) =>
    fact.kind === "injected" && fact.line === line && fact.column === column
  );
  return isFilled ? findFixture({ name, path, line }, door) : null;
}

/** Whether a fixture says that it answers with an iterator, of which a test gets what it yields. */
export function givesYielded({ signature = "" }: SymbolHit): boolean {
  return GENERATOR.test(signature);
}

function isFixture({ kind, path, name, line, column }: SymbolHit, facts: ProjectFacts): boolean {
  return CALLABLES.has(kind) &&
    (facts.types(path).byName.get(name) ?? []).some((fact) =>
      fact.kind === "value" && fact.line === line && fact.column === column &&
      FIXTURE.test(fact.text)
    );
}

/** That of the class round the place, else that of the file. */
function findOwn(
  all: readonly SymbolHit[],
  file: string,
  spot: Spot | null,
  facts: ProjectFacts,
): SymbolHit | null {
  const here = all.filter(({ path }) => path === file);
  const inner = here.findLast(({ parent }) => {
    const holder = parent === null ? undefined : facts.symbols(file)[parent];
    return spot !== null && holder !== undefined && isRound(holder, spot);
  });
  return inner ?? here.findLast(({ parent }) => parent === null) ?? null;
}

/** One that a file imports by its name, or with all that a module gives. */
function findImported(
  all: readonly SymbolHit[],
  file: string,
  { name }: Spot,
  { facts, follow }: FixtureDoor,
): SymbolHit | null {
  const isOfName = (entry: ImportEntry) => entry.alias === name && entry.name === name;
  const entries = facts.imports(file);
  for (
    const entry of [
      ...entries.filter(isOfName),
      ...entries.filter(({ name }) => name === "*"),
    ]
  ) {
    const hit = follow(entry, name, file, all);
    if (hit !== null) return hit;
  }
  return null;
}

function isRound({ startLine, endLine }: SymbolHit, { line }: Spot): boolean {
  return startLine <= line && line <= endLine;
}

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
