/**
 * What is special in the types of Python: decorators, properties, attributes that methods give their object, definitions
 * that stand several times, and functions that do not declare what they answer with. Pure over the facts.
 */
import type { TypeFact } from "../../analysis/analysis.ts";
import { folderOf } from "../../base/repo_path.ts";
import { columnOf, packPosition } from "../../base/text/position.ts";
import type { SymbolHit } from "../../index/read/view.ts";
import { followImport } from "../import_trail.ts";
import { basesOf, enclosingType } from "../members.ts";
import type { FileTypes, Place, ProjectFacts, Rules, Spot } from "../reference_facts.ts";
import { CALLABLES } from "../reference_facts.ts";
import { listCandidates } from "../resolution_rules.ts";
import { awaitedOf, elementOf } from "./many.ts";
import { readTypeForm } from "./type_text.ts";
import type { Typed, Types } from "./typed.ts";
import { factsAt, isVariableFact, isWithin, joinTypes, placeOf } from "./typed.ts";

/**
 * The bindings of the name in the innermost scope that holds the place: the last that surely happened before it, with
 * those in blocks after that. A value of `None` says nothing, as none of its members is asked for.
 */
export function findBindings(
  file: FileTypes,
  name: string,
  place: Place,
): readonly TypeFact[] {
  const at = packPosition(place.line, place.column);
  const seen = (file.byName.get(name) ?? []).filter((fact) =>
    isVariableFact(fact) && isWithin(fact, place) && packPosition(fact.line, fact.column) !== at
  );
  const start = Math.max(...seen.map(({ within }) => within?.[0] ?? 0));
  const inner = seen.filter((fact) => fact.within?.[0] === start || positionOf(fact) >= start)
    .toSorted((a, b) => positionOf(a) - positionOf(b));
  // What stands in the scope at its margin happens whenever the place is reached.
  const isSure = (fact: TypeFact) => positionOf(fact) < start || fact.column === columnOf(start);
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
  return packPosition(line, column);
}

/** The short form of the decorators that make a fixture, after which a call answers. */
const FIXTURE = /^(?:\w+\.)*(?:yield_)?fixture(?:\(\)){1,2}$/;
const GENERATOR = /->\s*["']?(?:\w+\.)*(?:Async)?(?:Iterator|Generator)\s*\[/;

/** The fixture that a parameter at a place gets; null where none of the project is known to be it. */
function findFixture(rules: Rules, spot: Spot): SymbolHit | null {
  const { name, path } = spot;
  const { facts } = rules;
  // A fixture that asks for its own name gets the one that it replaces.
  const all = listCandidates(rules, name).filter((hit) =>
    isFixture(rules, hit) && !(hit.path === path && isRound(hit, spot))
  );
  if (all.length === 0) return null;
  const own = findOwn(all, path, spot, facts) ?? findImported(all, path, name, rules);
  if (own !== null) return own;
  for (let folder = folderOf(path);; folder = folderOf(folder)) {
    const file = folder === "" ? "conftest.py" : `${folder}/conftest.py`;
    const hit = file === path || !facts.isFile(file)
      ? null
      : findOwn(all, file, null, facts) ?? findImported(all, file, name, rules);
    if (hit !== null || folder === "") return hit;
  }
}

/** The fixture that a parameter gets, where the place is one that the runner of the tests fills. */
export function findInjected(rules: Rules, spot: Spot): SymbolHit | null {
  const { name, path, line, column } = spot;
  const isFilled = (rules.facts.types(path).byName.get(name) ?? []).some((fact) =>
    fact.kind === "injected" && fact.line === line && fact.column === column
  );
  return isFilled ? findFixture(rules, spot) : null;
}

/** Whether a fixture says that it answers with an iterator, of which a test gets what it yields. */
function givesYielded({ signature = "" }: SymbolHit): boolean {
  return GENERATOR.test(signature);
}

function isFixture(rules: Rules, hit: SymbolHit): boolean {
  return CALLABLES.has(hit.kind) &&
    factsAt(rules, hit).some(({ kind, text }) => kind === "value" && FIXTURE.test(text));
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
  wanted: string,
  rules: Rules,
): SymbolHit | null {
  const entries = rules.facts.imports(file);
  const named = entries.filter(({ name, alias }) => alias === wanted && name === wanted);
  for (const entry of [...named, ...entries.filter(({ name }) => name === "*")]) {
    const hit = followImport(rules, entry, wanted, file, all);
    if (hit !== null) return hit;
  }
  return null;
}

function isRound({ startLine, endLine }: SymbolHit, { line }: Pick<Spot, "line">): boolean {
  return startLine <= line && line <= endLine;
}

const MAX_BASES = 6;
/** What the decorator of a property leaves of its function: the result. */
const READ = "()";

/** What a definition that is no type is where its name stands as a value. */
export function ofPythonSymbol(types: Types, hit: SymbolHit, of: Typed | null): Typed | null {
  if (!CALLABLES.has(hit.kind)) return ofValue(types, hit);
  const made = ownFacts(types, hit).find(({ kind }) => kind === "value");
  if (made === undefined) return { kind: "callable", hit, of };
  if (made.text === READ) return resultOfPython(types, hit, of);
  const decorator = types.typeOf(made.text.slice(0, -READ.length), placeOf(hit));
  if (decorator === null) return null;
  const isSame = decorator.kind === "callable" && givesItsArgument(decorator.hit);
  return isSame ? { kind: "callable", hit, of } : types.called(decorator);
}

/** What a call of a function answers with, of each definition of its name. */
export function resultOfPython(types: Types, hit: SymbolHit, of: Typed | null): Typed | null {
  return joinTypes(listSame(types, hit).map((one) => resultOfOne(types, one, of)));
}

/** What a parameter holds that the runner of the tests fills. */
export function ofInjected(types: Types, { name, line }: TypeFact, path: string): Typed | null {
  const fixture = findFixture(types.rules, { name, path, line });
  const made = fixture === null ? null : resultOfPython(types, fixture, null);
  if (fixture === null || made === null) return null;
  return givesYielded(fixture) ? elementOf(made, types) : awaitedOf(made, types);
}

/** An attribute that the methods of a type give its objects. */
export function attributeOf(types: Types, typed: Typed, name: string): Typed | null {
  const isOf = typed.kind === "object" || typed.kind === "class" || typed.kind === "base";
  return isOf ? findAttribute(types, typed.type, name, 0) : null;
}

function findAttribute(
  types: Types,
  type: SymbolHit,
  name: string,
  steps: number,
): Typed | null {
  const { rules } = types;
  const { path } = type;
  const facts = (rules.facts.types(path).byName.get(name) ?? []).filter((fact) =>
    fact.kind === "attribute" && fact.text !== "None" &&
    isSame(enclosingType(rules, path, fact.line), type)
  );
  const declared = facts.find(({ text }) => text.startsWith("<"));
  if (declared !== undefined) return ofText(types, declared, path);
  if (facts.length > 0) return joinTypes(facts.map((fact) => ofText(types, fact, path)));
  if (steps >= MAX_BASES) return null;
  for (const base of basesOf(rules, type)) {
    const typed = findAttribute(types, base, name, steps + 1);
    if (typed !== null) return typed;
  }
  return null;
}

function ofValue(types: Types, hit: SymbolHit): Typed | null {
  const facts = listSame(types, hit).flatMap((one) => ownFacts(types, one));
  const declared = facts.find(({ kind }) => kind === "type");
  if (declared !== undefined) return types.ofForm(readTypeForm(declared.text), placeOf(hit));
  const values = facts.filter(({ kind, text }) => kind === "value" && text !== "None");
  return joinTypes(values.map((fact) => ofText(types, fact, hit.path)));
}

function resultOfOne(types: Types, hit: SymbolHit, of: Typed | null): Typed | null {
  const own = of === null || of.kind !== "class" && of.kind !== "base" ? of : toObject(of.type);
  const fact = ownFacts(types, hit).find(({ kind }) => kind === "result");
  if (fact === undefined) return returnedBy(types, hit, own);
  const form = readTypeForm(fact.text);
  const isOwn = form.kind === "named" && own !== null &&
    (form.name === "this" || isTypeOfSelf(hit, form.name));
  return isOwn ? own : types.ofForm(form, placeOf(hit));
}

/** What the places say where a function ends that declares nothing. */
function returnedBy(
  types: Types,
  { path, name, startLine, endLine }: SymbolHit,
  own: Typed | null,
): Typed | null {
  const facts = (types.rules.facts.types(path).byName.get(name) ?? []).filter((fact) =>
    fact.kind === "returned" && startLine <= fact.line && fact.line <= endLine &&
    fact.text !== "None"
  );
  return joinTypes(facts.map((fact) => {
    const isOwn = own !== null && (fact.text === "self" || fact.text === "cls()");
    return isOwn ? own : ofText(types, fact, path);
  }));
}

function ofText(types: Types, { text, line, column }: TypeFact, path: string): Typed | null {
  return text === "" ? null : types.typeOf(text, { path, line, column });
}

function ownFacts({ rules }: Types, hit: SymbolHit): readonly TypeFact[] {
  return factsAt(rules, hit).filter(({ kind }) => kind !== "returned");
}

/** The definitions of one name in one scope: overloads, branches, and variables that are set again. */
function listSame({ rules }: Types, hit: SymbolHit): readonly SymbolHit[] {
  const same = listCandidates(rules, hit.name).filter((one) =>
    one.path === hit.path && one.qualifiedName === hit.qualifiedName
  );
  return same.length === 0 ? [hit] : same;
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
