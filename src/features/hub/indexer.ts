/**
 * Does the jobs of a hub, one after the other. Several indexers may run at once, on one machine or many: each job is one
 * indexer's while it renews its lease, and another one takes it over when that ends.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Analyser } from "../../analysis/analyser.ts";
import { CodeIntelError } from "../../base/errors.ts";
import { Mirror } from "../../git/remote/mirror.ts";
import { findRemote } from "../../git/remote/remote_location.ts";
import type { HubStore, Lease } from "./hub_store.ts";
import type { RefreshReport } from "./refresh_origin.ts";
import { refreshOrigin } from "./refresh_origin.ts";

/** What an indexer works with. */
export interface IndexerDeps {
  readonly store: HubStore;
  readonly analyser: Analyser;
  /** Absolute folder for mirrors, which hold nothing that cannot be fetched again. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Called with what became of each job. */
  readonly onJob: (done: DoneJob) => void;
}

/** A job that ended. */
export interface DoneJob {
  readonly url: string;
  /** Null where it failed. */
  readonly report: RefreshReport | null;
  readonly failure: string | null;
}

/**
 * Does jobs until none waits.
 *
 * @returns how many were done, failed ones included.
 * @throws {CodeIntelError} those of the store; `cancelled` is no failure of a job.
 */
export async function doJobs(deps: IndexerDeps): Promise<number> {
  const { store, signal } = deps;
  let done = 0;
  while (!signal.aborted) {
    const lease = store.take();
    if (lease === null) break;
    await doJob(deps, lease);
    done++;
  }
  return done;
}

async function doJob(deps: IndexerDeps, lease: Lease): Promise<void> {
  const { store, analyser, folder, signal, onJob } = deps;
  const startedAt = store.now();
  try {
    const place = await findRemote(null, lease.url, { base: folder });
    const mirror = new Mirror(join(folder, hashMirrorName(lease.url)));
    const report = await refreshOrigin({ store, lease, mirror, place, analyser, signal });
    // A branch that is gone is no reason to try again.
    if (report.failed.every(({ isGone }) => isGone)) store.finish(lease, startedAt, null);
    else store.finishPartly(lease);
    onJob({ url: lease.url, report, failure: null });
  } catch (error) {
    const isOther = error instanceof CodeIntelError && error.code === "busy";
    if (!(error instanceof CodeIntelError) && !signal.aborted) throw error;
    const failure = error instanceof Error ? error.message : String(error);
    if (isStoreFailure(error)) throw error;
    const unwritten = isOther
      ? ""
      : tryFinish(store, { lease, startedAt, failure: signal.aborted ? "it was ended" : failure });
    onJob({ url: lease.url, report: null, failure: `${failure}${unwritten}` });
  }
}

/**
 * Writes down why a job failed. A store that refuses this one write does not end the indexer: the lease ends by itself, and
 * the job is tried again.
 *
 * @returns what is to be said of a write that was refused, else nothing.
 */
function tryFinish(
  store: HubStore,
  { lease, startedAt, failure }: {
    readonly lease: Lease;
    readonly startedAt: string;
    readonly failure: string;
  },
): string {
  try {
    store.finish(lease, startedAt, failure);
    return "";
  } catch (error) {
    if (!(error instanceof CodeIntelError) || isStoreFailure(error)) throw error;
    return `; and this could not be written: ${error.message}`;
  }
}

/** Without the store no job can go on; its lease ends by itself. */
function isStoreFailure(error: unknown): boolean {
  return error instanceof CodeIntelError &&
    [
      "store_unreachable",
      "store_refused",
      "store_untrusted",
      "store_newer",
      "network_denied",
      "disk_full",
    ]
      .includes(error.code);
}

function hashMirrorName(url: string): string {
  return createHash("sha256").update(url).digest("hex").slice(0, 16);
}
