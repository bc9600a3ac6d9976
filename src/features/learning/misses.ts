/**
 * How far an agreement can be relied on: less after each session that it sent to the wrong place. Read from the log of
 * outcomes alone, so that nothing is written into a file that a person may have made. Pure.
 */
import type { StoredAgreement } from "./agreement.ts";
import { toKey } from "./confirm.ts";
import { MIN_MAP_SCORE, scoreAgreement } from "./map.ts";
import type { OutcomeLine } from "./outcome_log.ts";

/**
 * The later sessions whose request an agreement fits, and which were finished well by changing other files and other
 * symbols. Where no file was learned nothing can be told.
 *
 * @param outcomes The last word about each session.
 */
export function countMisses(agreement: StoredAgreement, outcomes: readonly OutcomeLine[]): number {
  const files = new Set(agreement.files);
  if (files.size === 0) return 0;
  const keys = new Set(agreement.symbols.map(toKey));
  return outcomes.filter((line) =>
    line.result === "success" && line.files.length > 0 && line.sessionId !== null &&
    !agreement.sessions.includes(line.sessionId) &&
    (agreement.learnedAt === null || line.at > agreement.learnedAt) &&
    !line.files.some((path) => files.has(path)) &&
    !line.symbols.some((symbol) => keys.has(toKey(symbol))) &&
    scoreAgreement(line.query, agreement) >= MIN_MAP_SCORE
  ).length;
}

/**
 * The share of sessions that an agreement served, 0 to 1: confirmed ones against misses.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { toTrust } from "./misses.ts";
 * equal(toTrust({ confirmed: 3 }, 1), 0.75);
 * ```
 */
export function toTrust({ confirmed }: Pick<StoredAgreement, "confirmed">, misses: number): number {
  return confirmed / (confirmed + misses);
}
