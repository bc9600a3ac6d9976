/** The types of parameters that say none: what their function is given to, or declared as, says them. Pure. */
import type { Place } from "./place.ts";
import type { SymbolHit } from "../../index/read/view.ts";
import type { Typed, TypeGiven } from "./typed.ts";
import { placeOf } from "./typed.ts";
import type { TypeForm } from "./type_text.ts";
import { readSignature, readTypeForm } from "./type_text.ts";

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
