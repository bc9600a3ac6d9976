/**
 * Stores contents by their hash in a folder of the project: manifests, and kept versions of files.
 */
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { toIoError } from "../base/errors.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { checkOwnFile, makeOwnFolder, writeOwnFile } from "../base/files/own_folder.ts";
import { readRegularFile } from "../base/files/regular_file.ts";

/** SHA-256 of some bytes, in hex. */
export function toContentHash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * Stores and returns contents; one that was changed on the disk no longer fits its name and is not
 * returned.
 */
export class ObjectStore {
  readonly #folder: string;

  /** @param folder Absolute; made at the first write. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Stores a content and returns its hash. A content that is stored already gets a new time, so
   * that it counts as used.
   *
   * @throws {CodeIntelError} `disk_full`, `io_failed`.
   */
  async put(bytes: Uint8Array): Promise<string> {
    const hash = toContentHash(bytes);
    const path = this.toPath(hash);
    const now = new Date();
    checkOwnFile(path);
    try {
      const { size } = await Deno.stat(path);
      if (size === bytes.length) {
        await Deno.utime(path, now, now);
        return hash;
      }
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw toIoError(`look at "${path}"`, error);
    }
    await makeOwnFolder(dirname(path));
    await writeOwnFile(path, bytes, { mode: 0o600 });
    return hash;
  }

  /** Gives a stored content a new time, so that it counts as used; false where it is not stored. */
  async touch(hash: string): Promise<boolean> {
    const now = new Date();
    return await Deno.utime(this.toPath(hash), now, now).then(() => true, () => false);
  }

  /** The content of a hash; null where it is not stored, or was changed. */
  get(hash: string): Promise<Uint8Array | null> {
    return Promise.resolve(this.#read(hash));
  }

  #read(hash: string): Uint8Array | null {
    if (!/^[0-9a-f]{64}$/.test(hash)) return null;
    const bounds = { within: this.#folder, maxBytes: LIMITS.keptFileBytes.value };
    const reading = readRegularFile(this.toPath(hash), bounds);
    return reading.kind === "read" && toContentHash(reading.bytes) === hash ? reading.bytes : null;
  }

  /** Path of a content, stored or not. */
  toPath(hash: string): string {
    return join(this.#folder, hash.slice(0, 2), hash);
  }
}
