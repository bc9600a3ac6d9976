/**
 * The index of one worktree: looks for changes, starts the job that they need, and says how fresh an
 * answer is. What an answer cannot wait for goes on behind it.
 */
import { waitAtMost } from "../base/clock.ts";
import { dirname, join } from "node:path";
import { LIMITS } from "../base/settings/limits.ts";
import type { Analyser } from "../analysis/analyser.ts";
import type { SyncJobOptions } from "./sync_job.ts";
import {
  BUILD_LOCK,
  findBuilder,
  findHolder,
  isDoneBy,
  notifyLongWait,
  orderAskedFirst,
  SyncJob,
} from "./sync_job.ts";
import { AnalysisPool, OWN_THREAD } from "../analysis/analysis_pool.ts";
import { IN_MEMORY } from "./store/database.ts";
import { FileList } from "./scan/file_list.ts";
import { CHEAP_FILES, countUnread, FolderWatch, ObservationQueue } from "./looks.ts";
import type {
  Builder,
  CodeIndex,
  CodeIndexOptions,
  Freshness,
  FreshOptions,
  IndexSettings,
  IndexStatus,
  ListedFiles,
  MeaningUse,
  SyncOptions,
  SyncReport,
  TemporaryIndex,
} from "./index_api.ts";
import { AnalysisMemory, createTemporaryIndex } from "./peek.ts";
import { IndexFile } from "./store/index_file.ts";
import type { VectorIndex } from "./vectors/meaning_api.ts";
import { createVectorIndex, EMBED_LOCK } from "./vectors/meaning.ts";
import { maintain } from "./store/maintenance.ts";
import { createView } from "./read/read_view.ts";
import { createSqliteSource } from "./read/sqlite_source.ts";
import type { HeldContent } from "./read/record_queries.ts";
import { listContents, readRecord } from "./read/record_queries.ts";
import { buildVariantPrefix } from "./store/variant.ts";
import type { IndexView } from "./read/view.ts";
import { findWorktree, WorktreeState } from "./store/worktree_state.ts";
import type { Look } from "./store/worktree_state.ts";

/** Makes the index of a project. Nothing is opened or started before the first call. */
export function createCodeIndex(options: CodeIndexOptions): CodeIndex {
  return new WorktreeIndex(options);
}

const HOUR_MS = 60 * 60 * 1000;
const MAINTENANCE_WAIT_MS = 200;
const ASKED_LOOK_MS = 20;
const NOTHING_DONE = { read: 0, parsed: 0, taken: 0, removed: 0 };

class WorktreeIndex implements CodeIndex {
  readonly #meaning: VectorIndex | null;
  readonly #options: CodeIndexOptions;
  readonly #file: IndexFile;
  readonly #list: FileList;
  readonly #state: WorktreeState;
  readonly #nowMs: () => number;
  readonly #looks: ObservationQueue;
  readonly #peeked = new AnalysisMemory();
  #analyser: Analyser | null;
  #job: SyncJob | null = null;

  constructor(options: CodeIndexOptions) {
    const { projectRoot: root, embedder, loadSettings, listDependsOn = [] } = options;
    const { nowMs = Date.now, onNotice = () => {} } = options;
    const own = { ...options, root, nowMs, onNotice };
    this.#options = options;
    this.#nowMs = nowMs;
    this.#analyser = options.analyser ?? null;
    const file = this.#file = new IndexFile(own);
    const list = this.#list = new FileList({ ...own, listDependsOn });
    const loadMaxTexts = async () => (await loadSettings()).maxChunks;
    this.#meaning = embedder === undefined
      ? null
      : createVectorIndex({ ...own, file, embedder, loadMaxTexts });
    const state = this.#state = new WorktreeState({ ...own, file, list });
    const watch = new FolderWatch(root, { folder: () => chooseMarkFolder(file.path) });
    this.#looks = new ObservationQueue({ ...own, state, list, watch });
  }

  async sync(options: SyncOptions = {}): Promise<SyncReport> {
    const { waitMs } = options;
    const syncing = this.#syncAll(options);
    if (waitMs === undefined) return await syncing;
    const report = await waitAtMost(syncing, waitMs);
    if (report !== null) return report;
    syncing.catch((failure) => this.#tell(failure));
    return await this.#reportLate(waitMs);
  }

  async #syncAll(options: SyncOptions): Promise<SyncReport> {
    const startedMs = performance.now();
    const { signal: asked, budgetMs } = options;
    const signal = AbortSignal.any([
      ...(asked === undefined ? [] : [asked]),
      ...(budgetMs === undefined ? [] : [AbortSignal.timeout(budgetMs)]),
    ]);
    if (options.rebuild === true) {
      await this.#job?.stop();
      await this.#file.reset();
    }
    this.#list.forget();
    const look = await this.#lookAlone(options);
    const job = this.#start(look, { signal, onProgress: options.onProgress });
    const failure = await job.done;
    if (failure !== null) throw failure;
    const { read, parsed, taken, removed } = job.counts;
    if (job.counts.refused > 0 && !signal.aborted) {
      // What came in a pack that turned out to be wrong was taken out again. Each pack is refused once.
      const more = await this.#syncAll({ ...options, rebuild: false, signal });
      return { ...more, read: read + more.read, parsed: parsed + more.parsed, taken: more.taken };
    }
    const isComplete = job.remaining.size === 0;
    if (isComplete) await this.#maintain();
    return {
      isComplete,
      read,
      parsed,
      taken,
      removed,
      pending: [...job.remaining].sort(),
      durationMs: Math.round(performance.now() - startedMs),
      counts: await this.read((view) => view.count()),
      notices: look.notices,
    };
  }

  /** How far it is, while the work goes on. */
  async #reportLate(waitMs: number): Promise<SyncReport> {
    const job = this.#job;
    const { read, parsed, taken, removed } = job?.counts ?? NOTHING_DONE;
    const builder = job?.builder ?? null;
    return {
      isComplete: false,
      read,
      parsed,
      taken,
      removed,
      // What is left of another process's work is reported by its count alone.
      pending: builder !== null && builder.process !== Deno.pid
        ? []
        : [...job?.remaining ?? []].sort(),
      durationMs: waitMs,
      counts: await this.read((view) => view.count()),
      notices: [],
      ...(builder === null ? {} : { builder }),
    };
  }

  async ensureFresh(options: FreshOptions = {}): Promise<Freshness> {
    let look = await this.#looks.read();
    const { freshnessMs, answerMs } = LIMITS;
    const budgetMs = options.isBrief === true ? answerMs.value : freshnessMs.value;
    // What the look took is not taken from the time for reading: a busy machine would never be fresh.
    const endsAt = performance.now() + (options.budgetMs ?? budgetMs);
    using _told = notifyLongWait(look.paths, this.#options.onWait);
    while (look.paths.length > 0) {
      const other = this.#job;
      const isMany = countUnread(look) > CHEAP_FILES;
      if (other === null && options.isBrief === true && isMany) break;
      const isDone = other === null
        ? await isDoneBy(this.#start(isMany ? look : orderAskedFirst(look, options), {}), {
          endsAt,
          isMany,
        })
        : await isDoneBy(other, { endsAt, isMany: other.remaining.size > CHEAP_FILES });
      if (other === null || !isDone) break;
      // That job began before this look, and may know nothing of the last changes.
      look = await this.#state.look();
    }
    await this.#settle(look, options);
    const chunks = await this.#state.countChunks();
    const vectors = await this.#toVectorState(look.settings);
    // Both in one moment: a batch that is written meanwhile is in the index or pending, never both.
    const pending = this.#state.listPending(look);
    if (pending.length === 0) this.#peeked.clear();
    const builder = pending.length > CHEAP_FILES
      ? await this.#findBuilder(options.isBrief === true)
      : null;
    return {
      files: this.#state.countFiles(),
      pending: pending.sort().slice(0, LIMITS.pendingPaths.value),
      pendingTotal: pending.length,
      chunks,
      ...vectors,
      checkedAt: new Date(look.atMs).toISOString(),
      revision: this.#state.revision,
      ...(builder === null ? {} : { builder }),
    };
  }

  findChanged(paths: readonly string[], revision: number): Promise<readonly string[]> {
    return Promise.resolve(paths.filter((path) => this.#state.hasChanged(path, revision)));
  }

  async read<T>(query: (view: IndexView) => T): Promise<T> {
    const { projectRoot } = this.#options;
    return await this.#file.read((db) =>
      query(createView(createSqliteSource(db, findWorktree(db, projectRoot))))
    );
  }

  async listFiles(options: { readonly signal?: AbortSignal } = {}): Promise<readonly string[]> {
    return await this.#list.readFiles(options);
  }

  looked(): Promise<ListedFiles | null> {
    const files = this.#list.lastFiles;
    const version = this.#looks.isClean ? this.#state.revision : null;
    const holds = (path: string) => this.#state.holds(path);
    return Promise.resolve(files === null ? null : { files, version, holds });
  }

  peek({ isBrief = false }: { readonly isBrief?: boolean } = {}): Promise<TemporaryIndex> {
    const { analyser, projectRoot: root } = this.#options;
    const threads = analyser ?? (isBrief ? OWN_THREAD : this.#analysing());
    return Promise.resolve(createTemporaryIndex({ root, analyser: threads, memory: this.#peeked }));
  }

  async status(): Promise<IndexStatus> {
    const { counts, skipped } = await this.read((view) => ({
      counts: view.count(),
      skipped: view.listSkipped(),
    }));
    const syncedAt = await this.#file.read((db) =>
      db.number("SELECT synced_at FROM worktrees WHERE root = ?", this.#options.projectRoot)
    );
    const meaning = await this.meaning();
    const isForAll = await this.meaning("all") !== null;
    return {
      path: this.#file.path ?? "",
      sizeBytes: await this.#file.size(),
      counts,
      skipped,
      syncedAtMs: syncedAt || null,
      isSyncing: this.#job !== null,
      vectors: meaning === null ? null : { ...await meaning.progress(), isForAll },
      embeddingProcess: await findHolder(await this.#file.lockPath(EMBED_LOCK)),
    };
  }

  async listContents(): Promise<readonly HeldContent[]> {
    const { projectRoot, loadSettings } = this.#options;
    const variantPrefix = buildVariantPrefix((await loadSettings()).chunkMaxTokens);
    return await this.#file.read((db) =>
      listContents(db, { worktree: findWorktree(db, projectRoot), variantPrefix })
    );
  }

  async readRecords(blobs: readonly number[]): Promise<readonly (Uint8Array | null)[]> {
    return await this.#file.read((db) => blobs.map((blob) => readRecord(db, blob)));
  }

  async meaning(of: Exclude<MeaningUse, "none"> = "foreign"): Promise<VectorIndex | null> {
    const meaning = this.#meaning;
    if (meaning === null) return null;
    const { meaningOf } = await this.#options.loadSettings();
    const isAsked = meaningOf === "all" || meaningOf === of;
    return isAsked && await meaning.isAvailable() ? meaning : null;
  }

  hold(): Disposable {
    return this.#meaning?.hold() ?? { [Symbol.dispose]: () => {} };
  }

  rest(): void {
    if (this.#job === null) this.#file.rest();
  }

  async close(): Promise<void> {
    await this.#meaning?.close();
    await this.#job?.stop();
    this.#looks.close();
    this.#analyser?.close();
    await this.#file.close();
  }

  /**
   * Waits for the files that an answer is about. For files that stay pending, facts that are known
   * to be outdated are taken out.
   */
  async #settle(look: Look, { isAbout, askedMs }: FreshOptions): Promise<void> {
    const pending = this.#state.listPending(look);
    // With more of them the index is not asked.
    if (pending.length === 0 || pending.length > LIMITS.pendingPaths.value) return;
    const asked = isAbout === undefined ? [] : pending.filter(isAbout);
    const endsAt = performance.now() + (askedMs ?? LIMITS.answerPartMs.value);
    for (let job = this.#job; job !== null; job = this.#job) {
      const { remaining, done } = job;
      if (performance.now() >= endsAt || !asked.some((path) => remaining.has(path))) break;
      await waitAtMost(done, ASKED_LOOK_MS);
    }
    await this.#state.forgetPending(look);
  }

  /** The builder that a job knows; a process that begins none has to ask for it. */
  async #findBuilder(isBrief: boolean): Promise<Builder | null> {
    if (this.#job !== null || !isBrief) return this.#job?.builder ?? null;
    return await findBuilder(await this.#file.lockPath(BUILD_LOCK));
  }

  /** Looks when no job is under way, so that the job to come is the only one. */
  async #lookAlone({ force, signal, onProgress }: SyncOptions): Promise<Look> {
    for (;;) {
      while (this.#job !== null) {
        this.#job.passOn(onProgress);
        await this.#job.done;
      }
      const look = await this.#state.look({
        rehashAfterMs: ({ syncTtlHours }) => force === true ? -1 : syncTtlHours * HOUR_MS,
        ...(signal === undefined ? {} : { signal }),
      });
      if (this.#job === null) return look;
    }
  }

  #start(look: Look, options: SyncJobOptions): SyncJob {
    const job = new SyncJob(
      {
        root: this.#options.projectRoot,
        file: this.#file,
        analyser: this.#analysing(),
        shared: this.#options.shared ?? null,
        nowMs: this.#nowMs,
        state: this.#state,
      },
      look,
      options,
    );
    this.#job = job;
    void job.done.then((failure) => {
      if (this.#job === job) this.#job = null;
      if (job.counts.read > CHEAP_FILES) this.rest();
      if (failure !== null && options.onProgress === undefined) this.#tell(failure);
    });
    return job;
  }

  #analysing(): Analyser {
    return this.#analyser ??= new AnalysisPool();
  }

  /** Where only some questions need vectors, those that are missing make no other answer worse. */
  async #toVectorState(
    { meaningOf }: IndexSettings,
  ): Promise<Pick<Freshness, "embedded" | "ready" | "vectorsLeft">> {
    const meaning = meaningOf === "all" ? this.#meaning : null;
    if (meaning === null || !await meaning.isAvailable()) {
      return { embedded: 0, ready: "lexical", vectorsLeft: 0 };
    }
    const { done, total, digests, left } = await meaning.progress(this.#state.revision);
    const ready = total > 0 && done === total ? "hybrid" : "lexical";
    return { embedded: digests, ready, vectorsLeft: left };
  }

  /** What goes wrong behind an answer stays pending; a person should know why. */
  #tell(failure: unknown): void {
    const message = failure instanceof Error ? failure.message : String(failure);
    this.#options.onNotice?.(`The index could not be brought up to date: ${message}`);
  }

  async #maintain(): Promise<void> {
    const root = this.#options.projectRoot;
    // Another writer holds the lock: the next synchronisation does it.
    await maintain(this.#file, {
      root,
      nowMs: this.#nowMs(),
      timeoutMs: MAINTENANCE_WAIT_MS,
    }).catch((error) => {
      if (error?.code !== "busy") throw error;
    });
  }
}

/** Beside the database; none where that lies in memory or nowhere yet. */
function chooseMarkFolder(path: string | null): string | null {
  return path === null || path === IN_MEMORY ? null : join(dirname(path), "index.watch");
}
