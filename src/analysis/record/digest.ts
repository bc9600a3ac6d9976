/**
 * What is embedded of a file: for each window of lines a short text of the words that tell what it is about.
 * Embedding costs by the token, and a digest finds as well as four times its length of code. Pure.
 *
 * A digest is made from the file alone, so that it does not change when other files do.
 */
import { splitIdentifier } from "../tokens.ts";

/** Lines of a window. */
export const WINDOW_LINES = 150;
/** Most tokens of a digest that the model reads. */
export const DIGEST_TOKENS = 64;

const MAX_CHARS = 300;
const PATH_PARTS = 2;
const MAX_NAMES = 14;
const COMMENT_WORDS = 18;
const MAX_IDENTIFIERS = 12;
const MIN_IDENTIFIER_CHARS = 4;
const MAX_WEIGHED_PARTS = 4;

/** A definition of the file. */
export interface DigestName {
  readonly name: string;
  /** 1-based. */
  readonly line: number;
}

/** A file to be digested. */
export interface DigestInput {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly names: readonly DigestName[];
}

/** A text for the model with the lines that it stands for, 1-based. */
export interface EmbeddingText {
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}

/** The digests of a file, one for each window that is not blank. */
export function toDigests({ path, text, names }: DigestInput): EmbeddingText[] {
  const lines = text.split("\n");
  const digests: EmbeddingText[] = [];
  for (let start = 0; start < lines.length; start += WINDOW_LINES) {
    const window = lines.slice(start, start + WINDOW_LINES);
    if (window.every((line) => line.trim() === "")) continue;
    const [startLine, endLine] = [start + 1, start + window.length];
    const own = names.filter(({ line }) => line >= startLine && line <= endLine);
    digests.push({ startLine, endLine, text: toDigest(path, window, own) });
  }
  return digests;
}

function toDigest(path: string, lines: readonly string[], names: readonly DigestName[]): string {
  const defined = new Set(
    names.map(({ name }) => toPhrase(name)).filter((phrase) => phrase !== ""),
  );
  const shown = [...defined].slice(0, MAX_NAMES);
  const parts = [
    toPathWords(path),
    shown.join(", "),
    toCommentWords(lines).join(" "),
    toIdentifiers(lines, defined).join(", "),
  ];
  return parts.filter((part) => part !== "").join(". ").slice(0, MAX_CHARS);
}

function toPhrase(name: string): string {
  return splitIdentifier(name).join(" ");
}

function toPathWords(path: string): string {
  const segments = path.replace(/\.[^./]*$/, "").split("/");
  return segments.slice(-PATH_PARTS - 1).map(toPhrase).filter((phrase) => phrase !== "").join(" ");
}

const COMMENT =
  /^\s*(?:\/\/[/!]?|#(?!\s*(?:include|define|if|endif|else|pragma|\[))|\*+(?!\/)|\/\*+|--+|;+|"""|'''|<!--|%+)\s?(.*)$/;
const NOT_PROSE =
  /copyright|licen[cs]e|spdx|eslint|@(?:param|return|throws|type|author|since|see)\b/i;

/** The first words of prose in the comments of a window. */
function toCommentWords(lines: readonly string[]): string[] {
  const words: string[] = [];
  for (const line of lines) {
    const prose = COMMENT.exec(line)?.[1];
    if (prose === undefined || NOT_PROSE.test(prose)) continue;
    words.push(...(prose.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'_]*/gu) ?? []));
    if (words.length >= COMMENT_WORDS) break;
  }
  return words.slice(0, COMMENT_WORDS);
}

/** Words of the languages themselves, which say nothing of one file. */
const COMMON = new Set(
  ("this that from return else const function class public private protected static void import export " +
    "null true false self type string number boolean interface extends implements override async await " +
    "throw throws while switch case break continue default struct impl enum where namespace using include " +
    "define defmodule local then elif None True False undefined require package final abstract object")
    .split(" "),
);

/** The identifiers that stand out: often used, and made of several words. */
function toIdentifiers(lines: readonly string[], defined: ReadonlySet<string>): string[] {
  const counts = new Map<string, number>();
  const code = lines.filter((line) => !COMMENT.test(line)).join("\n");
  for (const word of code.match(/[\p{L}_$][\p{L}\p{N}\p{M}_$]*/gu) ?? []) {
    if (word.length < MIN_IDENTIFIER_CHARS || COMMON.has(word)) continue;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const weights = new Map<string, number>();
  for (const [word, count] of counts) {
    const parts = splitIdentifier(word);
    const phrase = parts.join(" ");
    if (phrase === "" || defined.has(phrase)) continue;
    const weight = (1 + Math.log(count)) *
      Math.min(MAX_WEIGHED_PARTS, parts.length + (word.length > 8 ? 0.5 : 0));
    weights.set(phrase, Math.max(weight, weights.get(phrase) ?? 0));
  }
  return [...weights].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, MAX_IDENTIFIERS).map(([phrase]) => phrase);
}
