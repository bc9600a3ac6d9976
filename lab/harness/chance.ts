/** Chance that is the same in every run: what is drawn depends on the seed and on texts alone. Pure. */

/** A number from 0 to 2³² − 1 that texts share only by accident. */
export function toDraw(text: string): number {
  let draw = 2166136261;
  for (let at = 0; at < text.length; at++) draw = Math.imul(draw ^ text.charCodeAt(at), 16777619);
  draw = Math.imul(draw ^ (draw >>> 15), 2246822507);
  return (draw ^ (draw >>> 13)) >>> 0;
}

/** Things in an order by chance, which does not depend on the order in which they come. */
export function shuffle<T>(things: readonly T[], toText: (thing: T) => string): T[] {
  return things.map((thing) => ({ thing, draw: toDraw(toText(thing)) }))
    .sort((a, b) => a.draw - b.draw).map(({ thing }) => thing);
}

/** A generator of numbers from 0 to below 1. */
export function createChance(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
