/** Values that are remembered up to a number. */

/** Remembers so many values at the most: a further one makes it forget the one that was remembered first. */
export class BoundedMap<K, V> {
  readonly #values = new Map<K, V>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: K): V | undefined {
    return this.#values.get(key);
  }

  set(key: K, value: V): void {
    if (this.#values.size >= this.#most && !this.#values.has(key)) this.#forgetFirst();
    this.#values.set(key, value);
  }

  clear(): void {
    this.#values.clear();
  }

  #forgetFirst(): void {
    for (const key of this.#values.keys()) {
      this.#values.delete(key);
      return;
    }
  }
}
