/** Values that are made at their first question and kept. */

/**
 * Remembers so many values at the most. They are kept in two halves: where the newer one is full
 * and a further value comes, the older one is forgotten at once. Values that were asked for
 * meanwhile stay. To forget one value at a time is slow: a map of the engine goes through the
 * places of those that were deleted before.
 */
export class BoundedMap<K, V> {
  #newer = new Map<K, V>();
  #older = new Map<K, V>();
  readonly #half: number;

  /** @param most at least 2. */
  constructor(most: number) {
    this.#half = Math.floor(most / 2);
  }

  get(key: K): V | undefined {
    const value = this.#newer.get(key);
    if (value !== undefined) return value;
    const old = this.#older.get(key);
    // A question makes nothing forgotten.
    if (old !== undefined && this.#newer.size < this.#half) this.#newer.set(key, old);
    return old;
  }

  set(key: K, value: V): void {
    if (this.#newer.size >= this.#half && !this.#newer.has(key)) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(key, value);
  }

  clear(): void {
    this.#newer.clear();
    this.#older.clear();
  }
}

/** The value of a key; made and remembered when it is asked for first. */
export function getOrInsert<K, T>(
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
export function getOrInsertAll<K, T>(
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
