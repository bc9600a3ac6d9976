/**
 * How text becomes words of the full text index, and a question becomes the same words: identifiers
 * whole and split, lower case, East Asian text in pairs of characters. Also the qualified names of symbols. Pure.
 *
 * SQLite only cuts the result at spaces and takes the stem of English words.
 */
import type { CodeSymbol } from "./analysis.ts";

/** What a name is made of. */
export type NamedSymbol = Pick<CodeSymbol, "name" | "parent" | "scope">;

/** Gives the symbol at a position of the same content. */
export type ReadHolder = (position: number) => NamedSymbol | undefined;

const SEPARATORS = /::|->|[.:\\#]/;

/**
 * The names of what holds a symbol, outermost first, joined with dots, with its own at the end.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { qualifyName } from "./tokens.ts";
 * const space = { name: "net", parent: null };
 * const run = { name: "run", parent: 0, scope: "Server" };
 * equal(qualifyName(run, () => space), "net.Server.run");
 * ```
 */
export function qualifyName(symbol: NamedSymbol, readHolder: ReadHolder): string {
  const names = [symbol.name];
  for (let at = symbol;;) {
    const holder = at.parent === null ? undefined : readHolder(at.parent);
    names.unshift(...splitScope(at, holder));
    if (holder === undefined) return names.join(".");
    names.unshift(holder.name);
    at = holder;
  }
}

/** The parts of a symbol's scope that its holder does not stand for already; mostly none. */
export function splitScope(
  { scope }: Pick<NamedSymbol, "scope">,
  holder: Pick<NamedSymbol, "name"> | undefined,
): readonly string[] {
  if (scope === undefined) return [];
  const parts = scope.split(SEPARATORS).filter((part) => part !== "");
  if (holder === undefined) return parts;
  if (parts.at(-1) === holder.name) return [];
  return parts[0] === holder.name ? parts.slice(1) : parts;
}

const WORD = /[\p{L}\p{N}\p{M}_$]+/gu;
const ASCII_WORD = /[A-Za-z0-9_$]+/g;
// Scripts that are written without spaces between words.
const EAST_ASIAN = "\\u3005-\\u3007\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7af" +
  "\\uf900-\\ufaff\\u{20000}-\\u{3ffff}";
const RUNS = new RegExp(`[${EAST_ASIAN}]+|[^${EAST_ASIAN}]+`, "gu");
const IS_EAST_ASIAN = new RegExp(`^[${EAST_ASIAN}]`, "u");
// Longer runs are data (base64, hashes), which nobody looks for by word.
const MAX_WORD_CHARS = 64;
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}]+|\p{N}+|\p{Lu}/gu;
const ASCII_PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[A-Z]/g;

/**
 * The words of a text in order, with spaces between them: `getUserName(id)` gives
 * `getusername get user name id`.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { splitWords } from "./tokens.ts";
 * equal(splitWords("get_userName(東京都)"), "getusername get user name 東京 京都");
 * ```
 */
export function splitWords(text: string): string {
  const words: string[] = [];
  const isAscii = !/[^\0-\x7f]/.test(text);
  const all = isAscii ? text.match(ASCII_WORD) : text.normalize("NFKC").match(WORD);
  for (const word of all ?? []) {
    if (isAscii || !/[^\0-\x7f]/.test(word)) addIdentifier(words, word);
    else for (const run of word.match(RUNS) ?? []) addRun(words, run);
  }
  return words.join(" ");
}

/**
 * The parts of one identifier, lower case, in order: `HTTPServer2` gives `http`, `server`, `2`. Empty for
 * what has no letter or digit.
 */
export function splitIdentifier(name: string): string[] {
  const parts = name.match(/[^\0-\x7f]/.test(name) ? PARTS : ASCII_PARTS) ?? [];
  return parts.map((part) => part.toLowerCase());
}

const NAME = /[A-Za-z][A-Za-z0-9_$]*/g;
const MIN_PART_CHARS = 2;
const MAX_PART_CHARS = 24;

/**
 * The parts of the names and words of a text as the table of word vectors has them: Latin letters alone, lower case,
 * each as often as it stands there.
 */
export function splitParts(text: string): string[] {
  const parts: string[] = [];
  for (const name of text.match(NAME) ?? []) {
    if (name.length > MAX_WORD_CHARS) continue;
    for (const part of splitIdentifier(name)) {
      const isWord = part.length >= MIN_PART_CHARS && part.length <= MAX_PART_CHARS;
      if (isWord && part > "9") parts.push(part);
    }
  }
  return parts;
}

const PATH_PARTS = 3;

/** The parts of a file's name and of its nearest folders. */
export function splitPath(path: string): string[] {
  return splitParts(path.replace(/\.[^./]*$/, "").split("/").slice(-PATH_PARTS).join(" "));
}

/** A name without case and separators, by which `getUser`, `get_user` and `GET_USER` are one. */
export function foldName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}\p{M}]/gu, "");
}

const QUALIFIED = /^(?:[\p{L}_][\p{L}\p{N}_]*(?:\.|::|\\))+([\p{L}_][\p{L}\p{N}_]*)$/u;

/**
 * The last part of a name that is written with what holds it, as modules of Elixir are; any other name as it is.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { readLastPart } from "./tokens.ts";
 * equal(readLastPart("Ecto.Association.NotLoaded"), "NotLoaded");
 * ```
 */
export function readLastPart(name: string): string {
  return QUALIFIED.exec(name)?.[1] ?? name;
}

/** The words by which the name of a definition is found: the whole name in any case, its last part likewise, and its parts. */
export function listNameForms(name: string): string[] {
  const whole = [name, readLastPart(name)].map((one) => `=${foldName(one)}`);
  return [...new Set([...whole, ...splitIdentifier(name)])];
}

/**
 * A search expression of SQLite for any of the words of a question; null when it has none. Each word
 * stands in it once.
 */
export function buildMatchAny(text: string): string | null {
  const words = [...new Set(splitWords(text).split(" "))].filter((word) => word !== "");
  return words.length === 0 ? null : words.map((word) => `"${word}"`).join(" OR ");
}

function addRun(words: string[], run: string): void {
  if (!IS_EAST_ASIAN.test(run)) {
    addIdentifier(words, run);
    return;
  }
  const chars = [...run];
  if (chars.length === 1) words.push(run);
  for (let i = 0; i + 1 < chars.length; i++) words.push(`${chars[i]}${chars[i + 1]}`);
}

function addIdentifier(words: string[], word: string): void {
  if (word.length > MAX_WORD_CHARS) return;
  const parts = splitIdentifier(word);
  if (parts.length > 1) words.push(parts.join(""));
  words.push(...parts);
}
