/** How figures are taken: medians of runs after a warm-up, from the outside. */

/** One figure as it is printed. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: "ms" | "bytes" | "ratio" | "calls" | "per s";
  /** What it is compared with or made of, in a few words. */
  readonly note: string;
}

/** Makes a figure. */
export function figure(
  name: string,
  value: number,
  unit: Figure["unit"] = "ms",
  note = "",
): Figure {
  return { name, value, unit, note };
}

/** Runs of each measurement that count. */
export const RUNS = 11;
const WARM_UP_RUNS = 2;

/** An action to be timed; it may say itself how many milliseconds it took. */
export type Action = () => Promise<number | void>;

/** Median times of two actions in milliseconds. */
export interface PairMs {
  readonly ours: number;
  readonly theirs: number;
}

/** Times two actions in turn, so that what else the machine does falls on both alike. */
export async function measurePairMs(ours: Action, theirs: Action): Promise<PairMs> {
  const times: { readonly ours: number; readonly theirs: number }[] = [];
  for (let run = 0; run < WARM_UP_RUNS + RUNS; run++) {
    const pair = { ours: await timeMs(ours), theirs: await timeMs(theirs) };
    if (run >= WARM_UP_RUNS) times.push(pair);
  }
  return {
    ours: computeMedian(times.map((pair) => pair.ours)),
    theirs: computeMedian(times.map((pair) => pair.theirs)),
  };
}

async function timeMs(action: Action): Promise<number> {
  const startedAt = performance.now();
  const own = await action();
  return own ?? performance.now() - startedAt;
}

/** The middle of the values; of an even number the mean of the two. */
export function computeMedian(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1] ?? 0, sorted[middle] ?? 0];
  return (low + high) / 2;
}
