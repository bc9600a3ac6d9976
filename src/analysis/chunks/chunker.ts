/**
 * Cuts a text into chunks: definitions where they fit, larger ones at the definitions inside them or
 * between statements, small neighbours together. No line that is not blank is lost. Pure.
 */
import type { Chunk, CodeSymbol } from "../analysis.ts";
import { qualifyName } from "../tokens.ts";

/** Lines of a text, 1-based and inclusive. */
export interface LineRange {
  /** First line. */
  readonly startLine: number;
  /** Last line. */
  readonly endLine: number;
}

/** A blank line before a cut is worth this many columns of indentation. Guessed. */
const BLANK_COLUMNS = 6;
/** Cuts before a line that closes something are the last choice. */
const CLOSING_COLUMNS = 1_000;
const CLOSING =
  /^\s*(?:[})\]]|end\b|else\b|elif\b|elsif\b|except\b|catch\b|finally\b|then\b|do\b|<\/)/;

/**
 * The range in parts of at most `maxChars`, cut before lines that stand far left, best after a blank line.
 * A line longer than that is a part of its own.
 */
export function splitLines(
  lines: readonly string[],
  { startLine, endLine }: LineRange,
  maxChars: number,
): LineRange[] {
  const parts: LineRange[] = [];
  let first = startLine;
  while (first <= endLine) {
    let last = first;
    let chars = charsOf(lines, first);
    while (last < endLine && chars + charsOf(lines, last + 1) <= maxChars) {
      last++;
      chars += charsOf(lines, last);
    }
    const cut = last === endLine ? last : findCut(lines, first, last);
    const part = trimBlank(lines, { startLine: first, endLine: cut });
    if (part !== null) parts.push(part);
    first = cut + 1;
  }
  return parts;
}

function charsOf(lines: readonly string[], line: number): number {
  return (lines[line - 1]?.length ?? 0) + 1;
}

/** The last line of the part that begins at `first` and may end at `last`. */
function findCut(lines: readonly string[], first: number, last: number): number {
  let best = last;
  let bestCost = Infinity;
  const earliest = first + Math.floor((last - first) / 2);
  for (let line = last; line >= earliest; line--) {
    const cost = costOf(lines, line);
    if (cost < bestCost) {
      best = line;
      bestCost = cost;
    }
  }
  return best;
}

/** How bad it is to cut after a line: the indentation of what follows, less for a blank between. */
function costOf(lines: readonly string[], line: number): number {
  const next = lines[line] ?? "";
  if (next.trim() === "") return CLOSING_COLUMNS;
  const indent = /^\s*/.exec(next)?.[0].replaceAll("\t", "    ").length ?? 0;
  const blank = (lines[line - 1] ?? "").trim() === "" ? BLANK_COLUMNS : 0;
  return indent - blank + (CLOSING.test(next) ? CLOSING_COLUMNS : 0);
}

function trimBlank(lines: readonly string[], range: LineRange): LineRange | null {
  let { startLine, endLine } = range;
  while (startLine <= endLine && (lines[startLine - 1] ?? "").trim() === "") startLine++;
  while (endLine >= startLine && (lines[endLine - 1] ?? "").trim() === "") endLine--;
  return startLine > endLine ? null : { startLine, endLine };
}

/** A part of a text that should be a chunk of its own. Lines are 1-based and inclusive. */
export interface ChunkUnit extends LineRange {
  /** `definition`, or the name of a special unit: these are never merged with others. */
  readonly kind: string;
  /** What the chunk is called. */
  readonly name: string;
}

/** How a text is cut. */
export interface ChunkOptions {
  /** Largest chunk in UTF-16 units; a longer line is a chunk of its own. */
  readonly maxChars: number;
  /** Units to cut at; may nest, in any order. */
  readonly units: readonly ChunkUnit[];
  /** Whose positions the chunks name. */
  readonly symbols: readonly CodeSymbol[];
}

interface Piece extends LineRange {
  readonly kind: string;
  readonly name: string;
  readonly chars: number;
  /** Lines of the definition that gives the name: of several in a chunk the largest counts. */
  readonly namedLines: number;
}

interface Nested extends ChunkUnit {
  readonly children: Nested[];
  /** Something in it is a special unit, so that it is cut even where it would fit. */
  holdsSpecial: boolean;
}

const BLOCK = "block";
const DEFINITION = "definition";
/** A chunk shorter than this takes the next one in. Guessed, as the next two. */
const SMALL_LINES = 15;
/** What is shorter than this goes with the chunk before, however long that is. */
const TINY_LINES = 5;
/** No chunk grows over this by taking others in. */
const FULL_LINES = 50;
/** Deeper definitions are cut as statements: nobody nests so deep but generators of code. */
const MAX_DEPTH = 24;

/** The chunks of a text, in order. */
export function chunkLines(lines: readonly string[], options: ChunkOptions): Chunk[] {
  return new Chunker(lines, options).run();
}

/** One unit for each definition, named by what holds it. */
export function listUnits(symbols: readonly CodeSymbol[]): ChunkUnit[] {
  return symbols.map((symbol) => {
    const name = qualifyName(symbol, (position) => symbols[position]);
    return { startLine: symbol.startLine, endLine: symbol.endLine, kind: DEFINITION, name };
  });
}

class Chunker {
  readonly #lines: readonly string[];
  readonly #options: ChunkOptions;
  /** Characters before each line, line feeds counted. */
  readonly #offsets: number[] = [0];

  constructor(lines: readonly string[], options: ChunkOptions) {
    this.#lines = lines;
    this.#options = options;
    let total = 0;
    for (const line of lines) this.#offsets.push(total += line.length + 1);
  }

  run(): Chunk[] {
    const whole = { startLine: 1, endLine: this.#lines.length, kind: BLOCK, name: "" };
    const children = nest(this.#options.units, this.#lines.length);
    const pieces = this.#cut({ ...whole, children, holdsSpecial: false }, 0);
    const symbolLines = this.#options.symbols.map(({ line }, index) => ({ line, index }))
      .sort((a, b) => a.line - b.line || a.index - b.index);
    let next = 0;
    return this.#merge(pieces).map(({ startLine, endLine, kind, name }) => {
      const symbols: number[] = [];
      for (; next < symbolLines.length; next++) {
        const one = symbolLines[next];
        if (one === undefined || one.line > endLine) break;
        if (one.line >= startLine) symbols.push(one.index);
      }
      return { startLine, endLine, kind, name, symbols };
    });
  }

  #charsOf({ startLine, endLine }: LineRange): number {
    return (this.#offsets[endLine] ?? 0) - (this.#offsets[startLine - 1] ?? 0);
  }

  /** The pieces of a range: its inner definitions and what lies between them. */
  #cut(unit: Nested, depth: number): Piece[] {
    const pieces: Piece[] = [];
    let from = unit.startLine;
    for (const child of unit.children) {
      this.#gap(pieces, { ...unit, startLine: from, endLine: child.startLine - 1 }, unit);
      const isWhole = this.#charsOf(child) <= this.#options.maxChars && !child.holdsSpecial;
      if (isWhole) this.#push(pieces, child);
      else if (child.children.length > 0 && depth < MAX_DEPTH) {
        pieces.push(...this.#cut(child, depth + 1));
      } else this.#split(pieces, child);
      from = child.endLine + 1;
    }
    this.#gap(pieces, { ...unit, startLine: from, endLine: unit.endLine }, unit);
    return pieces;
  }

  #gap(pieces: Piece[], gap: ChunkUnit, unit: ChunkUnit): void {
    // Where a definition begins its name stands, so that part is more than what lies between.
    const kind = gap.startLine === unit.startLine ? unit.kind : BLOCK;
    this.#split(pieces, { ...gap, kind });
  }

  #split(pieces: Piece[], unit: ChunkUnit): void {
    const trimmed = trimBlank(this.#lines, unit);
    if (trimmed === null) return;
    splitLines(this.#lines, trimmed, this.#options.maxChars).forEach((part, index) => {
      const isRest = index > 0 && unit.kind === DEFINITION;
      this.#push(pieces, { ...unit, ...part, kind: isRest ? BLOCK : unit.kind });
    });
  }

  #push(pieces: Piece[], unit: ChunkUnit): void {
    const trimmed = trimBlank(this.#lines, unit);
    if (trimmed === null) return;
    const { kind, name } = unit;
    const namedLines = kind === DEFINITION ? countLines(trimmed) : 0;
    pieces.push({ ...trimmed, kind, name, chars: this.#charsOf(trimmed), namedLines });
  }

  /** Puts small neighbours together. */
  #merge(pieces: readonly Piece[]): Piece[] {
    const merged: Piece[] = [];
    for (const piece of pieces) {
      const last = merged.at(-1);
      const both = last === undefined ? undefined : this.#together(last, piece);
      if (both === undefined) merged.push(piece);
      else merged[merged.length - 1] = both;
    }
    return merged;
  }

  #together(a: Piece, b: Piece): Piece | undefined {
    if (!isPlain(a) || !isPlain(b)) return undefined;
    const range = { startLine: a.startLine, endLine: b.endLine };
    const chars = this.#charsOf(range);
    const isSmall = countLines(a) < SMALL_LINES || countLines(b) < TINY_LINES;
    if (!isSmall || countLines(range) > FULL_LINES || chars > this.#options.maxChars) {
      return undefined;
    }
    const named = b.namedLines > a.namedLines ? b : a;
    const { kind, name, namedLines } = named;
    return { ...range, chars, kind, name, namedLines };
  }
}

function isPlain({ kind }: ChunkUnit): boolean {
  return kind === BLOCK || kind === DEFINITION;
}

function countLines({ startLine, endLine }: LineRange): number {
  return endLine - startLine + 1;
}

/** Units as a forest of disjoint lines: what begins in the middle of another's lines is cut to fit. */
function nest(units: readonly ChunkUnit[], lineCount: number): Nested[] {
  const sorted = [...units].sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
  const roots: Nested[] = [];
  const open: Nested[] = [];
  for (const unit of sorted) {
    while (open.length > 0 && (open.at(-1)?.endLine ?? 0) < unit.startLine) open.pop();
    const parent = open.at(-1);
    const siblings = parent?.children ?? roots;
    const startLine = Math.max(unit.startLine, (siblings.at(-1)?.endLine ?? 0) + 1);
    const endLine = Math.min(unit.endLine, parent?.endLine ?? lineCount);
    if (startLine > endLine) continue;
    const isSame = parent?.startLine === startLine && parent.endLine === endLine;
    if (isSame) continue;
    const nested = { ...unit, startLine, endLine, children: [], holdsSpecial: false };
    if (!isPlain(unit)) open.forEach((one) => (one.holdsSpecial = true));
    siblings.push(nested);
    open.push(nested);
  }
  return roots;
}
