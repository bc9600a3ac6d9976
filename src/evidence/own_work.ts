/**
 * Finds the changed lines of a file that say something new. Lines do not count when they only
 * moved, or when only their blanks or comments differ. Nor do they when their change has no effect
 * (`x = x`, another name for a local variable).
 */
import type { Language } from "../language/languages.ts";
import { languageOfPath } from "../language/languages.ts";
import type { SyntaxNode } from "../syntax/tree_sitter.ts";
import { parseText } from "../syntax/tree_sitter.ts";
import { normaliseCode } from "../syntax/normal_form.ts";
import { without } from "../base/without.ts";
import type { LineHunk } from "../git/trees/changed_lines.ts";
import { kindOfPlace, maskText } from "../language/mask.ts";

/** A longer text is compared as a whole alone: each part takes a parse (measured: 50 ms for so many characters). */
const MOST_CHARS = 200_000;
/** Most parts of a file that are compared by themselves (guessed). */
const MOST_PARTS = 20;

/**
 * The own work without changes that have no effect. What belongs together is compared together: the changes of one
 * function, and each change outside of functions. Nothing is taken out where a version cannot be parsed.
 */
export async function dropEffectless(own: OwnWork, compared: ComparedText): Promise<OwnWork> {
  const language = languageOfPath(compared.path);
  if (language?.bodies === undefined) return own;
  if (own.lines.size === 0 && own.gaps.size === 0) return own;
  const { before, after, hunks } = compared;
  const toForm = (text: string) => normaliseCode(text, language.name, "effectless");
  const form = await toForm(after);
  if (form === null) return own;
  if (form === await toForm(before)) return { lines: new Set(), gaps: new Set() };
  if (Math.max(after.length, before.length) > MOST_CHARS) return own;
  using tree = await parseText(after, language.name);
  if (tree === null) return own;
  const functions = tree.root.descendantsOfType([...language.bodies.functions]);
  const parts = groupHunks(hunks, functions);
  if (parts.length < 2 || parts.length > MOST_PARTS) return own;
  const idle: LineHunk[] = [];
  for (const part of parts) {
    if (form === await toForm(revert(compared, part))) idle.push(...part);
  }
  return {
    lines: own.lines.difference(
      new Set(
        idle.flatMap(({ newStart, newCount }) =>
          Array.from({ length: newCount }, (_, at) => newStart + at)
        ),
      ),
    ),
    gaps: own.gaps.difference(
      new Set(idle.filter(({ newCount }) => newCount === 0).map(({ newStart }) => newStart)),
    ),
  };
}

/** The changes by the outermost function that they are in; each other one alone. */
function groupHunks(
  hunks: readonly LineHunk[],
  functions: readonly SyntaxNode[],
): readonly (readonly LineHunk[])[] {
  const toHolder = (hunk: LineHunk) =>
    functions.find(({ startPosition, endPosition }) =>
      hunk.newStart <= endPosition.row + 1 &&
      hunk.newStart + Math.max(1, hunk.newCount) - 1 > startPosition.row
    ) ?? hunk;
  return [...Map.groupBy(hunks, toHolder).values()];
}

/** The present text with some of its changes taken back. */
function revert({ before, after }: ComparedText, hunks: readonly LineHunk[]): string {
  const [old, lines] = [before.split("\n"), after.split("\n")];
  for (const { oldStart, oldCount, newStart, newCount } of [...hunks].reverse()) {
    const gone = old.slice(oldStart - 1, oldStart - 1 + oldCount);
    // A removal stands behind the line that is named; everything else at it.
    lines.splice(
      newCount === 0 ? newStart : newStart - 1,
      newCount,
      ...(oldCount === 0 ? [] : gone),
    );
  }
  return lines.join("\n");
}

/** A file before and after. */
export interface ComparedText {
  /** Path of the file; its name tells the language. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** From top to bottom, without context. */
  readonly hunks: readonly LineHunk[];
}

/** Places of a file with changes of what the code says. */
export interface OwnWork {
  /** Lines of the present text, from 1. */
  readonly lines: ReadonlySet<number>;
  /** Lines of the present text after which code is gone that stands nowhere else; 0 is the top. */
  readonly gaps: ReadonlySet<number>;
}

/** The places of a file where the session did more than move, indent or comment. */
export function findNewStatements({ path, before, after, hunks }: ComparedText): OwnWork {
  const language = languageOfPath(path);
  const [old, fresh] = [normaliseLines(before, language), normaliseLines(after, language)];
  const parts = hunks.map((hunk) => ({
    hunk,
    removed: old.slice(hunk.oldStart - 1, hunk.oldStart - 1 + hunk.oldCount),
    added: fresh.slice(hunk.newStart - 1, hunk.newStart - 1 + hunk.newCount),
  })).filter(({ removed, added }) => !isRewrapped(removed, added, ignoresIndent(language)));
  const toEntries = (side: "removed" | "added") =>
    parts.flatMap((part) =>
      part[side].map((key, at) => ({ key, hunk: part.hunk, line: part.hunk.newStart + at }))
    ).filter(({ key }) => key !== "");
  const [removed, added] = [toEntries("removed"), toEntries("added")];
  const own = without(added, removed, ({ key }) => key);
  const losing = new Set(without(removed, added, ({ key }) => key).map(({ hunk }) => hunk));
  const others = [...losing].filter((hunk) => !own.some((entry) => entry.hunk === hunk));
  return {
    lines: new Set([
      ...own.map(({ line }) => line),
      ...others.flatMap(({ newStart, newCount }) =>
        Array.from({ length: newCount }, (_, at) => newStart + at)
      ),
    ]),
    gaps: new Set(others.filter(({ newCount }) => newCount === 0).map(({ newStart }) => newStart)),
  };
}

/** Whether lines only break elsewhere; where blanks before a line count, as many lines are as they are. */
function isRewrapped(
  removed: readonly string[],
  added: readonly string[],
  isFree: boolean,
): boolean {
  const [old, fresh] = [removed, added].map((keys) => keys.filter((key) => key !== ""));
  if (old === undefined || fresh === undefined || joinLines(old) !== joinLines(fresh)) return false;
  return isFree || old.length !== fresh.length;
}

/** The lines as one, without the commas that a formatter puts before closing brackets. */
function joinLines(keys: readonly string[]): string {
  return squeeze(keys.join(" ")).replaceAll(/,(?=[)\]}])/g, "");
}

/** Languages in which blanks before a line say nothing: those whose comments are written as in C. */
function ignoresIndent(language: Language | undefined): boolean {
  return language !== undefined && language.name !== "Scala" &&
    language.blockComments.some(([open]) => open === "/*");
}

/** Each line as what it says: without comments, and without blanks that mean nothing. */
function normaliseLines(text: string, language: Language | undefined): readonly string[] {
  const masked = language === undefined ? text : maskText(text, language);
  const keepsIndent = !ignoresIndent(language);
  const lines = text.split("\n");
  return masked.split("\n").map((line, at) => {
    const key = line.replaceAll(/./g, (sign, place: number) => {
      const kind = kindOfPlace(sign, 0);
      const char = lines[at]?.charAt(place) ?? "";
      // Blanks inside of strings count, so they are no blanks to the comparison.
      return kind === "comment" ? "" : kind === "string" && /[ \t]/.test(char) ? "\u0000" : char;
    });
    const squeezed = squeeze(key);
    const indent = keepsIndent && squeezed !== "" ? /^[ \t]*/.exec(line)?.[0] ?? "" : "";
    return indent + squeezed;
  });
}

/** A text without the blanks that part no words. */
function squeeze(text: string): string {
  return text.replaceAll(/(?<![\p{L}\p{N}_$])\s+|\s+(?![\p{L}\p{N}_$])/gu, "")
    .replaceAll(/\s+/g, " ");
}
