/**
 * Reads git's index file directly: starting git for it, with its pass over all entries, would take
 * longer than the few milliseconds here. Unknown forms of the file are left to git.
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

/**
 * Bytes of times, device, number, mode, owner, group and size in an entry, before the object id.
 */
export const STAT_BYTES = 40;
/** Offset of the four bytes of the mode in an entry. */
export const MODE_AT = 24;

/** A folder whose tree id is stored in the index; `count` is the number of entries below it. */
export interface CachedTree {
  readonly count: number;
  readonly id: Uint8Array;
}

/** An index file as it is on the disk. */
export interface IndexFile {
  readonly bytes: Buffer;
  /**
   * The bytes as text with one character for each byte, so that paths cut out of it sort and
   * compare as in git.
   */
  readonly text: string;
  readonly idBytes: number;
  /** Offset of each entry in the file, in the order of their paths. */
  readonly starts: Uint32Array;
  /** False where an entry belongs to an unfinished merge, or was only announced with `add -N`. */
  readonly isPlain: boolean;
  /**
   * Stored trees by path: `""` for the root, all others with `/` at the end; null where none are
   * stored.
   */
  readonly trees: ReadonlyMap<string, CachedTree> | null;
}

/**
 * Reads an index of version 2 or 3; null for any other one, for a part of one, and for a damaged
 * file.
 */
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
  // A split index has its entries in another file, and a sparse one has folders among its entries.
  if (extensions === null || extensions.has("link") || extensions.has("sdir")) return null;
  const cached = extensions.get("TREE");
  const trees = cached === undefined ? null : readTrees(bytes, text, { ...cached, idBytes });
  const { starts, isPlain } = read;
  return { bytes, text, idBytes, starts, isPlain, trees };
}

/** Offset of an entry's path. */
export function toNameAt({ bytes, idBytes }: Pick<IndexFile, "bytes" | "idBytes">, start: number) {
  const flagsAt = start + STAT_BYTES + idBytes;
  return flagsAt + ((bytes.readUInt16BE(flagsAt) & EXTENDED) === 0 ? 2 : 4);
}

/** The path of the entry at `start`, with one character for each byte. */
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
    // An entry is padded with one to eight NULs to a multiple of eight bytes.
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

/** Reads the extension `TREE`: names, numbers of entries, and the tree ids that are still valid. */
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
