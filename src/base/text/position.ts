/** How far lines are set in, which tells blocks where nobody parses them. Pure. */

const TAB = "    ";

/** Columns before the first sign of a line that is no space; a tab counts as four. */
export function indentOf(line: string): number {
  const lead = /^[\t ]*/.exec(line)?.[0] ?? "";
  return lead.replaceAll("\t", TAB).length;
}

/** Places in a text as numbers, which compare as the places do. Pure. */

const COLUMNS = 4_096;

/**
 * A place as one number, which grows with the text; columns beyond 4,095 are one.
 *
 * @param line 1-based.
 * @param column 1-based.
 *
 * @example
 * ```ts
 * import { ok } from "node:assert/strict";
 * import { packPosition } from "./position.ts";
 * ok(packPosition(2, 1) > packPosition(1, 80));
 * ```
 */
export function packPosition(line: number, column: number): number {
  return line * COLUMNS + Math.min(column, COLUMNS - 1);
}

/** The line of a position, 1-based. */
export function lineOf(position: number): number {
  return Math.floor(position / COLUMNS);
}

/** The column of a position, 1-based. */
export function columnOf(position: number): number {
  return position % COLUMNS;
}
