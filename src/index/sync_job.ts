/**
 * The one synchronisation that may be under way in a process. It can be waited for, watched and ended;
 * large ones wait for other processes that are doing the same.
 */
import { withLockIfFree } from "../base/lock_file.ts";
import type { SyncProgress } from "./index_api.ts";
import type { BatchRecords, SyncCounts, SyncRunDeps } from "./sync_run.ts";
import { SyncRun } from "./sync_run.ts";
import type { Look, WorktreeState } from "./worktree_state.ts";

/** What a job works with. */
export interface SyncJobDeps extends SyncRunDeps {
  readonly state: WorktreeState;
}

/** How a job works. */
export interface SyncJobOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: SyncProgress) => void) | undefined;
}

/** From here on two processes should not do the same work side by side. */
const LARGE_FILES = 200;
const BUILD_LOCK = "index.build.lock";
const BUILD_WAIT_MS = 1_000;

/** One synchronisation, under way from the moment it is made. */
export class SyncJob {
  /** Paths that are not done yet. */
  readonly remaining: Set<string>;
  /** Ends with the job; null, or what went wrong. */
  readonly done: Promise<unknown>;
  readonly #deps: SyncJobDeps;
  readonly #options: SyncJobOptions;
  readonly #end = new AbortController();
  readonly #startedMs = performance.now();
  #counts: SyncCounts = { read: 0, parsed: 0, skipped: 0, removed: 0 };
  #total = 0;

  /** @param look what is to be done. */
  constructor(deps: SyncJobDeps, look: Look, options: SyncJobOptions) {
    this.#deps = deps;
    this.#options = options;
    this.remaining = new Set(look.paths);
    this.done = this.#run(look).then(() => null, (error) => error);
  }

  /** How much was done. */
  get counts(): SyncCounts {
    return this.#counts;
  }

  /** Ends the job after the batch under way. */
  async stop(): Promise<void> {
    this.#end.abort();
    await this.done;
  }

  async #run(look: Look): Promise<void> {
    if (look.scan.changed.length < LARGE_FILES) return await this.#finish(look);
    const lockPath = await this.#deps.file.lockPath(BUILD_LOCK);
    if (lockPath === null) return await this.#finish(look);
    for (let current = look; current.paths.length > 0 && !this.#isEnded();) {
      const isFirst = current === look;
      const isDone = await withLockIfFree(lockPath, { timeoutMs: BUILD_WAIT_MS }, async () => {
        await this.#finish(isFirst ? look : await this.#deps.state.look());
      });
      if (isDone) return;
      // The other process may have done all of it.
      current = await this.#deps.state.look();
      this.#take(current);
    }
  }

  async #finish(look: Look): Promise<void> {
    this.#take(look);
    const { signal } = this.#options;
    const run = new SyncRun(this.#deps, {
      chunkMaxTokens: look.settings.chunkMaxTokens,
      signal: signal === undefined ? this.#end.signal : AbortSignal.any([signal, this.#end.signal]),
      onBatch: (batch) => this.#onBatch(batch),
    });
    this.#counts = run.counts;
    await run.finish(look.scan, look.atMs);
  }

  #take({ paths }: Look): void {
    this.remaining.clear();
    for (const path of paths) this.remaining.add(path);
    this.#total = paths.length;
  }

  #onBatch(batch: BatchRecords): void {
    this.#deps.state.apply(batch);
    for (const { path } of batch.put) this.remaining.delete(path);
    for (const path of batch.removed) this.remaining.delete(path);
    const done = this.#total - this.remaining.size;
    const filesPerSecond = done / Math.max(0.001, (performance.now() - this.#startedMs) / 1000);
    this.#options.onProgress?.({
      done,
      total: this.#total,
      filesPerSecond: Math.round(filesPerSecond),
      secondsLeft: Math.ceil(this.remaining.size / Math.max(1, filesPerSecond)),
    });
  }

  #isEnded(): boolean {
    return this.#end.signal.aborted || this.#options.signal?.aborted === true;
  }
}
