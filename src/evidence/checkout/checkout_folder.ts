/**
 * Folders in the user's state folder that a process has for itself while it holds their locks. What a killed process
 * left of one is found by its free lock, and removed by the next process that takes any.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { CodeIntelError } from "../../base/errors.ts";
import { checkOwnFolder, listOwnFolder, makeOwnFolder } from "../../base/files/own_folder.ts";
import { withLock } from "../../base/processes/lock_file.ts";

/** Which folder is wanted. */
export interface FolderRequest {
  /** The user's state folder. */
  readonly stateDir: string;
  /** The worktree for which it is. */
  readonly worktree: string;
  /** Added to its name, so that places for other ends are not used up. */
  readonly suffix?: string;
}

/** A second server of a worktree takes the second place of its kind (guessed). */
const MOST_PLACES = 3;

/**
 * Runs `action` with the path of a new folder, which nobody else uses and which does not exist yet.
 * Without one, `action` gets the reason. The folder is removed afterwards.
 */
export async function withOwnFolder<T>(
  { stateDir, worktree, suffix = "" }: FolderRequest,
  action: (place: { readonly folder: string } | { readonly hindrance: string }) => Promise<T>,
): Promise<T> {
  const base = join(stateDir, "checkouts");
  let hindrance = "other servers use all places for checkouts of this project";
  for (let slot = 0; slot < MOST_PLACES; slot++) {
    const name = `${hashWorktree(worktree)}${suffix}-${slot}`;
    let isHeld = false;
    try {
      await makeOwnFolder(base, { below: stateDir, mode: 0o700 });
      const lock = join(base, `${name}.lock`);
      return await withLock(lock, { timeoutMs: 0, below: stateDir }, async () => {
        isHeld = true;
        await removeLeftovers(stateDir, name);
        const folder = join(base, name);
        try {
          return await action({ folder });
        } finally {
          await removeFolder(folder);
        }
      });
    } catch (failure) {
      if (isHeld || !(failure instanceof CodeIntelError)) throw failure;
      if (failure.code !== "busy") hindrance = failure.message;
    }
  }
  return await action({ hindrance });
}

/** What a killed server left: its lock is free, and its folder is still there. */
async function removeLeftovers(stateDir: string, own: string): Promise<void> {
  const base = join(stateDir, "checkouts");
  for (const { name, isDirectory } of await listOwnFolder(base, { below: stateDir })) {
    if (!isDirectory) continue;
    const remove = async () => {
      checkOwnFolder(join(base, name), { below: stateDir });
      await removeFolder(join(base, name));
    };
    if (name === own) await remove();
    else {
      const lock = join(base, `${name}.lock`);
      await withLock(lock, { timeoutMs: 0, below: stateDir }, remove).catch(() => {});
    }
  }
}

/** Links in it are removed themselves; nothing behind them is. */
async function removeFolder(folder: string): Promise<void> {
  try {
    await Deno.remove(folder, { recursive: true });
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return;
    await makeRemovable(folder);
    // What still cannot be removed is tried again by the next checkout.
    await Deno.remove(folder, { recursive: true }).catch(() => {});
  }
}

/** Module caches are written without the right to write into their folders. */
async function makeRemovable(folder: string): Promise<void> {
  await Deno.chmod(folder, 0o700).catch(() => {});
  const entries = await Array.fromAsync(Deno.readDir(folder)).catch(() => []);
  for (const { name, isDirectory } of entries) {
    if (isDirectory) await makeRemovable(join(folder, name));
  }
}

function hashWorktree(worktree: string): string {
  return createHash("sha256").update(worktree).digest("hex").slice(0, 12);
}
