/** Folds lines of words at the width of a terminal. Pure. */

/** A narrower column is not worth folding: words would stand alone. */
const LEAST_COLUMNS = 24;

/**
 * Breaks a text between words, so that no line but one of a single long word is wider than `columns`.
 *
 * @param columns null, or too few to be of use: the text stays as it is.
 * @param indent what each line but the first begins with.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { fold } from "./fold.ts";
 * equal(fold("one two three four five six seven", 24, "  "), "one two three four five\n  six seven");
 * ```
 */
export function fold(text: string, columns: number | null, indent: string): string {
  if (columns === null || columns < LEAST_COLUMNS || text.length <= columns) return text;
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${indent}`);
}
