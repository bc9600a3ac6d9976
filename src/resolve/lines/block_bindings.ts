/** Which declarations a variable can have at a place, by the blocks that the analysis tells. Pure. */
import type { TypeFact } from "../../analysis/analysis.ts";
import { toPosition } from "../../base/text/position.ts";
import type { ProjectFacts } from "../reference_facts.ts";

/** A variable, and the place where it is used. */
export interface BoundSpot {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  /** 1-based; absent: the begin of the line. */
  readonly column?: number;
}

const WHOLE: readonly [number, number] = [0, Infinity];

/** The declarations of the innermost block round a place that stand before it; none where no block has the name. */
export function findDeclared(facts: ProjectFacts, spot: BoundSpot): readonly TypeFact[] {
  const at = toPosition(spot.line, spot.column ?? 1);
  const seen = listHolding(facts, spot)
    .filter((fact) => startOf(fact) < at && !isInOwnValue(facts, spot, fact));
  const innermost = Math.max(...seen.map(({ within = WHOLE }) => within[0]));
  return seen.filter(({ within = WHOLE }) => within[0] === innermost);
}

/**
 * Whatever may have set a variable that has no declaration: each place of the widest block up to a parameter, and those of
 * the blocks inside. None where no block has the name, or nothing sets it before the place.
 */
export function findGiven(facts: ProjectFacts, spot: BoundSpot): readonly TypeFact[] {
  const all = listFacts(facts, spot);
  const inner = listHolding(facts, spot)
    .toSorted((a, b) => (b.within ?? WHOLE)[0] - (a.within ?? WHOLE)[0]);
  const parameter = inner.findIndex((fact) => !isAssigned(facts, spot.path, fact));
  const last = parameter < 0 ? inner.at(-1) : inner[parameter];
  if (last === undefined) return [];
  const [from, to] = last.within ?? WHOLE;
  const given = all.filter((fact) => {
    const [start, end] = fact.within ?? WHOLE;
    const isHolding = inner.includes(fact);
    return from <= start && end <= to && (isHolding || isAssigned(facts, spot.path, fact));
  });
  const at = toPosition(spot.line, spot.column ?? 1);
  return given.some((fact) => startOf(fact) < at) ? given : [];
}

function listFacts(facts: ProjectFacts, { name, path }: BoundSpot): readonly TypeFact[] {
  return (facts.types(path).byName.get(name) ?? []).filter(({ kind }) => kind === "local");
}

function listHolding(facts: ProjectFacts, spot: BoundSpot): readonly TypeFact[] {
  const at = toPosition(spot.line, spot.column ?? 1);
  return listFacts(facts, spot).filter(({ within: [from, to] = WHOLE }) => from <= at && at <= to);
}

function startOf({ line, column }: TypeFact): number {
  return toPosition(line, column);
}

/** Whether a place lies in the first value of a variable, which does not know the variable yet: `x = x.next()`. */
function isInOwnValue(
  facts: ProjectFacts,
  { path, line, column = 1 }: BoundSpot,
  fact: TypeFact,
): boolean {
  if (fact.line !== line) return false;
  const text = facts.lineText?.(path, line);
  return text !== undefined &&
    /^\w+[^={;)]*=(?![=>])[^{;]*$/.test(text.slice(fact.column - 1, column));
}

/** Whether a place assigns to a variable, and does not declare one of its own as a parameter does. */
function isAssigned(facts: ProjectFacts, path: string, { name, line, column }: TypeFact): boolean {
  const rest = facts.lineText?.(path, line)?.slice(column - 1 + name.length) ?? "";
  return /^\s*(?:[-+*\/.]|\*\*|\|\||&&|\?\?)?=(?![=~>])/.test(rest);
}
