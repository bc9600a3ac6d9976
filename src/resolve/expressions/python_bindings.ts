/**
 * Which bindings of a variable of Python can reach a place. A name holds in its whole function there, whatever block binds
 * it: what the function binds again in a block may or may not have happened. Pure.
 */
import type { TypeFact } from "../../analysis/analysis.ts";
import { toColumn, toPosition } from "../../base/text/position.ts";
import type { FileTypes } from "../reference_facts.ts";
import type { Place } from "./place.ts";
import { isVariableFact, isWithin } from "./typed.ts";

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
