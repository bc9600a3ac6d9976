/**
 * Which changed lines of a file say something that the file did not say before: lines that only moved, that only
 * differ in blanks, or in the comment behind the code, do not. Pure.
 */
import type { LineHunk } from "../git/trees/changed_lines.ts";
import type { Language } from "../language/languages.ts";
import { languageOfPath } from "../language/languages.ts";
import { kindOfPlace, maskText } from "../language/mask.ts";

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
export function findOwnWork({ path, before, after, hunks }: ComparedText): OwnWork {
  const language = languageOfPath(path);
  const [old, fresh] = [toKeys(before, language), toKeys(after, language)];
  const parts = hunks.map((hunk) => ({
    hunk,
    removed: old.slice(hunk.oldStart - 1, hunk.oldStart - 1 + hunk.oldCount),
    added: fresh.slice(hunk.newStart - 1, hunk.newStart - 1 + hunk.newCount),
  })).filter(({ removed, added }) => !isSameFlow(removed, added, ignoresIndent(language)));
  const removedKeys = parts.flatMap(({ removed }) => removed);
  const addedKeys = parts.flatMap(({ added }) => added);
  const isNew = toDrawer(removedKeys);
  const isGone = toDrawer(addedKeys);
  const lines = new Set<number>();
  const gaps = new Set<number>();
  for (const { hunk, removed, added } of parts) {
    const own = added.map((key) => key !== "" && isNew(key));
    const hasGone = removed.map((key) => key !== "" && isGone(key)).includes(true);
    if (hunk.newCount === 0) {
      if (hasGone) gaps.add(hunk.newStart);
      continue;
    }
    own.forEach((isOwn, at) => {
      if (isOwn || (hasGone && !own.includes(true))) lines.add(hunk.newStart + at);
    });
  }
  return { lines, gaps };
}

/** Tells for one key after the other whether the other side has none left that is equal. */
function toDrawer(keys: readonly string[]): (key: string) => boolean {
  const left = new Map<string, number>();
  for (const key of keys) left.set(key, (left.get(key) ?? 0) + 1);
  return (key) => {
    const count = left.get(key) ?? 0;
    if (count > 0) left.set(key, count - 1);
    return count === 0;
  };
}

/** Whether lines only break elsewhere; where blanks before a line count, as many lines are as they are. */
function isSameFlow(
  removed: readonly string[],
  added: readonly string[],
  isFree: boolean,
): boolean {
  const [old, fresh] = [removed, added].map((keys) => keys.filter((key) => key !== ""));
  if (old === undefined || fresh === undefined || toFlow(old) !== toFlow(fresh)) return false;
  return isFree || old.length !== fresh.length;
}

/** The lines as one, without the commas that a formatter puts before closing brackets. */
function toFlow(keys: readonly string[]): string {
  return squeeze(keys.join(" ")).replaceAll(/,(?=[)\]}])/g, "");
}

/** Languages in which blanks before a line say nothing: those whose comments are written as in C. */
function ignoresIndent(language: Language | undefined): boolean {
  return language !== undefined && language.name !== "Scala" &&
    language.blockComments.some(([open]) => open === "/*");
}

/** Each line as what it says: without comments, and without blanks that mean nothing. */
function toKeys(text: string, language: Language | undefined): readonly string[] {
  const masked = language === undefined ? text : maskText(text, language);
  const keepsIndent = !ignoresIndent(language);
  let at = 0;
  return masked.split("\n").map((line) => {
    const start = at;
    at += line.length + 1;
    let key = "";
    for (let place = 0; place < line.length; place++) {
      const kind = kindOfPlace(line, place);
      if (kind !== "comment") key += toSign(text.charAt(start + place), kind === "string");
    }
    const squeezed = squeeze(key);
    if (squeezed === "") return "";
    const indent = keepsIndent ? /^[ \t]*/.exec(line)?.[0] ?? "" : "";
    return indent + squeezed;
  });
}

/** A text without the blanks that part no words. */
function squeeze(text: string): string {
  return text.replaceAll(/(?<![\p{L}\p{N}_$])\s+|\s+(?![\p{L}\p{N}_$])/gu, "")
    .replaceAll(/\s+/g, " ");
}

/** Blanks inside of strings count, so they are no blanks to the comparison. */
function toSign(char: string, isString: boolean): string {
  return isString && /[ \t]/.test(char) ? "\u0000" : char;
}
