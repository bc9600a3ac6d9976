/** Calendar days as text, `2026-03-01`, in UTC. */

const DAY_MS = 24 * 60 * 60 * 1000;

/** The day that lies `count` days after `day`. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
}

/** Days from `start` to `end`; negative when `end` comes first. */
export function daysBetween(start: string, end: string): number {
  return Math.round((Date.parse(end) - Date.parse(start)) / DAY_MS);
}
