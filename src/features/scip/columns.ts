/** Columns of a SCIP document as columns of a text: indexers count bytes, halves of characters, or characters. Pure. */
import type { ColumnUnit } from "./scip_index.ts";

const encoder = new TextEncoder();
const ASCII = /^[\0-\x7f]*$/;

/** Where a column lies in a line, in units of UTF-16 as texts have them here; null where no character begins there. */
export type ToColumn = (column: number) => number | null;

/**
 * Makes the columns of one line; the line is read once, however many columns are asked for.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { createColumns } from "./columns.ts";
 * const toColumn = createColumns("😀 run()", "utf8");
 * equal(toColumn(5), 3);
 * equal(toColumn(2), null);
 * ```
 */
export function createColumns(line: string, unit: ColumnUnit): ToColumn {
  if (unit === "utf16" || unit === "unknown" || ASCII.test(line)) {
    return (column) => column <= line.length ? column : null;
  }
  const known = new Map<number, number>();
  let counted = 0;
  let at = 0;
  for (const character of line) {
    known.set(counted, at);
    counted += unit === "utf32" ? 1 : encoder.encode(character).length;
    at += character.length;
  }
  known.set(counted, at);
  return (column) => known.get(column) ?? null;
}
