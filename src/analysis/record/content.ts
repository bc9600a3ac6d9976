/**
 * What is stored of one content, made from its text and its analysis. This is what a worker sends to
 * the writer: everything that costs time is done here, beside the thread that writes.
 */
import type { Analysis, Chunk, CodeSymbol, ImportEntry, Occurrence } from "../analysis.ts";
import { packPlaces, packRising, packTypes, unpackPlaces, unpackTypes } from "./pack.ts";
import { languageByName } from "../../language/languages.ts";
import { splitComments } from "../../language/mask.ts";
import type { WordTable } from "../../word_vectors/word_table.ts";
import { packWindows, WINDOW_LINES } from "../../word_vectors/window_vectors.ts";
import { splitParts, splitWords } from "../tokens.ts";
import { packCounts } from "./word_counts.ts";

/** So many lines below its name a signature may end and a doc string begin. */
const NEAR_LINES = 60;
/** Vocabulary of the analyser: a word or two. */
const KIND = /^[A-Za-z]+(?:[-_][A-Za-z]+)?$/;
const MAX_KIND_CHARS = 24;
const WORD = /[\p{L}\p{N}_]+/gu;
const IN_WORD = /[\p{L}\p{N}_]/u;
const SIGNS = /[^\p{L}\p{N}_]+/gu;
/** Signs before a name that some languages count as a part of it, and others do not. */
const LEAD = /^[.#$@%:&"'`]*/;
/** Words that the analyser writes by rule: of positions, of common types, of what has no name. */
const OWN_WORD =
  /^(?:\d+|this|self|T|default|export|null|typeof|dict|Array|Map|Set|Promise|number|boolean|string|constructor|p\d+|__\w+__)$/;

/** Whether all that a content says stands in its text, at its place. */
export function isFoundInText(content: StoredContent, text: string): boolean {
  const page = new Page(text);
  return content.symbols.every((symbol) => isOfText(symbol, page)) &&
    content.occurrences.every(({ name, places }) =>
      unpackPlaces(places).every(({ line, column, receiver = "" }) =>
        page.names(name, line, column) && page.hasWords(receiver)
      )
    ) &&
    content.imports.every(({ module, name, alias }) =>
      page.hasWords(module) && page.hasWords(name ?? "") && page.hasWords(alias)
    ) &&
    content.chunks.every(({ kind, name }) => isKind(kind) && page.hasWords(name)) &&
    (content.types === null ||
      unpackTypes(content.types).every((fact) =>
        page.hasWords(fact.name) && page.hasWords(fact.text)
      ));
}

function isOfText(symbol: CodeSymbol, page: Page): boolean {
  const { name, kind, line, column, startLine, endLine, signature, doc, bases = [] } = symbol;
  const last = Math.min(endLine, line + NEAR_LINES);
  return isKind(kind) && startLine <= line && line <= endLine &&
    page.names(name, line, column) &&
    (signature === undefined || page.holdsSignature(signature, startLine, last)) &&
    (doc === undefined || page.holdsDoc(doc, startLine, last)) &&
    [symbol.scope ?? "", ...bases].every((one) => page.hasWords(one));
}

function isKind(kind: string): boolean {
  return kind.length <= MAX_KIND_CHARS && (kind === "" || KIND.test(kind));
}

/** A text by its lines and its words. */
class Page {
  readonly #text: string;
  readonly #lines: readonly string[];
  #words: ReadonlySet<string> | null = null;
  /** Texts that were looked for, with the answer: most come many times. */
  readonly #known = new Map<string, boolean>();

  constructor(text: string) {
    this.#text = text;
    this.#lines = text.split("\n");
  }

  /** Whether a name stands at a place, and is no part of a longer one there; quotes and signs before it do not count. */
  names(name: string, line: number, column: number): boolean {
    const written = this.#lines[line - 1] ?? "";
    const isWhole = written.startsWith(name, column - 1) && name !== "";
    if (isWhole && !IN_WORD.test(written[column - 1 + name.length] ?? "")) return true;
    const [here, bare] = [written.slice(column - 1).replace(LEAD, ""), name.replace(LEAD, "")];
    // An object of Kotlin that has no name of its own, and what a call of `super` calls.
    if (name === "Companion" && here.startsWith("companion")) return true;
    if (name === "constructor" && here.startsWith("super")) return true;
    const isCut = IN_WORD.test(bare.at(-1) ?? "") && IN_WORD.test(here[bare.length] ?? "");
    return here.startsWith(bare) && (!isCut || bare === "");
  }

  /** Whether all words of a text stand somewhere, or are of those that the analyser writes by rule. */
  hasWords(text: string): boolean {
    if (text === "") return true;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    this.#words ??= new Set(this.#text.match(WORD));
    const words = this.#words;
    const found = (text.match(WORD) ?? []).every((word) => words.has(word) || OWN_WORD.test(word));
    this.#known.set(text, found);
    return found;
  }

  holdsSignature(signature: string, from: number, to: number): boolean {
    const near = this.#fold(from, to);
    if (near.includes(fold(signature))) return true;
    // A result that is written before the name follows the parameters.
    const end = signature.lastIndexOf(": ");
    return end > 0 && [signature.slice(0, end), signature.slice(end)]
      .every((part) => near.includes(fold(part)));
  }

  holdsDoc(doc: string, from: number, to: number): boolean {
    return this.#fold(from, to).includes(fold(doc));
  }

  #fold(from: number, to: number): string {
    return fold(this.#lines.slice(from - 1, to).join("\n"));
  }
}

function fold(text: string): string {
  return text.replace(/<\/?\w+>/g, "").replace(SIGNS, "");
}

/** The words of one chunk, by column of the full text table. */
export interface ChunkWords {
  readonly name: string;
  readonly signature: string;
  readonly comments: string;
  readonly body: string;
}

/** One chunk as it is stored. */
export interface StoredChunk {
  readonly startLine: number;
  readonly endLine: number;
  readonly kind: string;
  readonly name: string;
  /** Positions of its symbols, packed. */
  readonly symbols: Uint8Array;
  readonly words: ChunkWords;
}

/** All places of one name in the content, packed. */
export interface StoredOccurrences {
  readonly name: string;
  readonly places: Uint8Array;
}

/** One content, ready to be written. */
export interface StoredContent {
  readonly language: string | null;
  readonly parser: Analysis["parser"];
  readonly isPartial: boolean;
  readonly lineCount: number;
  readonly symbols: readonly CodeSymbol[];
  readonly occurrences: readonly StoredOccurrences[];
  readonly imports: readonly ImportEntry[];
  /** Facts about types, packed; null where there are none. */
  readonly types: Uint8Array | null;
  readonly chunks: readonly StoredChunk[];
  /** How often its words stand in it, packed; empty where it has no chunks. */
  readonly counts: Uint8Array;
  /** Word vectors of its windows, packed; null where nobody searches by meaning. */
  readonly vectors: Uint8Array | null;
}

/**
 * Packs an analysis and takes the words of its chunks from the text.
 *
 * @param table absent where the content is not searched by meaning.
 */
export function buildStoredContent(
  text: string,
  analysis: Analysis,
  table: WordTable | null = null,
): StoredContent {
  const { language, parser, isPartial, lineCount, symbols, imports } = analysis;
  const chunks = buildStoredChunks(text, analysis);
  return {
    language,
    parser,
    isPartial,
    lineCount,
    symbols,
    occurrences: groupOccurrences(analysis.occurrences),
    imports,
    types: analysis.types.length === 0 ? null : packTypes(analysis.types),
    chunks,
    counts: packCounts(chunks),
    vectors: table === null ? null : packWindows(cutWindows(text), table),
  };
}

function cutWindows(text: string): readonly (readonly string[])[] {
  const lines = text.split("\n");
  const count = Math.ceil(lines.length / WINDOW_LINES);
  return Array.from(
    { length: count },
    (_, at) => splitParts(lines.slice(at * WINDOW_LINES, (at + 1) * WINDOW_LINES).join("\n")),
  );
}

function groupOccurrences(occurrences: readonly Occurrence[]): StoredOccurrences[] {
  const byName = Map.groupBy(occurrences, ({ name }) => name);
  const packed = packPlaces([...byName.values()]);
  return [...byName.keys()].map((name, at) => ({ name, places: packed[at] ?? new Uint8Array() }));
}

/** Chunks with their words, which are taken from the text that they are of. */
export function buildStoredChunks(
  text: string,
  analysis: Pick<Analysis, "language" | "symbols" | "chunks">,
): StoredChunk[] {
  if (analysis.chunks.length === 0) return [];
  const language = languageByName(analysis.language ?? "");
  const split = language === undefined
    ? { code: text, comments: "" }
    : splitComments(text, language);
  const [code, comments] = [split.code.split("\n"), split.comments.split("\n")];
  return analysis.chunks.map((found) => {
    // A unit may name its symbols in another order than that of their places, and lists are packed in order.
    const chunk = { ...found, symbols: found.symbols.toSorted((a, b) => a - b) };
    return {
      startLine: chunk.startLine,
      endLine: chunk.endLine,
      kind: chunk.kind,
      name: chunk.name,
      symbols: packRising(chunk.symbols),
      words: {
        ...collectNameWords(chunk, analysis.symbols),
        comments: splitWords(takeLines(comments, chunk)),
        body: splitWords(takeLines(code, chunk)),
      },
    };
  });
}

function collectNameWords(
  chunk: Chunk,
  symbols: readonly CodeSymbol[],
): Pick<ChunkWords, "name" | "signature"> {
  const own = chunk.symbols.flatMap((at) => symbols[at] ?? []);
  return {
    name: splitWords([chunk.name, ...own.map(({ name }) => name)].join(" ")),
    signature: splitWords(own.map(({ signature }) => signature ?? "").join(" ")),
  };
}

function takeLines(lines: readonly string[], { startLine, endLine }: Chunk): string {
  return lines.slice(startLine - 1, endLine).join("\n");
}
