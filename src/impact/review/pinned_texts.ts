/**
 * Finds tests that expect a text which a diff took out of the code: a message, a name, a part of one. Such a test fails,
 * or no longer tests what it says. By string literals alone, whatever the language and its assertions.
 */
import { clip } from "../../base/text/clip.ts";
import type { TextSearchContext } from "../../backends/live_context.ts";
import { runText } from "../../backends/live_context.ts";
import { languageOfPath } from "../../language/languages.ts";
import { maskText, STRING_RUN } from "../../language/mask.ts";
import { isTestSide } from "../../language/test_names.ts";
import { isCode } from "../naming.ts";
import type { ChangedText } from "../diff.ts";

/** What the texts are looked up in. */
export interface PinnedOptions {
  readonly live: TextSearchContext;
  readonly readLines: (path: string) => Promise<readonly string[]>;
  /** Lists every file of the project; asked only where the diff took a text away. */
  readonly listFiles: () => Promise<readonly string[]>;
  readonly signal?: AbortSignal;
}

/** Shorter texts stand in many tests that mean something else. */
const LEAST_CHARS = 8;
/** How much of a removed piece a shorter text has to be: two words of it may mean anything (guessed). */
const LEAST_PART = 0.5;
/** Removed pieces that are looked up, and words of each by which the tests are found. */
const MOST_PIECES = 40;
const WORDS_EACH = 4;
const MOST_LINES = 2_000;
const MOST_PLACES = 4;
const SHOWN_CHARS = 60;
/** What is put into a text when the program runs: `%s`, `{name}`, `${name}`, `#{name}`; and escapes such as `\n`. */
const HOLE = /%[-+#0\d.]*[a-zA-Z]|[$#]?\{[^{}]*\}|\\[nrt]/;
const LITERAL =
  /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`|\/((?:[^/\\\s]|\\.|\s)+)\//g;

/** A piece of a literal, between what is put into it. */
interface Piece {
  readonly text: string;
  readonly from: string;
}

/** Lines of tests with a text that is gone from the code: `tests/a_test.ts:12 expects "cannot read" of src/a.ts`. */
export async function findPinned(
  changed: readonly ChangedText[],
  options: PinnedOptions,
): Promise<readonly string[]> {
  const { readLines } = options;
  const code = changed.filter(({ path }) => isCode(path) && !isTestSide(path));
  const present = new Map<string, string>();
  for (const { path, changes } of code) {
    const lines = changes.change.kind === "deleted" ? [] : await readLines(path);
    present.set(path, lines.join("\n"));
  }
  const now = [...present.values()].join("\n");
  const pieces = code.flatMap(listRemoved).filter(({ text }) => !now.includes(text));
  if (pieces.length === 0) return [];
  const places: string[] = [];
  for (const { path, line, text } of await searchTests(pieces, options)) {
    const own = changed.find((one) => one.path === path)?.changes.ranges ?? [];
    // Who writes a line into a test now knows what it expects.
    if (own.some(({ start, end }) => start <= line && line <= end)) continue;
    const found = findExpected(text, pieces, now);
    if (found === null || await standsElsewhere(found.text, present, options)) continue;
    places.push(`${path}:${line} expects "${clip(found.text, SHOWN_CHARS)}" of ${found.from}`);
    if (places.length === MOST_PLACES) break;
  }
  return places;
}

/** The pieces of literals on the lines that a diff took away. */
function listRemoved({ from, former, changes }: ChangedText): readonly Piece[] {
  const language = languageOfPath(from);
  if (former === null || language === undefined) return [];
  const lines = former.split("\n");
  const masked = maskText(former, language).split("\n");
  const isGone = changes.change.kind === "deleted";
  const spans = isGone
    ? [{ oldStart: 1, oldCount: lines.length }]
    : changes.hunks.filter(({ oldCount }) => oldCount > 0);
  const pieces = spans.flatMap(({ oldStart, oldCount }) =>
    lines.slice(oldStart - 1, oldStart - 1 + oldCount).flatMap((line, at) =>
      [...(masked[oldStart - 1 + at] ?? "").matchAll(STRING_RUN)].flatMap(({ 0: run, index }) =>
        line.slice(index, index + run.length).split(HOLE)
      )
    )
  ).map((text) => text.replace(/^["'`\s]+|["'`\s]+$/g, ""));
  return [...new Set(pieces)].filter(isTelling).slice(0, MOST_PIECES)
    .map((text) => ({ text, from }));
}

function isTelling(text: string): boolean {
  return text.length >= LEAST_CHARS && /\p{L}{3}/u.test(text);
}

/** The lines of tests with one of the longest words of a piece. */
async function searchTests(
  pieces: readonly Piece[],
  { live, listFiles, signal }: PinnedOptions,
): Promise<readonly { readonly path: string; readonly line: number; readonly text: string }[]> {
  const words = pieces.flatMap(({ text }) =>
    (text.match(/[\p{L}\p{N}_]{3,}/gu) ?? []).sort((a, b) => b.length - a.length)
      .slice(0, WORDS_EACH)
  );
  const { result } = await runText(live, {
    patterns: [...new Set(words)],
    fixed: true,
    caseSensitive: true,
    wholeWord: true,
    contextLines: 0,
  }, {
    files: (await listFiles()).filter(isTestSide),
    offset: 0,
    maxResults: MOST_LINES,
    ...(signal === undefined ? {} : { signal }),
  });
  return result.kind === "refused" ? [] : result.matches;
}

/** What a line of a test expects of the removed pieces: a whole one, or several words of one. */
function findExpected(line: string, pieces: readonly Piece[], now: string): Piece | null {
  const literals = [...line.matchAll(LITERAL)]
    .map((match) => match.slice(1).find((part) => part !== undefined) ?? "")
    .map((text) => text.replace(/\\([^\w\s])/g, "$1").trim());
  for (const literal of literals) {
    for (const { text, from } of pieces) {
      const isPart = text.includes(literal) &&
        (literal === text || /\S\s+\S/.test(literal) && literal.length >= LEAST_PART * text.length);
      const isWhole = literal.includes(text) && /\S\s+\S/.test(text);
      const expected = isPart ? literal : isWhole ? text : "";
      if (isTelling(expected) && !now.includes(expected)) return { text: expected, from };
    }
  }
  return null;
}

/** Whether other code has the text still, so that the test may mean that. */
async function standsElsewhere(
  text: string,
  present: ReadonlyMap<string, string>,
  { live, listFiles, signal }: PinnedOptions,
): Promise<boolean> {
  const { result } = await runText(live, {
    patterns: [text],
    fixed: true,
    caseSensitive: true,
    wholeWord: false,
    contextLines: 0,
  }, {
    files: (await listFiles()).filter((path) =>
      isCode(path) && !isTestSide(path) && !present.has(path)
    ),
    offset: 0,
    maxResults: 1,
    ...(signal === undefined ? {} : { signal }),
  });
  return result.kind !== "refused" && result.matches.length > 0;
}
