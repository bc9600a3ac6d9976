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

/** A gate has to say the same of the same code: it draws nothing new. */
const KNOWN_SEED = 20_251;

/** The seed of this run: a known one, `TEST_SEED=n`, or with `TEST_SEED=new` one by the time. */
export function readSeed(): number {
  const given = Deno.env.get("TEST_SEED") ?? "";
  if (given === "new") return Date.now() % 2 ** 31;
  return given === "" ? KNOWN_SEED : Number(given);
}

/** One of the values; there has to be one. */
export function pick<Value>(random: Random, values: readonly Value[]): Value {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined && values.length === 0) throw new Error("nothing to pick from");
  return value as Value;
}
