/**
 * SCIP index files for tests, written by the same library that reads them. A source is written with marks round its names:
 * `«save|S»` names the symbol S, `«!save|S»` defines it.
 */
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/** How columns are counted; the number is that of the format. */
export const UNITS = { unknown: 0, utf8: 1, utf16: 2, utf32: 3 } as const;

/** A name of a unit. */
export type Unit = keyof typeof UNITS;

/** A place as the format has it. */
export interface WrittenPlace {
  /** Line, start, end; or line, start, end line, end. All from 0. */
  readonly range: readonly number[];
  readonly symbol: string;
  readonly roles: number;
}

/** A document as the format has it. */
export interface WrittenDocument {
  readonly path: string;
  readonly places: readonly WrittenPlace[];
  readonly unit?: Unit;
}

/** How an index is written. */
export interface WriteOptions {
  /** Ranges as messages of their own, as newer indexers write them. */
  readonly hasTypedRanges?: boolean;
}

/** A source without its marks, and what they say. */
export interface MarkedSource {
  readonly text: string;
  readonly document: WrittenDocument;
}

const MARK = /«(!?)([^|»]*)\|([^»]*)»/g;
const DEFINITION = 1;

/** Reads a marked source. The names of the marks stand for the symbols of the table, or for themselves. */
export function readMarked(
  path: string,
  marked: string,
  { symbols = {}, unit = "utf16" }: {
    readonly symbols?: Readonly<Record<string, string>>;
    readonly unit?: Unit;
  } = {},
): MarkedSource {
  const places: WrittenPlace[] = [];
  const lines = marked.split("\n").map((line, row) => {
    let plain = "";
    let from = 0;
    for (const match of line.matchAll(MARK)) {
      const [whole, sign, word = "", name = ""] = match;
      plain += line.slice(from, match.index);
      const start = lengthOf(plain, unit);
      plain += word;
      from = match.index + whole.length;
      const range = [row, start, lengthOf(plain, unit)];
      places.push({ range, symbol: symbols[name] ?? name, roles: sign === "!" ? DEFINITION : 0 });
    }
    return plain + line.slice(from);
  });
  return { text: lines.join("\n"), document: { path, places, unit } };
}

function lengthOf(text: string, unit: Unit): number {
  if (unit === "utf8") return new TextEncoder().encode(text).length;
  return unit === "utf32" ? [...text].length : text.length;
}

/** The bytes of an index file. */
export function writeScip(
  documents: readonly WrittenDocument[],
  options: WriteOptions = {},
): Uint8Array<ArrayBuffer> {
  const writer = new BinaryWriter();
  const metadata = writer.tag(1, WireType.LengthDelimited).fork();
  metadata.tag(2, WireType.LengthDelimited).fork()
    .tag(1, WireType.LengthDelimited).string("scip-test")
    .tag(2, WireType.LengthDelimited).string("1.0.0").join();
  metadata.tag(3, WireType.LengthDelimited).string("file:///somewhere/else").join();
  for (const document of documents) writeDocument(writer, document, options);
  return writer.finish();
}

function writeDocument(
  writer: BinaryWriter,
  { path, places, unit = "utf16" }: WrittenDocument,
  { hasTypedRanges = false }: WriteOptions,
): void {
  writer.tag(2, WireType.LengthDelimited).fork();
  writer.tag(1, WireType.LengthDelimited).string(path);
  writer.tag(4, WireType.LengthDelimited).string("any");
  for (const { range, symbol, roles } of places) {
    writer.tag(2, WireType.LengthDelimited).fork();
    if (hasTypedRanges) {
      writer.tag(range.length === 4 ? 9 : 8, WireType.LengthDelimited).fork();
      range.forEach((number, at) => writer.tag(at + 1, WireType.Varint).int32(number));
    } else {
      writer.tag(1, WireType.LengthDelimited).fork();
      for (const number of range) writer.int32(number);
    }
    writer.join();
    writer.tag(2, WireType.LengthDelimited).string(symbol);
    writer.tag(3, WireType.Varint).int32(roles).join();
  }
  if (unit !== "unknown") writer.tag(6, WireType.Varint).int32(UNITS[unit]);
  writer.join();
}
