/**
 * Gives a run a clean checkout of a tree for the time of its commands: in the user's state folder, with the installed
 * dependencies of the worktree lent to it, removed afterwards. What a killed server left is removed by the next one.
 */
import { basename, join } from "node:path";
import { CodeIntelError } from "../../base/errors.ts";
import { makeOwnFolder } from "../../base/files/own_folder.ts";
import type { Repository } from "../../git/repository.ts";
import { readHead } from "../../git/repository.ts";
import { writeCheckout } from "../../git/trees/checkout.ts";
import { listIgnoredFolders } from "../../git/trees/file_lists.ts";
import type { VerifyCommand } from "../runs/verify_commands.ts";
import { loadCommandsUnderTrust } from "../runs/trusted_commands.ts";
import { lendFolders, pickLent } from "./lend_folders.ts";
import { findOwnInstalls, toPythonPath } from "./own_installs.ts";
import { withPlace } from "./places.ts";

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
  /** Variables by which installations of the project itself lead to it instead of to the worktree. */
  readonly env: Readonly<Record<string, string>>;
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

/**
 * Runs `action` with the checkout, or with the reason why there is none, as the end of a sentence. Nothing that
 * hinders a checkout is an error: the commands can still run in the worktree.
 */
export async function withCheckout<T>(
  place: CheckoutPlace,
  input: CheckoutInput,
  action: (checkout: Checkout | string) => Promise<T>,
): Promise<T> {
  const { repo: { worktree }, stateDir } = place;
  return await withPlace(
    { stateDir, worktree },
    async (found) =>
      await action("folder" in found ? await make(found.folder, place, input) : found.hindrance),
  );
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
    const pythonPath = Deno.env.get("PYTHONPATH") ?? "";
    const installs = await findOwnInstalls({
      worktree,
      lent,
      commands: input.commands.map(({ run }) => run),
      cwd: join(worktree, repo.openedFor),
      path: Deno.env.get("PATH") ?? "",
      pythonPath,
      home: Deno.env.get("HOME") ?? "",
    });
    if (installs.kind === "back") return `${installs.by} leads from there back to the worktree`;
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
    const { folders } = installs;
    const env: Checkout["env"] = folders.length === 0
      ? {}
      : { PYTHONPATH: toPythonPath({ root, worktree, pythonPath }, folders) };
    return { root, cwd, worktree, lent, env };
  } catch (failure) {
    if (!(failure instanceof CodeIntelError) || failure.code === "cancelled") throw failure;
    return failure.message;
  }
}
