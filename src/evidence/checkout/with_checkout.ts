/**
 * Gives a run a clean checkout of a tree for the time of its commands: in the user's state folder, with the installed
 * dependencies of the worktree lent to it, removed afterwards. What a killed server left is removed by the next one.
 */
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { CodeIntelError } from "../../base/errors.ts";
import { checkOwnFolder, listOwnFolder, makeOwnFolder } from "../../base/files/own_folder.ts";
import { withLock } from "../../base/processes/lock_file.ts";
import type { Repository } from "../../git/mod.ts";
import { listIgnoredFolders, readHead, writeCheckout } from "../../git/mod.ts";
import type { VerifyCommand } from "../runs/verify_commands.ts";
import { loadCommandsUnderTrust } from "../runs/trusted_commands.ts";
import { lendFolders, pickLent } from "./lend_folders.ts";
import { findOwnInstall } from "./own_installs.ts";

/** A checkout while it is there. */
export interface Checkout {
  /** Absolute real path of its top folder. */
  readonly root: string;
  /** The project's folder in it, in which commands run. */
  readonly cwd: string;
  /** Absolute real path of the worktree that it stands for. */
  readonly worktree: string;
  /** Folders of the worktree that are lent to it, relative to the worktree. */
  readonly lent: readonly string[];
}

/** What is checked out, for which commands. */
export interface CheckoutInput {
  readonly tree: string;
  readonly commands: readonly VerifyCommand[];
  /** All commands that a person allowed, and the hash by which they did. */
  readonly allowed: { readonly commands: readonly VerifyCommand[]; readonly hash: string };
  /** Names of folders to lend. */
  readonly lend: readonly string[];
}

/** Where checkouts are made. */
export interface CheckoutPlace {
  readonly repo: Repository;
  /** The user's state folder. */
  readonly stateDir: string;
  readonly signal?: AbortSignal;
}

/** Checkouts of one worktree at a time: a second server of it takes the second place (guessed). */
const MOST_PLACES = 3;

/**
 * Runs `action` with the checkout, or with the reason why there is none, as the end of a sentence. Nothing that
 * hinders a checkout is an error: the commands can still run in the worktree.
 */
export async function withCheckout<T>(
  place: CheckoutPlace,
  input: CheckoutInput,
  action: (checkout: Checkout | string) => Promise<T>,
): Promise<T> {
  const base = join(place.stateDir, "checkouts");
  let hindrance = "other servers use all places for checkouts of this project";
  for (let slot = 0; slot < MOST_PLACES; slot++) {
    const name = `${toKey(place.repo.worktree)}-${slot}`;
    let isHeld = false;
    try {
      await makeOwnFolder(base, { below: place.stateDir, mode: 0o700 });
      const lock = join(base, `${name}.lock`);
      return await withLock(lock, { timeoutMs: 0, below: place.stateDir }, async () => {
        isHeld = true;
        await removeLeftovers(place.stateDir, name);
        return await runIn(join(base, name), place, input, action);
      });
    } catch (failure) {
      if (isHeld || !(failure instanceof CodeIntelError)) throw failure;
      if (failure.code !== "busy") hindrance = failure.message;
    }
  }
  return await action(hindrance);
}

async function runIn<T>(
  folder: string,
  place: CheckoutPlace,
  input: CheckoutInput,
  action: (checkout: Checkout | string) => Promise<T>,
): Promise<T> {
  try {
    return await action(await make(folder, place, input));
  } finally {
    await removeFolder(folder);
  }
}

async function make(
  folder: string,
  { repo, stateDir, signal }: CheckoutPlace,
  input: CheckoutInput,
): Promise<Checkout | string> {
  try {
    const worktree = await Deno.realPath(repo.worktree);
    const ignored = await listIgnoredFolders(repo.worktree);
    const lent = pickLent(ignored, input.lend, repo.openedFor);
    const install = await findOwnInstall({
      worktree,
      lent,
      programs: input.commands.map(({ run }) => run[0] ?? ""),
      cwd: join(worktree, repo.openedFor),
      path: Deno.env.get("PATH") ?? "",
      pythonPath: Deno.env.get("PYTHONPATH") ?? "",
      home: Deno.env.get("HOME") ?? "",
    });
    if (install !== null) return `${install} leads from there back to the worktree`;
    // The name stays that of the worktree, because some build tools make names of it.
    const top = join(folder, basename(worktree) || "project");
    await makeOwnFolder(top, { below: stateDir });
    const root = await Deno.realPath(top);
    const head = await readHead(repo);
    const refusal = await writeCheckout(repo, {
      tree: input.tree,
      head: head.commit,
      folder: root,
      below: await Deno.realPath(stateDir),
      ...(signal === undefined ? {} : { signal }),
    });
    if (refusal !== null) return refusal;
    if (!await lendFolders({ worktree, checkout: root }, lent)) {
      return "its dependencies have too many entries to be linked";
    }
    const cwd = join(root, repo.openedFor);
    const there = await loadCommandsUnderTrust(cwd, input.allowed.commands);
    if (there.hash !== input.allowed.hash) {
      return "the scripts behind the commands are not as they were allowed there";
    }
    return { root, cwd, worktree, lent };
  } catch (failure) {
    if (!(failure instanceof CodeIntelError) || failure.code === "cancelled") throw failure;
    return failure.message;
  }
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

function toKey(worktree: string): string {
  return createHash("sha256").update(worktree).digest("hex").slice(0, 12);
}
