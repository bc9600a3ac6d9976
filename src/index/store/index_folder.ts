/** The folder of the index: made and looked at, and never through a link. */
import { join } from "node:path";
import { lockWithin, withLock } from "../../base/processes/lock_file.ts";
import { SAME_CALL, say } from "../../base/text/words.ts";
import type { CodeIntelError } from "../../base/errors.ts";
import { makeIoError } from "../../base/errors.ts";
import { withFile } from "../../base/files/open_file.ts";
import { checkOwnFile, checkOwnFolder, makeOwnFolder } from "../../base/files/own_folder.ts";
import { PARTS, SHARED_MEMORY } from "./database.ts";

const TURN_NAME = "index.turn.lock";
const HINT =
  say`${SAME_CALL} again: another process is writing the index, which takes a moment for each part.`;

/**
 * Runs `action` as the only writer of all processes.
 *
 * @param folder of the database; it is there.
 * @throws {CodeIntelError} `busy` when others never let it in.
 */
export async function withWriterTurn<T>(
  folder: string,
  timeoutMs: number,
  action: () => Promise<T>,
): Promise<T> {
  const options = { timeoutMs, hint: HINT };
  const entered = Promise.withResolvers<void>();
  let writing: Promise<T> | undefined;
  await withLock(join(folder, TURN_NAME), options, async () => {
    writing = withLock(join(folder, LOCK_NAME), options, () => {
      entered.resolve();
      return action();
    });
    // A failure to get in is reported below.
    writing.catch(() => {}).finally(() => entered.resolve());
    await entered.promise;
  });
  return await (writing as Promise<T>);
}

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
    return makeIoError(`write to "${folder}"`, error);
  }
}

/** A person may have removed the folder; what it lay in is not made again, or a removed repository would be. */
export async function restoreFolder(folder: string): Promise<void> {
  checkOwnFolder(folder);
  try {
    await Deno.mkdir(folder);
  } catch (error) {
    // What cannot be made for another reason is reported by the lock, which needs it.
    if (error instanceof Deno.errors.AlreadyExists || error instanceof Deno.errors.NotFound) return;
    throw makeIoError(`make the folder "${folder}"`, error);
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

/**
 * SQLite maps the file of its shared memory: where somebody cut it short, the next look would end the process (SIGBUS).
 * Made as long as before it holds nothing, and SQLite makes it again from the journal.
 *
 * @returns the largest size so far.
 */
export function keepSharedMemory(path: string, knownBytes: number): number {
  const shared = `${path}${SHARED_MEMORY}`;
  try {
    const { size } = Deno.statSync(shared);
    if (size >= knownBytes) return size;
    checkOwnFile(shared);
    Deno.truncateSync(shared, knownBytes);
  } catch {
    // It is gone as a whole: the mapping holds what it held.
  }
  return knownBytes;
}
