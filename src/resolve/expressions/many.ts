/**
 * The steps of an expression that are more than a member. They are: one of many, what is awaited,
 * keys of an object literal, and types that a test has narrowed. Parameters are typed by what their
 * function is given to. Pure.
 */
import type { SymbolHit } from "../../index/read/view.ts";
import { listCandidates } from "../resolution_rules.ts";
import { buildSignature, fillMember } from "./given_types.ts";
import type { Typed, Types } from "./typed.ts";
import { factsAt, isWithin, joinTypes, placeOf } from "./typed.ts";
import type { TypeFact } from "../../analysis/analysis.ts";
import type { FileTypes, Place } from "../reference_facts.ts";
import type { TypeForm } from "./type_text.ts";
import { readSignature, readTypeForm } from "./type_text.ts";

type Keys = Typed & { kind: "keys" };

/** A method that is written into an object; null where an object inside of it has one of the name too. */
export function methodOfKeys({ of }: Keys, name: string, { rules }: Types): SymbolHit | null {
  const own = of === undefined
    ? []
    : listCandidates(rules, name).filter((hit) =>
      hit.path === of.path && hit.parent === of.position
    );
  return own.length === 1 ? own[0] ?? null : null;
}

/** What a member of the object is; what stands last counts, as where the object is made. */
export function stepOfKeys(
  typed: Keys,
  name: string,
  types: Types,
): Typed | null {
  const { keys, place } = typed;
  const method = methodOfKeys(typed, name, types);
  if (method !== null) return types.ofSymbol(method, typed);
  for (const key of keys.toReversed()) {
    const [own = "", value = own] = /^([\w$]+):(.*)$/.exec(key)?.slice(1) ?? [key];
    if (own === name) return types.typeOf(value, place);
    if (!key.startsWith("...")) continue;
    const spread = types.typeOf(key.slice(3), place);
    const step = spread === null ? null : types.step(spread, name);
    if (step !== null) return step;
  }
  return null;
}

/** Types that stand for one another hold each other at most so deep. */
const MAX_DEPTH = 8;

/** The type of a member as it is declared; null where nothing says it. */
function declaredOf(typed: Typed, member: string, types: Types): string | null {
  const hit = types.member(typed, member);
  const declared = hit === null ? [] : factsAt(types.rules, hit);
  return declared.find(({ kind }) => kind === "type")?.text ?? null;
}

/** The facts that tell which of several types a variable has at a place. */
export function findNarrowings(file: FileTypes, name: string, place: Place): readonly TypeFact[] {
  return (file.byName.get(name) ?? [])
    .filter((fact) => fact.kind === "narrowed" && isWithin(fact, place));
}

/** Those of the types whose member can have the values; all where none is left or nothing is said. */
export function narrowTyped(typed: Typed, fact: TypeFact, types: Types, depth = 0): Typed {
  const cut = fact.text.indexOf("=");
  const [member, values] = [fact.text.slice(0, cut), fact.text.slice(cut + 1).split("|")];
  const bare = depth > MAX_DEPTH ? null : types.bare(typed);
  if (bare?.kind === "both") {
    const of = bare.of.map((one) => one === null ? null : narrowTyped(one, fact, types, depth + 1));
    return { kind: "both", of };
  }
  if (bare?.kind !== "either") return typed;
  const all = flatten(bare, types, depth);
  const left = all.filter((one) => {
    const declared = one === null ? null : declaredOf(one, member, types);
    return declared === null || canBe(declared, values);
  });
  const [first = null] = left;
  if (first === null || left.length === all.length) return typed;
  return left.length === 1 ? first : { kind: "either", of: left };
}

/** The types of which it is one; none where one of them is not known. */
export function listEach(typed: Typed, types: Types): readonly Typed[] {
  const bare = types.bare(typed);
  if (bare?.kind === "both") {
    return bare.of.map((one) => one === null ? [] : listEach(one, types))
      .find((all) => all.length > 1) ?? [];
  }
  const all = bare?.kind === "either" ? flatten(bare, types, 0) : [];
  return all.flatMap((one) => one ?? []).length === all.length ? all as readonly Typed[] : [];
}

function flatten(typed: Typed, types: Types, depth: number): readonly (Typed | null)[] {
  const bare = depth > MAX_DEPTH ? null : types.bare(typed);
  return bare?.kind === "either"
    ? bare.of.flatMap((one) => one === null ? [null] : flatten(one, types, depth + 1))
    : [typed];
}

/** Whether a member with the declared type can have one of the values; so can one that declares no single values. */
function canBe(declared: string, values: readonly string[]): boolean {
  const [, left] = /^Exclude<[^<>]+,([^<>]+)>$/.exec(declared) ?? [];
  if (left !== undefined) {
    const without = splitValues(left);
    return values.some((value) => !without.includes(value));
  }
  const own = splitValues(declared);
  return own.some((one) => values.includes(one)) || !own.every(isValue);
}

function splitValues(declared: string): readonly string[] {
  return declared.split("|").map((part) => part.trim().replace(/^typeof /, ""))
    .filter((part) => part !== "").map((part) => part.replace(/^'(.*)'$/s, '"$1"'));
}

function isValue(text: string): boolean {
  return /^(?:"[^"]*"|-?[\d.]+|true|false|null|undefined|[\w$]+(?:\.[\w$]+)+)$/.test(text);
}

/** Members of lists that give each of the list to their first argument. */
const OVER_LIST = new Set(
  "map forEach filter find findLast some every flatMap findIndex findLastIndex sort toSorted".split(
    " ",
  ),
);

/** The type of a parameter that says none, by what its function is given to. */
export function typeOfContext(text: string, place: Place, types: Types): Typed | null {
  const [, calls = "", sign = "", rest = "", number = "0"] =
    /^((?:\(\))*)([:=]?)(.*)@(\d+)$/s.exec(text) ?? [];
  if (sign === "") return ofArgument(rest, Number(number), { calls, place, types });
  let typed = sign === ":" ? types.ofForm(readTypeForm(rest), place) : types.typeOf(rest, place);
  for (let at = 0; at < calls.length && typed !== null; at += 2) typed = types.called(typed);
  return typed === null ? null : parameterOf(typed, Number(number), types);
}

function ofArgument(
  rest: string,
  index: number,
  { calls, place, types }: {
    readonly calls: string;
    readonly place: Place;
    readonly types: Types;
  },
): Typed | null {
  const cut = rest.lastIndexOf("@");
  const callee = rest.slice(0, cut);
  const dot = callee.lastIndexOf(".");
  const name = callee.slice(dot + 1);
  if (dot > 0 && index === 0 && OVER_LIST.has(name)) {
    const list = types.typeOf(callee.slice(0, dot), place);
    const bare = list === null ? null : types.bare(list);
    if (bare?.kind === "list") return elementOf(bare, types);
  }
  const typed = types.typeOf(callee, place);
  let given = typed === null ? null : parameterOf(typed, Number(rest.slice(cut + 1)), types);
  for (let at = 0; at < calls.length && given !== null; at += 2) given = types.called(given);
  return given === null ? null : parameterOf(given, index, types);
}

/** The type of a parameter of a function. */
function parameterOf(typed: Typed, index: number, types: Types): Typed | null {
  const bare = types.bare(typed);
  if (bare === null) return null;
  if (bare.kind === "either") {
    const all = bare.of.flatMap((one) => one === null ? [] : parameterOf(one, index, types) ?? []);
    return all.length === 1 ? all[0] ?? null : null;
  }
  const signed = bare.kind === "callable" && bare.hit.signature !== undefined
    ? {
      form: fillMember(readSignature(bare.hit.signature), bare, types),
      place: placeOf(bare.hit),
    }
    : bare.kind === "function"
    ? bare
    : bare.kind === "object"
    ? buildSignature(bare, factsAt(types.rules, bare.type))
    : null;
  if (signed === null || signed.form.kind !== "function") return null;
  const { parameters } = signed.form;
  const parameter = parameters[index] ??
    (parameters.at(-1)?.isRest === true ? parameters.at(-1) : undefined);
  if (parameter === undefined) return null;
  const own = types.ofForm(parameter.type, signed.place);
  return parameter.isRest && own !== null ? elementOf(own, types) : own;
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
export function elementOf(typed: Typed, types: Types): Typed | null {
  const bare = types.bare(typed);
  const isPython = types.rules.family === "python";
  if (bare?.kind === "object" && isPython) {
    const getter = types.step(bare, "__getitem__");
    return getter === null ? null : types.called(getter);
  }
  if (bare?.kind === "tuple") {
    return isPython
      ? joinTypes(bare.of.map(({ form, place }) => types.ofForm(form, place)))
      : partOf(bare, 0, types);
  }
  const isMany = bare?.kind === "list" || bare?.kind === "table";
  return isMany ? types.ofForm(bare.of.form, bare.of.place) : null;
}

/** What a loop gets. */
function eachOf(typed: Typed, types: Types): Typed | null {
  if (typed.kind === "table") return types.ofForm(typed.key.form, typed.key.place);
  const iterator = typed.kind === "object" ? types.step(typed, "__iter__") : null;
  return elementOf((iterator === null ? null : types.called(iterator)) ?? typed, types);
}

/** What is awaited. */
export function awaitedOf(typed: Typed, types: Types): Typed | null {
  const bare = types.bare(typed);
  return bare?.kind === "promise" ? types.ofForm(bare.of.form, bare.of.place) : bare;
}

/** One by its number, from 0. */
export function partOf(typed: Typed, index: number, types: Types): Typed | null {
  const part = typed.kind === "tuple" ? typed.of[index] : undefined;
  return part === undefined ? null : types.ofForm(part.form, part.place);
}

/** What one step of an expression leads to: a member, a result, one of many, what is awaited, each of a loop, or a part. */
export function followStep(
  [, name, call, index, awaited, each, number]: RegExpExecArray,
  typed: Typed,
  types: Types,
): Typed | null {
  if (name !== undefined) return types.step(typed, name);
  if (call !== undefined) return types.called(typed);
  if (index !== undefined) return elementOf(typed, types);
  if (awaited !== undefined) return awaitedOf(typed, types);
  return each !== undefined ? eachOf(typed, types) : partOf(typed, Number(number), types);
}
