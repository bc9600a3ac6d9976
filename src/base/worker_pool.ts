/**
 * Threads that do one job at a time. A thread that crashes or hangs costs the one job that it was working
 * on; idle threads are ended. Urgent jobs go first, and while an answer is being made nothing else begins.
 */

/** How a pool works. */
export interface WorkerPoolOptions<Result> {
  /** The module that answers each message with one message. */
  readonly url: URL;
  /** Most threads; default as many as there are cores, at most 4. */
  readonly maxWorkers?: number;
  /**
   * Waiting jobs that are worth one more thread where there is one already, or their wait of two
   * seconds; default 1.
   */
  readonly jobsAThread?: number;
  /** Longest work on one job in milliseconds. */
  readonly timeoutMs: number;
  /** Idle threads are ended after this time in milliseconds. */
  readonly idleMs: number;
  /** The last idle thread is ended after this time, where starting one takes long; default `idleMs`. */
  readonly lastIdleMs?: number;
  /** A hold lasts this much longer than it is wanted: what comes in a burst finds the machine free. Default 0. */
  readonly restMs?: number;
  /** The result of a job that a thread did not finish. */
  readonly toFailure: (reason: string) => Result;
  /** Given to each thread before its first job, which it does not answer. */
  readonly greeting?: unknown;
}

/** How one job is done. */
export interface JobOptions {
  /** Before all jobs that are not, and also while the pool is held. */
  readonly isUrgent?: boolean;
  /** Takes the job out of the queue; one that has begun is finished in vain. */
  readonly signal?: AbortSignal;
}

interface Waiting<Job, Result> {
  readonly job: Job;
  readonly isUrgent: boolean;
  readonly resolve: (result: Result) => void;
}

const MAX_WORKERS = 4;
const PATIENCE_MS = 2_000;

/** The threads of one kind of one process, started when there is work. */
export class WorkerPool<Job, Result> {
  /** Most jobs at a time. */
  readonly concurrency: number;
  readonly #options: WorkerPoolOptions<Result>;
  readonly #idle: Worker[] = [];
  readonly #busy = new Map<Worker, Waiting<Job, Result> | null>();
  #queue: Waiting<Job, Result>[] = [];
  #holds = 0;
  readonly #rests = new Set<ReturnType<typeof setTimeout>>();
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  /** Runs while jobs wait that are too few for one more thread. */
  #growTimer: ReturnType<typeof setTimeout> | undefined;

  /** @param options bounds; no thread is started yet. */
  constructor(options: WorkerPoolOptions<Result>) {
    this.#options = options;
    this.concurrency = options.maxWorkers ??
      Math.max(1, Math.min(MAX_WORKERS, navigator.hardwareConcurrency));
  }

  /** Threads that are alive, working or idle. */
  get size(): number {
    return this.#busy.size;
  }

  /** Does one job in the next free thread. Never rejects: what goes wrong is a failure of its kind. */
  run(job: Job, options: JobOptions = {}): Promise<Result> {
    const { promise, resolve } = Promise.withResolvers<Result>();
    const { isUrgent = false, signal } = options;
    const waiting = { job, isUrgent, resolve };
    if (signal?.aborted === true) {
      resolve(this.#options.toFailure("it was cancelled"));
      return promise;
    }
    const cancel = () => this.#cancel(waiting);
    signal?.addEventListener("abort", cancel, { once: true });
    const at = isUrgent ? this.#queue.findIndex((other) => !other.isUrgent) : -1;
    if (at < 0) this.#queue.push(waiting);
    else this.#queue.splice(at, 0, waiting);
    for (const timer of this.#rests) Deno.refTimer(timer);
    this.#next();
    return promise.finally(() => signal?.removeEventListener("abort", cancel));
  }

  /** Lets no job begin that is not urgent, until what it gives is disposed of. */
  hold(): Disposable {
    let isHeld = true;
    this.#holds++;
    return {
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        const { restMs = 0 } = this.#options;
        if (restMs > 0) this.#rest(restMs);
        else this.#release();
      },
    };
  }

  #rest(restMs: number): void {
    const timer = setTimeout(() => {
      this.#rests.delete(timer);
      this.#release();
    }, restMs);
    this.#rests.add(timer);
    // A process stays alive for work that waits, and only for that.
    if (this.#queue.length === 0) Deno.unrefTimer(timer);
  }

  #release(): void {
    this.#holds--;
    this.#next();
  }

  /** Ends all threads; what they were working on, and what waits, fails. */
  close(): void {
    clearTimeout(this.#idleTimer);
    for (const timer of this.#rests) clearTimeout(timer);
    this.#holds -= this.#rests.size;
    this.#rests.clear();
    clearTimeout(this.#growTimer);
    this.#growTimer = undefined;
    const left = this.#queue;
    this.#queue = [];
    for (const worker of [...this.#busy.keys()]) this.#end(worker, "the program ended");
    for (const { resolve } of left) resolve(this.#options.toFailure("the program ended"));
  }

  #cancel(waiting: Waiting<Job, Result>): void {
    const at = this.#queue.indexOf(waiting);
    if (at >= 0) this.#queue.splice(at, 1);
    waiting.resolve(this.#options.toFailure("it was cancelled"));
  }

  #next(): void {
    clearTimeout(this.#idleTimer);
    while (this.#canBegin()) {
      const worker = this.#idle.pop() ?? this.#grow();
      if (worker === null) return;
      const waiting = this.#queue.shift();
      if (waiting !== undefined) this.#give(worker, waiting);
    }
    if (this.#idle.length === this.#busy.size && this.#busy.size > 0) this.#endWhenIdle();
  }

  #canBegin(): boolean {
    const [first] = this.#queue;
    return first !== undefined && (this.#holds === 0 || first.isUrgent);
  }

  #endWhenIdle(): void {
    const { idleMs, lastIdleMs = idleMs } = this.#options;
    const kept = this.#busy.size > 1 && lastIdleMs > idleMs ? 1 : 0;
    const timer = setTimeout(() => {
      for (const worker of this.#idle.slice(kept)) this.#end(worker, "idle");
      if (kept > 0) this.#endWhenIdle();
    }, this.#busy.size > 1 ? idleMs : lastIdleMs);
    // Waiting for the end of idle threads must not keep the process alive.
    Deno.unrefTimer(timer);
    this.#idleTimer = timer;
  }

  /** Starting a thread takes longer than most jobs: for a few it is worth it only where they have to wait. */
  #grow(): Worker | null {
    if (this.#busy.size >= this.concurrency) return null;
    const { jobsAThread = 1 } = this.#options;
    if (this.#busy.size === 0 || this.#queue.length >= jobsAThread) return this.#start();
    this.#growTimer ??= setTimeout(() => {
      this.#growTimer = undefined;
      const worker = this.#canBegin() && this.#busy.size < this.concurrency ? this.#start() : null;
      if (worker !== null) this.#idle.push(worker);
      this.#next();
    }, PATIENCE_MS);
    return null;
  }

  #start(): Worker {
    const { url, greeting } = this.#options;
    const worker = new Worker(url, { type: "module" });
    this.#busy.set(worker, null);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#end(worker, `its thread crashed: ${event.message}`);
      this.#next();
    };
    if (greeting !== undefined) worker.postMessage(greeting);
    return worker;
  }

  #give(worker: Worker, waiting: Waiting<Job, Result>): void {
    const { timeoutMs } = this.#options;
    const timer = setTimeout(() => {
      this.#end(worker, `it took longer than ${timeoutMs} ms`);
      this.#next();
    }, timeoutMs);
    const resolve = (result: Result) => {
      clearTimeout(timer);
      waiting.resolve(result);
    };
    this.#busy.set(worker, { ...waiting, resolve });
    worker.onmessage = (event: MessageEvent<Result>) => {
      this.#busy.set(worker, null);
      this.#idle.push(worker);
      resolve(event.data);
      this.#next();
    };
    worker.postMessage(waiting.job);
  }

  #end(worker: Worker, reason: string): void {
    const waiting = this.#busy.get(worker);
    this.#busy.delete(worker);
    const at = this.#idle.indexOf(worker);
    if (at >= 0) this.#idle.splice(at, 1);
    worker.terminate();
    waiting?.resolve(this.#options.toFailure(reason));
  }
}
