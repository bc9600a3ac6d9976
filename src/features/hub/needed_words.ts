/**
 * The words without which no line matches a pattern, so that full text tells the files in which to look. A word counts
 * where the pattern itself says that it begins and ends there: what stands at the edge of a pattern may be a part of
 * any longer word. The full text differs from the code in names of more than 64 signs, and in signs
 * such as U+2122 beside a name. Only `\b` and whole words could miss them. It depends on its
 * arguments alone.
 */
import { splitIdentifier } from "../../analysis/tokens.ts";
import type { LineQuery } from "../../base/files/source_text.ts";

/** Stands for the edge of a word, on whose other side any sign may be. */
const EDGE = "\x01";
/** Stands for the beginning and the end of a line. */
const LINE = "\n";
/** Signs that stand between words, whatever is around them. */
const BETWEEN = /[\n !"#%&'()*+,\-./:;<=>?@[\\\]^`{|}~]/;
const WORDS = /[A-Za-z0-9_]+/g;
/** Longer words are not in the full text. */
const MAX_WORD_CHARS = 64;

/**
 * For each way to match the words that a line then has, apart by spaces; null where some way needs none.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { listNeededWords } from "./needed_words.ts";
 * const query = { fixed: false, caseSensitive: true, wholeWord: false };
 * deepEqual(listNeededWords({ ...query, patterns: ["new Cart\\(size|^import .*cart"] }), ["cart", "import"]);
 * deepEqual(listNeededWords({ ...query, patterns: ["Cart"] }), null);
 * ```
 */
export function listNeededWords(query: LineQuery): readonly string[] | null {
  const ways = query.patterns.flatMap((pattern) => {
    const runs = query.fixed ? [[pattern]] : splitRuns(pattern);
    return query.wholeWord ? runs.map((way) => way.map(markEdges(way))) : runs;
  });
  const isCased = query.caseSensitive && !query.patterns.some((one) => /^\(\?[a-z]*i/.test(one));
  const needed = ways.map((way) => [...new Set(way.flatMap((run) => findWords(run, isCased)))]);
  return needed.some((words) => words.length === 0) ? null : needed.map((words) => words.join(" "));
}

/** The first and the last run of a whole word begin and end at the edges of words. */
function markEdges(way: readonly string[]): (run: string, at: number) => string {
  return (run, at) => `${at === 0 ? EDGE : ""}${run}${at === way.length - 1 ? EDGE : ""}`;
}

function findWords(run: string, isCased: boolean): readonly string[] {
  return [...run.matchAll(WORDS)].flatMap(({ 0: word, index }) => {
    const sides = [run[index - 1] ?? "", run[index + word.length] ?? ""];
    const isApart = sides.every((side) => side === EDGE || BETWEEN.test(side));
    if (!isApart || word.length > MAX_WORD_CHARS) return [];
    const parts = splitIdentifier(word);
    if (parts.length === 0) return [];
    // Full text has each name whole and in parts. What the edge of a word parts from it may be joined to it there.
    if (!sides.includes(EDGE)) return [parts.join("")];
    return isCased ? parts : [];
  });
}

/**
 * The ways of an expression at its top, each as the runs of signs that stand in it as they are. The first and the last
 * run are where the way begins and ends, even if they are empty.
 */
function splitRuns(pattern: string): string[][] {
  const ways: string[][] = [[""]];
  const source = pattern.replace(/^\(\?[a-z]+\)/, "");
  const add = (sign: string) => {
    const way = ways.at(-1) ?? [];
    way.push(`${way.pop() ?? ""}${sign}`);
  };
  const end = () => ways.at(-1)?.push("");
  const takeBack = () => {
    const way = ways.at(-1) ?? [];
    way.push((way.pop() ?? "").replace(/.$/su, ""));
  };
  for (let at = 0; at < source.length; at++) {
    const sign = source.charAt(at);
    if (sign === "\\") {
      const next = source.charAt(++at);
      if (next === "b") add(EDGE);
      else if (/[A-Za-z0-9]/.test(next)) {
        at = skipBraces(source, at);
        end();
      } else add(next);
    } else if (sign === "[" || sign === "(") {
      at = sign === "[" ? skipClass(source, at) : skipGroup(source, at);
      end();
    } else if (sign === "|") ways.push([""]);
    else if (sign === "^" || sign === "$") add(LINE);
    else if (sign === "*" || sign === "?" || sign === "{") {
      takeBack();
      if (sign === "{") at = skipBraces(source, at - 1);
      end();
    } else if (sign === "+" || sign === ".") end();
    else add(sign);
  }
  return ways;
}

/** The last sign of what follows in braces: `\p{L}`, `a{2,3}`; the place itself where nothing does. */
function skipBraces(source: string, at: number): number {
  if (source.charAt(at + 1) !== "{") return at;
  const end = source.indexOf("}", at);
  return end < 0 ? source.length : end;
}

/** The last sign of a class. */
function skipClass(source: string, from: number): number {
  const head = /^\[\^?\]?/.exec(source.slice(from))?.[0] ?? "[";
  for (let at = from + head.length; at < source.length; at++) {
    if (source.charAt(at) === "\\") at++;
    else if (source.charAt(at) === "]") return at;
  }
  return source.length;
}

/** The last sign of a group. */
function skipGroup(source: string, from: number): number {
  let depth = 0;
  for (let at = from; at < source.length; at++) {
    const sign = source.charAt(at);
    if (sign === "\\") at++;
    else if (sign === "[") at = skipClass(source, at);
    else if (sign === "(") depth++;
    else if (sign === ")" && --depth === 0) return at;
  }
  return source.length;
}
