/**
 * Reads the bytes of a SCIP index file. The numbers of the fields are those of `scip.proto` of the SCIP project
 * (github.com/scip-code/scip, version 0.10.0); fields that are not needed are passed over. Whatever the bytes say,
 * it ends: with documents, or with a refusal. Pure.
 */
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { getOrInsert } from "../../base/once.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { isLocalSymbol } from "./scip_symbol.ts";

/** How the columns of a document count what stands before them on a line. */
export type ColumnUnit = "utf8" | "utf16" | "utf32" | "unknown";

/** Numbers of a row of {@link ScipDocument.rows}. */
export const ROW_NUMBERS = 5;

/** Bit of a row's roles: the place defines its symbol. */
export const ROLE_DEFINITION = 1;
/** Bit of a row's roles: the place declares what another place defines. */
export const ROLE_FORWARD = 64;

/** The places of one source file. */
export interface ScipDocument {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly unit: ColumnUnit;
  /**
   * For each place: line, start and end column (all from 0, on one line), symbol, roles. By line, then column. The symbol is
   * a number of {@link ScipIndex.symbols}; below 0 one that only this document knows.
   */
  readonly rows: Int32Array;
}

/** A place that defines a symbol. */
export interface ScipDefinition {
  /** Number of the document. */
  readonly document: number;
  /** Number of the row in it. */
  readonly row: number;
  readonly isForward: boolean;
}

/** A SCIP index that was read. */
export interface ScipIndex {
  /** Name and version of the indexer. */
  readonly tool: string;
  readonly documents: readonly ScipDocument[];
  /** Every symbol that several documents may name. */
  readonly symbols: readonly string[];
  /** Places that define a symbol, by its number. */
  readonly definitions: ReadonlyMap<number, readonly ScipDefinition[]>;
  /** Documents of files outside the project, or with a path that is no path. */
  readonly outside: number;
}

/** Why an index file is not used, as a sentence. */
export class ScipRefusal extends Error {}

const INDEX = { metadata: 1, documents: 2 } as const;
const METADATA = { toolInfo: 2 } as const;
const TOOL_INFO = { name: 1, version: 2 } as const;
const DOCUMENT = { relativePath: 1, occurrences: 2, positionEncoding: 6 } as const;
const OCCURRENCE = {
  range: 1,
  symbol: 2,
  symbolRoles: 3,
  singleLineRange: 8,
  multiLineRange: 9,
} as const;

const UNITS: readonly ColumnUnit[] = ["unknown", "utf8", "utf16", "utf32"];
/** Longer names are of no source code. */
const MAX_SYMBOL_CHARS = 16_384;
const MAX_TOOL_CHARS = 80;
/** A place takes 75 bytes of a file (measured), so that the largest one has some two million. */
const MAX_PLACES = Math.floor(LIMITS.scipFileBytes.value / 80);
const MAX_RANGE = 4;
/** More places have no source file of the size that is indexed (measured: one in eight bytes of the densest). */
const MAX_DOCUMENT_PLACES = 300_000;
const decoder = new TextDecoder();

/** An index file: its bytes, and the folder of the project that its paths begin in (`.` for the project itself). */
export interface ScipFile {
  readonly folder: string;
  readonly bytes: Uint8Array;
}

/**
 * Reads index files into one index, one document after each `next()`, so that the caller can let other work go first.
 *
 * @throws {ScipRefusal} where the bytes are no SCIP index, or one with more documents or places than are read.
 */
export function* decodeScip(files: readonly ScipFile[]): Generator<void, ScipIndex> {
  const build = new IndexBuild();
  for (const { folder, bytes } of files) {
    try {
      yield* readFile(build, folder, bytes);
    } catch (error) {
      // The reader throws errors of several kinds for bytes that end too early or fit no message.
      throw error instanceof ScipRefusal ? error : new ScipRefusal("it is damaged or cut off");
    }
  }
  return build.finish();
}

function* readFile(build: IndexBuild, folder: string, bytes: Uint8Array): Generator<void, void> {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    if (wire !== WireType.LengthDelimited) throw new ScipRefusal("it is no SCIP index");
    if (field === INDEX.documents) build.addDocument(folder, reader.bytes());
    else if (field === INDEX.metadata) build.addTool(readTool(reader.bytes()));
    else reader.skip(wire, field);
    yield;
  }
}

/** The index while it is read. */
class IndexBuild {
  readonly #tools = new Set<string>();
  readonly #drafts = new Map<string, Draft>();
  readonly #symbols: string[] = [];
  readonly #numbers = new Map<string, number>();
  #places = 0;
  #read = 0;
  #outside = 0;

  addTool(tool: string): void {
    this.#tools.add(tool);
  }

  addDocument(folder: string, bytes: Uint8Array): void {
    if (++this.#read > LIMITS.scipDocuments.value) {
      throw new ScipRefusal(`it has more than ${LIMITS.scipDocuments.value} documents`);
    }
    const raw = this.#readDocument(bytes);
    if (!isPlainPath(raw.path)) {
      this.#outside++;
      return;
    }
    const path = folder === "." ? raw.path : `${folder}/${raw.path}`;
    const known = this.#drafts.get(path);
    if (known === undefined) {
      this.#drafts.set(path, { unit: raw.unit, locals: raw.locals, rows: packRows(raw.places) });
      return;
    }
    // A file that two projects compile is there twice, and each of them may know more of it.
    if (known.unit !== raw.unit) return;
    known.rows = packRows([
      ...unpackRows(known.rows),
      ...raw.places.map((place): RawPlace => {
        const [line, start, end, symbol, roles] = place;
        return symbol < 0 ? [line, start, end, symbol - known.locals, roles] : place;
      }),
    ]);
    known.locals += raw.locals;
  }

  finish(): ScipIndex {
    const documents = [...this.#drafts].map(([path, { unit, rows }]) => ({ path, unit, rows }));
    return {
      tool: [...this.#tools].join(", "),
      documents,
      symbols: this.#symbols,
      definitions: findDefinitions(documents),
      outside: this.#outside,
    };
  }

  #readDocument(bytes: Uint8Array): RawDocument {
    const reader = new BinaryReader(bytes);
    const locals = new Map<string, number>();
    const places: RawPlace[] = [];
    let path = "";
    let unit: ColumnUnit = "unknown";
    while (reader.pos < reader.len) {
      const [field, wire] = reader.tag();
      if (field === DOCUMENT.relativePath) path = reader.string();
      else if (field === DOCUMENT.positionEncoding) unit = UNITS[reader.int32()] ?? "unknown";
      else if (field !== DOCUMENT.occurrences) reader.skip(wire, field);
      else {
        if (++this.#places > MAX_PLACES) {
          throw new ScipRefusal(`it has more than ${MAX_PLACES} places`);
        }
        if (places.length >= MAX_DOCUMENT_PLACES) {
          throw new ScipRefusal(`a document has more than ${MAX_DOCUMENT_PLACES} places`);
        }
        const { symbol, range, roles } = readOccurrence(reader.bytes());
        const place = readRange(range);
        if (place === null || symbol === "" || symbol.length > MAX_SYMBOL_CHARS) continue;
        places.push([...place, this.#numberOf(symbol, locals), roles]);
      }
    }
    return { path, unit, places, locals: locals.size };
  }

  #numberOf(symbol: string, locals: Map<string, number>): number {
    const numbers = isLocalSymbol(symbol) ? locals : this.#numbers;
    const known = numbers.get(symbol);
    if (known !== undefined) return known;
    const made = numbers === locals ? -1 - locals.size : this.#symbols.push(symbol) - 1;
    numbers.set(symbol, made);
    return made;
  }
}

/** A document to which another one of the same file may still add. */
interface Draft {
  readonly unit: ColumnUnit;
  /** Symbols that only it knows. */
  locals: number;
  rows: Int32Array;
}

function findDefinitions(
  documents: readonly ScipDocument[],
): ReadonlyMap<number, readonly ScipDefinition[]> {
  const found = new Map<number, ScipDefinition[]>();
  documents.forEach(({ rows }, document) => {
    for (let row = 0; row < rows.length / ROW_NUMBERS; row++) {
      const symbol = rows[row * ROW_NUMBERS + 3] ?? -1;
      const roles = rows[row * ROW_NUMBERS + 4] ?? 0;
      const isForward = (roles & ROLE_FORWARD) !== 0;
      if (symbol < 0 || (!isForward && (roles & ROLE_DEFINITION) === 0)) continue;
      getOrInsert(found, symbol, () => []).push({ document, row, isForward });
    }
  });
  return found;
}

type RawPlace = readonly [line: number, start: number, end: number, symbol: number, roles: number];

interface RawDocument {
  readonly path: string;
  readonly unit: ColumnUnit;
  readonly places: readonly RawPlace[];
  /** Symbols that only it knows. */
  readonly locals: number;
}

/** A path as the format wants it: relative, canonical, with `/`. Indexers write others for files of their caches. */
function isPlainPath(path: string): boolean {
  return path !== "" && !/[\\\0]|^\/|^[A-Za-z]:|\/$/.test(path) &&
    path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

/** A name stands on one line: what spans several is none. Places before the beginning are no places. */
function readRange(range: readonly number[]): readonly [number, number, number] | null {
  const [line = -1, start = -1, third = -1, fourth] = range;
  if (range.length > MAX_RANGE || (fourth !== undefined && third !== line)) return null;
  const end = fourth ?? third;
  return line < 0 || start < 0 || end < start ? null : [line, start, end];
}

function packRows(places: readonly RawPlace[]): Int32Array {
  const sorted = places.toSorted((a, b) => {
    const at = a.findIndex((number, part) => number !== b[part]);
    return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
  });
  const unlike = sorted.filter((place, at) => {
    const before = sorted[at - 1];
    return before === undefined || place.some((number, part) => number !== before[part]);
  });
  const rows = new Int32Array(unlike.length * ROW_NUMBERS);
  unlike.forEach((place, at) => rows.set(place, at * ROW_NUMBERS));
  return rows;
}

function unpackRows(rows: Int32Array): RawPlace[] {
  const places: RawPlace[] = [];
  for (let at = 0; at < rows.length; at += ROW_NUMBERS) {
    const [line = 0, start = 0, end = 0, symbol = 0, roles = 0] = rows.subarray(at, at + 5);
    places.push([line, start, end, symbol, roles]);
  }
  return places;
}

interface RawOccurrence {
  readonly symbol: string;
  readonly range: readonly number[];
  readonly roles: number;
}

function readOccurrence(bytes: Uint8Array): RawOccurrence {
  const reader = new BinaryReader(bytes);
  let symbol = "";
  const range: number[] = [];
  let typed: number[] | null = null;
  let roles = 0;
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    if (field === OCCURRENCE.range) readNumbers(reader, wire, range);
    else if (field === OCCURRENCE.symbol) symbol = decoder.decode(reader.bytes());
    else if (field === OCCURRENCE.symbolRoles) roles = reader.int32();
    else if (field === OCCURRENCE.singleLineRange) typed = readFields(reader.bytes(), 3);
    else if (field === OCCURRENCE.multiLineRange) typed = readFields(reader.bytes(), 4);
    else reader.skip(wire, field);
  }
  return { symbol, range: typed ?? range, roles };
}

/** Packed, as indexers write them, or one by one. More than four are no range: one is kept as the mark of that. */
function readNumbers(reader: BinaryReader, wire: WireType, into: number[]): void {
  const isPacked = wire === WireType.LengthDelimited;
  const source = isPacked ? new BinaryReader(reader.bytes()) : reader;
  do {
    if (isPacked && source.pos >= source.len) return;
    const number = source.int32();
    if (into.length <= MAX_RANGE) into.push(number);
  } while (isPacked && into.length <= MAX_RANGE);
}

/** The numbers of a typed range, whose fields are numbered from 1; one that is not written is 0. */
function readFields(bytes: Uint8Array, count: number): number[] {
  const reader = new BinaryReader(bytes);
  const found = new Array<number>(count).fill(0);
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    if (field >= 1 && field <= count) found[field - 1] = reader.int32();
    else reader.skip(wire, field);
  }
  return found;
}

function readTool(metadata: Uint8Array): string {
  const found: string[] = [];
  const reader = new BinaryReader(metadata);
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    if (field !== METADATA.toolInfo) {
      reader.skip(wire, field);
      continue;
    }
    const inner = new BinaryReader(reader.bytes());
    while (inner.pos < inner.len) {
      const [part, type] = inner.tag();
      if (part === TOOL_INFO.name || part === TOOL_INFO.version) found.push(inner.string());
      else inner.skip(type, part);
    }
  }
  // The name is shown to people: nothing of it may steer a terminal.
  return found.join(" ").replace(/[^\p{L}\p{N} ._+-]/gu, "").slice(0, MAX_TOOL_CHARS);
}
