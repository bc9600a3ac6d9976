/** What is left of a type that is one of several where a test has told which: `case "a":`, `if (one.kind === "a")`. Pure. */
import type { TypeFact } from "../../analysis/analysis.ts";
import type { Place } from "./place.ts";
import type { FileTypes } from "../reference_facts.ts";
import type { Typed } from "./typed.ts";
import { isWithin } from "./typed.ts";

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
