/** Writes zip files, which is what wheels and MCP bundles are: deflated, with the rights of files, and the same bytes each time. */
import { Buffer } from "node:buffer";
import { crc32, deflateRawSync } from "node:zlib";

/** A file of a zip. */
export interface ZipEntry {
  /** Path within it, with `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly isExecutable?: boolean;
}

const DEFLATED = 8;
/** Made by a Unix, in the format of version 2.0. */
const MADE_BY = 3 << 8 | 20;
const NEEDED = 20;
/** Names are UTF-8. */
const FLAGS = 1 << 11;
/** The first day that a zip can tell: the bytes must not depend on the time. */
const DATE = 0x21;

/** The bytes of a zip with the files in the given order. All together must be under 4 GB. */
export function toZip(entries: readonly ZipEntry[]): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, bytes, isExecutable = false } of entries) {
    const name = Buffer.from(path);
    const packed = deflateRawSync(bytes, { level: 9 });
    const about = toAbout({ name, size: bytes.length, packed, sum: crc32(bytes) });
    const local = Buffer.concat([toWords(["4:", 0x04034b50], ...about), name, packed]);
    const rights = 0o100000 | (isExecutable ? 0o755 : 0o644);
    directory.push(
      toWords(["4:", 0x02014b50], ["2:", MADE_BY], ...about, ["2:", 0], ["2:", 0], ["2:", 0], [
        "4:",
        rights * 0x10000,
      ], ["4:", offset]),
      name,
    );
    parts.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const count = entries.length;
  const end = toWords(
    ["4:", 0x06054b50],
    ["2:", 0],
    ["2:", 0],
    ["2:", count],
    ["2:", count],
    [
      "4:",
      list.length,
    ],
    ["4:", offset],
    ["2:", 0],
  );
  return Buffer.concat([...parts, list, end]);
}

/** A number with its size in bytes. */
type Word = readonly [size: "2:" | "4:", value: number];

/** What stands alike before a file and in the directory. */
function toAbout({ name, size, packed, sum }: {
  readonly name: Buffer;
  readonly size: number;
  readonly packed: Buffer;
  readonly sum: number;
}): readonly Word[] {
  return [
    ["2:", NEEDED],
    ["2:", FLAGS],
    ["2:", DEFLATED],
    ["2:", 0],
    ["2:", DATE],
    ["4:", sum],
    ["4:", packed.length],
    ["4:", size],
    ["2:", name.length],
    ["2:", 0],
  ];
}

function toWords(...words: readonly Word[]): Buffer {
  const bytes = Buffer.alloc(words.reduce((sum, [size]) => sum + Number(size[0]), 0));
  let at = 0;
  for (const [size, value] of words) {
    at = size === "2:" ? bytes.writeUInt16LE(value, at) : bytes.writeUInt32LE(value >>> 0, at);
  }
  return bytes;
}
