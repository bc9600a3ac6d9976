/** Places in files as texts name them: `path:3-9`, and lines as `rg -n` prints them. Pure. */

/** A place in a file that evidence names. */
export interface LineLocation {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Reads `path:line` or `path:start-end`; null for anything else. It is not checked that the lines
 * exist.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { parseLines } from "./places.ts";
 * deepEqual(parseLines("src/a.ts:3-9"), { path: "src/a.ts", start: 3, end: 9 });
 * deepEqual(parseLines("src/a.ts"), null);
 * ```
 */
export function parseLines(text: string): LineLocation | null {
  const [, path, start, end] = /^(.+?):(\d+)(?:-(\d+))?$/.exec(text.trim()) ?? [];
  return path === undefined ? null : { path, start: Number(start), end: Number(end ?? start) };
}

/** A line that the agent read, as `rg -n` prints it. */
export interface ReadLine {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  /** What stands there, without the blanks round it. */
  readonly text: string;
}

/**
 * Reads `path:line: text`; null for anything else.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { parseReadLine } from "./places.ts";
 * deepEqual(parseReadLine("a.ts:3:  run();"), { path: "a.ts", line: 3, text: "run();" });
 * deepEqual(parseReadLine("a.ts:3"), null);
 * ```
 */
export function parseReadLine(entry: string): ReadLine | null {
  const [, path, line, text] = /^(.+?):(\d+):\s*(\S.*)$/.exec(entry.trim()) ?? [];
  return path === undefined || text === undefined ? null : { path, line: Number(line), text };
}

/** The quotes, brackets and points that stand round a name in a sentence. */
const AROUND = /^[\s`"'“”‘’*(<[]+|[\s`"'“”‘’*)>\],;.!?]+$/g;
/** How a range of lines is written behind a path, in the ways of editors, forges and people. */
const LINES =
  /(?:\s*[:#(,]\s*|\s+)(?:L|l|lines?\s*|ll?\.\s*)?(\d{1,7})(?::\d+)?(?:\s*(?:-|–|—|to|\.\.+|\bbis\b)\s*(?:L|l)?(\d{1,7}))?\)?$/;

/** A path with the lines that a text names behind it, if any. */
export interface NamedPlace {
  readonly path: string;
  readonly start?: number;
  readonly end?: number;
}

/**
 * Reads one name as a person writes it: `./a.ts`, `` `a.ts` ``, `a.ts#L3-L9`, `a.ts (lines 3-9)`, `[a](a.ts)`.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { readPlace } from "./places.ts";
 * deepEqual(readPlace("`./src/a.ts`#L3-L9"), { path: "src/a.ts", start: 3, end: 9 });
 * ```
 */
export function readPlace(text: string): NamedPlace {
  const linked = /^\s*\[[^\]]*\]\(([^)]+)\)\s*$/.exec(text)?.[1] ?? text;
  const bare = linked.trim().replaceAll(/[`"'“”]/g, "");
  const lines = LINES.exec(bare);
  const path = (lines === null ? bare : bare.slice(0, lines.index)).replaceAll(AROUND, "")
    .replace(/^file:\/\//, "").replace(/^(?:\.\/)+/, "");
  if (lines === null || path === "") return { path };
  const start = Number(lines[1]);
  return { path, start, end: Number(lines[2] ?? start) };
}

/** The parts of a text that may name a file each: what is listed with commas, `and` or line ends. */
function splitNames(text: string): readonly string[] {
  return text.split(/\s*(?:[,;&\n]|\s(?:and|und|plus|\+)\s)\s*/).filter((part) => part !== "");
}

/** Words of a text that look like a path, each with the lines behind it. */
const PATH_WORD =
  /(?:[\w@.~-]+\/)*[\w@~-][\w@.~-]*\.\w{1,12}(?:(?::|#L?)\d{1,7}(?:-L?\d{1,7})?)?|(?:[\w@.~-]+\/)+[\w@.~-]*/g;

/**
 * The files that a text names, in its order: itself, the parts of a list, or the names in a sentence. A name without its
 * folder is that of the file before it, or the only one of that name. Empty where it names none that is there.
 *
 * @param isThere Tells whether the project has a file or folder of that path.
 * @param findByName The only file of the project with that name, in any case; undefined where there are none or several.
 */
export function readNamedFiles(
  text: string,
  isThere: (path: string) => boolean,
  findByName: (name: string) => string | undefined,
): readonly string[] {
  const whole = readPlace(text).path;
  if (isThere(whole)) return [whole];
  const parts = splitNames(text).map((part) => readPlace(part).path);
  const words = parts.every((part) => !part.includes(" "))
    ? parts
    : [...text.matchAll(PATH_WORD)].map(([word]) => readPlace(word).path);
  let folder = "";
  const found = words.flatMap((word) => {
    const path = [word, `${folder}${word}`].find(isThere) ?? findByName(word);
    if (path === undefined) return [];
    folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/") + 1) : "";
    return [path];
  });
  return [...new Set(found)];
}

/**
 * A text of places in the form `path:3-9; path:deleted`, however they were written; the text itself where it has that form
 * already or names no lines. Of a sentence the places outside of brackets count before those within.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { formatPlaces } from "./places.ts";
 * equal(formatPlaces("`src/a.ts` lines 3-9 and src/b.ts#L4"), "src/a.ts:3-9; src/b.ts:4");
 * equal(formatPlaces("src/a.ts:deleted"), "src/a.ts:deleted");
 * ```
 */
export function formatPlaces(text: string): string {
  if (CANONICAL.test(text.trim()) || /^\s*tool:/.test(text)) return text;
  const outside = text.replaceAll(/\((?!\s*(?:L|lines?\b|\d))[^)]*\)/g, " ");
  const found = listPlaces(outside);
  const places = found.length > 0 ? found : listPlaces(text);
  return places.length === 0 ? text : places.join("; ");
}

const CANONICAL =
  /^[^\s,;]+:(?:\d+(?:-\d+)?|deleted|renamed|mode|binary)(?:\s*[,;]\s*(?:[^\s,;]+:)?(?:\d+(?:-\d+)?|deleted|renamed|mode|binary))*$/;
const SENTENCE_PLACE =
  /((?:[\w@.~-]+\/)*[\w@~-][\w@.~-]*\.\w{1,12})[`"']?(?:\s*[:#(,]\s*|\s+)(?:(deleted|renamed|binary|mode)\b|(?:L|l|lines?\s*)?(\d{1,7})(?::\d+)?(?:\s*(?:-|–|—|to|\.\.+)\s*L?(\d{1,7}))?)/g;

function listPlaces(text: string): readonly string[] {
  return [...text.matchAll(SENTENCE_PLACE)].map(([, path = "", kind, start, end]) =>
    `${path.replace(/^(?:\.\/)+/, "")}:${kind ?? (end === undefined ? start : `${start}-${end}`)}`
  );
}
