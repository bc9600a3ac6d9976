/** The folder of the index: made and looked at, and never through a link. */
import { join } from "node:path";
import type { CodeIntelError } from "../../base/errors.ts";
import { toIoError } from "../../base/errors.ts";
import { withFile } from "../../base/files/open_file.ts";
import { lockWithin } from "../../base/processes/try_lock.ts";
import { checkOwnFile, checkOwnFolder, makeOwnFolder } from "../../base/files/own_folder.ts";
import { PARTS } from "./database.ts";

/** Name of the database in its folder. */
export const FILE_NAME = "index.db";
/** Name of the writer's lock. */
export const LOCK_NAME = "index.lock";

/** Null when the folder is there and can be written, else why not. */
export async function checkFolder(folder: string): Promise<CodeIntelError | null> {
  try {
    await makeOwnFolder(folder);
    checkOwnFile(join(folder, LOCK_NAME));
    // A lock that another process has is one; closing the file gives up what was taken.
    const options = { read: true, write: true, create: true };
    await withFile(join(folder, LOCK_NAME), options, (file) => lockWithin(file, 0));
    for (const part of PARTS) await checkWritable(join(folder, FILE_NAME + part));
    return null;
  } catch (error) {
    return toIoError(`write to "${folder}"`, error);
  }
}

/** A person may have removed the folder; what it lay in is not made again, or a removed repository would be. */
export async function restoreFolder(folder: string): Promise<void> {
  checkOwnFolder(folder);
  try {
    await Deno.mkdir(folder);
  } catch (error) {
    // What cannot be made for another reason is told by the lock, which needs it.
    if (error instanceof Deno.errors.AlreadyExists || error instanceof Deno.errors.NotFound) return;
    throw toIoError(`make the folder "${folder}"`, error);
  }
}

async function checkWritable(path: string): Promise<void> {
  checkOwnFile(path);
  const info = await Deno.lstat(path).catch(() => null);
  // Never opened here: closing a second handle would give up SQLite's own locks in this process.
  if (info !== null && info.mode !== null && (info.mode & 0o222) === 0) {
    throw new Deno.errors.PermissionDenied(`"${path}" is read-only`);
  }
}
