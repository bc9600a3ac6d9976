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
const LINE_NUMBER = /^\s*\d+(?:\t|→|: ?|-|\s*│ ?)/;

/** Whether one of the texts is a part of a file: nearly all of its telling lines stand there. */
function showsLines(lines: readonly string[], texts: readonly string[]): boolean {
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

/** Of one line alone, so many characters show that it was read. */
const LONE_CHARS = 16;

/**
 * Whether some of the lines that were shown beside those of other files are of a file: two telling ones, a long one, or all
 * of a short file.
 */
function showsPart(lines: readonly string[], shown: readonly string[]): boolean {
  const known = new Set(lines.map((line) => line.trim()).filter((line) => line !== ""));
  const own = new Set(
    shown.flatMap((line) => [line.trim(), line.replace(LINE_NUMBER, "").trim()])
      .filter((line) => known.has(line)),
  );
  const telling = [...own].filter((line) => line.length >= LEAST_CHARS);
  return telling.length > 1 || telling.some((line) => line.length >= LONE_CHARS) ||
    known.size > 0 && own.size === known.size && telling.length > 0;
}

/** A file that a tool of a client may have shown. */
export interface ShownText {
  /** Absolute, or relative to the project. */
  readonly path: string;
  /** The texts of a reading tool's answer; absent where the file was one of several. */
  readonly texts?: readonly string[];
  /** Lines that stood among those of other files. */
  readonly lines?: readonly string[];
}

/** Whether what was shown is of a file with these lines. */
export function isShownBy(lines: readonly string[], shown: ShownText): boolean {
  return shown.texts === undefined
    ? showsPart(lines, shown.lines ?? [])
    : showsLines(lines, shown.texts);
}
