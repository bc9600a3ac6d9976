/** Reads the mappings of source maps (version 3): which place of a generated text comes from which line. Pure. */

/** A place of the generated text and the line that it comes from, all counted from 0. */
export interface Mapping {
  readonly line: number;
  readonly column: number;
  /** Position in the list of sources. */
  readonly source: number;
  readonly sourceLine: number;
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES = new Map([...DIGITS].map((digit, value) => [digit.charCodeAt(0), value]));
/** Most places of one map (guessed: a bundle of 5 MB has some 500,000). */
const MOST_MAPPINGS = 1_000_000;

/**
 * The places of a map that name a source, from top to bottom; null where it is no map, or too large.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { readMappings } from "./source_map.ts";
 * deepEqual(readMappings("AAAA;KACC"), [
 *   { line: 0, column: 0, source: 0, sourceLine: 0 },
 *   { line: 1, column: 5, source: 0, sourceLine: 1 },
 * ]);
 * ```
 */
export function readMappings(text: string): readonly Mapping[] | null {
  const found: Mapping[] = [];
  let [line, column, source, sourceLine] = [0, 0, 0, 0];
  let fields: number[] = [];
  let [value, shift] = [0, 0];
  const take = () => {
    column += fields[0] ?? 0;
    if (fields.length >= 4) {
      source += fields[1] ?? 0;
      sourceLine += fields[2] ?? 0;
      found.push({ line, column, source, sourceLine });
    }
    fields = [];
  };
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 44 || char === 59) { // A comma ends a place, a semicolon a line.
      take();
      if (char === 59) [line, column] = [line + 1, 0];
      continue;
    }
    const digit = VALUES.get(char);
    if (digit === undefined || shift > 30 || found.length > MOST_MAPPINGS) return null;
    value += (digit & 31) * 2 ** shift;
    shift += 5;
    if ((digit & 32) !== 0) continue;
    // The lowest bit is the sign.
    fields.push(value % 2 === 1 ? -Math.floor(value / 2) : value / 2);
    [value, shift] = [0, 0];
  }
  take();
  return found;
}
