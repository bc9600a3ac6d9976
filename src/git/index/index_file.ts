/**
 * Reads an index file of git without git: what costs a program start and a pass over all entries there is
 * a few milliseconds here. Forms that are not known are left to git.
 */
import { Buffer } from "node:buffer";
import { parse } from "node:path";
import { LIMITS } from "../../base/limits.ts";
import { readRegularFile } from "../../base/regular_file.ts";
import type { Repository } from "../repository.ts";

const SIGNATURE = 0x44495243;
const HEADER_BYTES = 12;
const EXTENDED = 0x4000;
const STAGE = 0x3000;
const INTENT_TO_ADD = 0x2000;
const NAME_LENGTH = 0xfff;

/** Bytes of times, device, number, mode, owner, group and size, before the object id. */
export const STAT_BYTES = 40;
/** Where the mode lies in them; it has four bytes. */
export const MODE_AT = 24;

/** A folder whose tree the index remembers; `count` is the number of entries below it. */
export interface CachedTree {
  readonly count: number;
  readonly id: Uint8Array;
}

/** An index as it lies on the disk. */
export interface IndexFile {
  readonly bytes: Buffer;
  /** The same, each byte a character: paths that are cut out of it sort and compare as git's do. */
  readonly text: string;
  readonly idBytes: number;
  /** Where each entry begins in the file, in the order of their paths. */
  readonly starts: Uint32Array;
  /** False where an entry is a side of a merge, or was announced with `add -N` only. */
  readonly isPlain: boolean;
  /** Known trees by path, `""` for the root, all others with `/` at the end; null where there are none. */
  readonly trees: ReadonlyMap<string, CachedTree> | null;
}

/** Reads an index of version 2 or 3; null for any other, for a part of one, and for a damaged one. */
export function readIndexFile(
  { objectFormat }: Pick<Repository, "objectFormat">,
  path: string,
): IndexFile | null {
  const bounds = { within: parse(path).root, maxBytes: LIMITS.gitFileBytes.value };
  const reading = readRegularFile(path, bounds);
  if (reading.kind !== "read") return null;
  const bytes = Buffer.from(reading.bytes);
  const idBytes = objectFormat === "sha256" ? 32 : 20;
  const text = bytes.toString("latin1");
  const read = readEntries(bytes, text, idBytes);
  if (read === null) return null;
  const extensions = readExtensions(bytes, { from: read.end, to: bytes.length - idBytes });
  // A split index has its entries elsewhere, a sparse one has folders among them.
  if (extensions === null || extensions.has("link") || extensions.has("sdir")) return null;
  const cached = extensions.get("TREE");
  const trees = cached === undefined ? null : readTrees(bytes, text, { ...cached, idBytes });
  const { starts, isPlain } = read;
  return { bytes, text, idBytes, starts, isPlain, trees };
}

/** Where the path of an entry begins. */
export function toNameAt({ bytes, idBytes }: Pick<IndexFile, "bytes" | "idBytes">, start: number) {
  const flagsAt = start + STAT_BYTES + idBytes;
  return flagsAt + ((bytes.readUInt16BE(flagsAt) & EXTENDED) === 0 ? 2 : 4);
}

/** The path of an entry that begins at `start`, each byte a character. */
export function readPath(index: IndexFile, start: number): string {
  const nameAt = toNameAt(index, start);
  return index.text.slice(nameAt, toNameEnd(index, start, nameAt));
}

function toNameEnd(
  { bytes, text, idBytes }: Pick<IndexFile, "bytes" | "text" | "idBytes">,
  start: number,
  nameAt: number,
): number {
  const length = bytes.readUInt16BE(start + STAT_BYTES + idBytes) & NAME_LENGTH;
  return length < NAME_LENGTH ? nameAt + length : text.indexOf("\0", nameAt);
}

function readEntries(
  bytes: Buffer,
  text: string,
  idBytes: number,
): Pick<IndexFile, "starts" | "isPlain"> & { readonly end: number } | null {
  if (bytes.length < HEADER_BYTES + idBytes || bytes.readUInt32BE(0) !== SIGNATURE) return null;
  const [version, count] = [bytes.readUInt32BE(4), bytes.readUInt32BE(8)];
  const end = bytes.length - idBytes;
  const least = STAT_BYTES + idBytes + 4;
  if (version < 2 || version > 3 || count * least > end) return null;
  const starts = new Uint32Array(count);
  let isPlain = true;
  let at = HEADER_BYTES;
  for (let entry = 0; entry < count; entry++) {
    if (at + least > end) return null;
    starts[entry] = at;
    const flagsAt = at + STAT_BYTES + idBytes;
    const flags = bytes.readUInt16BE(flagsAt);
    const isAnnounced = (flags & EXTENDED) !== 0 &&
      (bytes.readUInt16BE(flagsAt + 2) & INTENT_TO_ADD) !== 0;
    if ((flags & STAGE) !== 0 || isAnnounced) isPlain = false;
    const nameEnd = toNameEnd({ bytes, text, idBytes }, at, toNameAt({ bytes, idBytes }, at));
    if (nameEnd < 0 || nameEnd >= end || bytes[nameEnd] !== 0) return null;
    // An entry is filled up with one to eight NULs to a multiple of eight.
    at += (nameEnd - at + 8) & ~7;
  }
  return { starts, isPlain, end: at };
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function readExtensions(bytes: Buffer, { from, to }: Range): ReadonlyMap<string, Range> | null {
  const found = new Map<string, Range>();
  let at = from;
  while (at + 8 <= to) {
    const next = at + 8 + bytes.readUInt32BE(at + 4);
    if (next > to) return null;
    found.set(bytes.toString("latin1", at, at + 4), { from: at + 8, to: next });
    at = next;
  }
  return at === to ? found : null;
}

/** The trees of the extension `TREE`: name, counts, and the id of those that are still right. */
function readTrees(
  bytes: Buffer,
  text: string,
  { from, to, idBytes }: Range & { readonly idBytes: number },
): ReadonlyMap<string, CachedTree> | null {
  const trees = new Map<string, CachedTree>();
  let at = from;
  const readOne = (above: string): boolean => {
    const nameEnd = text.indexOf("\0", at);
    const lineEnd = text.indexOf("\n", nameEnd);
    if (nameEnd < 0 || lineEnd < 0 || lineEnd >= to) return false;
    const name = text.slice(at, nameEnd);
    const [count = NaN, below = NaN] = text.slice(nameEnd + 1, lineEnd).split(" ").map(Number);
    if (!Number.isInteger(count) || !Number.isInteger(below)) return false;
    const path = name === "" ? above : `${above}${name}/`;
    at = lineEnd + 1;
    if (count >= 0) {
      trees.set(path, { count, id: bytes.subarray(at, at + idBytes) });
      at += idBytes;
    }
    for (let left = below; left > 0; left--) if (!readOne(path)) return false;
    return at <= to;
  };
  return readOne("") ? trees : null;
}
