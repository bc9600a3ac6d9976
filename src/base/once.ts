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

/**
 * The values of some keys; those that are not remembered are made together, each key once, in the order of their keys. All of
 * them are answered also where remembering a new one makes the memory forget an older one.
 */
export function readAll<K, T>(
  known: { get(key: K): T | undefined; set(key: K, value: T): unknown },
  keys: readonly K[],
  make: (lacking: readonly K[]) => readonly T[],
): readonly T[] {
  const values = new Map<K, T>();
  for (const key of keys) {
    const value = known.get(key);
    if (value !== undefined) values.set(key, value);
  }
  const lacking = [...new Set(keys)].filter((key) => !values.has(key));
  const made = lacking.length === 0 ? [] : make(lacking);
  lacking.forEach((key, at) => {
    const value = made[at];
    if (value === undefined) return;
    known.set(key, value);
    values.set(key, value);
  });
  return keys.flatMap((key) => {
    const value = values.get(key);
    return value === undefined ? [] : [value];
  });
}
