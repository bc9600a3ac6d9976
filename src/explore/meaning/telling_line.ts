/**
 * Which line of a file's best chunks says most about a question. The head of a file (its first
 * comment, its imports) has the words of everything in it and answers nothing. So no line of the
 * head is chosen. Pure.
 */
import { countWords, findName } from "../../base/text/stem.ts";
import { isCallable, isClass } from "../../language/kinds.ts";
import { languageOfPath } from "../../language/languages.ts";
import { maskText } from "../../language/mask.ts";
import type { Language } from "../../language/languages.ts";
import type { SymbolHit } from "../../index/read/view.ts";

/** A chunk with its lines. */
export interface ChunkLines {
  readonly path: string;
  /** Line of the first, 1-based. */
  readonly startLine: number;
  readonly lines: readonly string[];
}

/** The line that says most. */
export interface BestLine {
  /** 1-based. */
  readonly line: number;
  /** Last line of the definition that it belongs to, else of the chunk. */
  readonly endLine: number;
  readonly text: string;
  /** Qualified name of the definition that it belongs to; absent where there is none. */
  readonly name?: string;
}

/** What the lines are held against. */
export interface BestLineOptions {
  /** Names that the question says: a line that holds one says more than one with other words. */
  readonly names?: readonly string[];
  /** Words of the question. */
  readonly words: readonly string[];
  /** Definitions of the file. */
  readonly symbols: readonly SymbolHit[];
}

const IMPORT =
  /^\s*(?:import\b(?!\s*\()|import\s*\(\s*$|from\s+\S+\s+import\b|export\s+(?:\*|\{[^}]*\}|type\s*\{[^}]*\})\s*(?:as\s+\w+\s*)?from\b|(?:pub\s+)?use\s+[\w\\:{]|using\s+[\w.=\s]+;|#\s*include\b|(?:require|require_once|require_relative|include|include_once)\b|package\s+[\w.]+;?\s*$|(?:const|let|var|local)\s+[^=]+=\s*require\b)/;
/** Text that a mask blanks, and what ends a statement of a string alone. */
// deno-lint-ignore no-control-regex -- the mask writes control characters in place of comments and strings
const BLANK = /^[\s\u0001\u0002;,]*$/;

/**
 * The line of the first chunk that holds a name of the question, else words of it, else begins a definition. A line of
 * the head is taken only for a name that stands nowhere else; null where nothing is left.
 */
export function selectBestLine(
  chunks: readonly ChunkLines[],
  options: BestLineOptions,
): BestLine | null {
  const all = chunks.map((chunk) => ({ chunk, isHead: markHeadLines(chunk) }));
  for (const pick of PICKS) {
    for (const one of all) {
      const at = pick(one, options);
      if (at !== null) return buildTellingLine(one.chunk, at, options);
    }
  }
  return null;
}

interface HeadedChunk {
  readonly chunk: ChunkLines;
  readonly isHead: readonly boolean[];
}

/** Gives the position of a line in a chunk, or null. */
type Pick = (chunk: HeadedChunk, options: BestLineOptions) => number | null;

/** The ways to a line, the best first. */
const PICKS: readonly Pick[] = [
  (one, options) => pickBest(one, (text) => sayName(text, options), { ofHead: false }),
  (one, { names = [], words }) =>
    pickBest(one, (text) => countWords([...names, ...words], text), { ofHead: false }),
  (one, options) => pickBest(one, (text) => sayName(text, options), { ofHead: true }),
  pickFirst,
];

function buildTellingLine(chunk: ChunkLines, at: number, { symbols }: BestLineOptions): BestLine {
  const line = chunk.startLine + at;
  const holder = findHolder(line, chunk, symbols);
  return {
    line,
    endLine: holder?.endLine ?? chunk.startLine + chunk.lines.length - 1,
    text: (chunk.lines[at] ?? "").trim(),
    ...(holder === undefined ? {} : { name: holder.qualifiedName }),
  };
}

/** How much a line says that holds a name of the question; 0 without one. */
function sayName(text: string, { names = [], words }: BestLineOptions): number {
  const held = names.filter((name) => findName(name, text) >= 0).length;
  // Words beside the name decide between lines that hold it.
  return held === 0 ? 0 : held * (words.length + 1) + countWords(words, text);
}

/** The first of the lines that say most; null where none says anything. */
function pickBest(
  { chunk, isHead }: HeadedChunk,
  measure: (text: string) => number,
  { ofHead }: { readonly ofHead: boolean },
): number | null {
  let best = { at: -1, said: 0 };
  for (const [at, text] of chunk.lines.entries()) {
    if ((isHead[at] === true) !== ofHead) continue;
    const said = measure(text);
    if (said > best.said) best = { at, said };
  }
  return best.said === 0 ? null : best.at;
}

/** The first definition of a chunk, else its first line behind the head. */
function pickFirst(
  { chunk, isHead }: HeadedChunk,
  { symbols }: BestLineOptions,
): number | null {
  const first = chunk.lines.findIndex((text, at) => isHead[at] !== true && text.trim() !== "");
  if (first < 0) return null;
  const from = chunk.startLine + first;
  const end = chunk.startLine + chunk.lines.length;
  const defined = symbols.find(({ line, kind }) => line >= from && line < end && isTelling(kind));
  return defined === undefined ? first : defined.line - chunk.startLine;
}

/** Which lines belong to the head: imports anywhere, and what stands before the first line of code of the file. */
function markHeadLines({ path, startLine, lines }: ChunkLines): readonly boolean[] {
  const language = languageOfPath(path);
  if (language === undefined || language.nature !== "code") return [];
  const masked = maskLines(lines, language);
  let isBegun = startLine > 1;
  let depth = 0;
  return masked.map((text, at) => {
    const isImport = depth > 0 || IMPORT.test(lines[at] ?? "");
    if (isImport) {
      depth = Math.max(0, depth + count(text, /[({[]/g) - count(text, /[)}\]]/g));
      return true;
    }
    isBegun ||= !BLANK.test(text) && !text.startsWith("#!") && !text.startsWith("<?php");
    return !isBegun;
  });
}

function maskLines(lines: readonly string[], language: Language): readonly string[] {
  return maskText(lines.join("\n"), language).split("\n");
}

function count(text: string, sign: RegExp): number {
  return text.match(sign)?.length ?? 0;
}

/** The innermost callable or class that holds the line; for a comment before one, that one. */
function findHolder(
  line: number,
  { path, startLine, lines }: ChunkLines,
  symbols: readonly SymbolHit[],
): SymbolHit | undefined {
  const telling = symbols.filter(({ kind }) => isTelling(kind));
  const holding = telling.filter((one) => one.startLine <= line && line <= one.endLine)
    .sort((a, b) => b.startLine - a.startLine || a.endLine - b.endLine);
  const next = telling.find((one) => one.startLine > line);
  const language = languageOfPath(path);
  if (next === undefined || language === undefined) return holding[0];
  const before = maskLines(lines.slice(line - startLine, next.startLine - startLine), language);
  return before.length > 0 && before.every((text) => BLANK.test(text)) ? next : holding[0];
}

/**
 * The chunk under the name of the definition that it begins with. One of several small definitions is kept under the
 * largest of them, and whoever reads its first line looks for another name.
 *
 * @param symbols Definitions of the file, by position.
 */
export function nameByFirst<
  T extends { readonly name: string; readonly symbols: readonly number[] },
>(
  chunk: T,
  symbols: readonly SymbolHit[],
): T {
  const own = chunk.symbols.flatMap((position) => symbols[position] ?? [])
    .filter(({ kind }) => isTelling(kind))
    .sort((a, b) => a.line - b.line);
  const isKnown = own.some(({ qualifiedName }) => qualifiedName === chunk.name);
  return isKnown ? { ...chunk, name: own[0]?.qualifiedName ?? chunk.name } : chunk;
}

function isTelling(kind: string): boolean {
  return isCallable(kind) || isClass(kind);
}
