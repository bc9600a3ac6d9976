/**
 * Who is building much of the index: it holds a lock, and says in the file of the lock how far it is, so that
 * other processes need not do the same work to tell.
 */
import { readLockHolder, withLockIfFree } from "../base/processes/lock_file.ts";
import type { Builder } from "./index_api.ts";

/** Name of the lock beside the database. */
export const BUILD_LOCK = "index.build.lock";

/** What the builder says of itself. */
export function toSaid({ done, total }: Pick<Builder, "done" | "total">): string {
  return `${done}/${total}`;
}

/** The builder, by a lock that is known to be held; null where it cannot be told. */
export async function readBuilder(lockPath: string): Promise<Builder | null> {
  const holder = await readLockHolder(lockPath);
  const [, done, total] = /^(\d+)\/(\d+)$/.exec(holder?.said ?? "") ?? [];
  if (holder === null || done === undefined) return null;
  return { process: holder.process, done: Number(done), total: Number(total) };
}

/** The builder, where there is one. */
export async function findBuilder(lockPath: string | null): Promise<Builder | null> {
  return lockPath === null || await isFree(lockPath) ? null : await readBuilder(lockPath);
}

/** The process that holds a lock; null where none does, or it cannot be told. */
export async function findHolder(lockPath: string | null): Promise<number | null> {
  if (lockPath === null || await isFree(lockPath)) return null;
  return (await readLockHolder(lockPath))?.process ?? null;
}

async function isFree(lockPath: string): Promise<boolean> {
  return await withLockIfFree(lockPath, { timeoutMs: 0 }, () => Promise.resolve());
}
