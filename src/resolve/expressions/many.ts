/**
 * The steps of an expression that are more than a member: one of many, what is awaited, keys of an object that is written out,
 * parameters by what their function is given to, and types that a test has narrowed. Pure.
 */
import type { SymbolHit } from "../../index/read/view.ts";
import type { NameDoor, Typed, TypeGiven } from "./typed.ts";
import { isWithin, joinTypes, placeOf } from "./typed.ts";
import type { TypeFact } from "../../analysis/analysis.ts";
import type { FileTypes, Place } from "../reference_facts.ts";
import type { TypeForm } from "./type_text.ts";
import { readSignature, readTypeForm } from "./type_text.ts";

type Keys = Typed & { kind: "keys" };

/** A method that is written into an object; null where an object inside of it has one of the name too. */
export function methodOfKeys({ of }: Keys, name: string, door: NameDoor): SymbolHit | null {
  const own = of === undefined
    ? []
    : door.candidates(name).filter((hit) => hit.path === of.path && hit.parent === of.position);
  return own.length === 1 ? own[0] ?? null : null;
}

/** What a member of the object is; what stands last counts, as where the object is made. */
export function stepOfKeys(
  typed: Keys,
  name: string,
  asker: TypeAsker,
  door: NameDoor,
): Typed | null {
  const { keys, place } = typed;
  const method = methodOfKeys(typed, name, door);
  if (method !== null) return asker.ofSymbol(method, typed);
  for (const key of keys.toReversed()) {
    const [own = "", value = own] = /^([\w$]+):(.*)$/.exec(key)?.slice(1) ?? [key];
    if (own === name) return asker.typeOf(value, place);
    if (!key.startsWith("...")) continue;
    const spread = asker.typeOf(key.slice(3), place);
    const step = spread === null ? null : asker.step(spread, name);
    if (step !== null) return step;
  }
  return null;
}

/** What is asked about the types. */
export interface NarrowAsker {
  /** What stands behind names of types that only stand for others. */
  bare(typed: Typed): Typed | null;
  /** The type of a member as it is declared; null where nothing says it. */
  declaredOf(typed: Typed, member: string): string | null;
}

/** Types that stand for one another hold each other at most so deep. */
const MAX_DEPTH = 8;

/** The facts that tell which of several types a variable has at a place. */
export function findNarrowings(file: FileTypes, name: string, place: Place): readonly TypeFact[] {
  return (file.byName.get(name) ?? [])
    .filter((fact) => fact.kind === "narrowed" && isWithin(fact, place));
}

/** Those of the types whose member can have the values; all where none is left or nothing is said. */
export function narrowTyped(typed: Typed, fact: TypeFact, asker: NarrowAsker, depth = 0): Typed {
  const cut = fact.text.indexOf("=");
  const [member, values] = [fact.text.slice(0, cut), fact.text.slice(cut + 1).split("|")];
  const bare = depth > MAX_DEPTH ? null : asker.bare(typed);
  if (bare?.kind === "both") {
    const of = bare.of.map((one) => one === null ? null : narrowTyped(one, fact, asker, depth + 1));
    return { kind: "both", of };
  }
  if (bare?.kind !== "either") return typed;
  const all = flatten(bare, asker, depth);
  const left = all.filter((one) => {
    const declared = one === null ? null : asker.declaredOf(one, member);
    return declared === null || canBe(declared, values);
  });
  const [first = null] = left;
  if (first === null || left.length === all.length) return typed;
  return left.length === 1 ? first : { kind: "either", of: left };
}

/** The types of which it is one; none where one of them is not known. */
export function listEach(typed: Typed, asker: NarrowAsker): readonly Typed[] {
  const bare = asker.bare(typed);
  if (bare?.kind === "both") {
    return bare.of.map((one) => one === null ? [] : listEach(one, asker))
      .find((all) => all.length > 1) ?? [];
  }
  const all = bare?.kind === "either" ? flatten(bare, asker, 0) : [];
  return all.flatMap((one) => one ?? []).length === all.length ? all as readonly Typed[] : [];
}

function flatten(typed: Typed, asker: NarrowAsker, depth: number): readonly (Typed | null)[] {
  const bare = depth > MAX_DEPTH ? null : asker.bare(typed);
  return bare?.kind === "either"
    ? bare.of.flatMap((one) => one === null ? [null] : flatten(one, asker, depth + 1))
    : [typed];
}

/** Whether a member with the declared type can have one of the values; so can one that declares no single values. */
function canBe(declared: string, values: readonly string[]): boolean {
  const [, left] = /^Exclude<[^<>]+,([^<>]+)>$/.exec(declared) ?? [];
  if (left !== undefined) {
    const without = toValues(left);
    return values.some((value) => !without.includes(value));
  }
  const own = toValues(declared);
  return own.some((one) => values.includes(one)) || !own.every(isValue);
}

function toValues(declared: string): readonly string[] {
  return declared.split("|").map((part) => part.trim().replace(/^typeof /, ""))
    .filter((part) => part !== "").map((part) => part.replace(/^'(.*)'$/s, '"$1"'));
}

function isValue(text: string): boolean {
  return /^(?:"[^"]*"|-?[\d.]+|true|false|null|undefined|[\w$]+(?:\.[\w$]+)+)$/.test(text);
}

/** What is asked about other types. */
export interface TypeAsker {
  typeOf(expression: string, place: Place): Typed | null;
  ofForm(form: TypeForm, place: Place): Typed | null;
  /** What a call answers with. */
  called(typed: Typed): Typed | null;
  /** The function that an object is. */
  signature(given: TypeGiven): Typed & { kind: "function" } | null;
  /** What a definition is where its name stands as a value, as a member of something or alone. */
  ofSymbol(hit: SymbolHit, of: Typed | null): Typed | null;
  /** What a member is. */
  step(typed: Typed, name: string): Typed | null;
  /** One of many. */
  element(typed: Typed): Typed | null;
  /** What stands behind names of types that only stand for others. */
  bare(typed: Typed): Typed | null;
  isPython(): boolean;
  /** A form in which the type parameters of the type that a member belongs to are what they stand for. */
  filled(form: TypeForm, hit: SymbolHit, of: Typed | null): TypeForm;
  /** The type of a member as it is declared; null where nothing says it. */
  declaredOf(typed: Typed, member: string): string | null;
}

/** Members of lists that give each of the list to their first argument. */
const OVER_LIST = new Set(
  "map forEach filter find findLast some every flatMap findIndex findLastIndex sort toSorted".split(
    " ",
  ),
);

/** The type of a parameter that says none, by what its function is given to. */
export function typeOfContext(text: string, place: Place, asker: TypeAsker): Typed | null {
  const [, calls = "", sign = "", rest = "", number = "0"] =
    /^((?:\(\))*)([:=]?)(.*)@(\d+)$/s.exec(text) ?? [];
  if (sign === "") return ofArgument(rest, Number(number), { calls, place, asker });
  let typed = sign === ":" ? asker.ofForm(readTypeForm(rest), place) : asker.typeOf(rest, place);
  for (let at = 0; at < calls.length && typed !== null; at += 2) typed = asker.called(typed);
  return typed === null ? null : parameterOf(typed, Number(number), asker);
}

function ofArgument(
  rest: string,
  index: number,
  { calls, place, asker }: {
    readonly calls: string;
    readonly place: Place;
    readonly asker: TypeAsker;
  },
): Typed | null {
  const cut = rest.lastIndexOf("@");
  const callee = rest.slice(0, cut);
  const dot = callee.lastIndexOf(".");
  const name = callee.slice(dot + 1);
  if (dot > 0 && index === 0 && OVER_LIST.has(name)) {
    const list = asker.typeOf(callee.slice(0, dot), place);
    const bare = list === null ? null : asker.bare(list);
    if (bare?.kind === "list") return asker.element(bare);
  }
  const typed = asker.typeOf(callee, place);
  let given = typed === null ? null : parameterOf(typed, Number(rest.slice(cut + 1)), asker);
  for (let at = 0; at < calls.length && given !== null; at += 2) given = asker.called(given);
  return given === null ? null : parameterOf(given, index, asker);
}

/** The type of a parameter of a function. */
function parameterOf(typed: Typed, index: number, asker: TypeAsker): Typed | null {
  const bare = asker.bare(typed);
  if (bare === null) return null;
  if (bare.kind === "either") {
    const all = bare.of.flatMap((one) => one === null ? [] : parameterOf(one, index, asker) ?? []);
    return all.length === 1 ? all[0] ?? null : null;
  }
  const signed = bare.kind === "callable" && bare.hit.signature !== undefined
    ? {
      form: asker.filled(readSignature(bare.hit.signature), bare.hit, bare.of),
      place: placeOf(bare.hit),
    }
    : bare.kind === "function"
    ? bare
    : bare.kind === "object"
    ? asker.signature(bare)
    : null;
  if (signed === null || signed.form.kind !== "function") return null;
  const { parameters } = signed.form;
  const parameter = parameters[index] ??
    (parameters.at(-1)?.isRest === true ? parameters.at(-1) : undefined);
  if (parameter === undefined) return null;
  const own = asker.ofForm(parameter.type, signed.place);
  return parameter.isRest && own !== null ? asker.element(own) : own;
}

/** Members of lists that give a list again, or one of it; a context of Python gives the one that it yields. */
const SAME_LIST = new Set("filter slice concat reverse toReversed toSorted sort values".split(" "));
const ONE_OF_LIST = new Set("find findLast at pop shift get __enter__".split(" "));

/** A method of a list; null where it is none of those that give the list or one of it. */
export function stepOfList(list: Typed & { kind: "list" }, name: string): Typed | null {
  if (SAME_LIST.has(name)) return list;
  return ONE_OF_LIST.has(name) ? { ...list, kind: "taker" } : null;
}

/** What a method of a table of Python answers with. */
export function stepOfTable(table: Typed & { kind: "table" }, name: string): Typed | null {
  const { key, of } = table;
  if (name === "get" || name === "pop" || name === "setdefault") return { kind: "taker", of };
  if (name === "values") return { kind: "list", of };
  if (name === "keys") return { kind: "list", of: key };
  const pair: TypeForm = { kind: "tuple", of: [key.form, of.form] };
  if (name === "items") return { kind: "list", of: { form: pair, place: of.place } };
  return name === "copy" ? table : null;
}

/** One of many. */
export function elementOf(typed: Typed, asker: TypeAsker): Typed | null {
  const bare = asker.bare(typed);
  const isPython = asker.isPython();
  if (bare?.kind === "object" && isPython) {
    const getter = asker.step(bare, "__getitem__");
    return getter === null ? null : asker.called(getter);
  }
  if (bare?.kind === "tuple") {
    return isPython
      ? joinTypes(bare.of.map(({ form, place }) => asker.ofForm(form, place)))
      : partOf(bare, 0, asker);
  }
  const isMany = bare?.kind === "list" || bare?.kind === "table";
  return isMany ? asker.ofForm(bare.of.form, bare.of.place) : null;
}

/** What a loop gets. */
function eachOf(typed: Typed, asker: TypeAsker): Typed | null {
  if (typed.kind === "table") return asker.ofForm(typed.key.form, typed.key.place);
  const iterator = typed.kind === "object" ? asker.step(typed, "__iter__") : null;
  return elementOf((iterator === null ? null : asker.called(iterator)) ?? typed, asker);
}

/** What is awaited. */
export function awaitedOf(typed: Typed, asker: TypeAsker): Typed | null {
  const bare = asker.bare(typed);
  return bare?.kind === "promise" ? asker.ofForm(bare.of.form, bare.of.place) : bare;
}

/** One by its number, from 0. */
export function partOf(typed: Typed, index: number, asker: TypeAsker): Typed | null {
  const part = typed.kind === "tuple" ? typed.of[index] : undefined;
  return part === undefined ? null : asker.ofForm(part.form, part.place);
}

/** What one step of an expression leads to: a member, a result, one of many, what is awaited, each of a loop, or a part. */
export function followStep(
  [, name, call, index, awaited, each, number]: RegExpExecArray,
  typed: Typed,
  asker: TypeAsker,
): Typed | null {
  if (name !== undefined) return asker.step(typed, name);
  if (call !== undefined) return asker.called(typed);
  if (index !== undefined) return elementOf(typed, asker);
  if (awaited !== undefined) return awaitedOf(typed, asker);
  return each !== undefined ? eachOf(typed, asker) : partOf(typed, Number(number), asker);
}
