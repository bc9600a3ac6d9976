/**
 * The scan itself: reads files and finds matching lines. Runs in the main thread for plain text,
 * and in a worker for expressions. A worker can be stopped in the middle of a line.
 */
import type { LineMatch, TextQuery } from "./text_query.ts";
import { comparePaths, MAX_LINE_RANGES } from "./text_query.ts";
import { gunzipSync } from "node:zlib";
import type { PackedText } from "../base/files/source_text.ts";
import { decodeText } from "../base/files/source_text.ts";
import { readProjectText } from "./regular_files.ts";

/** What an expression finds in a line. */
export interface LineRanges {
  readonly isFound: boolean;
  /** The first {@link MAX_LINE_RANGES} that are not empty, in UTF-16 units. */
  readonly ranges: readonly (readonly [number, number])[];
  /** How many there are that are not empty. */
  readonly rangeCount: number;
}

/** Shorter lines are done sooner than an expression is made again. */
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
  const forms = line.length < LONG_LINE_CHARS ? null : compileForms(expression);
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
function compileForms(expression: RegExp): Forms | null {
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

/** What a scan is given; it can be sent to a worker. */
export type ScanTask = ScanQuestion & (FolderFiles | PackedFiles);

/** Files of a folder. */
export interface FolderFiles {
  readonly root: string;
  readonly files: readonly string[];
}

/** Files that no folder has, in the order of their paths. */
export interface PackedFiles {
  readonly texts: readonly PackedText[];
}

/** What is looked for, and which of it is wanted. */
export interface ScanQuestion {
  readonly query: TextQuery;
  /** One for each pattern, made by `toScriptPattern`. */
  readonly expressions: readonly RegExp[];
  /** Lines to pass over; below 0 where lines of earlier parts were found. */
  readonly offset: number;
  /** Most lines, from the offset on. */
  readonly maxResults: number;
}

/** What a scan found. */
export interface ScanResult {
  readonly matches: readonly LineMatch[];
  readonly total: number;
  readonly files: number;
}

/** After so many files a cancellation is heard (guessed). */
const REST_EVERY = 32;

/** Scans the files in the order of their paths; stops between files when the signal asks for it. */
export async function runScan(task: ScanTask, signal?: AbortSignal): Promise<ScanResult> {
  const matches: LineMatch[] = [];
  let total = 0;
  let files = 0;
  let looked = 0;
  for (const [path, text] of readTexts(task)) {
    signal?.throwIfAborted();
    if (++looked % REST_EVERY === 0) await new Promise((resolve) => setTimeout(resolve));
    if (text === null || !mayMatch(text, task)) continue;
    const found = scanText(text, task, total);
    if (found.count === 0) continue;
    total += found.count;
    files++;
    for (const match of found.shown) matches.push({ path, ...match });
  }
  return { matches, total, files };
}

function* readTexts(task: ScanTask): Iterable<readonly [path: string, text: string | null]> {
  if ("texts" in task) {
    for (const { path, bytes } of task.texts) {
      yield [path, decodeText(gunzipSync(bytes)) ?? null];
    }
    return;
  }
  for (const path of [...task.files].sort(comparePaths)) {
    yield [path, readProjectText(task.root, path)];
  }
}

/** The files that hold one of the plain patterns, in the order of their paths. */
export async function listHolding(task: ScanTask, signal?: AbortSignal): Promise<string[]> {
  const found: string[] = [];
  let looked = 0;
  for (const [path, text] of readTexts(task)) {
    signal?.throwIfAborted();
    if (++looked % REST_EVERY === 0) await new Promise((resolve) => setTimeout(resolve));
    if (text === null || !mayMatch(text, task)) continue;
    if (task.expressions.some((expression) => text.search(expression) >= 0)) found.push(path);
  }
  return found;
}

function mayMatch(text: string, task: ScanTask): boolean {
  if (!task.query.fixed || !task.query.caseSensitive) return true;
  return task.query.patterns.some((pattern) => text.includes(pattern));
}

function scanText(
  text: string,
  task: ScanTask,
  before: number,
): { readonly count: number; readonly shown: readonly Omit<LineMatch, "path">[] } {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  const shown: Omit<LineMatch, "path">[] = [];
  let count = 0;
  lines.forEach((line, index) => {
    const matched = matchLine(line, task.expressions);
    if (matched.patterns.length === 0) return;
    const position = before + count++;
    if (position < task.offset || position >= task.offset + task.maxResults) return;
    const around = task.query.contextLines;
    shown.push({
      line: index + 1,
      text: line,
      ranges: matched.ranges,
      ...(matched.rangeCount === undefined ? {} : { rangeCount: matched.rangeCount }),
      ...(task.expressions.length > 1 ? { matched: matched.patterns } : {}),
      ...(around === 0 ? {} : {
        before: lines.slice(Math.max(0, index - around), index),
        after: lines.slice(index + 1, index + 1 + around),
      }),
    });
  });
  return { count, shown };
}

function matchLine(
  line: string,
  expressions: readonly RegExp[],
): {
  readonly patterns: readonly number[];
  readonly ranges: readonly (readonly [number, number])[];
  readonly rangeCount?: number;
} {
  const patterns: number[] = [];
  const ranges: (readonly [number, number])[] = [];
  let rangeCount = 0;
  expressions.forEach((expression, index) => {
    const found = findInLine(line, expression);
    if (!found.isFound) return;
    patterns.push(index);
    rangeCount += found.rangeCount;
    for (const range of found.ranges) ranges.push(range);
  });
  const kept = expressions.length > 1 ? mergeRanges(ranges).slice(0, MAX_LINE_RANGES) : ranges;
  return { patterns, ranges: kept, ...(rangeCount > MAX_LINE_RANGES ? { rangeCount } : {}) };
}

// Overlapping hits of several patterns are one range each, from the left, as ripgrep gives them.
function mergeRanges(
  ranges: readonly (readonly [number, number])[],
): readonly (readonly [number, number])[] {
  const kept: (readonly [number, number])[] = [];
  for (const range of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (range[0] >= (kept.at(-1)?.[1] ?? 0)) kept.push(range);
  }
  return kept;
}
