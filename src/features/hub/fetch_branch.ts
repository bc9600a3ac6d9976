/** Fetches a branch for a job, and keeps the job's lease while git waits for the remote. */
import type { Mirror } from "../../git/remote/mirror.ts";
import type { RemoteLocation } from "../../git/remote/remote_location.ts";
import type { HubRepository, HubStore, Lease } from "./hub_store.ts";

/** What a branch is fetched with. */
export interface FetchDeps {
  readonly store: HubStore;
  readonly lease: Lease;
  readonly mirror: Mirror;
  readonly place: RemoteLocation;
  readonly signal: AbortSignal;
  /** The lease is renewed so often while git waits; default a third of a lease. */
  readonly renewMs?: number;
}

const RENEW_MS = 20_000;

/**
 * Fetches a branch. The lease is renewed before, meanwhile and after, whether or not the fetch succeeds: a remote may let git
 * wait for longer than a lease lasts.
 *
 * @returns the commit; null where the remote has no such branch.
 * @throws {CodeIntelError} as `Mirror.fetch` and `HubStore.renew`.
 */
export async function fetchBranch(
  { store, lease, mirror, place, signal, renewMs = RENEW_MS }: FetchDeps,
  { id, branch }: Pick<HubRepository, "id" | "branch">,
): Promise<string | null> {
  store.renew(lease);
  const timer = setInterval(() => {
    try {
      store.renew(lease);
    } catch {
      // The renewal after the fetch says why.
    }
  }, renewMs);
  try {
    return await mirror.fetch(place, { branch, keptAs: String(id), signal });
  } finally {
    clearInterval(timer);
    store.renew(lease);
  }
}
