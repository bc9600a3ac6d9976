/**
 * The form of a pack: many records in one file that is compressed as a whole, and beside it the list of their keys. Both
 * are named by a hash of what they are. Whatever others put in their place is refused before it takes memory.
 */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";
import {
  expectFit,
  RecordReader,
  RecordWriter,
  UnfitRecord,
} from "../../analysis/record/record_bytes.ts";
import { LIMITS } from "../../base/settings/limits.ts";

/** Number of the form of packs and of the tree that holds them; part of the name of the ref. */
export const SHARE_FORMAT = 1;

const MAGIC = "code-intel pack";
const HASH_BYTES = 16;
/** Two bytes are the length of the head. */
const LENGTH_BYTES = 2;
/** Smaller by a fifth than by `deflate`, at the same time; higher qualities take several times as long. */
const QUALITY = 5;

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** What makes a record one: a hash, and in which way it was made from what was hashed. */
export interface PackKey {
  /** 16 bytes. */
  readonly hash: Uint8Array;
  /** Such as the key of a variant. */
  readonly variant: string;
}

/** A record with its key. */
export interface PackRecord extends PackKey {
  readonly record: Uint8Array;
}

/** Who made a pack and when. */
export interface PackMaker {
  /** Program and person, on one line: its own word, which nothing proves. */
  readonly maker: string;
  /** Seconds since 1970. */
  readonly madeAt: number;
}

/** What a pack says of itself. */
export interface PackHead extends PackMaker {
  /** What its records are, and by which version: packs of another kind are not read. */
  readonly kind: string;
  readonly count: number;
  /** Bytes of all records once they are made whole. */
  readonly rawBytes: number;
}

/** A pack as it is stored. */
export interface StoredPack {
  /** 32 hexadecimal digits of a hash over keys and pack. */
  readonly id: string;
  readonly keys: Uint8Array;
  readonly pack: Uint8Array;
}

/** Makes a pack of records, in their order. */
export async function makePack(
  records: readonly PackRecord[],
  { kind, maker, madeAt }: PackMaker & { readonly kind: string },
): Promise<StoredPack> {
  const body = new RecordWriter();
  for (const { record } of records) body.bytes(record);
  const raw = body.toBytes();
  const head = new RecordWriter();
  for (const text of [MAGIC, kind, maker]) head.text(text);
  for (const number of [madeAt, records.length, raw.length]) head.number(number);
  const headBytes = head.toBytes();
  const parameters = {
    [constants.BROTLI_PARAM_QUALITY]: QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: raw.length,
  };
  const packed = await compress(raw, { params: parameters });
  const pack = new Uint8Array(LENGTH_BYTES + headBytes.length + packed.length);
  new DataView(pack.buffer).setUint16(0, headBytes.length, true);
  pack.set(headBytes, LENGTH_BYTES);
  pack.set(packed, LENGTH_BYTES + headBytes.length);
  const keys = writeKeys(records);
  return { id: hashPack(keys, pack), keys, pack };
}

function writeKeys(records: readonly PackKey[]): Uint8Array {
  const hashes = new Uint8Array(records.length * HASH_BYTES);
  records.forEach(({ hash }, at) => hashes.set(hash, at * HASH_BYTES));
  const writer = new RecordWriter();
  writer.text(MAGIC);
  writer.bytes(hashes);
  for (const { variant } of records) writer.text(variant);
  return writer.toBytes();
}

/** The name of a pack by its bytes. */
export function hashPack(keys: Uint8Array, pack: Uint8Array): string {
  const hash = createHash("sha256").update(`${keys.length} `).update(keys).update(pack);
  return hash.digest("hex").slice(0, 2 * HASH_BYTES);
}

/**
 * The keys of a pack.
 *
 * @throws {UnfitRecord}
 */
export function readKeys(keys: Uint8Array): readonly PackKey[] {
  const reader = new RecordReader(keys);
  expectFit(reader.text() === MAGIC, "its list of keys is no such list");
  const hashes = reader.bytes();
  const count = hashes.length / HASH_BYTES;
  const isFew = Number.isInteger(count) && count <= LIMITS.sharePackRecords.value;
  expectFit(isFew, "its list of keys has another length");
  const found = Array.from({ length: count }, (_, at): PackKey => ({
    hash: hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
    variant: reader.text(),
  }));
  expectFit(reader.isDone, "something follows its list of keys");
  return found;
}

/**
 * What a pack says of itself, without making it whole.
 *
 * @throws {UnfitRecord}
 */
export function readHead(pack: Uint8Array): PackHead {
  const reader = new RecordReader(pack.subarray(LENGTH_BYTES, findBodyStart(pack)));
  expectFit(reader.text() === MAGIC, "it is no pack");
  return {
    kind: reader.text(),
    maker: reader.text(),
    madeAt: reader.number(),
    count: reader.number(LIMITS.sharePackRecords.value),
    rawBytes: reader.number(LIMITS.shareMemoryBytes.value),
  };
}

function findBodyStart(pack: Uint8Array): number {
  expectFit(pack.length >= LENGTH_BYTES, "it is empty");
  const length = new DataView(pack.buffer, pack.byteOffset).getUint16(0, true);
  expectFit(LENGTH_BYTES + length <= pack.length, "it ends too early");
  return LENGTH_BYTES + length;
}

/**
 * The records of a pack, in the order of its keys.
 *
 * @throws {UnfitRecord} where it is not what its name, its head and its keys say.
 */
export async function openPack(
  { id, keys, pack }: StoredPack,
  kind: string,
): Promise<readonly Uint8Array[]> {
  expectFit(hashPack(keys, pack) === id, "its hash is not that of its name");
  const head = readHead(pack);
  expectFit(head.kind === kind, `it says that it is of the kind "${head.kind}"`);
  expectFit(readKeys(keys).length === head.count, "it has another number of records than keys");
  const body = pack.subarray(findBodyStart(pack));
  const maxOutputLength = Math.max(1, head.rawBytes);
  const raw = await decompress(body, { maxOutputLength }).catch((cause) => {
    throw new UnfitRecord("it is damaged, or larger than it says", { cause });
  });
  expectFit(raw.length === head.rawBytes, "it is smaller than it says");
  const reader = new RecordReader(new Uint8Array(raw.buffer, raw.byteOffset, raw.length));
  // A copy of each: who holds one record holds no pack.
  const records = Array.from({ length: head.count }, () => reader.bytes().slice());
  expectFit(reader.isDone, "something follows its records");
  return records;
}
