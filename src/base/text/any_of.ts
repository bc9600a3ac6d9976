/** Joins short patterns to one. Pure. */

/**
 * A pattern that finds what one of the given ones finds; the flags are those of the first.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { anyOf } from "./any_of.ts";
 * const mark = anyOf(/^todo\b/i, /^fixme\b/);
 * deepEqual(["TODO", "Fixme: later", "later"].map((text) => mark.test(text)), [true, true, false]);
 * ```
 */
export function anyOf(first: RegExp, ...others: readonly RegExp[]): RegExp {
  return new RegExp([first, ...others].map(({ source }) => source).join("|"), first.flags);
}
