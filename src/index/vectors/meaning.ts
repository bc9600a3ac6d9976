/**
 * Meaning for one worktree: how near files are to a question, by vectors. They are made behind the answers,
 * digests first; what an answer needs and lacks is made first of all, within its time.
 */
import { CodeIntelError } from "../../base/errors.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { withLockIfFree } from "../../base/processes/lock_file.ts";
import type { Connection } from "../store/database.ts";
import { findWorktree } from "../store/worktree_state.ts";
import { computeCosine, computeSpread, quantize } from "./codec.ts";
import type { EmbeddedFile, VectorBudget } from "./embed_file.ts";
import { embedFile, storeEmbedded } from "./embed_file.ts";
import type { FileKey, HeldVector, Layer, NearSpan, SpanScore } from "./vector_table.ts";
import {
  findModel,
  LayerSamples,
  openModel,
  removeUnusedVectors,
  VectorTable,
} from "./vector_table.ts";
import type {
  CompareOptions,
  Comparison,
  FinishOptions,
  MeaningOptions,
  MeaningProgress,
  StartOptions,
  VectorIndex,
} from "./meaning_api.ts";

const FILES_A_BATCH = 8;
/** Name of the lock beside the database that the process holds which makes vectors. */
export const EMBED_LOCK = "index.embed.lock";
const LOCK_WAIT_MS = 200;
const WRITE_WAIT_MS = 10_000;
const RETRY_AFTER_MS = 5_000;
const REMEMBERED_QUESTIONS = 64;
const REMOVED_AT_ONCE = 500;
const COUNT_EVERY_MS = 2_000;
/** How many digests a vector of a layer costs: a whole text has four times the tokens. */
const COSTS: Readonly<Record<Layer, number>> = { digest: 1, text: 4 };

/** What a vector costs that another machine made: its file is read all the same (guessed). */
const TAKEN_COST = 0.05;

/** A count with all that it depends on. */
interface CountedProgress {
  readonly counted: MeaningProgress;
  readonly atMs: number;
  readonly revision: number | undefined;
  readonly finished: number;
}

/** Makes the vectors of a worktree. */
export function createVectorIndex(options: MeaningOptions): VectorIndex {
  return new WorktreeMeaning(options);
}

class WorktreeMeaning implements VectorIndex {
  readonly #options: MeaningOptions;
  readonly #questions = new Map<string, Float32Array>();
  readonly #end = new AbortController();
  #running: Promise<void> | null = null;
  #isWanted = false;
  /** Whether a question asked for whole texts. */
  #hasTexts = false;
  /** Whether the configuration allows no more whole texts. */
  #isFull = false;
  /** What may still be made, in digests, before it rests. */
  #budget = 0;
  #first: readonly string[] = [];
  #progress: CountedProgress | null = null;
  /** How often vectors were finished here. */
  #finished = 0;
  readonly #samples: LayerSamples;

  constructor(options: MeaningOptions) {
    this.#options = options;
    this.#samples = new LayerSamples(options.nowMs);
  }

  get modelId(): string {
    return this.#options.embedder.modelId;
  }

  isAvailable(): Promise<boolean> {
    return this.#options.embedder.isAvailable();
  }

  start({ first = [], hasTexts = false }: StartOptions = {}): void {
    this.#isWanted = true;
    this.#hasTexts ||= hasTexts;
    this.#budget = this.#options.vectorsAtOnce ?? LIMITS.vectorsAtOnce.value;
    if (first.length > 0) this.#first = first;
    this.#running ??= this.#run().catch((error) => {
      if (!this.#end.signal.aborted) {
        this.#options.onNotice(`Vectors are not made: ${error.message}`);
      }
    }).finally(() => this.#running = null);
  }

  async compare(
    question: string,
    paths: readonly string[],
    options: CompareOptions = {},
  ): Promise<Comparison> {
    const { layer = "digest", budgetMs = LIMITS.embedBudgetMs.value } = options;
    using _held = this.hold();
    const signal = this.#toSignal(options.signal);
    if (budgetMs === 0 && !await this.#hasSome(paths, layer)) {
      // The model is not loaded for a question that it has nothing to be compared with.
      return { files: new Map(), mean: 0, deviation: 1, missing: paths.length };
    }
    const [vector] = await Promise.all([
      this.#embedQuestion(question, signal),
      this.#fill(paths, { layer, budgetMs, signal }),
    ]);
    const bytes = quantize(vector);
    const found = await this.#read((table) =>
      paths.flatMap((path): [string, SpanScore[]][] => {
        const key = table.findFile(path);
        const spans = key === null ? [] : table.compareFile(key, layer, bytes);
        return spans.length === 0 ? [] : [[path, spans]];
      })
    );
    const sample = await this.#samples.read(layer, (read) => this.#read(read));
    const { mean, deviation } = computeSpread(
      sample.map((other) => computeCosine(other, bytes)),
    );
    const files = new Map(found);
    return { files, mean, deviation, missing: paths.length - files.size };
  }

  async findNearest(
    question: string,
    options: CompareOptions & { readonly limit: number },
  ): Promise<readonly NearSpan[]> {
    using _held = this.hold();
    const vector = await this.#embedQuestion(question, this.#toSignal(options.signal));
    return await this.#read((table) =>
      table.findNearest(options.layer ?? "digest", vector, options.limit)
    );
  }

  async progress(revision?: number): Promise<MeaningProgress> {
    const { nowMs } = this.#options;
    const last = this.#progress;
    if (last !== null && revision === last.revision && last.finished === this.#finished) {
      const { counted } = last;
      const isComplete = counted.left === 0;
      if (isComplete || nowMs() - last.atMs < COUNT_EVERY_MS) return counted;
    }
    const atMs = nowMs();
    const finished = this.#finished;
    const hasTexts = this.#hasTexts && !this.#isFull;
    const counted = await this.#read((table) => {
      const { done, total } = table.countFiles("digest");
      const withTexts = hasTexts ? table.countFiles("text").done : total;
      return {
        done,
        total,
        digests: table.count("digest"),
        texts: table.count("text"),
        left: total - done + (total - withTexts),
      };
    });
    this.#progress = { counted, atMs, revision, finished };
    return counted;
  }

  async finish(layer: Layer, options: FinishOptions = {}): Promise<void> {
    const signal = this.#toSignal(options.signal);
    const room = await this.#toRoom(layer);
    let left = options.maxFiles ?? Infinity;
    for (let after = ""; left > 0 && !signal.aborted;) {
      const limit = Math.min(left, FILES_A_BATCH);
      const batch = await this.#read((table) => table.listMissing(layer, limit, after));
      const last = batch.at(-1);
      if (last === undefined) break;
      left -= batch.length;
      await this.#embed(batch, { layer, room, isUrgent: false, signal });
      after = last.path;
    }
    this.#finished++;
  }

  async listVectors(): Promise<readonly HeldVector[]> {
    return await this.#read((table) => table.listVectors());
  }

  async whenResting(): Promise<void> {
    await this.#running;
  }

  hold(): Disposable {
    return this.#options.embedder.hold();
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  #hasSome(paths: readonly string[], layer: Layer): Promise<boolean> {
    return this.#read((table) =>
      paths.some((path) => {
        const key = table.findFile(path);
        return key !== null && table.has(key, layer);
      })
    );
  }

  /** One process at a time makes them; others see what it has made. */
  async #run(): Promise<void> {
    const { file, embedder } = this.#options;
    if (!await embedder.isAvailable()) return;
    const lockPath = await file.lockPath(EMBED_LOCK);
    while (this.#isWanted && !this.#end.signal.aborted) {
      this.#isWanted = false;
      const work = async () => {
        await this.#makeSome("digest");
        if (this.#hasTexts) await this.#makeSome("text");
        await this.#write((_table, db) =>
          removeUnusedVectors(db, findModel(db, embedder.modelId), REMOVED_AT_ONCE)
        );
      };
      if (lockPath === null) await work();
      else if (!await withLockIfFree(lockPath, { timeoutMs: LOCK_WAIT_MS }, work)) {
        this.#isWanted = await this.#pause();
      }
    }
  }

  /** Makes what is missing of a layer, the most useful first, as far as the budget goes. */
  async #makeSome(layer: Layer): Promise<void> {
    const signal = this.#end.signal;
    const room = await this.#toRoom(layer);
    const make = async (batch: readonly FileKey[]) => {
      const count = await this.#embed(batch, { layer, room, isUrgent: false, signal });
      // What only has no room was read as well, and may not be read without end.
      this.#budget -= Math.max(count * COSTS[layer], room.isFull ? batch.length : 0);
    };
    const isOver = () => this.#budget <= 0 || room.left <= 0 || signal.aborted;
    for (let at = 0; at < this.#first.length && !isOver(); at += FILES_A_BATCH) {
      const paths = this.#first.slice(at, at + FILES_A_BATCH);
      const missing = await this.#read((table) => listLacking(table, paths, layer));
      if (missing.length > 0) await make(missing);
    }
    for (let after = ""; !isOver();) {
      const batch = await this.#read((table) => table.listMissing(layer, FILES_A_BATCH, after));
      const last = batch.at(-1);
      if (last === undefined) break;
      await make(batch);
      after = last.path;
    }
    if (layer === "text") this.#isFull = room.isFull;
    this.#finished++;
  }

  /** How many more vectors a layer may have: digests all, whole texts as many as are configured. */
  async #toRoom(layer: Layer): Promise<VectorBudget> {
    if (layer === "digest") return { left: Infinity, isFull: false };
    const max = await this.#options.loadMaxTexts();
    const left = max - await this.#read((table) => table.count("text"));
    return { left, isFull: left <= 0 };
  }

  /** Waits before it looks whether the other process still works; false when it is to end. */
  async #pause(): Promise<boolean> {
    const { signal } = this.#end;
    if (signal.aborted) return false;
    return await new Promise((resolve) => {
      const timer = setTimeout(() => resolve(true), RETRY_AFTER_MS);
      Deno.unrefTimer(timer);
      signal.addEventListener("abort", () => {
        clearTimeout(timer);
        resolve(false);
      }, { once: true });
    });
  }

  /** Makes missing vectors of the paths until the time is over. */
  async #fill(
    paths: readonly string[],
    options: { readonly layer: Layer; readonly budgetMs: number; readonly signal: AbortSignal },
  ): Promise<void> {
    const { layer, budgetMs } = options;
    const missing = await this.#read((table) => listLacking(table, paths, layer));
    if (missing.length === 0 || budgetMs <= 0) return;
    const signal = AbortSignal.any([options.signal, AbortSignal.timeout(budgetMs)]);
    try {
      const room = await this.#toRoom(layer);
      await this.#embed(missing, { layer, room, isUrgent: true, signal });
    } catch (error) {
      // What was made in time is kept; the time that is over is no failure.
      const isLate = signal.aborted && !options.signal.aborted;
      if (!isLate || !(error instanceof CodeIntelError && error.code === "cancelled")) throw error;
    }
  }

  /** Embeds files; answers what that cost, in vectors that had to be made. */
  async #embed(
    keys: readonly FileKey[],
    options: {
      readonly layer: Layer;
      readonly room: VectorBudget;
      readonly isUrgent: boolean;
      readonly signal: AbortSignal;
    },
  ): Promise<number> {
    const { layer, room, isUrgent, signal } = options;
    const worktree = await this.#options.file.read((db) => this.#findWorktree(db));
    const done: EmbeddedFile[] = [];
    const results = await Promise.allSettled(keys.map(async (key) => {
      const table = (db: Connection) => this.#toTable(db);
      const embedded = await embedFile(this.#options, { key, layer }, {
        worktree,
        table,
        room,
        isUrgent,
        signal,
      });
      if (embedded !== null) done.push(embedded);
    }));
    const { shared = null } = this.#options;
    const isFit = ({ texts }: EmbeddedFile) =>
      texts.every(({ pack }) => pack === undefined || shared?.isRefused(pack) !== true);
    if (done.length > 0) {
      await this.#write((table) => {
        storeEmbedded(table, done.filter(isFit));
        for (const pack of shared?.takeRefused() ?? []) table.removePack(pack);
      });
    }
    const failed = results.find((result) => result.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    const costs = done.flatMap(({ texts }) => texts).filter(({ vector }) => vector !== null)
      .map(({ pack }) => pack === undefined ? 1 : TAKEN_COST);
    return costs.reduce((sum, cost) => sum + cost, 0);
  }

  async #embedQuestion(question: string, signal: AbortSignal): Promise<Float32Array> {
    const known = this.#questions.get(question);
    if (known !== undefined) return known;
    const vector = await this.#options.embedder.embedQuery(question, { isUrgent: true, signal });
    if (this.#questions.size >= REMEMBERED_QUESTIONS) {
      for (const oldest of this.#questions.keys()) {
        this.#questions.delete(oldest);
        break;
      }
    }
    this.#questions.set(question, vector);
    return vector;
  }

  async #read<T>(read: (table: VectorTable) => T): Promise<T> {
    return await this.#options.file.read((db) => read(this.#toTable(db)));
  }

  async #write(write: (table: VectorTable, db: Connection) => void): Promise<void> {
    const { file, embedder } = this.#options;
    await file.writeAside(WRITE_WAIT_MS, (db) => {
      openModel(db, embedder.modelId);
      write(this.#toTable(db), db);
    });
  }

  #toTable(db: Connection): VectorTable {
    const model = findModel(db, this.#options.embedder.modelId);
    return new VectorTable(db, { worktree: this.#findWorktree(db), model });
  }

  #findWorktree(db: Connection): number {
    return findWorktree(db, this.#options.root);
  }

  #toSignal(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? this.#end.signal : AbortSignal.any([signal, this.#end.signal]);
  }
}

/** Those of the paths that are in the index and lack vectors of a layer. */
function listLacking(table: VectorTable, paths: readonly string[], layer: Layer): FileKey[] {
  return paths.flatMap((path) => {
    const key = table.findFile(path);
    return key === null || table.has(key, layer) ? [] : [key];
  });
}
