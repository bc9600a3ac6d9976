/**
 * What the type parameters of a type stand for where a member of it is reached: `Box<Item>` gives `T`, and
 * `class ItemBox extends Box<Item>` does for all of its objects. Pure over the facts.
 */
import type { TypeFact } from "../../analysis/analysis.ts";
import type { Typed, TypeGiven, Types } from "./typed.ts";
import { cutKeys, factsAt, isWithin, joinTypes, placeOf } from "./typed.ts";
import type { TypeForm } from "./type_text.ts";
import { readSignature, readTypeForm } from "./type_text.ts";
import { basesOf, memberOf } from "../members.ts";
import { listCandidates } from "../resolution_rules.ts";
import type { SymbolHit } from "../../index/read/view.ts";
import { TYPES } from "../reference_facts.ts";
import type { Place } from "../reference_facts.ts";

/** The names of type parameters as they are written, `<T extends A, U = B>`, with what each stands for by default. */
export function readTypeParameters(
  text: string,
): readonly { readonly name: string; readonly byDefault: TypeForm | null }[] {
  return cutKeys(text.replace(/^<|>$/g, "")).map((part) => {
    const name = /^\s*(?:const |in |out )*([\w$]+)/.exec(part)?.[1] ?? "";
    const [, own] = /[^=!<>]=(?![>=])\s*(.+)$/s.exec(part) ?? [];
    return { name, byDefault: own === undefined ? null : readTypeForm(own) };
  });
}

/** A form with type parameters put in the place of their names. */
export function fillForm(form: TypeForm, given: ReadonlyMap<string, TypeForm>): TypeForm {
  const fill = (one: TypeForm) => fillForm(one, given);
  switch (form.kind) {
    case "named":
      return given.get(form.name) ?? { ...form, args: form.args.map(fill) };
    case "list":
    case "member":
      return { ...form, of: fill(form.of) };
    case "tuple":
    case "either":
    case "both":
      return { ...form, of: form.of.map(fill) };
    case "function": {
      const parameters = form.parameters.map((one) => ({ ...one, type: fill(one.type) }));
      return { ...form, parameters, result: fill(form.result) };
    }
    default:
      return form;
  }
}

/**
 * What the type parameters of a type stand for.
 *
 * @param facts what is said at the name of the type.
 */
export function giveParameters(
  { type, args = [] }: TypeGiven,
  facts: readonly TypeFact[],
): ReadonlyMap<string, TypeForm> {
  const given = new Map<string, TypeForm>();
  const text = facts.find(({ kind }) => kind === "generic")?.text ?? "";
  for (const [at, { name, byDefault }] of readTypeParameters(text).entries()) {
    // What stands for a parameter by default is seen from the type.
    const own = args[at] ??
      (byDefault === null ? undefined : bindToPlace(byDefault, placeOf(type)));
    if (own !== undefined) given.set(name, own);
  }
  return given;
}

/** The function that an interface is with its parameters given; null where it is none, or has several forms. */
export function buildSignature(
  given: TypeGiven,
  facts: readonly TypeFact[],
): Typed & { kind: "function" } | null {
  const [called, other] = facts.filter(({ kind }) => kind === "called");
  if (called === undefined || other !== undefined) return null;
  const form = fillForm(readSignature(called.text), giveParameters(given, facts));
  return form.kind === "function" ? { kind: "function", form, place: placeOf(given.type) } : null;
}

/** A form whose names stay those of a place, wherever it is put. */
export function bindToPlace(form: TypeForm, place: Place): TypeForm {
  return form.kind === "placed" ? form : { kind: "placed", of: form, place };
}

const UNKNOWN: TypeForm = { kind: "unknown" };
const MAX_STEPS = 5;

/**
 * The type of a member as it is declared, with what is known of the type parameters of its type in their places. What
 * nobody gives is unknown: an object that is made may be of more than a parameter extends.
 *
 * @param of what it is a member of.
 */
export function fillMember(
  form: TypeForm,
  { hit, of }: { readonly hit: SymbolHit; readonly of: Typed | null },
  types: Types,
): TypeForm {
  const { facts: project } = types.rules;
  const holder = hit.parent === null ? undefined : project.symbols(hit.path)[hit.parent];
  if (of?.kind !== "object" || holder === undefined || !TYPES.has(holder.kind)) return form;
  const facts = factsAt(types.rules, holder);
  if (readGeneric(facts) === "") return form;
  const nothing = new Map<string, TypeForm>();
  return fillForm(form, giveOf(of, holder, types) ?? giveAll(nothing, facts));
}

/** What a call of a function answers with; null where its overloads answer with one or another thing. */
export function resultOf(hit: SymbolHit, of: Typed | null, types: Types): Typed | null {
  const overloads = listCandidates(types.rules, hit.name).filter((one) =>
    one.path === hit.path && one.qualifiedName === hit.qualifiedName && one.parent === hit.parent
  );
  if (overloads.length < 2) return resultOfOne(hit, of, types);
  const holder = hit.parent === null ? undefined : types.rules.facts.symbols(hit.path)[hit.parent];
  // Who calls does not see the signature of the body, which is the last.
  const hasBody = !hit.path.endsWith(".d.ts") && holder?.kind !== "interface";
  const [first = hit, ...others] = hasBody ? overloads.slice(0, -1) : overloads;
  const typed = resultOfOne(first, of, types);
  // The first that fits is meant; another one with the same parameters never is.
  const own = normalizeParameters(first);
  const unlike = others.filter((one) => normalizeParameters(one) !== own);
  const joined = joinTypes([typed, ...unlike.map((one) => resultOfOne(one, of, types))]);
  return joined?.kind === "either" && typed?.kind !== "either" ? null : joined;
}

/** The parameters of a function as they are written, without its result, to compare them. */
function normalizeParameters({ signature = "" }: SymbolHit): string {
  const end = signature.lastIndexOf(")");
  return signature.slice(signature.indexOf("("), end + 1).replace(/\s+/g, "");
}

function resultOfOne(hit: SymbolHit, of: Typed | null, types: Types): Typed | null {
  const fact = factsAt(types.rules, hit).find(({ kind }) => kind === "result");
  if (fact === undefined) return null;
  const form = readTypeForm(fact.text);
  if (form.kind === "named" && form.name === "this" && of !== null) {
    return of.kind === "class" ? { kind: "object", type: of.type } : of;
  }
  return types.ofForm(withoutOwn(fillMember(form, { hit, of }, types), hit, types), placeOf(hit));
}

/** A result without the type parameters of its own function: each call says what they are. */
function withoutOwn(form: TypeForm, hit: SymbolHit, types: Types): TypeForm {
  const own = new Set<string>();
  const visit = (one: TypeForm): void => {
    if (one.kind === "named") {
      const isOwn = (types.rules.facts.types(hit.path).byName.get(one.name) ?? [])
        .some((fact) => fact.kind === "bound" && isWithin(fact, placeOf(hit)));
      if (isOwn) own.add(one.name);
      one.args.forEach(visit);
    } else if (one.kind === "tuple" || one.kind === "either" || one.kind === "both") {
      one.of.forEach(visit);
    } else if (one.kind === "list" || one.kind === "member") visit(one.of);
  };
  visit(form);
  return own.size === 0 ? form : fillForm(form, new Map([...own].map((name) => [name, UNKNOWN])));
}

/** The object itself: its type parameters stand for what they extend. */
export function selfTypeOf(self: Typed | null, types: Types): Typed | null {
  if (self?.kind !== "object" || self.args !== undefined) return self;
  const { type } = self;
  const names = readTypeParameters(readGeneric(factsAt(types.rules, type)));
  const args = names.map(({ name }) =>
    bindToPlace({ kind: "named", name, args: [] }, placeOf(type))
  );
  return { kind: "object", type, ...(args.length === 0 ? {} : { args }) };
}

/** A new object of a class: what its constructor is given says its type parameters, else they are what they are by default. */
export function instanceOf(made: Typed | null, types: Types): Typed | null {
  if (made?.kind !== "object" || made.args !== undefined) return made;
  const { type } = made;
  const text = readGeneric(factsAt(types.rules, type));
  if (text === "") return made;
  const { rules } = types;
  const given = memberOf(rules, type, listCandidates(rules, "constructor"))?.signature ?? "";
  const args = readTypeParameters(text).map(({ name, byDefault }) =>
    byDefault === null ||
      new RegExp(`(?<![\\w$.])${name.replaceAll("$", "\\$")}(?![\\w$])`).test(given)
      ? UNKNOWN
      : bindToPlace(byDefault, placeOf(type))
  );
  return { kind: "object", type, args };
}

function readGeneric(facts: readonly TypeFact[]): string {
  const text = facts.find(({ kind }) => kind === "generic")?.text ?? "";
  return /^<.*>$/s.test(text) ? text : "";
}

/** What all type parameters of a type stand for. */
function giveAll(
  known: ReadonlyMap<string, TypeForm>,
  facts: readonly TypeFact[],
): ReadonlyMap<string, TypeForm> {
  const names = readTypeParameters(readGeneric(facts)).map(({ name }) => name);
  return new Map(names.map((name) => [name, known.get(name) ?? UNKNOWN]));
}

/** What the parameters of a type or of one of its bases stand for; null where the holder is none of these. */
function giveOf(
  given: TypeGiven,
  holder: SymbolHit,
  types: Types,
  steps = 0,
): ReadonlyMap<string, TypeForm> | null {
  const { type } = given;
  const facts = factsAt(types.rules, type);
  const own = giveAll(giveParameters(given, facts), facts);
  if (isSame(type, holder)) return own;
  if (steps >= MAX_STEPS) return null;
  const generic = facts.filter(({ kind }) => kind === "extends").flatMap(({ text }) => {
    const base = types.ofForm(fillForm(readTypeForm(text), own), placeOf(type));
    return base?.kind === "object" ? [base] : [];
  });
  for (const base of basesOf(types.rules, type)) {
    const said = generic.find((one) => isSame(one.type, base)) ?? { type: base };
    const found = giveOf(said, holder, types, steps + 1);
    if (found !== null) return found;
  }
  return null;
}

function isSame(one: SymbolHit, other: SymbolHit): boolean {
  return one.path === other.path && one.line === other.line && one.column === other.column;
}
