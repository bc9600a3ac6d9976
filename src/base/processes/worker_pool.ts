/**
 * Threads that do one job after the other. A thread that crashes or hangs costs the one job that it was working
 * on; idle threads are ended, and what they held is given back to the system. Urgent jobs go first, and while an
 * answer is being made nothing else begins.
 *
 * Deno 2.6, on which the executable runs, stops a thread within two seconds that is ended while it computes. Deno 2.9
 * lets it compute until the process exits: run from source, an endless expression costs a core as long as the server lives.
 */

/** Nothing that is still in use is lost. It takes some ten milliseconds, so it is for moments without work. */
export function releaseMemory(): void {
  collect();
  // What the first collection emptied the engine keeps until the next one.
  collect();
  trim();
}

/** What the engine offers when it was started with `--expose-gc`, as the executable is. */
type Collect = (
  options: { readonly type: "major"; readonly execution: "sync"; readonly flavor: "last-resort" },
) => void;

function collect(): void {
  const { gc } = globalThis as { readonly gc?: Collect };
  gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
}

/** The GNU C library keeps freed memory in each thread's part of it, also in those of threads that have ended. */
const GNU_C_LIBRARY = "libc.so.6";

function trim(): void {
  if (Deno.build.os !== "linux") return;
  // Where it was not granted nobody is asked for it.
  if (Deno.permissions.querySync({ name: "ffi" }).state !== "granted") return;
  try {
    const library = Deno.dlopen(GNU_C_LIBRARY, {
      "malloc_trim": { parameters: ["usize"], result: "i32" },
    });
    try {
      library.symbols.malloc_trim(0n);
    } finally {
      library.close();
    }
  } catch {
    // Another C library gives memory back by itself, or cannot.
  }
}

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
  /**
   * Jobs that a thread has beside the one that it works on, once all threads run: it need not wait until this
   * thread has time to give it the next. They can no longer be overtaken, and the module has to answer in the
   * order of its messages. Default 0.
   */
  readonly ahead?: number;
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
/** A thread that is ended needs some seconds on a busy machine before its memory is free. */
const END_MS = 5_000;

/** The threads of one kind of one process, started when there is work. */
export class WorkerPool<Job, Result> {
  /** Most jobs at a time. */
  readonly concurrency: number;
  readonly #options: WorkerPoolOptions<Result>;
  readonly #idle: Worker[] = [];
  /** What each thread was given: it works on the first. */
  readonly #given = new Map<Worker, Waiting<Job, Result>[]>();
  readonly #queue: Waiting<Job, Result>[] = [];
  /** Ends a thread that takes too long over its job. */
  readonly #timers = new Map<Worker, ReturnType<typeof setTimeout>>();
  #holds = 0;
  readonly #rests = new Set<ReturnType<typeof setTimeout>>();
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  #giveBackTimer: ReturnType<typeof setTimeout> | undefined;
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
    return this.#given.size;
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
    clearTimeout(this.#giveBackTimer);
    for (const timer of this.#rests) clearTimeout(timer);
    this.#holds -= this.#rests.size;
    this.#rests.clear();
    clearTimeout(this.#growTimer);
    this.#growTimer = undefined;
    for (const worker of [...this.#given.keys()]) this.#end(worker, "the program ended");
    for (const { resolve } of this.#queue.splice(0)) {
      resolve(this.#options.toFailure("the program ended"));
    }
  }

  #cancel(waiting: Waiting<Job, Result>): void {
    const at = this.#queue.indexOf(waiting);
    if (at >= 0) this.#queue.splice(at, 1);
    waiting.resolve(this.#options.toFailure("it was cancelled"));
  }

  #next(): void {
    clearTimeout(this.#idleTimer);
    while (this.#canBegin()) {
      const worker = this.#idle.pop() ?? this.#grow() ?? this.#findRoom();
      if (worker === null) return;
      const waiting = this.#queue.shift();
      if (waiting !== undefined) this.#give(worker, waiting);
    }
    if (this.#idle.length === this.#given.size && this.#given.size > 0) this.#endWhenIdle();
  }

  /** The thread with the fewest jobs ahead, where one may have one more. */
  #findRoom(): Worker | null {
    const { ahead = 0 } = this.#options;
    if (ahead === 0 || this.#given.size < this.concurrency) return null;
    const [least] = [...this.#given].sort(([, a], [, b]) => a.length - b.length);
    return least !== undefined && least[1].length <= ahead ? least[0] : null;
  }

  #canBegin(): boolean {
    const [first] = this.#queue;
    return first !== undefined && (this.#holds === 0 || first.isUrgent);
  }

  #endWhenIdle(): void {
    const { idleMs, lastIdleMs = idleMs } = this.#options;
    const kept = this.#given.size > 1 && lastIdleMs > idleMs ? 1 : 0;
    const timer = setTimeout(() => {
      for (const worker of this.#idle.slice(kept)) this.#end(worker, "idle");
      this.#giveBackSoon();
      if (kept > 0) this.#endWhenIdle();
    }, this.#given.size > 1 ? idleMs : lastIdleMs);
    // Waiting for the end of idle threads must not keep the process alive.
    Deno.unrefTimer(timer);
    this.#idleTimer = timer;
  }

  #giveBackSoon(): void {
    clearTimeout(this.#giveBackTimer);
    this.#giveBackTimer = setTimeout(releaseMemory, END_MS);
    Deno.unrefTimer(this.#giveBackTimer);
  }

  /** Starting a thread takes longer than most jobs: for a few it is worth it only where they have to wait. */
  #grow(): Worker | null {
    if (this.#given.size >= this.concurrency) return null;
    const { jobsAThread = 1 } = this.#options;
    if (this.#given.size === 0 || this.#queue.length >= jobsAThread) return this.#start();
    this.#growTimer ??= setTimeout(() => {
      this.#growTimer = undefined;
      const worker = this.#canBegin() && this.#given.size < this.concurrency ? this.#start() : null;
      if (worker !== null) this.#idle.push(worker);
      this.#next();
    }, PATIENCE_MS);
    return null;
  }

  #start(): Worker {
    const { url, greeting } = this.#options;
    const worker = new Worker(url, { type: "module" });
    this.#given.set(worker, []);
    worker.onmessage = (event: MessageEvent<Result>) => this.#finish(worker, event.data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#end(worker, `its thread crashed: ${event.message}`);
      this.#next();
    };
    if (greeting !== undefined) worker.postMessage(greeting);
    return worker;
  }

  #give(worker: Worker, waiting: Waiting<Job, Result>): void {
    const given = this.#given.get(worker) ?? [];
    given.push(waiting);
    worker.postMessage(waiting.job);
    if (given.length === 1) this.#watch(worker);
  }

  #watch(worker: Worker): void {
    const { timeoutMs } = this.#options;
    const end = () => {
      this.#end(worker, `it took longer than ${timeoutMs} ms`);
      this.#next();
    };
    this.#timers.set(worker, setTimeout(end, timeoutMs));
  }

  /** A thread answers its jobs in their order. */
  #finish(worker: Worker, result: Result): void {
    const given = this.#given.get(worker);
    // It was ended while its answer was under way.
    if (given === undefined) return;
    clearTimeout(this.#timers.get(worker));
    const done = given.shift();
    if (given.length === 0) this.#idle.push(worker);
    else this.#watch(worker);
    done?.resolve(result);
    this.#next();
  }

  #end(worker: Worker, reason: string): void {
    const [first, ...ahead] = this.#given.get(worker) ?? [];
    this.#given.delete(worker);
    clearTimeout(this.#timers.get(worker));
    this.#timers.delete(worker);
    const at = this.#idle.indexOf(worker);
    if (at >= 0) this.#idle.splice(at, 1);
    worker.terminate();
    // What it had not begun is not at fault.
    this.#queue.unshift(...ahead);
    first?.resolve(this.#options.toFailure(reason));
  }
}
