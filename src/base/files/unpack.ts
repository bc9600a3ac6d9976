/**
 * Puts a file of the program onto the disk, for what the operating system loads by its path. Its folder is
 * named by its hash, so that processes and versions share it without a lock.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { LIMITS } from "../settings/limits.ts";
import { checkOwnFile, makeOwnFolder, writeOwnFile } from "./own_folder.ts";
import { readRegularFile } from "./regular_file.ts";

/**
 * Writes `bytes` below `folder`, once: a file that is there is compared by its hash, and written anew when
 * it is not what it should be.
 *
 * @param name its name, which stays: SQLite takes the name of the entry point from it.
 * @returns the absolute path, as `<folder>/0f1e2d3c4b5a6978/vec0.so`.
 * @throws {CodeIntelError} `disk_full`, `io_failed`, `own_path_refused`.
 */
export async function unpackFile(
  name: string,
  bytes: Uint8Array,
  folder: string,
): Promise<string> {
  const hash = toHash(bytes);
  const own = join(folder, hash.slice(0, 16));
  const path = join(own, name);
  // Checked before it is looked at too: what the operating system loads must lie where it was compared.
  await makeOwnFolder(own, { below: folder, mode: 0o700 });
  checkOwnFile(path, { below: folder });
  const found = readRegularFile(path, { within: folder, maxBytes: LIMITS.keptFileBytes.value });
  if (found.kind === "read" && toHash(found.bytes) === hash) return path;
  await writeOwnFile(path, bytes, { below: folder });
  return path;
}

function toHash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
