/**
 * What is stored of a content as one record of bytes, which other machines may use: without the words of its chunks, which
 * whoever has the text takes from it. The same analysis always gives the same bytes.
 */
import { languageByName } from "../../language/languages.ts";
import { WINDOW_LINES } from "../../word_vectors/window_vectors.ts";
import type { Chunk, CodeSymbol, ImportEntry } from "../analysis.ts";
import type { StoredChunk, StoredContent, StoredOccurrences } from "./content.ts";
import { buildStoredChunks } from "./content.ts";
import { packCounts } from "./word_counts.ts";
import { checkPlaces, checkTypes, packRising } from "./pack.ts";
import { expectFit, RecordReader, RecordWriter } from "./record_bytes.ts";

/** What a record is made of: everything but the words of the chunks and their counts. */
export interface RecordedContent extends Omit<StoredContent, "chunks" | "counts"> {
  readonly chunks: readonly Omit<StoredChunk, "words">[];
}

/** Codes of parsers; the order is part of the format. */
/** The parsers; their order is part of the format. */
export const PARSERS: readonly StoredContent["parser"][] = ["none", "regex", "tree-sitter"];
// Bits of a symbol that say which of its optional fields follow.
const HAS_EXPORTED = 1;
const IS_EXPORTED = 2;
const HAS_SIGNATURE = 4;
const HAS_DOC = 8;
const HAS_BASES = 16;
const HAS_SCOPE = 32;
const ALL_BITS = 63;

/**
 * Whether an analysis is the same on every machine. A text that a parser gave up after its time was read by rules instead,
 * and another machine may be faster.
 */
export function isRepeatable(
  { language, parser }: Pick<StoredContent, "language" | "parser">,
): boolean {
  const grammar = languageByName(language ?? "")?.grammar ?? null;
  return parser === "tree-sitter" || grammar === null;
}

/** The record of a content. */
export function encodeContent(content: RecordedContent): Uint8Array {
  const writer = new RecordWriter();
  writer.number(PARSERS.indexOf(content.parser) * 2 + Number(content.isPartial));
  writer.number(content.lineCount);
  writer.number(content.symbols.length);
  for (const symbol of content.symbols) writeSymbol(writer, symbol);
  // The database does not keep their order.
  const occurrences = content.occurrences.toSorted((a, b) => compareTexts(a.name, b.name));
  writer.number(occurrences.length);
  for (const { name } of occurrences) writer.text(name);
  for (const { places } of occurrences) writer.bytes(places);
  writer.number(content.imports.length);
  for (const entry of content.imports) writeImport(writer, entry);
  writer.bytes(content.types ?? new Uint8Array());
  writer.number(content.chunks.length);
  for (const { startLine, endLine, kind, name, symbols } of content.chunks) {
    writer.number(startLine);
    writer.number(endLine);
    writer.text(kind);
    writer.text(name);
    writer.bytes(symbols);
  }
  writer.bytes(content.vectors ?? new Uint8Array());
  return writer.toBytes();
}

/** A text, and what its record is held against. */
export interface RecordedText {
  readonly text: string;
  /** Name of its language; null for text of none. */
  readonly language: string | null;
  /** Numbers of a word vector. */
  readonly dimensions: number;
}

/**
 * The content of a record, made whole by the text that it is of.
 *
 * @throws {UnfitRecord} where it cannot be of that text, or is no whole record.
 */
export function decodeContent(record: Uint8Array, of: RecordedText): StoredContent {
  const lines = of.text.split("\n");
  const reader = new RecordReader(record);
  const code = reader.number(PARSERS.length * 2 - 1);
  const parser = PARSERS[code >> 1] ?? "none";
  const isPartial = code % 2 === 1;
  const lineCount = reader.number();
  expectFit(lineCount === countLines(lines), "it is of a text with another number of lines");
  expectFit(
    isRepeatable({ language: of.language, parser }),
    "it is not the same everywhere",
  );
  const symbols = readList(reader, (_, at) => readSymbol(reader, { at, lineCount }));
  const occurrences = readOccurrences(reader, lineCount);
  const imports = readList(reader, () => readImport(reader, lineCount));
  const types = reader.bytes();
  checkTypes(types, lineCount);
  const chunks = readChunks(reader, { lineCount, symbols: symbols.length });
  const vectors = reader.bytes();
  const windowBytes = 4 + of.dimensions;
  expectFit(
    vectors.length === Math.ceil(lines.length / WINDOW_LINES) * windowBytes,
    "its word vectors are of another text",
  );
  const view = new DataView(vectors.buffer, vectors.byteOffset, vectors.length);
  for (let at = 0; at < vectors.length; at += windowBytes) {
    expectFit(Number.isFinite(view.getFloat32(at, true)), "a word vector is without bounds");
  }
  expectFit(reader.isDone, "something follows it");
  const content = { language: of.language, parser, isPartial, lineCount, symbols, imports };
  const stored = buildStoredChunks(of.text, { language: of.language, symbols, chunks });
  return {
    ...content,
    occurrences,
    types: types.length === 0 ? null : types,
    chunks: stored,
    counts: packCounts(stored),
    vectors,
  };
}

function countLines(lines: readonly string[]): number {
  return lines.at(-1) === "" ? lines.length - 1 : lines.length;
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function readList<T>(reader: RecordReader, read: (length: number, at: number) => T): T[] {
  const length = reader.count();
  return Array.from({ length }, (_, at) => read(length, at));
}

function writeSymbol(writer: RecordWriter, symbol: CodeSymbol): void {
  const { signature, doc, bases, scope, isExported } = symbol;
  writer.text(symbol.name);
  writer.text(symbol.kind);
  writer.number(symbol.startLine);
  writer.number(symbol.endLine);
  writer.number(symbol.line);
  writer.number(symbol.column);
  writer.number(symbol.parent === null ? 0 : symbol.parent + 1);
  writer.number(
    (isExported === undefined ? 0 : HAS_EXPORTED) + (isExported === true ? IS_EXPORTED : 0) +
      (signature === undefined ? 0 : HAS_SIGNATURE) + (doc === undefined ? 0 : HAS_DOC) +
      (bases === undefined ? 0 : HAS_BASES) + (scope === undefined ? 0 : HAS_SCOPE),
  );
  if (signature !== undefined) writer.text(signature);
  if (doc !== undefined) writer.text(doc);
  if (bases !== undefined) {
    writer.number(bases.length);
    for (const base of bases) writer.text(base);
  }
  if (scope !== undefined) writer.text(scope);
}

function readSymbol(
  reader: RecordReader,
  { at, lineCount }: { readonly at: number; readonly lineCount: number },
): CodeSymbol {
  const [name, kind] = [reader.text(), reader.text()];
  const startLine = reader.number(lineCount);
  const endLine = reader.number(lineCount);
  const line = reader.number(lineCount);
  expectFit(startLine > 0 && startLine <= endLine && line > 0, "a symbol is at no place");
  const column = reader.number();
  // What holds it stands before it.
  const parent = reader.number(at);
  const bits = reader.number(ALL_BITS);
  const has = (bit: number) => (bits & bit) !== 0;
  return {
    name,
    kind,
    line,
    column,
    startLine,
    endLine,
    parent: parent === 0 ? null : parent - 1,
    ...(has(HAS_EXPORTED) ? { isExported: has(IS_EXPORTED) } : {}),
    ...(has(HAS_SIGNATURE) ? { signature: reader.text() } : {}),
    ...(has(HAS_DOC) ? { doc: reader.text() } : {}),
    ...(has(HAS_BASES) ? { bases: readList(reader, () => reader.text()) } : {}),
    ...(has(HAS_SCOPE) ? { scope: reader.text() } : {}),
  };
}

function readOccurrences(reader: RecordReader, lineCount: number): readonly StoredOccurrences[] {
  const names = readList(reader, () => reader.text());
  expectFit(new Set(names).size === names.length, "a name comes twice");
  return names.map((name) => {
    const places = reader.bytes();
    checkPlaces(places, lineCount);
    return { name, places };
  });
}

function writeImport(writer: RecordWriter, entry: ImportEntry): void {
  writer.text(entry.module);
  writer.number((entry.name === null ? 0 : 1) + (entry.isReexport === true ? 2 : 0));
  if (entry.name !== null) writer.text(entry.name);
  writer.text(entry.alias);
  writer.number(entry.line);
}

function readImport(reader: RecordReader, lineCount: number): ImportEntry {
  const module = reader.text();
  const bits = reader.number(3);
  const name = bits % 2 === 0 ? null : reader.text();
  const entry = { module, name, alias: reader.text(), line: reader.number(lineCount) };
  return bits < 2 ? entry : { ...entry, isReexport: true };
}

function readChunks(
  reader: RecordReader,
  bounds: { readonly lineCount: number; readonly symbols: number },
): readonly Chunk[] {
  let last = 0;
  return readList(reader, () => {
    const startLine = reader.number(bounds.lineCount);
    const endLine = reader.number(bounds.lineCount);
    expectFit(startLine > last && startLine <= endLine, "its chunks are not in order");
    last = endLine;
    const [kind, name] = [reader.text(), reader.text()];
    const packed = reader.bytes();
    return { startLine, endLine, kind, name, symbols: readRising(packed, bounds.symbols) };
  });
}

function readRising(packed: Uint8Array, limit: number): readonly number[] {
  const reader = new RecordReader(packed, { hasTexts: false });
  const numbers: number[] = [];
  let last = 0;
  while (!reader.isDone) {
    last += reader.number();
    expectFit(last < limit, "a chunk names a symbol that is not there");
    numbers.push(last);
  }
  expectFit(packRising(numbers).length === packed.length, "a list of numbers is not in its form");
  return numbers;
}
