/** What a text search asks and answers, whichever backend runs it, and how lines are cut. Pure. */
import { LIMITS } from "../base/settings/limits.ts";
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
import { say, send } from "../base/text/words.ts";

/** What is looked for. */
export interface TextQuery {
  /** What is looked for; any of them makes a match. */
  readonly patterns: readonly string[];
  /** Whether upper and lower case differ. */
  readonly caseSensitive: boolean;
  /** The patterns are text, not regular expressions. */
  readonly fixed: boolean;
  /** Only as a whole word. */
  readonly wholeWord: boolean;
  /** Lines before and after each match. */
  readonly contextLines: number;
}

/** Where and how much of the results. */
export interface TextScope {
  /** Absolute path of the project. */
  readonly root: string;
  /** Paths relative to the root; only the regular files of the project among them are searched. */
  readonly files: readonly string[];
  /** A shorter way to say which files: ripgrep finds them by itself. What is not in `files` is left out. */
  readonly walk?: {
    /** Folder below the root, `.` for the root. */
    readonly folder: string;
    /** Files of the list that it would not find. */
    readonly unseen: readonly string[];
    /** Paths of the list below the folder that are no regular files of the project. */
    readonly leftOut: number;
  };
  /** Results to pass over. */
  readonly offset: number;
  /** Most results of the answer. */
  readonly maxResults: number;
  /** Ends the work when the client cancels. */
  readonly signal?: AbortSignal;
  /** Limit of the whole search, default `LIMITS.answerMs`. */
  readonly timeoutMs?: number;
  /** When the time of the whole search is over, in milliseconds of `performance.now()`; set where the search begins. */
  readonly endsAtMs?: number;
}

/** Ranges that are kept of one line: what is shown of it has no room for more. */
export const MAX_LINE_RANGES = LIMITS.lineChars.value;

/** One matching line, whole. */
export interface LineMatch {
  /** Relative to the project, with `/`. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** The line. */
  readonly text: string;
  /** Ranges in UTF-16 units, the first {@link MAX_LINE_RANGES} of them. */
  readonly ranges: readonly (readonly [number, number])[];
  /** How many ranges there are; only where that is more than `ranges` has. */
  readonly rangeCount?: number;
  /** Which patterns matched; only when there are several. */
  readonly matched?: readonly number[];
  /** Lines before the match. */
  readonly before?: readonly string[];
  /** Lines after the match. */
  readonly after?: readonly string[];
}

/** The page of matches that was asked for, with exact totals, or why the patterns cannot be used. */
export type TextResult =
  | {
    readonly kind: "found";
    readonly matches: readonly LineMatch[];
    /** Number of matching lines. */
    readonly total: number;
    /** Number of files with matches. */
    readonly files: number;
    /** Listed paths that were not searched, because they are no regular files of the project. */
    readonly leftOut: number;
    readonly notices: readonly string[];
  }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] };

/** Finds what no backend accepts in patterns: nothing, a NUL, a line break. */
export function checkPatterns(query: TextQuery): readonly Problem[] {
  return query.patterns.flatMap((pattern, index) => {
    const at = query.patterns.length === 1 ? "pattern" : `pattern[${index}]`;
    if (pattern === "") {
      return [makeProblem("invalid_pattern", "The pattern is empty", {
        at,
        hint: "Give the text or regular expression to look for.",
      })];
    }
    const end = query.fixed ? null : FILE_END.exec(pattern);
    if (end !== null) {
      const position = end.index + end[0].length - 1;
      return [makeProblem(
        "invalid_pattern",
        `The pattern has \\z at position ${position}, the end of a file; a match is one line`,
        { at, hint: "Use $ for the end of a line." },
      )];
    }
    const broken = /[\0\r\n]/.exec(pattern);
    if (broken === null) return [];
    return [makeProblem(
      "invalid_pattern",
      `The pattern has a line break or NUL at position ${broken.index + 1}; a match is one line`,
      { at, hint: "Search one line at a time; use several patterns for several lines." },
    )];
  });
}

/** `\\z` after an even number of backslashes. */
const FILE_END = /(?<!\\)(?:\\\\)*\\z/;
/** What reaches over line ends in other tools. */
const OVER_LINES = /\(\?[a-zA-Z]*s[a-zA-Z]*(?:-[a-zA-Z]+)?[:)]|\[\\s\\S\]|\[\\S\\s\]/;

/** What a pattern means less than its writer may think. */
export function listPatternNotices(
  query: Pick<TextQuery, "patterns" | "fixed">,
): readonly string[] {
  if (query.fixed || !query.patterns.some((pattern) => OVER_LINES.test(pattern))) return [];
  return [
    "A match is one line: (?s) and [\\s\\S] reach no further. Search for one line of it, with context_lines.",
  ];
}

/** A refusal of one pattern, with the place of the fault where it is known. */
export function makePatternProblem(
  pattern: string,
  reason: string,
  rest: { readonly index: number; readonly count: number; readonly position?: number },
): Problem {
  const shown = pattern.length > 200 ? `${pattern.slice(0, 200)}…` : pattern;
  const where = rest.position === undefined ? "" : ` at position ${rest.position}`;
  return makeProblem("invalid_pattern", `Cannot use the pattern "${shown}"${where}: ${reason}`, {
    at: rest.count === 1 ? "pattern" : `pattern[${rest.index}]`,
    hint: say`Correct the expression, or ${send("fixed", true)} to search for it as plain text.`,
  });
}

/** A line cut to `limit` characters around its first match, with its ranges moved along. */
export function cutLine(
  text: string,
  ranges: readonly (readonly [number, number])[],
  limit: number = LIMITS.lineChars.value,
): { readonly text: string; readonly ranges: readonly (readonly [number, number])[] } {
  if (text.length <= limit) return { text, ranges };
  const first = ranges[0] ?? [0, 0];
  const room = limit - 2;
  const lead = Math.max(0, Math.floor((room - Math.min(room, first[1] - first[0])) / 2));
  const start = alignCut(text, Math.min(Math.max(0, first[0] - lead), text.length - room));
  const end = alignCut(text, start + room);
  const prefix = start > 0 ? "…" : "";
  const cut = `${prefix}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
  const shift = prefix.length - start;
  const moved = ranges
    .filter(([from, to]) => to > start && from < end)
    .map(([from, to]) => [Math.max(from, start) + shift, Math.min(to, end) + shift] as const);
  return { text: cut, ranges: moved };
}

// A cut between the two halves of a surrogate pair would not be text any more.
function alignCut(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

/** Order of paths in every answer: by code units, the same on every machine. */
export function comparePaths(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
