/**
 * The one synchronisation that may be under way in a process. It can be waited for, watched and ended;
 * large ones wait for other processes that are doing the same.
 */
import type { Builder, FreshOptions, SyncProgress } from "./index_api.ts";
import type { Look, WorktreeState } from "./store/worktree_state.ts";
import type { HeldLock } from "../base/processes/lock_file.ts";
import { readLockHolder, withLockIfFree } from "../base/processes/lock_file.ts";
import type { BatchRecords, SyncCounts, SyncRunDeps } from "./sync_run.ts";
import { SyncRun } from "./sync_run.ts";

const TOLD_AFTER_MS = 1_000;

/** The same work, and first the files that the answer is about. */
export function orderAskedFirst(look: Look, { isAbout }: FreshOptions): Look {
  const { changed } = look.scan;
  if (isAbout === undefined || changed.length < 2) return look;
  const { asked = [], other = [] } = Object.groupBy(
    changed,
    ({ path }) => isAbout(path) ? "asked" : "other",
  );
  return { ...look, scan: { ...look.scan, changed: [...asked, ...other] } };
}

/** Waits for a job that can be done within an answer; whether it was done by then. */
export async function isDoneBy(
  job: SyncJob,
  { endsAt, isMany }: { readonly endsAt: number; readonly isMany: boolean },
): Promise<boolean> {
  if (isMany) return false;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), Math.max(0, endsAt - performance.now()));
  void job.done.then(() => resolve(true));
  return await promise.finally(() => clearTimeout(timer));
}

/** Says that an answer waits for files, once it has done so for a while; until it is disposed of. */
export function notifyLongWait(
  paths: readonly string[],
  onWait: ((paths: readonly string[]) => void) | undefined,
): Disposable {
  const timer = onWait === undefined || paths.length === 0
    ? undefined
    : setTimeout(() => onWait(paths), TOLD_AFTER_MS);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}

/** Name of the lock beside the database. */
export const BUILD_LOCK = "index.build.lock";

/** What the builder says of itself. */
export function formatProgress({ done, total }: Pick<Builder, "done" | "total">): string {
  return `${done}/${total}`;
}

/** The builder, by a lock that is known to be held; null where it is not known. */
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

/** The process that holds a lock; null where none does, or it is not known. */
export async function findHolder(lockPath: string | null): Promise<number | null> {
  if (lockPath === null || await isFree(lockPath)) return null;
  return (await readLockHolder(lockPath))?.process ?? null;
}

async function isFree(lockPath: string): Promise<boolean> {
  return await withLockIfFree(lockPath, { timeoutMs: 0 }, () => Promise.resolve());
}

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
/** Up to here a process does what it found, whoever builds: a few edits need not wait for the end of a long build. */
const FEW_FILES = 20;
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
  #startedMs = performance.now();
  #counts: SyncCounts = { read: 0, parsed: 0, taken: 0, refused: 0, skipped: 0, removed: 0 };
  #total = 0;
  #builder: Builder | null = null;
  readonly #others = new Set<(progress: SyncProgress) => void>();

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

  /** Who does it, where it is much: this process, or another one that it waits for. */
  get builder(): Builder | null {
    return this.#builder;
  }

  /** Tells its progress to one more who waits for it. */
  passOn(onProgress: SyncJobOptions["onProgress"]): void {
    if (onProgress !== undefined) this.#others.add(onProgress);
  }

  /** Ends the job after the batch under way. */
  async stop(): Promise<void> {
    this.#end.abort();
    await this.done;
  }

  async #run(look: Look): Promise<void> {
    const { file, state } = this.#deps;
    const lockPath = await file.lockPath(BUILD_LOCK);
    // What there is to do; null while another process does it, and nobody looks, which would only slow it down.
    let current: Look | null = look;
    while (!this.#isEnded()) {
      const known: Look | null = current;
      const isSmall = known !== null && await isSmallWork(known.scan.changed.length, lockPath);
      if (known !== null && (isSmall || lockPath === null)) return await this.#finish(known);
      const wait = { timeoutMs: BUILD_WAIT_MS };
      const isFree = await withLockIfFree(lockPath ?? "", wait, async (lock) => {
        if (known !== null) await this.#finish(known, lock);
      });
      if (isFree && known !== null) return;
      current = isFree ? await state.look() : null;
      if (current === null) this.#follow(await readBuilder(lockPath ?? ""));
      else this.#take(current);
    }
  }

  async #finish(look: Look, lock?: HeldLock): Promise<void> {
    this.#take(look);
    this.#startedMs = performance.now();
    const { signal } = this.#options;
    const run = new SyncRun(this.#deps, {
      chunkMaxTokens: look.settings.chunkMaxTokens,
      signal: signal === undefined ? this.#end.signal : AbortSignal.any([signal, this.#end.signal]),
      onBatch: (batch) => this.#onBatch(batch, lock),
    });
    this.#counts = run.counts;
    await this.#tell(lock);
    await run.finish(look.scan, look.atMs);
  }

  /** Passes on how far the other process is. */
  #follow(builder: Builder | null): void {
    this.#builder = builder;
    if (builder === null) return;
    const { process, done, total } = builder;
    const progress = { process, done, total, filesPerSecond: 0, secondsLeft: 0 };
    this.#report(progress);
  }

  #report(progress: SyncProgress): void {
    this.#options.onProgress?.(progress);
    for (const other of this.#others) other(progress);
  }

  /** Tells those who wait for the lock. */
  async #tell(lock: HeldLock | undefined): Promise<void> {
    if (lock === undefined) return;
    const total = this.#total;
    this.#builder = { process: Deno.pid, done: total - this.remaining.size, total };
    await lock.say(formatProgress(this.#builder));
  }

  #take({ paths }: Look): void {
    this.remaining.clear();
    for (const path of paths) this.remaining.add(path);
    this.#total = paths.length;
  }

  #onBatch(batch: BatchRecords, lock: HeldLock | undefined): void {
    this.#deps.state.apply(batch);
    for (const { path } of batch.put) this.remaining.delete(path);
    for (const path of batch.removed) this.remaining.delete(path);
    void this.#tell(lock);
    const done = this.#total - this.remaining.size;
    const filesPerSecond = done / Math.max(0.001, (performance.now() - this.#startedMs) / 1000);
    this.#report({
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

/** What is left of another process's build is small at its end, and still its work. */
async function isSmallWork(changed: number, lockPath: string | null): Promise<boolean> {
  if (changed <= FEW_FILES) return true;
  return changed < LARGE_FILES && await findBuilder(lockPath) === null;
}
