/**
 * Where an expression matches in one line. JavaScript tries an expression at every character of a line, which takes for
 * ever where it begins with a repetition and the line is long; this asks only at the places where a match can begin. Pure.
 */
import { MAX_LINE_RANGES } from "./text_query.ts";

/** What an expression finds in a line. */
export interface LineRanges {
  readonly isFound: boolean;
  /** The first {@link MAX_LINE_RANGES} that are not empty, in UTF-16 units. */
  readonly ranges: readonly (readonly [number, number])[];
  /** How many there are that are not empty. */
  readonly rangeCount: number;
}

/** Shorter lines are done sooner than an expression is made anew. */
const LONG_LINE_CHARS = 2_000;
/** One sign, class or property, repeated without an upper end. */
const LEAD =
  /^(\[\^?(?:\\.|[^\]\\])+\]|\\[pP]\{[^}]+\}|\\[sSwWdD]|\.|[\w@#=:;,%&~<>!"' -])(?:[+*]|\{\d+,\})/u;

interface Forms {
  /** Finds a match that begins where the repetition does. */
  readonly first: RegExp;
  /** Finds a match that begins right at `lastIndex`. */
  readonly here: RegExp;
}

const FORMS = new WeakMap<RegExp, Forms | null>();

/** Finds the matches of a global expression in a line, as `matchAll` does. */
export function findInLine(line: string, expression: RegExp): LineRanges {
  const forms = line.length < LONG_LINE_CHARS ? null : toForms(expression);
  const ranges: (readonly [number, number])[] = [];
  let rangeCount = 0;
  let isFound = false;
  for (const match of forms === null ? line.matchAll(expression) : matchLong(line, forms)) {
    isFound = true;
    if (match[0] === "") continue;
    rangeCount++;
    if (ranges.length < MAX_LINE_RANGES) ranges.push([match.index, match.index + match[0].length]);
  }
  return { isFound, ranges, rangeCount };
}

/**
 * A match of `X+rest` that begins after an X could begin at that X too. So the leftmost one begins at the first of a
 * run of X, or where the search begins in the middle of a run.
 */
function toForms(expression: RegExp): Forms | null {
  const known = FORMS.get(expression);
  if (known !== undefined) return known;
  const { source, flags } = expression;
  const lead = LEAD.exec(source)?.[1];
  const forms = lead === undefined || hasAlternatives(source) ? null : {
    first: new RegExp(`(?<!${lead})${source}`, flags),
    here: new RegExp(source, `${flags}y`),
  };
  FORMS.set(expression, forms);
  return forms;
}

function* matchLong(line: string, { first, here }: Forms): Generator<RegExpExecArray> {
  let at = 0;
  while (at <= line.length) {
    here.lastIndex = at;
    first.lastIndex = at;
    const match = (at === 0 ? null : here.exec(line)) ?? first.exec(line);
    if (match === null) return;
    yield match;
    const end = match.index + match[0].length;
    // After an empty match the search goes on behind the next character.
    at = match[0] === "" ? end + ((line.codePointAt(end) ?? 0) > 0xffff ? 2 : 1) : end;
  }
}

/** Whether the whole expression is a choice: then not every match begins with the repetition. */
function hasAlternatives(source: string): boolean {
  const bare = source.replace(/\\./gsu, "").replace(/\[[^\]]*\]/g, "");
  let depth = 0;
  for (const char of bare) {
    if (char === "(") depth++;
    else if (char === ")") depth--;
    else if (char === "|" && depth === 0) return true;
  }
  return false;
}
