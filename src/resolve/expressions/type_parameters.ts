/** Types with parameters: what stands in the place of each. Pure. */
import type { TypeFact } from "../../analysis/analysis.ts";
import type { Place } from "./place.ts";
import type { Typed, TypeGiven } from "./typed.ts";
import { cutKeys, placeOf } from "./typed.ts";
import type { TypeForm } from "./type_text.ts";
import { readSignature, readTypeForm } from "./type_text.ts";

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
    const own = args[at] ?? (byDefault === null ? undefined : toPlaced(byDefault, placeOf(type)));
    if (own !== undefined) given.set(name, own);
  }
  return given;
}

/** The function that an interface is with its parameters given; null where it is none, or has several forms. */
export function toSignature(
  given: TypeGiven,
  facts: readonly TypeFact[],
): Typed & { kind: "function" } | null {
  const [called, other] = facts.filter(({ kind }) => kind === "called");
  if (called === undefined || other !== undefined) return null;
  const form = fillForm(readSignature(called.text), giveParameters(given, facts));
  return form.kind === "function" ? { kind: "function", form, place: placeOf(given.type) } : null;
}

/** A form whose names stay those of a place, wherever it is put. */
export function toPlaced(form: TypeForm, place: Place): TypeForm {
  return form.kind === "placed" ? form : { kind: "placed", of: form, place };
}
