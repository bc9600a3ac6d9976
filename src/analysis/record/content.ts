/**
 * What is stored of one content, made from its text and its analysis. This is what a worker sends to
 * the writer: everything that costs time is done here, beside the thread that writes.
 */
import { languageByName } from "../../language/languages.ts";
import { splitComments } from "../../language/mask.ts";
import type { Analysis, Chunk, CodeSymbol, ImportEntry, Occurrence } from "../analysis.ts";
import type { WordTable } from "../../word_vectors/word_table.ts";
import { packWindows, WINDOW_LINES } from "../../word_vectors/window_vectors.ts";
import { packPlaces, packRising, packTypes } from "./pack.ts";
import { toParts, toWords } from "../tokens.ts";
import { packCounts } from "./word_counts.ts";

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
export function toStoredContent(
  text: string,
  analysis: Analysis,
  table: WordTable | null = null,
): StoredContent {
  const { language, parser, isPartial, lineCount, symbols, imports } = analysis;
  const chunks = toStoredChunks(text, analysis);
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
    vectors: table === null ? null : packWindows(toWindows(text), table),
  };
}

function toWindows(text: string): readonly (readonly string[])[] {
  const lines = text.split("\n");
  const count = Math.ceil(lines.length / WINDOW_LINES);
  return Array.from(
    { length: count },
    (_, at) => toParts(lines.slice(at * WINDOW_LINES, (at + 1) * WINDOW_LINES).join("\n")),
  );
}

function groupOccurrences(occurrences: readonly Occurrence[]): StoredOccurrences[] {
  const byName = Map.groupBy(occurrences, ({ name }) => name);
  const packed = packPlaces([...byName.values()]);
  return [...byName.keys()].map((name, at) => ({ name, places: packed[at] ?? new Uint8Array() }));
}

/** Chunks with their words, which are taken from the text that they are of. */
export function toStoredChunks(
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
        ...toNameWords(chunk, analysis.symbols),
        comments: toWords(takeLines(comments, chunk)),
        body: toWords(takeLines(code, chunk)),
      },
    };
  });
}

function toNameWords(
  chunk: Chunk,
  symbols: readonly CodeSymbol[],
): Pick<ChunkWords, "name" | "signature"> {
  const own = chunk.symbols.flatMap((at) => symbols[at] ?? []);
  return {
    name: toWords([chunk.name, ...own.map(({ name }) => name)].join(" ")),
    signature: toWords(own.map(({ signature }) => signature ?? "").join(" ")),
  };
}

function takeLines(lines: readonly string[], { startLine, endLine }: Chunk): string {
  return lines.slice(startLine - 1, endLine).join("\n");
}
