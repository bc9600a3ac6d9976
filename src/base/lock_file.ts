/**
 * A lock between processes: the operating system's lock on a small file, so that a killed process
 * never leaves a lock behind. The file names its holder; a name that is still there when the lock is
 * free belongs to a process that died, which is reported.
 */
import { CodeIntelError, toIoError } from "./errors.ts";
import { closeAfter, openFile } from "./open_file.ts";
import { lockWithin } from "./try_lock.ts";

/** How long and in whose name a lock is taken. */
export interface LockOptions {
  /** Longest wait in milliseconds. */
  readonly timeoutMs: number;
  /** Called when the last holder ended without releasing the lock. */
  readonly onTakeover?: (holder: string) => void;
}

/**
 * Runs `action` while this process holds the lock at `path`.
 *
 * @throws {CodeIntelError} `busy` when the lock is not free within `timeoutMs`.
 */
export async function withLock<T>(
  path: string,
  options: LockOptions,
  action: () => Promise<T>,
): Promise<T> {
  return await closeAfter(
    await openLock(path),
    (file) => holdWhile(file, { path, options, action }),
  );
}

interface Held<T> {
  readonly path: string;
  readonly options: LockOptions;
  readonly action: () => Promise<T>;
}

async function holdWhile<T>(
  file: Deno.FsFile,
  { path, options, action }: Held<T>,
): Promise<T> {
  await waitForLock(file, path, options.timeoutMs);
  const left = await readHolder(file);
  if (left !== "") options.onTakeover?.(left);
  await writeHolder(file, `${Deno.pid}`).catch((cause) => {
    // The name only serves the next holder: what is to be done under the lock may need no space.
    const error = toIoError(`write the lock "${path}"`, cause);
    if (error.code !== "disk_full") throw error;
  });
  try {
    return await action();
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
  action: () => Promise<void>,
): Promise<boolean> {
  let hasBegun = false;
  try {
    await withLock(path, options, () => {
      hasBegun = true;
      return action();
    });
    return true;
  } catch (error) {
    // The action itself may fail because something else is busy.
    if (hasBegun || !(error instanceof CodeIntelError && error.code === "busy")) throw error;
    return false;
  }
}

async function openLock(path: string): Promise<Deno.FsFile> {
  try {
    return await openFile(path, { read: true, write: true, create: true });
  } catch (cause) {
    throw toIoError(`open the lock "${path}"`, cause);
  }
}

async function waitForLock(file: Deno.FsFile, path: string, timeoutMs: number): Promise<void> {
  if (await lockWithin(file, timeoutMs)) return;
  throw new CodeIntelError(
    "busy",
    `Cannot lock "${path}": another process holds it for over ${timeoutMs} ms`,
    { hint: "Send the same call again; another client or command is working on this session." },
  );
}

async function readHolder(file: Deno.FsFile): Promise<string> {
  const buffer = new Uint8Array(64);
  await file.seek(0, Deno.SeekMode.Start);
  const read = await file.read(buffer);
  return new TextDecoder().decode(buffer.subarray(0, read ?? 0)).trim();
}

async function writeHolder(file: Deno.FsFile, holder: string): Promise<void> {
  await file.truncate(0);
  await file.seek(0, Deno.SeekMode.Start);
  if (holder !== "") await file.write(new TextEncoder().encode(holder));
}
