/** Names that are near to a mistaken one, for hints. Pure. */
import { toEditDistance } from "../base/text/edit_distance.ts";

const MAX_DISTANCE = 3;

/** At most `count` of the candidates, the nearest first; candidates too far off are left out. */
export function findNear(name: string, candidates: Iterable<string>, count = 3): string[] {
  const wanted = name.toLowerCase();
  if (wanted.length > 200) return [];
  const scored: { readonly candidate: string; readonly distance: number }[] = [];
  for (const candidate of new Set(candidates)) {
    const lower = candidate.toLowerCase();
    const holds = wanted.length > 2 && lower.length > 2 &&
      (lower.includes(wanted) || wanted.includes(lower));
    const distance = holds ? 1 : measure(wanted, lower);
    if (distance <= Math.min(MAX_DISTANCE, Math.ceil(wanted.length / 2))) {
      scored.push({ candidate, distance });
    }
  }
  scored.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return scored.slice(0, count).map((one) => one.candidate);
}

function measure(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MAX_DISTANCE) return MAX_DISTANCE + 1;
  return toEditDistance(a, b);
}
