/** Values that are made at their first question and kept. */

/** The value of a key; made and remembered when it is asked for first. */
export function once<K, T>(
  known: { get(key: K): T | undefined; set(key: K, value: T): unknown },
  key: K,
  make: () => T,
): T {
  const found = known.get(key);
  if (found !== undefined) return found;
  const value = make();
  known.set(key, value);
  return value;
}

/** The values of some keys; those that are not remembered are made together, in the order of their keys. */
export function readAll<K, T>(
  known: { get(key: K): T | undefined; set(key: K, value: T): unknown },
  keys: readonly K[],
  make: (lacking: readonly K[]) => readonly T[],
): readonly T[] {
  const lacking = keys.filter((key) => known.get(key) === undefined);
  const made = lacking.length === 0 ? [] : make(lacking);
  lacking.forEach((key, at) => {
    const value = made[at];
    if (value !== undefined) known.set(key, value);
  });
  return keys.flatMap((key) => {
    const value = known.get(key);
    return value === undefined ? [] : [value];
  });
}
