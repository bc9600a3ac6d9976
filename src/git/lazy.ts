/** Snapshots, loaded when one is taken or looked for: no question about code does. */
import type { Repository } from "./repository.ts";
import type { PruneOptions, SnapshotOptions, TakenSnapshot } from "./snapshots/snapshots.ts";

/** Takes a snapshot; the same as behind it in `snapshots.ts`. */
export async function takeSnapshot(
  repo: Repository,
  options: SnapshotOptions,
): Promise<TakenSnapshot> {
  return await (await import("./snapshots/snapshots.ts")).takeSnapshot(repo, options);
}

/** Removes old snapshots; the same as behind it in `snapshots.ts`. */
export async function pruneSnapshots(repo: Repository, options: PruneOptions): Promise<string[]> {
  return await (await import("./snapshots/snapshots.ts")).pruneSnapshots(repo, options);
}

/** Which snapshots are old; the same as behind it in `snapshots.ts`. */
export async function listOldSnapshots(repo: Repository, options: PruneOptions): Promise<string[]> {
  return await (await import("./snapshots/snapshots.ts")).listOldSnapshots(repo, options);
}
