/**
 * What an expression can be, what its types are asked of, and the small questions about facts that need no project.
 * Pure.
 */
import { packPosition } from "../../base/text/position.ts";
import { IN_BLOCK } from "../../language/kinds.ts";
import type { ImportEntry, TypeFact } from "../../analysis/analysis.ts";
import type { SymbolHit } from "../../index/read/view.ts";
import type { FileTypes, Place, Rules } from "../reference_facts.ts";
import type { TypeForm } from "./type_text.ts";

/** A type with what its type parameters stand for, where it is said. */
export interface TypeGiven {
  readonly type: SymbolHit;
  readonly args?: readonly TypeForm[];
}

/** What an expression is. */
export type Typed =
  /** A value of the type, or the type itself as a value. */
  | { readonly kind: "object" | "class" } & TypeGiven
  /** A function, with what it is a member of. */
  | { readonly kind: "callable"; readonly hit: SymbolHit; readonly of: Typed | null }
  | { readonly kind: "list"; readonly of: Scoped }
  /** A method of a list that gives one of it. */
  | { readonly kind: "taker"; readonly of: Scoped }
  | { readonly kind: "tuple"; readonly of: readonly Scoped[] }
  | {
    readonly kind: "function";
    readonly form: TypeForm & { kind: "function" };
    readonly place: Place;
  }
  /** One of several, or all at once. */
  | { readonly kind: "either" | "both"; readonly of: readonly (Typed | null)[] }
  | { readonly kind: "promise"; readonly of: Scoped }
  /** Values by keys, of which a loop gets the keys. */
  | { readonly kind: "table"; readonly key: Scoped; readonly of: Scoped }
  /** What the bases of a type give an object of it. */
  | { readonly kind: "base"; readonly type: SymbolHit }
  | { readonly kind: "module"; readonly entry: ImportEntry; readonly from: string }
  /** An object that is written out: its keys and what it spreads; its methods are members of the definition that it is of. */
  | {
    readonly kind: "keys";
    readonly keys: readonly string[];
    readonly place: Place;
    readonly of?: SymbolHit;
  };

/** A type as it is written, with where it is. */
export interface Scoped {
  readonly form: TypeForm;
  readonly place: Place;
}

/** The types of expressions in one family of languages, as the parts of an expression ask for them in turn. */
export interface Types {
  readonly rules: Rules;
  /** What an expression in its short form is. */
  typeOf(expression: string, place: Place): Typed | null;
  ofForm(form: TypeForm, place: Place): Typed | null;
  ofFact(fact: TypeFact, path: string): Typed | null;
  /** What a definition is where its name stands as a value, as a member of something or alone. */
  ofSymbol(hit: SymbolHit, of: Typed | null): Typed | null;
  /** The definition of a member. */
  member(typed: Typed, name: string): SymbolHit | null;
  /** What a member is. */
  step(typed: Typed, name: string): Typed | null;
  /** What a call answers with. */
  called(typed: Typed | null): Typed | null;
  /** What stands behind names of types that only stand for others. */
  bare(typed: Typed): Typed | null;
}

/** What a file says at the name of a definition. */
export function factsAt(
  { facts }: Rules,
  { path, name, line, column }: SymbolHit,
): readonly TypeFact[] {
  return (facts.types(path).byName.get(name) ?? [])
    .filter((fact) => fact.line === line && fact.column === column);
}

/** Where a definition stands. */
export function placeOf({ path, line, column }: SymbolHit): Place {
  return { path, line, column };
}

/** A name that is a type and a value means the value where a value stands. */
export function preferValues(found: readonly SymbolHit[]): readonly SymbolHit[] {
  const values = found.filter(({ kind }) => kind !== "interface" && kind !== "type");
  return values.length > 0 ? values : found;
}

/** The innermost variable of the name whose block holds the place; the last of a block that is bound before it. */
export function findLocal(file: FileTypes, name: string, place: Place): TypeFact | undefined {
  const at = packPosition(place.line, place.column);
  const seen = (file.byName.get(name) ?? []).filter((fact) =>
    isVariableFact(fact) && isWithin(fact, place) && packPosition(fact.line, fact.column) !== at
  );
  const inner = Math.max(...seen.map(({ within }) => within?.[0] ?? 0));
  const own = seen.filter(({ within }) => within?.[0] === inner);
  const before = own.filter((fact) => packPosition(fact.line, fact.column) < at);
  const last = before.at(-1) ?? own[0];
  // A declared type holds beside the first value.
  return own.find((fact) =>
    fact.kind === "type" && fact.line === last?.line && fact.column === last.column
  ) ?? last;
}

const OF_VARIABLES: ReadonlySet<string> = new Set(
  ["type", "value", "each", "context", "alias", "injected"],
);

/** Whether a fact says what a variable holds. */
export function isVariableFact({ kind, text }: TypeFact): boolean {
  return OF_VARIABLES.has(kind) && text !== IN_BLOCK;
}

/** What a variable is that holds one of several: their one type where they have the same one. */
export function joinTypes(some: readonly (Typed | null)[]): Typed | null {
  const all = some.flatMap((one) => one?.kind === "either" ? one.of : [one]);
  const [first = null] = all;
  if (first === null || all.includes(null)) return null;
  return all.every((one) => isSame(one, first)) ? first : { kind: "either", of: all };
}

function isSame(one: Typed | null, other: Typed): boolean {
  if (one === other) return true;
  if (one?.kind === "callable" && other.kind === "callable") return one.hit === other.hit;
  return (one?.kind === "object" || one?.kind === "class") && one.kind === other.kind &&
    one.type === other.type;
}

/** Whether a variable's block holds a place. */
export function isWithin({ within }: TypeFact, { line, column }: Place): boolean {
  const at = packPosition(line, column);
  return within !== undefined && within[0] <= at && at <= within[1];
}

/** Cuts at the commas that stand in no bracket. */
export function cutKeys(text: string): readonly string[] {
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (/[<{([]/.test(char)) depth++;
    else if (/[})\]]/.test(char) || char === ">" && text.charAt(at - 1) !== "=") depth--;
    else if (char === "," && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)].filter((part) => part !== "");
}

/** The head of a short form, and its steps. */
export function cutHead(expression: string): readonly [head: string, rest: string] {
  const first = expression.charAt(0);
  if (first !== "<" && first !== "{") {
    const head = /^[\p{L}\p{N}_$#]+/u.exec(expression)?.[0] ?? "";
    return [head, expression.slice(head.length)];
  }
  const close = first === "<" ? ">" : "}";
  let depth = 0;
  for (let at = 0; at < expression.length; at++) {
    const char = expression.charAt(at);
    if (char === first) depth++;
    if (char === close && expression.charAt(at - 1) !== "=" && --depth === 0) {
      return [expression.slice(0, at + 1), expression.slice(at + 1)];
    }
  }
  return [expression, ""];
}
