/** What the looks at a server say of its second half, when everything that is kept has been made. Pure. */
import type { Look, Soak } from "./soak.ts";

/** The figures of a run. */
export interface Verdict {
  /** Least memory of the last quarter minus least memory of the third. */
  readonly growthBytes: number;
  /** The straight line through the second half, by least squares. */
  readonly slopeBytesAnHour: number;
  /** Most handles of the last quarter minus most of the third. */
  readonly moreHandles: number;
  /** Processes that outlived the server. */
  readonly orphans: number;
}

const HOUR_MS = 60 * 60 * 1000;

/** Judges a run of at least four looks. */
export function toVerdict({ looks, orphans }: Soak): Verdict {
  const half = looks.slice(Math.floor(looks.length / 2));
  const third = half.slice(0, Math.floor(half.length / 2));
  const last = half.slice(third.length);
  const toMemory = (part: readonly Look[]) => Math.min(...part.map((look) => look.memoryBytes));
  const toHandles = (part: readonly Look[]) => Math.max(...part.map((look) => look.handles));
  return {
    growthBytes: toMemory(last) - toMemory(third),
    slopeBytesAnHour: toSlope(half) * HOUR_MS,
    moreHandles: toHandles(last) - toHandles(third),
    orphans: orphans.length,
  };
}

/** Bytes a millisecond. */
function toSlope(looks: readonly Look[]): number {
  const toMean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const time = toMean(looks.map((look) => look.elapsedMs));
  const memory = toMean(looks.map((look) => look.memoryBytes));
  let [both, own] = [0, 0];
  for (const { elapsedMs, memoryBytes } of looks) {
    both += (elapsedMs - time) * (memoryBytes - memory);
    own += (elapsedMs - time) ** 2;
  }
  return own === 0 ? 0 : both / own;
}
