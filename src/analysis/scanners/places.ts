/** Where things stand in a text: lines and columns of indices, and the comment right above a line. Pure. */
import { toDocSentence } from "../doc_text.ts";

/** The lines and columns of a text. */
export interface Places {
  /** 0-based line of an index. */
  rowOf(index: number): number;
  /** 1-based line and column of an index. */
  at(index: number): { readonly line: number; readonly column: number };
}

/** Finds lines by the ends of the lines before. */
export function createPlaces(text: string): Places {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const rowOf = (index: number): number => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    rowOf,
    at: (index) => {
      const row = rowOf(index);
      return { line: row + 1, column: index - (starts[row] ?? 0) + 1 };
    },
  };
}

/** The first row of the comment right above a row, and what it says; the row itself where there is none. */
export function readLead(
  lines: readonly string[],
  row: number,
  isComment: RegExp,
): { readonly firstRow: number; readonly doc: string } {
  let first = row;
  while (first > 0 && isComment.test(lines[first - 1] ?? "")) first--;
  const doc = first === row ? "" : toDocSentence(lines.slice(first, row).join("\n"));
  return { firstRow: first, doc };
}
