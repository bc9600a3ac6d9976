/** Brings what a remote shares to this machine. Until everything is there, what was there before is used. */
import { SHARE_REFS } from "../../git/store_files.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import type { RemoteLocation } from "../../git/remote/remote_location.ts";
import { isRemoteFailure } from "../../git/remote/remote_store.ts";
import { SHARE_FORMAT } from "./pack.ts";
import type { ShareFolder } from "./share_folder.ts";
import { readTree } from "./share_tree.ts";
import { isRead } from "./shared_packs.ts";

/** Where something is shared. */
export interface SharePlace extends RemoteLocation {
  /** Name of the ref at the remote. */
  readonly ref: string;
}

/** How a pull ended. */
export interface PullReport {
  /** Name of the ref at the remote. */
  readonly ref: string;
  /** The commit that is in use now; null where the remote shares nothing. */
  readonly tip: string | null;
  /** Whether something was fetched. */
  readonly isNew: boolean;
  readonly packs: number;
  /** How many of them another version of the program made, so that this one does not read them. */
  readonly unread: number;
  readonly sizeBytes: number;
}

/** The ref of a remote below which a project's packs are. */
export function nameShareRef(project: string): string {
  return `${SHARE_REFS}/${SHARE_FORMAT}/${project}`;
}

const SHA256_DIGITS = 64;

/** So many fetches are kept as git brought them, before they are made one. */
const FETCHES_KEPT = 8;

/** What a pull works with. */
export interface PullOptions {
  readonly signal?: AbortSignal;
  readonly nowMs: () => number;
}

/**
 * Pulls; call it under the lock of the folder. What went wrong is kept for `share status`.
 *
 * @throws {CodeIntelError} `remote_unusable`, `timed_out`, `cancelled`, `git_missing`, `git_failed`, `io_failed`.
 */
export async function pullShared(
  folder: ShareFolder,
  place: SharePlace,
  options: PullOptions,
): Promise<PullReport> {
  const triedAtMs = options.nowMs();
  try {
    const report = await pull(folder, place, options);
    const { tip } = report;
    const askedAtMs = options.nowMs();
    await folder.change({ remote: place.named, tip, askedAtMs, triedAtMs, problem: null });
    if (report.isNew && await folder.store.countFetches() > FETCHES_KEPT) await folder.store.tidy();
    return report;
  } catch (failure) {
    if (isRemoteFailure(failure)) {
      // What is there came from the remote that answered last, whichever was asked now.
      await folder.change({ triedAtMs, problem: failure.message });
    }
    throw failure;
  }
}

async function pull(
  { store }: ShareFolder,
  place: SharePlace,
  { signal }: PullOptions,
): Promise<PullReport> {
  const more = signal === undefined ? {} : { signal };
  await store.open(place.objectFormat);
  const there = await store.readTip(place, place.ref, more);
  if (there !== null) await store.open(there.length === SHA256_DIGITS ? "sha256" : "sha1");
  const { ref } = place;
  if (there === null) return { ref, tip: null, isNew: false, packs: 0, unread: 0, sizeBytes: 0 };
  const isNew = !await store.holds(there);
  const tip = isNew ? await store.fetch(place, place.ref, more) : there;
  if (isNew) await store.keep(tip);
  const { packs } = readTree(await store.list(tip), isRead);
  const sizeBytes = packs.reduce((sum, one) => sum + one.keys.sizeBytes + one.pack.sizeBytes, 0);
  const unread = packs.filter(({ kind }) => !isRead(kind)).length;
  return { ref, tip, isNew, packs: packs.length, unread, sizeBytes };
}

/** Whether a server that starts should ask the remote. */
export function isPullDue(folder: ShareFolder, nowMs: number): boolean {
  const { triedAtMs } = folder.readState();
  return triedAtMs === null || nowMs - triedAtMs > LIMITS.sharePullHours.value * 60 * 60 * 1000;
}
