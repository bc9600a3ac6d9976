/**
 * Workers that analyse contents. A worker that crashes or hangs costs the one file that it was working
 * on; idle workers are ended.
 */
import { LIMITS } from "../base/limits.ts";
import type { Analyser, AnalysisJob, AnalysisResult } from "./analyser.ts";

/** How the pool works. */
export interface AnalysisPoolOptions {
  /** The worker's module; default the program's own. */
  readonly workerUrl?: URL;
  /** Most workers; default as many as there are cores, at most 4. */
  readonly maxWorkers?: number;
  /** Longest work on one content, default `LIMITS.analysisTimeoutMs`. */
  readonly timeoutMs?: number;
  /** Idle workers are ended after this time, default `LIMITS.workerIdleMs`. */
  readonly idleMs?: number;
}

interface Waiting {
  readonly job: AnalysisJob;
  readonly resolve: (result: AnalysisResult) => void;
}

const MAX_WORKERS = 4;

/** The workers of one process, started when there is work. */
export class AnalysisPool implements Analyser {
  readonly concurrency: number;
  readonly #url: URL;
  readonly #timeoutMs: number;
  readonly #idleMs: number;
  readonly #idle: Worker[] = [];
  readonly #workers = new Map<Worker, Waiting | null>();
  readonly #queue: Waiting[] = [];
  #idleTimer: ReturnType<typeof setTimeout> | undefined;

  /** @param options bounds; no worker is started yet. */
  constructor(options: AnalysisPoolOptions = {}) {
    this.#url = options.workerUrl ?? new URL("./index_worker.ts", import.meta.url);
    this.concurrency = options.maxWorkers ??
      Math.max(1, Math.min(MAX_WORKERS, navigator.hardwareConcurrency));
    this.#timeoutMs = options.timeoutMs ?? LIMITS.analysisTimeoutMs.value;
    this.#idleMs = options.idleMs ?? LIMITS.workerIdleMs.value;
  }

  /** Analyses one content in the next free worker. */
  analyse(job: AnalysisJob): Promise<AnalysisResult> {
    const { promise, resolve } = Promise.withResolvers<AnalysisResult>();
    this.#queue.push({ job, resolve });
    this.#next();
    return promise;
  }

  /** Ends all workers; what they were working on fails. */
  close(): void {
    clearTimeout(this.#idleTimer);
    for (const worker of [...this.#workers.keys()]) this.#end(worker, "the program ended");
    for (const { resolve } of this.#queue.splice(0)) resolve(toFailure("the program ended"));
  }

  #next(): void {
    clearTimeout(this.#idleTimer);
    while (this.#queue.length > 0) {
      const worker = this.#idle.pop() ?? this.#start();
      if (worker === null) return;
      const waiting = this.#queue.shift();
      if (waiting !== undefined) this.#give(worker, waiting);
    }
    if (this.#idle.length === this.#workers.size && this.#workers.size > 0) this.#endWhenIdle();
  }

  #endWhenIdle(): void {
    const timer = setTimeout(() => this.close(), this.#idleMs);
    // Waiting for the end of idle workers must not keep the process alive.
    Deno.unrefTimer(timer);
    this.#idleTimer = timer;
  }

  #start(): Worker | null {
    if (this.#workers.size >= this.concurrency) return null;
    const worker = new Worker(this.#url, { type: "module" });
    this.#workers.set(worker, null);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#end(worker, `the analyser crashed: ${event.message}`);
      this.#next();
    };
    return worker;
  }

  #give(worker: Worker, waiting: Waiting): void {
    this.#workers.set(worker, waiting);
    const timer = setTimeout(() => {
      this.#end(worker, `it took longer than ${this.#timeoutMs} ms to analyse`);
      this.#next();
    }, this.#timeoutMs);
    const { resolve } = waiting;
    this.#workers.set(worker, {
      ...waiting,
      resolve: (result) => {
        clearTimeout(timer);
        resolve(result);
      },
    });
    worker.onmessage = (event: MessageEvent<AnalysisResult>) => {
      const done = this.#workers.get(worker);
      this.#workers.set(worker, null);
      this.#idle.push(worker);
      done?.resolve(event.data);
      this.#next();
    };
    worker.postMessage(waiting.job);
  }

  #end(worker: Worker, reason: string): void {
    const waiting = this.#workers.get(worker);
    this.#workers.delete(worker);
    const at = this.#idle.indexOf(worker);
    if (at >= 0) this.#idle.splice(at, 1);
    worker.terminate();
    waiting?.resolve(toFailure(reason));
  }
}

function toFailure(reason: string): AnalysisResult {
  return { kind: "failed", reason };
}
