/**
 * The extension of SQLite that measures distances between vectors. It may not load: no build for
 * this machine, no right to load it, no folder to unpack it to. Then the same is done here, slower.
 */
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { LIMITS } from "../../base/settings/limits.ts";
import { checkOwnFile, makeOwnFolder, writeOwnFile } from "../../base/files/own_folder.ts";
import { readRegularFile } from "../../base/files/regular_file.ts";
import { DatabaseSync } from "node:sqlite";
import { hasProgramFile, readProgramFile } from "../../base/program_files.ts";
import { findCacheDir } from "../../base/files/user_folders.ts";

/**
 * Writes `bytes` below `folder`, once: a file that is there is compared by its hash, and written again when
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
  const hash = hashBytes(bytes);
  const own = join(folder, hash.slice(0, 16));
  const path = join(own, name);
  // Checked before it is looked at too: what the operating system loads must lie where it was compared.
  await makeOwnFolder(own, { below: folder, mode: 0o700 });
  checkOwnFile(path, { below: folder });
  const found = readRegularFile(path, { within: folder, maxBytes: LIMITS.heldBytes.value });
  if (found.kind === "read" && hashBytes(found.bytes) === hash) return path;
  await writeOwnFile(path, bytes, { below: folder });
  return path;
}

function hashBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The extension on this machine. */
export type Extension =
  /** It was loaded once from this path. */
  | { readonly path: string; readonly version: string }
  /** Why it cannot be loaded, as the end of a sentence. */
  | { readonly path: null; readonly reason: string };

const ENDINGS: Readonly<Record<string, string>> = { darwin: "dylib", windows: "dll" };

let finding: Promise<Extension> | null = null;

/** Finds the extension and loads it into a database in memory. Done once a process; never rejects. */
export function findExtension(): Promise<Extension> {
  finding ??= probe();
  return finding;
}

/** Loads the extension into a database that was opened with the right to; whether it is there. */
export function loadExtension(db: DatabaseSync, path: string | null): boolean {
  if (path === null) return false;
  try {
    db.loadExtension(path);
    return true;
  } catch {
    return false;
  }
}

/** The name of the extension inside the executable of an operating system, as Deno names it. */
export function nameExtension(os: string): string {
  return `native/vec0.${ENDINGS[os] ?? "so"}`;
}

async function probe(): Promise<Extension> {
  try {
    const path = await findPath();
    return { path, version: readVersion(path) };
  } catch (error) {
    return { path: null, reason: error instanceof Error ? error.message : String(error) };
  }
}

function readVersion(path: string): string {
  const db = new DatabaseSync(":memory:", { allowExtension: true });
  try {
    db.loadExtension(path);
    return String(db.prepare("SELECT vec_version() AS version").get()?.["version"]);
  } finally {
    db.close();
  }
}

async function findPath(): Promise<string> {
  const { state } = await Deno.permissions.query({ name: "ffi" });
  if (state !== "granted") throw new Error("the right to load it was not given");
  if (Deno.build.standalone) return await unpack();
  const { getLoadablePath } = await import("sqlite-vec");
  return getLoadablePath();
}

/** Out of the executable into the user's cache folder: the operating system loads it by its path. */
async function unpack(): Promise<string> {
  const name = nameExtension(Deno.build.os);
  if (!await hasProgramFile(name)) throw new Error("there is no build of it for this machine");
  const folder = findCacheDir({ os: Deno.build.os, get: (variable) => Deno.env.get(variable) });
  if (folder === null) throw new Error("there is no home folder to unpack it to");
  return await unpackFile(basename(name), await readProgramFile(name), folder);
}
