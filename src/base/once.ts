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
