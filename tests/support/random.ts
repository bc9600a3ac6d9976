/** Chance that can be repeated: a seeded generator, and the seed of a run. */

/** Numbers from 0 to below 1 that depend on the seed alone (mulberry32). */
export type Random = () => number;

/** A generator; the same seed gives the same numbers. */
export function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The seed of this run: `TEST_SEED` where it is set, otherwise the time. */
export function readSeed(): number {
  return Number(Deno.env.get("TEST_SEED") ?? Date.now() % 2 ** 31);
}

/** One of the values; there has to be one. */
export function pick<Value>(random: Random, values: readonly Value[]): Value {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined && values.length === 0) throw new Error("nothing to pick from");
  return value as Value;
}
