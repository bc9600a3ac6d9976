/** Values that are remembered up to a number. */

/**
 * Remembers so many values at the most. They are kept in two halves: where the newer one is full and a further value comes,
 * the older one is forgotten, all at once, save what was asked for meanwhile. To forget one value at a time is slow: a map of the
 * engine goes through the places of those that were deleted before.
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
