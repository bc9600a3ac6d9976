/**
 * The extension of SQLite that measures distances between vectors. Where it cannot be loaded (no build for
 * this machine, no right to load it) the same is done here, slower.
 */
import type { DatabaseSync } from "node:sqlite";

let loadablePath: Promise<string | null> | null = null;

/** Absolute path of the extension, null where there is none for this machine. Looked up once a process. */
export function findExtension(): Promise<string | null> {
  loadablePath ??= lookUp().catch(() => null);
  return loadablePath;
}

async function lookUp(): Promise<string | null> {
  const { state } = await Deno.permissions.query({ name: "ffi" });
  if (state !== "granted") return null;
  const { getLoadablePath } = await import("sqlite-vec");
  return getLoadablePath();
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
