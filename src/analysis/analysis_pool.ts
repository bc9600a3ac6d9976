/** Threads that analyse contents; a content that crashes or outlasts one is a failure with its reason. */
import type { AnalyseOptions, Analyser, AnalysisJob, AnalysisResult } from "./analyser.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { WorkerPool } from "../base/processes/worker_pool.ts";

/** Starts no thread, so that a single content is not kept waiting for one. What analyses is loaded with the first of them. */
export const OWN_THREAD: Analyser = {
  concurrency: 1,
  analyse: async (job) => {
    const [{ analyseText }, { runJob }] = await Promise.all([
      import("./analyse.ts"),
      import("./analyser.ts"),
    ]);
    return await runJob(job, analyseText);
  },
  close() {},
};

/** How the pool works. */
export interface AnalysisPoolOptions {
  /** The worker's module; default the program's own. */
  readonly workerUrl?: URL;
  /** Most workers; default as many as there are cores, at most 4. */
  readonly maxWorkers?: number;
  /** Longest work on one content, default `LIMITS.analysisTimeoutMs`. */
  readonly timeoutMs?: number;
  /** Idle workers are ended after this time, the last one after ten times; `LIMITS.workerIdleMs`. */
  readonly idleMs?: number;
}

const LAST_WORKER_FACTOR = 10;
// A worker needs some 300 ms before its first content, which is read in a few.
const JOBS_A_THREAD = 4;
// While one batch is written piece by piece, nobody hands out work for as long as two contents take.
const AHEAD = 2;

/** The workers of one process, started when there is work. */
export class AnalysisPool implements Analyser {
  readonly #pool: WorkerPool<AnalysisJob, AnalysisResult>;

  /** @param options bounds; no worker is started yet. */
  constructor(options: AnalysisPoolOptions = {}) {
    const { maxWorkers, idleMs = LIMITS.workerIdleMs.value } = options;
    this.#pool = new WorkerPool<AnalysisJob, AnalysisResult>({
      url: options.workerUrl ?? new URL("./analysis_worker.ts", import.meta.url),
      jobsAThread: JOBS_A_THREAD,
      ahead: AHEAD,
      timeoutMs: options.timeoutMs ?? LIMITS.analysisTimeoutMs.value,
      idleMs,
      // Starting one takes longer than an answer waits for an edited file.
      lastIdleMs: idleMs * LAST_WORKER_FACTOR,
      toFailure: (reason) => ({ kind: "failed", reason }),
      ...(maxWorkers === undefined ? {} : { maxWorkers }),
    });
  }

  /** Contents that keep all threads busy. */
  get concurrency(): number {
    return this.#pool.concurrency * (1 + AHEAD);
  }

  /** Analyses one content in the next free worker. */
  analyse(job: AnalysisJob, options: AnalyseOptions = {}): Promise<AnalysisResult> {
    return this.#pool.run(job, options);
  }

  /** Ends all workers; what they were working on fails. */
  close(): void {
    this.#pool.close();
  }
}
