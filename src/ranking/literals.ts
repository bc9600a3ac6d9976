/** The names of code that a text writes as code. It depends on its arguments alone. */

/** Text in marks of code or in quotes; an apostrophe stands in a word or behind it. */
const MARKED = /`[^`\n]{2,60}`|"[^"\n]{2,60}"|(?<![\w)\]])'[^'\n]{2,60}'(?!\w)/g;
/** Names that a sign of code joins, and calls. */
const JOINED = /[A-Za-z_$][\w$]*(?:(?:\.|::|->|#)[\w$]+)+|[A-Za-z_$][\w$]*(?=\(\))/g;
/** A name with a capital inside, or an underscore. */
const SHAPED = /\b\w*(?:[a-z][A-Z]|_|[A-Z]{2}[a-z]{2}|[A-Z][a-z]+[A-Z])\w*/g;
const NAME = /[A-Za-z_][A-Za-z0-9_]{2,}/g;
const MAX_LITERALS = 16;

/**
 * The names of a text that are surely meant as they stand, each once: those in marks of code or in quotes, those that a
 * sign of code joins, calls, and those that are no words of a language. At most sixteen, in order.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { findLiterals } from "./literals.ts";
 * const text = "Let `redirect` of res.location keep a cookie's maxAge, as set_cookie() does for the users' sake";
 * deepEqual(findLiterals(text), ["redirect", "res", "location", "maxAge", "set_cookie"]);
 * ```
 */
export function findLiterals(text: string): string[] {
  const found = [MARKED, JOINED, SHAPED].flatMap((form) => [...text.matchAll(form)]);
  const names = found.sort((a, b) => a.index - b.index).flatMap(([whole]) =>
    whole.match(NAME) ?? []
  );
  return [...new Set(names)].slice(0, MAX_LITERALS);
}

/**
 * How much of what files have together each has: a name counts the more the fewer of the files have it.
 *
 * @param sets The names that each file has.
 * @returns Weighs a set, from 0 to 1; with `within` as a share of the names that this other set has.
 */
export function toLiteralScale(
  sets: readonly ReadonlySet<string>[],
): (own: ReadonlySet<string>, within?: ReadonlySet<string>) => number {
  const counts = new Map<string, number>();
  for (const own of sets) for (const name of own) counts.set(name, (counts.get(name) ?? 0) + 1);
  const weights = new Map(
    [...counts].map(([name, count]) => [name, Math.log1p(sets.length / count)]),
  );
  const weigh = (names: Iterable<string>) =>
    [...names].reduce((sum, name) => sum + (weights.get(name) ?? 0), 0);
  const all = new Set(weights.keys());
  return (own, within = all) => {
    const whole = weigh(within);
    return whole === 0 ? 0 : weigh(own.intersection(within)) / whole;
  };
}
