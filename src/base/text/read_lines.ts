/** Whether texts show that lines of a file were read. Pure. */

/** A line that says less than this could be guessed. */
const LEAST_CHARS = 8;
/** So many lines a number may be off. */
const MOST_OFF = 5;

/**
 * Whether a file has the text in the line, or a few lines beside it; in a file of short lines its longest ones are enough.
 * Blanks, the kind of quotes and what an ellipsis leaves out do not count.
 */
export function holdsLine(
  lines: readonly string[],
  { line, text }: { readonly line: number; readonly text: string },
): boolean {
  const longest = Math.max(...lines.map((one) => one.trim().length));
  const wanted = foldLine(text.replace(/\s*(?:…|\.\.\.)$/, ""));
  return wanted.length >= Math.min(LEAST_CHARS, longest) &&
    lines.slice(Math.max(0, line - 1 - MOST_OFF), line + MOST_OFF)
      .some((one) => foldLine(one).startsWith(wanted));
}

function foldLine(text: string): string {
  return text.replaceAll(/[“”„]/g, '"').replaceAll(/[‘’]/g, "'").replaceAll(/\s+/g, " ").trim();
}

/** What a client may put before a line of a file: its number. */
const LINE_NUMBER = /^\s*\d+(?:\t|→|: ?)/;

/** Whether one of the texts is a part of a file: nearly all of its telling lines stand there. */
export function showsLines(lines: readonly string[], texts: readonly string[]): boolean {
  const known = new Set(lines.map((line) => line.trim()));
  if (!lines.some((line) => line.trim() !== "")) return true;
  return texts.some((text) => {
    const told = text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
    const own = told.filter((line) =>
      known.has(line) || known.has(line.replace(LINE_NUMBER, "").trim())
    );
    const isTelling = own.some((line) => line.length >= LEAST_CHARS) ||
      own.length >= known.size - 1;
    return own.length > told.length / 2 && isTelling;
  });
}
