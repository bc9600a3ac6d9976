/** Folds lines of words at the width of a terminal. Pure. */

/** A narrower column is not worth folding: words would stand alone. */
const LEAST_COLUMNS = 24;

/**
 * Breaks a text between words, so that no line but one of a single long word is wider than `columns`. A command line
 * between backquotes stays whole, so that it can be copied.
 *
 * @param columns null, or too few to be of use: the text stays on one line.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { fold } from "./fold.ts";
 * deepEqual(fold("one two three four five six seven", 24), ["one two three four five", "six seven"]);
 * ```
 */
export function fold(text: string, columns: number | null): readonly string[] {
  return foldLine(text, columns, columns);
}

/**
 * The lines of a failure's text. What git said keeps its lines, so that a command in it can be copied; any other text is
 * one line, whatever the names in it hold.
 */
export function splitFailure(code: string, text: string): readonly string[] {
  return /^git_|^branch_update_rejected$/.test(code)
    ? text.split(/\r?\n/).filter((line) => line.trim() !== "")
    : [text];
}

/** How a folded text stands behind a first part. */
export interface FoldLayout {
  /** Width of the whole line, as {@link fold} takes it. */
  readonly columns: number | null;
  /** What every line but the first begins with. */
  readonly indent: string;
  /** Characters of the first part that are seen; default: all. */
  readonly firstWidth?: number;
}

/** Folds a text that begins behind `first`; its further lines stand behind an indent. */
export function foldAfter(
  first: string,
  text: string,
  { columns, indent, firstWidth = first.length }: FoldLayout,
): readonly string[] {
  const room = (width: number) => columns === null ? null : columns - width;
  return foldLine(text, room(firstWidth), room(indent.length))
    .map((line, at) => (at === 0 ? first : indent) + line);
}

function foldLine(text: string, first: number | null, columns: number | null): readonly string[] {
  if (first === null || columns === null || columns < LEAST_COLUMNS) return [text];
  const lines: string[] = [];
  let line: string | null = null;
  for (const word of splitWords(text)) {
    const room = lines.length === 0 ? first : columns;
    if (line !== null && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === null ? word : `${line} ${word}`;
  }
  return [...lines, line ?? ""];
}

/** The words of a line; those between two backquotes are one. */
function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  const isOpen = (word: string) => word.split("`").length % 2 === 0;
  const parts = text.split(" ");
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? "";
    const end = isOpen(part) ? parts.findIndex((one, later) => later > at && isOpen(one)) : -1;
    words.push(end < 0 ? part : parts.slice(at, end + 1).join(" "));
    if (end >= 0) at = end;
  }
  return words;
}
