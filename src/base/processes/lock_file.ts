/**
 * A lock between processes: the operating system's lock on a small file, so that a killed process
 * never leaves a lock behind. The file names its holder; a name that is still there when the lock is
 * free belongs to a process that died, which is reported.
 */
import { dirname } from "node:path";
import { CodeIntelError, toIoError } from "../errors.ts";
import { closeAfter, openFile, withFile } from "../files/open_file.ts";
import type { OwnOptions } from "../files/own_folder.ts";
import { checkOwnFile, findOwnFolder } from "../files/own_folder.ts";
import { removeLeftTemporaries } from "../files/temporary.ts";
import { lockWithin } from "./try_lock.ts";
import { passTurn, takeTurn } from "./turns.ts";
import type { Words } from "../text/words.ts";
import { SAME_CALL, say } from "../text/words.ts";

/** How long and in whose name a lock is taken, and which folder of the program it lies in. */
export interface LockOptions extends OwnOptions {
  /** Longest wait in milliseconds. */
  readonly timeoutMs: number;
  /** Called when the last holder ended without releasing the lock. */
  readonly onTakeover?: (holder: string) => void;
  /** What whoever cannot have it should do; default: send the call again. */
  readonly hint?: Words;
}

/** A lock while it is held. */
export interface HeldLock {
  /** Tells those who wait how far its holder is, in a few characters. */
  say(text: string): Promise<void>;
}

/** Who holds a lock. */
export interface LockHolder {
  readonly process: number;
  /** What it said last; empty before. */
  readonly said: string;
}

/**
 * Runs `action` while this process holds the lock at `path`. The calls of one process have it in the order in which they
 * came.
 *
 * @throws {CodeIntelError} `busy` when one holder keeps the lock for over `timeoutMs`.
 */
export async function withLock<T>(
  path: string,
  options: LockOptions,
  action: (lock: HeldLock) => Promise<T>,
): Promise<T> {
  const leftMs = await takeTurn(path, options.timeoutMs);
  if (leftMs === null) throw await toBusy(path, options);
  let hasWorked = false;
  try {
    return await closeAfter(await openLock(path, options), async (file) => {
      if (!await lockWithin(file, leftMs)) throw await toBusy(path, options);
      hasWorked = true;
      const isOwn = options.below !== undefined || findOwnFolder(path) !== null;
      if (isOwn) await removeLeftTemporaries(dirname(path));
      return await holdWhile(file, { path, onTakeover: options.onTakeover, action });
    });
  } finally {
    passTurn(path, hasWorked);
  }
}

interface Held<T> {
  readonly path: string;
  readonly onTakeover: LockOptions["onTakeover"];
  readonly action: (lock: HeldLock) => Promise<T>;
}

async function holdWhile<T>(
  file: Deno.FsFile,
  { path, onTakeover, action }: Held<T>,
): Promise<T> {
  const left = await readHolder(file);
  if (left !== "") onTakeover?.(left);
  await writeHolder(file, `${Deno.pid}`).catch((cause) => {
    // The name only serves the next holder: what is to be done under the lock may need no space.
    const error = toIoError(`write the lock "${path}"`, cause);
    if (error.code !== "disk_full") throw error;
  });
  try {
    return await action({
      // What is said only serves those who wait.
      say: (text) => writeHolder(file, `${Deno.pid} ${text.slice(0, SAID_CHARS)}`).catch(() => {}),
    });
  } finally {
    await writeHolder(file, "");
    await file.unlock();
  }
}

/**
 * Runs `action` while this process holds the lock, unless another process keeps it for `timeoutMs`.
 *
 * @returns whether the action was done.
 */
export async function withLockIfFree(
  path: string,
  options: LockOptions,
  action: (lock: HeldLock) => Promise<void>,
): Promise<boolean> {
  let hasBegun = false;
  try {
    await withLock(path, options, (lock) => {
      hasBegun = true;
      return action(lock);
    });
    return true;
  } catch (error) {
    // The action itself may fail because something else is busy.
    if (hasBegun || !(error instanceof CodeIntelError && error.code === "busy")) throw error;
    return false;
  }
}

/** Who holds a lock that is known to be held; null where nobody says so, as on systems that keep a locked file from readers. */
export async function readLockHolder(path: string): Promise<LockHolder | null> {
  try {
    return toHolder(await withFile(path, { read: true }, readHolder));
  } catch {
    return null;
  }
}

function toHolder(text: string): LockHolder | null {
  const [, process, said] = /^(\d+)(?: (.*))?$/.exec(text) ?? [];
  return process === undefined ? null : { process: Number(process), said: said ?? "" };
}

const SAID_CHARS = 40;
const WAITER_HINT = say`${SAME_CALL} again; another client or command is working on this session.`;

async function openLock(path: string, options: OwnOptions): Promise<Deno.FsFile> {
  checkOwnFile(path, options);
  try {
    return await openFile(path, { read: true, write: true, create: true });
  } catch (cause) {
    throw toIoError(`open the lock "${path}"`, cause);
  }
}

async function toBusy(
  path: string,
  { timeoutMs, hint = WAITER_HINT }: LockOptions,
): Promise<CodeIntelError> {
  const holder = await readLockHolder(path);
  const who = holder === null ? "another process" : `process ${holder.process}`;
  return new CodeIntelError(
    "busy",
    `Cannot lock "${path}": ${who} holds it for over ${timeoutMs} ms`,
    { hint },
  );
}

async function readHolder(file: Deno.FsFile): Promise<string> {
  const buffer = new Uint8Array(64);
  await file.seek(0, Deno.SeekMode.Start);
  const read = await file.read(buffer);
  return new TextDecoder().decode(buffer.subarray(0, read ?? 0)).trim();
}

async function writeHolder(file: Deno.FsFile, holder: string): Promise<void> {
  const bytes = new TextEncoder().encode(holder);
  await file.seek(0, Deno.SeekMode.Start);
  // Cut afterwards, so that nobody who reads it meanwhile finds it empty.
  if (bytes.length > 0) await file.write(bytes);
  await file.truncate(bytes.length);
}
