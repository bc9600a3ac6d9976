/**
 * A lock between processes: the operating system's lock on a small file, so that a killed process
 * never leaves a lock behind. The file names its holder; a name that is still there when the lock is
 * free belongs to a process that died, which is reported.
 */
import { CodeIntelError, makeIoError } from "../errors.ts";
import { findSystemCode } from "../system_cause.ts";
import type { Words } from "../text/words.ts";
import { SAME_CALL, say } from "../text/words.ts";
import { dirname } from "node:path";
import { closeAfter, openFile, withFile } from "../files/open_file.ts";
import type { OwnOptions } from "../files/own_folder.ts";
import { checkOwnFile, findOwnFolder } from "../files/own_folder.ts";
import { removeLeftTemporaries } from "../files/atomic_write.ts";

/** One who waits for its turn. */
interface Waiter {
  readonly timeoutMs: number;
  /** When its time is over, in milliseconds of `performance.now()`; moved on whenever the holder changes. */
  endsAt: number;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** Gets what is left of its time, in milliseconds, or null when it is over. */
  readonly resolve: (leftMs: number | null) => void;
}

/** A moment in which another process that waits for the same lock comes in between. */
const HANDOVER_MS = 2;

/** Those who wait, by the name of what they wait for; there is a line while somebody has the turn. */
const lines = new Map<string, Waiter[]>();

/**
 * Waits for the turn at `name`. The time counts again whenever the turn is passed on by one who did its work: it limits how
 * long one holder is waited for, not how many wait before.
 *
 * @returns milliseconds that are left to wait for other processes; null when the time was over before the turn came.
 */
export async function waitForTurn(name: string, timeoutMs: number): Promise<number | null> {
  const line = lines.get(name);
  if (line === undefined) {
    lines.set(name, []);
    return timeoutMs;
  }
  return await new Promise((resolve) => {
    const waiter: Waiter = {
      timeoutMs,
      endsAt: performance.now() + timeoutMs,
      timer: undefined,
      resolve,
    };
    line.push(waiter);
    arm(line, waiter);
  });
}

/** Passes the turn on; `hasWorked` says whether its holder had what it waited for. */
export function passTurn(name: string, hasWorked: boolean): void {
  const line = lines.get(name) ?? [];
  const next = line.shift();
  if (next === undefined) {
    lines.delete(name);
    return;
  }
  clearTimeout(next.timer);
  const now = performance.now();
  const leftMs = hasWorked ? next.timeoutMs : Math.max(next.endsAt - now, 0);
  if (hasWorked) {
    for (const waiter of line) {
      waiter.endsAt = now + waiter.timeoutMs;
      arm(line, waiter);
    }
  }
  setTimeout(() => next.resolve(leftMs), HANDOVER_MS);
}

function arm(line: Waiter[], waiter: Waiter): void {
  clearTimeout(waiter.timer);
  waiter.timer = setTimeout(() => {
    line.splice(line.indexOf(waiter), 1);
    waiter.resolve(null);
  }, Math.max(0, waiter.endsAt - performance.now()));
}

const FIRST_RETRY_MS = 2;
const LONGEST_RETRY_MS = 50;
/** A free lock is had at once; this is for a machine that is busy. */
const SHORTEST_WAIT_MS = 200;

/** An open file of a runtime that may lack the attempt. */
interface Lockable {
  tryLock?(isExclusive: boolean): Promise<boolean>;
  lock(isExclusive: boolean): Promise<void>;
}

/** What a file system without locks says: NFS without its lock service, and some of FUSE. */
const NO_LOCKS: readonly string[] = ["ENOLCK", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"];

/**
 * Takes the lock, waiting for its holder at most `timeoutMs`; 0 asks once.
 *
 * @returns whether this file has it. A caller that was told no closes the file: an attempt may be under way.
 * @throws {CodeIntelError} `io_failed` where the file system has no locks.
 */
export async function lockWithin(file: Deno.FsFile, timeoutMs: number): Promise<boolean> {
  const lockable: Lockable = file;
  try {
    return lockable.tryLock === undefined
      ? await waitForLock(lockable, Math.max(timeoutMs, SHORTEST_WAIT_MS))
      : await retryLock(lockable as Required<Lockable>, timeoutMs);
  } catch (cause) {
    const code = cause instanceof Error ? findSystemCode(cause) : "";
    if (!NO_LOCKS.includes(code)) throw cause;
    throw new CodeIntelError(
      "io_failed",
      `Cannot lock a file: its file system has no locks (${code})`,
      {
        hint:
          say`Questions are answered without. For sessions start the lock service (NFS: rpc.statd, or mount with local_lock=flock where one machine alone uses it), or move the project to a local disk; then ${SAME_CALL} again.`,
        cause,
      },
    );
  }
}

async function retryLock(file: Required<Lockable>, timeoutMs: number): Promise<boolean> {
  const endsAt = performance.now() + timeoutMs;
  let pauseMs = FIRST_RETRY_MS;
  while (!(await file.tryLock(true))) {
    if (performance.now() >= endsAt) return false;
    // Random pauses keep many waiting processes from waking in step.
    await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random())));
    pauseMs = Math.min(pauseMs * 2, LONGEST_RETRY_MS);
  }
  return true;
}

/** The lock that comes after the end of the wait goes with the file, which the caller closes. */
async function waitForLock(file: Lockable, timeoutMs: number): Promise<boolean> {
  const { promise: end, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), timeoutMs);
  const locking = file.lock(true).then(() => true);
  try {
    return await Promise.race([locking, end]);
  } finally {
    clearTimeout(timer);
    // A file that is closed meanwhile ends the attempt with an error that nobody waits for.
    locking.catch(() => {});
  }
}

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
  const leftMs = await waitForTurn(path, options.timeoutMs);
  if (leftMs === null) throw await makeBusyError(path, options);
  let hasWorked = false;
  try {
    return await closeAfter(await openLock(path, options), async (file) => {
      if (!await lockWithin(file, leftMs)) throw await makeBusyError(path, options);
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
    const error = makeIoError(`write the lock "${path}"`, cause);
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
    return parseHolder(await withFile(path, { read: true }, readHolder));
  } catch {
    return null;
  }
}

function parseHolder(text: string): LockHolder | null {
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
    throw makeIoError(`open the lock "${path}"`, cause);
  }
}

async function makeBusyError(
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
