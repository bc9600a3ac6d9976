/**
 * Takes the operating system's lock of an open file, with an end to the waiting. The runtime of the compiled
 * program knows no attempt without waiting, so there the wait itself is given up.
 */

import { CodeIntelError } from "../errors.ts";
import { toSystemCode } from "../system_cause.ts";
import { SAME_CALL, say } from "../text/words.ts";

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
    const code = cause instanceof Error ? toSystemCode(cause) : "";
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
