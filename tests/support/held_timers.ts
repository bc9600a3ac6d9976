/** Timers of one length that a test lets go off when it wants: what ends after its time is tested without waiting for it. */

/** A length that no other timer has, longer than any test runs. */
export const HELD_MS = 3_599_999;

/** The timers of {@link HELD_MS} that are set while it lives. */
export interface HeldTimers extends Disposable {
  /** How many are set and were neither cleared nor gone off. */
  readonly size: number;
  /** Lets the oldest one go off. */
  goOff(): void;
}

/** Holds the timers of {@link HELD_MS} until it is disposed of; all others go on as they do. */
export function holdTimers(): HeldTimers {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const held = new Map<number, () => void>();
  const hold = (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
    const id = set(callback, ms, ...args);
    if (ms === HELD_MS) held.set(Number(id), () => callback(...args));
    return id;
  };
  globalThis.setTimeout = hold as typeof set;
  globalThis.clearTimeout = ((id?: number) => {
    held.delete(Number(id));
    clear(id);
  }) as typeof clear;
  return {
    get size() {
      return held.size;
    },
    goOff: () => {
      const [oldest] = held;
      if (oldest === undefined) throw new Error("no timer is held");
      const [id, callback] = oldest;
      held.delete(id);
      clear(id);
      callback();
    },
    [Symbol.dispose]: () => {
      globalThis.setTimeout = set;
      globalThis.clearTimeout = clear;
    },
  };
}
