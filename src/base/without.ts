/** Lists compared as multisets. Pure. */

/**
 * The entries without those that the other list has too, by their keys; each as often as there.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { without } from "./without.ts";
 * deepEqual(without(["a", "b", "a"], ["a", "c"], (key) => key), ["b", "a"]);
 * ```
 */
export function without<T, U>(
  all: readonly T[],
  others: readonly U[],
  toKey: (entry: T | U) => unknown,
): T[] {
  const left = new Map<unknown, number>();
  for (const key of others.map(toKey)) left.set(key, (left.get(key) ?? 0) + 1);
  return all.filter((entry) => {
    const key = toKey(entry);
    const count = left.get(key) ?? 0;
    if (count > 0) left.set(key, count - 1);
    return count === 0;
  });
}
