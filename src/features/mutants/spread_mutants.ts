/** Says in which order mutants are tried, so that few of them tell of many lines. Pure. */
import type { Mutant } from "./mutant_rules.ts";
import { WHOLE_KINDS } from "./mutant_rules.ts";

/**
 * Those that take a whole part away come first. Of the rest one mutant of each line comes before a second one of any, constants later; and of each such round those that come
 * first lie far apart.
 *
 * @param mutants by file and line, the more telling ones of a line first.
 */
export function spreadMutants(mutants: readonly Mutant[]): readonly Mutant[] {
  const rounds: Mutant[][] = [];
  const counts = new Map<string, number>();
  const isWhole = ({ kind }: Mutant) => WHOLE_KINDS.has(kind);
  for (const mutant of mutants.filter((one) => !isWhole(one))) {
    const line = placeOf(mutant);
    const rank = counts.get(line) ?? 0;
    counts.set(line, rank + 1);
    const round = rank + (mutant.kind === "constant" ? 1 : 0);
    (rounds[round] ??= []).push(mutant);
  }
  return [...mutants.filter(isWhole), ...rounds.flatMap(farApart)];
}

/** The middle, then the middles of both halves, and so on. */
function farApart<T>(items: readonly T[]): readonly T[] {
  const found: T[] = [];
  let parts: readonly (readonly [from: number, to: number])[] = [[0, items.length]];
  while (parts.length > 0) {
    parts = parts.flatMap(([from, to]): readonly (readonly [number, number])[] => {
      if (from >= to) return [];
      const middle = Math.floor((from + to) / 2);
      const item = items[middle];
      if (item !== undefined) found.push(item);
      return [[from, middle], [middle + 1, to]];
    });
  }
  return found;
}

/** The line of a mutant, as `path:line`. */
export function placeOf({ path, line }: Pick<Mutant, "path" | "line">): string {
  return `${path}:${line}`;
}
