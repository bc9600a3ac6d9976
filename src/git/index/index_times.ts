/**
 * Clears the file times of entries in a private index, directly in its file: git would need two
 * process starts, and the second one would write the whole index again.
 */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { toIoError } from "../../base/errors.ts";
import { withFile } from "../../base/open_file.ts";
import { MODE_AT, readIndexFile, readPath, STAT_BYTES } from "./index_file.ts";
import type { Repository } from "../repository.ts";

const MODE_BYTES = 4;

/**
 * Clears the stat data of entries, so that git compares their content whatever the disk reports.
 *
 * @returns false, with nothing changed, where the file has a form that is not known here.
 */
export async function dropTimes(
  repo: Pick<Repository, "objectFormat">,
  indexFile: string,
  paths: readonly string[],
): Promise<boolean> {
  if (paths.length === 0) return true;
  const index = readIndexFile(repo, indexFile);
  if (index === null) return false;
  const { bytes, idBytes } = index;
  const wanted = new Set(paths.map((path) => Buffer.from(path).toString("latin1")));
  const found = index.starts.filter((start) => wanted.has(readPath(index, start)));
  if (found.length === 0) return true;
  for (const at of found) {
    bytes.fill(0, at, at + MODE_AT);
    bytes.fill(0, at + MODE_AT + MODE_BYTES, at + STAT_BYTES);
  }
  const end = bytes.length - idBytes;
  // Git may have been told to write no checksum (`index.skipHash`); then there is none to update.
  if (bytes.subarray(end).some((byte) => byte !== 0)) {
    createHash(repo.objectFormat).update(bytes.subarray(0, end)).digest().copy(bytes, end);
  }
  await overwrite(indexFile, bytes).catch((cause) => {
    throw toIoError(`write "${indexFile}"`, cause);
  });
  return true;
}

/**
 * Writes in place: a kill leaves some entries without times, which only costs a comparison. The
 * time of the file is restored, because git does not trust entries that are as young as their
 * index.
 */
async function overwrite(path: string, bytes: Uint8Array): Promise<void> {
  const { mtime } = await Deno.stat(path);
  await withFile(path, { write: true }, async (file) => {
    for (let done = 0; done < bytes.length;) done += await file.write(bytes.subarray(done));
    if (mtime !== null) await file.utime(mtime, mtime);
  });
}
