/** Cuts lines that are too much for one chunk where statements end. Pure. */

/** Lines of a text, 1-based and inclusive. */
export interface LineRange {
  /** First line. */
  readonly startLine: number;
  /** Last line. */
  readonly endLine: number;
}

/** A blank line before a cut is worth this many columns of indentation. Guessed. */
const BLANK_COLUMNS = 6;
/** Cuts before a line that closes something are the last choice. */
const CLOSING_COLUMNS = 1_000;
const CLOSING =
  /^\s*(?:[})\]]|end\b|else\b|elif\b|elsif\b|except\b|catch\b|finally\b|then\b|do\b|<\/)/;

/**
 * The range in parts of at most `maxChars`, cut before lines that stand far left, best after a blank line.
 * A line longer than that is a part of its own.
 */
export function splitLines(
  lines: readonly string[],
  { startLine, endLine }: LineRange,
  maxChars: number,
): LineRange[] {
  const parts: LineRange[] = [];
  let first = startLine;
  while (first <= endLine) {
    let last = first;
    let chars = charsOf(lines, first);
    while (last < endLine && chars + charsOf(lines, last + 1) <= maxChars) {
      last++;
      chars += charsOf(lines, last);
    }
    const cut = last === endLine ? last : findCut(lines, first, last);
    const part = trimBlank(lines, { startLine: first, endLine: cut });
    if (part !== null) parts.push(part);
    first = cut + 1;
  }
  return parts;
}

function charsOf(lines: readonly string[], line: number): number {
  return (lines[line - 1]?.length ?? 0) + 1;
}

/** The last line of the part that begins at `first` and may end at `last`. */
function findCut(lines: readonly string[], first: number, last: number): number {
  let best = last;
  let bestCost = Infinity;
  const earliest = first + Math.floor((last - first) / 2);
  for (let line = last; line >= earliest; line--) {
    const cost = costOf(lines, line);
    if (cost < bestCost) {
      best = line;
      bestCost = cost;
    }
  }
  return best;
}

/** How bad it is to cut after a line: the indentation of what follows, less for a blank between. */
function costOf(lines: readonly string[], line: number): number {
  const next = lines[line] ?? "";
  if (next.trim() === "") return CLOSING_COLUMNS;
  const indent = /^\s*/.exec(next)?.[0].replaceAll("\t", "    ").length ?? 0;
  const blank = (lines[line - 1] ?? "").trim() === "" ? BLANK_COLUMNS : 0;
  return indent - blank + (CLOSING.test(next) ? CLOSING_COLUMNS : 0);
}

function trimBlank(lines: readonly string[], range: LineRange): LineRange | null {
  let { startLine, endLine } = range;
  while (startLine <= endLine && (lines[startLine - 1] ?? "").trim() === "") startLine++;
  while (endLine >= startLine && (lines[endLine - 1] ?? "").trim() === "") endLine--;
  return startLine > endLine ? null : { startLine, endLine };
}
