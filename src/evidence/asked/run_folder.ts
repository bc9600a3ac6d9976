/** Gives a run a folder for what it is asked to write beside its output; the folder is gone when the run was read. */
import { dirname } from "node:path";
import { makeOwnFolder } from "../../base/files/own_folder.ts";
import { withPlace } from "../checkout/places.ts";

/** Where a command runs. */
export interface RunFolderPlace {
  /** The checkout in which it runs; null for the worktree. */
  readonly checkout: string | null;
  /** Absolute path of the worktree. */
  readonly worktree: string;
  /** The user's state folder; null without a home folder. */
  readonly stateDir: string | null;
}

/**
 * Runs `action` with the folder: beside the checkout, which nobody else uses, or in a place of its own among the
 * checkouts. What a killed server leaves is removed with theirs. Null where there is no such place.
 */
export async function withRunFolder<T>(
  { checkout, worktree, stateDir }: RunFolderPlace,
  action: (folder: string | null) => Promise<T>,
): Promise<T> {
  if (checkout !== null) {
    const folder = await Deno.makeTempDir({ dir: dirname(checkout), prefix: "run-" });
    try {
      return await action(folder);
    } finally {
      await Deno.remove(folder, { recursive: true }).catch(() => {});
    }
  }
  if (stateDir === null) return await action(null);
  return await withPlace({ stateDir, worktree, suffix: "-run" }, async (found) => {
    if ("hindrance" in found) return await action(null);
    await makeOwnFolder(found.folder, { below: stateDir, mode: 0o700 });
    return await action(found.folder);
  });
}
