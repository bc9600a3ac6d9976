/** Contents by their hash, in a folder of the project: what manifests and kept versions are found by. */
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { toIoError } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { checkOwnFile, makeOwnFolder, writeOwnFile } from "../base/own_folder.ts";
import { readRegularFile } from "../base/regular_file.ts";

/** SHA-256 of some bytes, in hex. */
export function toContentHash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Keeps and gives contents; what was changed on the disk does not fit its name and is not given. */
export class ObjectStore {
  readonly #folder: string;

  /** @param folder Absolute; made at the first write. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Keeps a content; returns its hash. One that is there already gets a new time, so that it counts as
   * used.
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

  /** Gives a kept content a new time, so that it counts as used; false where it is not kept. */
  async touch(hash: string): Promise<boolean> {
    const now = new Date();
    return await Deno.utime(this.toPath(hash), now, now).then(() => true, () => false);
  }

  /** The content of a hash; null where it is not kept, or not as it was. */
  get(hash: string): Promise<Uint8Array | null> {
    return Promise.resolve(this.#read(hash));
  }

  #read(hash: string): Uint8Array | null {
    if (!/^[0-9a-f]{64}$/.test(hash)) return null;
    const bounds = { within: this.#folder, maxBytes: LIMITS.keptFileBytes.value };
    const reading = readRegularFile(this.toPath(hash), bounds);
    return reading.kind === "read" && toContentHash(reading.bytes) === hash ? reading.bytes : null;
  }

  /** Where a content lies, or would lie. */
  toPath(hash: string): string {
    return join(this.#folder, hash.slice(0, 2), hash);
  }
}
