/**
 * Writes a pack into an executable for Linux. Deno appends its section to the runtime and finds it from the
 * end of the file, so that a pack fits between the two.
 */
import { createHash } from "node:crypto";
import { concatBytes } from "../../src/base/bytes.ts";
import type { FilePack } from "../../src/base/files/file_pack.ts";
import { encodePackHead } from "../../src/base/files/file_pack.ts";
import type { PartFile } from "./parts.ts";

/** A pack and its list, which goes into the program. */
export interface Packed {
  readonly bytes: Uint8Array;
  readonly list: FilePack;
}

/** Puts the files one after the other. */
export async function packFiles(files: readonly PartFile[]): Promise<Packed> {
  const headBytes = encodePackHead("0".repeat(32)).length;
  const entries: [name: string, place: FilePack["files"][string]][] = [];
  const contents: Uint8Array[] = [];
  let offset = headBytes;
  for (const { name, path } of files) {
    const bytes = await Deno.readFile(path);
    entries.push([name, { offset, sizeBytes: bytes.length }]);
    contents.push(bytes);
    offset += bytes.length;
  }
  const hash = createHash("sha256").update(JSON.stringify(entries));
  for (const bytes of contents) hash.update(bytes);
  const id = hash.digest("hex").slice(0, 32);
  return {
    bytes: concatBytes([encodePackHead(id), ...contents]),
    list: { id, sizeBytes: offset, files: Object.fromEntries(entries) },
  };
}

/** `d3n0l4nd`, hash of the section's name, checksum, length of the section with this. */
const TRAILER_BYTES = 24;
const TRAILER_MAGIC = "d3n0l4nd";

/**
 * Where the section of Deno begins in a compiled file: the pack goes there.
 *
 * @throws {Error} when the file does not end as Deno 2.6 writes it.
 */
export function findSection(executable: Uint8Array): number {
  const trailer = executable.subarray(executable.length - TRAILER_BYTES);
  const view = new DataView(trailer.buffer, trailer.byteOffset, trailer.byteLength);
  const start = executable.length - Number(view.getBigUint64(TRAILER_BYTES - 8, true));
  const startsWithMagic = (bytes: Uint8Array) =>
    new TextDecoder().decode(bytes.subarray(0, TRAILER_MAGIC.length)) === TRAILER_MAGIC;
  if (!startsWithMagic(trailer) || !startsWithMagic(executable.subarray(start))) {
    throw new Error("the executable does not end as this task knows it; compile with Deno 2.6.10");
  }
  return start;
}

/** The executable with the pack before Deno's section. */
export function insertPack(executable: Uint8Array, pack: Uint8Array): Uint8Array {
  const start = findSection(executable);
  return concatBytes([executable.subarray(0, start), pack, executable.subarray(start)]);
}
