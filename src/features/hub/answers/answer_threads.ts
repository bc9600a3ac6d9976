/**
 * The threads that answer a hub's clients. A call is given to a free thread, by preference to one that knows its
 * repository, and waits where none is free. A thread that crashes or hangs costs the one call that it worked on.
 *
 * What is no failure of one thread: where the machine or the engine has no memory left, the runtime ends the whole server.
 * Threads whose memory has grown are replaced before that.
 */
import type { StorePlace } from "../postgres/store_place.ts";
import type { ErrorCodeName } from "../../../base/errors.ts";
import { CodeIntelError } from "../../../base/errors.ts";
import type { Logger } from "../../../base/logger.ts";
import { LIMITS } from "../../../base/settings/limits.ts";
import { toFailure } from "../../../tools/fit.ts";
import { CallQueue } from "./call_queue.ts";

/** A reply as it is sent: some of its texts are made where they are written down. */
export interface HubAnswer {
  readonly isOk: boolean;
  /** The reply as JSON. */
  readonly text: string;
}

/** What a thread is told: first which store, then call after call, each when the one before is answered. */
export type ThreadAsk =
  | { readonly kind: "start"; readonly place: StorePlace }
  | { readonly kind: "call"; readonly name: string; readonly raw: unknown };

/** What a thread says. */
export type ThreadSays =
  | { readonly kind: "ready" }
  /** A line for the user who runs the server. */
  | { readonly kind: "note"; readonly message: string }
  | {
    readonly kind: "answer";
    readonly answer: HubAnswer;
    /** What the thread's engine holds after the call. */
    readonly heapBytes: number;
  };

/** Who is told what becomes of a thread. */
export interface ThreadEvents {
  /** It has started and may be given a call. */
  readonly onReady: () => void;
  readonly onAnswer: (answer: HubAnswer, heapBytes: number) => void;
  /** It ended by itself. */
  readonly onLost: (reason: string) => void;
  readonly onNote: (message: string) => void;
}

/** Repositories that a thread is thought to remember; it keeps about as many itself. */
const MOST_REMEMBERED = 50;

/** A thread. It is given one call at a time. */
export class AnswerThread {
  readonly #worker: Worker;
  readonly #remembered = new Set<string>();
  #isReady = false;

  /** Starts it. */
  constructor(url: URL, place: StorePlace, events: ThreadEvents) {
    this.#worker = new Worker(url, { type: "module" });
    this.#worker.onmessage = ({ data }: MessageEvent<ThreadSays>) => {
      if (data.kind === "note") return events.onNote(data.message);
      if (data.kind === "answer") return events.onAnswer(data.answer, data.heapBytes);
      this.#isReady = true;
      events.onReady();
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      events.onLost(event.message);
    };
    this.#tell({ kind: "start", place });
  }

  /** Whether it ever was ready: one that ends before would end again at once. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Whether it has answered for the repository. */
  remembers(repository: string | null): boolean {
    return repository !== null && this.#remembered.has(repository);
  }

  /** Gives it a call. */
  give(name: string, raw: unknown, repository: string | null): void {
    if (repository !== null) {
      this.#remembered.delete(repository);
      this.#remembered.add(repository);
      const [oldest] = this.#remembered;
      if (this.#remembered.size > MOST_REMEMBERED && oldest !== undefined) {
        this.#remembered.delete(oldest);
      }
    }
    this.#tell({ kind: "call", name, raw });
  }

  /** Ends it with its connection, whatever it does. */
  end(): void {
    this.#worker.terminate();
  }

  #tell(message: ThreadAsk): void {
    this.#worker.postMessage(message);
  }
}

/** Bounds of the threads. */
export interface ThreadBounds {
  /** How many; default as many as there are processors, at least two, up to `LIMITS.hubThreads`. */
  readonly threads?: number;
  /** Calls that may wait; default `LIMITS.hubWaitingCalls`. */
  readonly waitingCalls?: number;
  /** Longest wait for a free thread; default `LIMITS.hubWaitMs`. */
  readonly waitMs?: number;
  /** Longest work on a call; default `LIMITS.hubCallMs`. */
  readonly callMs?: number;
  /** A thread that holds more after a call is replaced; default `LIMITS.hubThreadMb`. */
  readonly threadMb?: number;
  /** The thread's module; default the program's own. */
  readonly workerUrl?: URL;
}

/** Who calls. */
export interface Caller {
  /** Whoever has the same name here shares one place in the order. */
  readonly client: string;
  /** Drops the call where it still waits. */
  readonly signal: AbortSignal;
}

interface Call {
  readonly name: string;
  readonly raw: unknown;
  readonly client: string;
  readonly repository: string | null;
  /** Ends the wait, then the work. */
  timer: ReturnType<typeof setTimeout> | undefined;
  readonly answer: (answer: HubAnswer) => void;
}

/** Between two starts of a thread that does not come up. */
const RESTART_MS = 1_000;
const BYTES_PER_MB = 1024 * 1024;
const FEWEST_THREADS = 2;
const AGAIN = "Ask again in some seconds; nothing was changed.";

/** The threads of one server. */
export class AnswerThreads {
  readonly #place: StorePlace;
  readonly #logger: Logger;
  readonly #bounds: Required<ThreadBounds>;
  readonly #queue: CallQueue<Call>;
  /** Every thread, with the call that it works on. */
  readonly #threads = new Map<AnswerThread, Call | null>();
  /** Threads that are free; the one that worked last is the last. */
  readonly #free: AnswerThread[] = [];
  readonly #restarts = new Set<ReturnType<typeof setTimeout>>();
  /** Called when the last call is answered; null while calls are taken. */
  #drained: PromiseWithResolvers<void> | null = null;

  /** Starts the threads. */
  constructor(place: StorePlace, logger: Logger, bounds: ThreadBounds = {}) {
    this.#place = place;
    this.#logger = logger;
    this.#bounds = {
      threads: bounds.threads ?? countThreads(navigator.hardwareConcurrency),
      waitingCalls: bounds.waitingCalls ?? LIMITS.hubWaitingCalls.value,
      waitMs: bounds.waitMs ?? LIMITS.hubWaitMs.value,
      callMs: bounds.callMs ?? LIMITS.hubCallMs.value,
      threadMb: bounds.threadMb ?? LIMITS.hubThreadMb.value,
      workerUrl: bounds.workerUrl ?? new URL("./answer_worker.ts", import.meta.url),
    };
    this.#queue = new CallQueue(this.#bounds.waitingCalls);
    for (let count = 0; count < this.#bounds.threads; count++) this.#start();
  }

  /** Answers a call. What goes wrong is an answer too. */
  call(name: string, raw: unknown, { client, signal }: Caller): Promise<HubAnswer> {
    if (this.#drained !== null) return Promise.resolve(this.#refuse("busy", ENDING));
    if (signal.aborted) return Promise.resolve(this.#refuse("cancelled", CANCELLED));
    const { promise, resolve } = Promise.withResolvers<HubAnswer>();
    const drop = (code: ErrorCodeName, said: Refusal) => {
      if (this.#queue.remove(call)) this.#settle(call, this.#refuse(code, said));
    };
    const call: Call = {
      ...{ name, raw, client, repository: readRepository(raw) },
      timer: setTimeout(() => drop("busy", this.#toLate()), this.#bounds.waitMs),
      answer: resolve,
    };
    const cancel = () => drop("cancelled", CANCELLED);
    signal.addEventListener("abort", cancel, { once: true });
    const refused = this.#queue.push(call);
    if (refused !== null) this.#settle(refused, this.#refuse("busy", this.#toFull()));
    this.#next();
    return promise.finally(() => signal.removeEventListener("abort", cancel));
  }

  /** Takes no further call, and waits for those that are there. */
  async drain(): Promise<void> {
    this.#drained ??= Promise.withResolvers();
    this.#checkDrained();
    await this.#drained.promise;
  }

  /** Ends all threads; calls that are not answered yet fail. */
  close(): void {
    this.#drained ??= Promise.withResolvers();
    for (const timer of this.#restarts) clearTimeout(timer);
    this.#restarts.clear();
    const calls = [...this.#threads.values()];
    for (const thread of this.#threads.keys()) thread.end();
    this.#threads.clear();
    this.#free.length = 0;
    while (this.#queue.size > 0) calls.push(this.#queue.take(() => true));
    for (const call of calls) {
      if (call !== null) this.#settle(call, this.#refuse("busy", ENDING));
    }
  }

  #start(): void {
    const thread = new AnswerThread(this.#bounds.workerUrl, this.#place, {
      onReady: () => this.#release(thread),
      onAnswer: (answer, heapBytes) => this.#finish(thread, answer, heapBytes),
      onLost: (reason) => this.#lose(thread, reason, "thread_lost", LOST),
      onNote: (message) => this.#logger.note(message),
    });
    this.#threads.set(thread, null);
  }

  #release(thread: AnswerThread): void {
    // It was ended while it said so.
    if (!this.#threads.has(thread)) return;
    this.#threads.set(thread, null);
    this.#free.push(thread);
    this.#next();
  }

  #next(): void {
    while (this.#free.length > 0) {
      const call = this.#queue.take(({ repository }) =>
        this.#free.some((thread) => thread.remembers(repository))
      );
      if (call === null) break;
      const known = this.#free.findLastIndex((thread) => thread.remembers(call.repository));
      const [thread] = this.#free.splice(known, 1);
      if (thread !== undefined) this.#give(thread, call);
    }
    this.#checkDrained();
  }

  #give(thread: AnswerThread, call: Call): void {
    const { callMs } = this.#bounds;
    clearTimeout(call.timer);
    call.timer = setTimeout(() => {
      this.#lose(thread, `it took longer than ${callMs} ms`, "timed_out", {
        message: `Cannot answer the call: it took longer than ${callMs} ms`,
        hint: "Ask for less: one repository, a path, a rarer name.",
      });
    }, callMs);
    this.#threads.set(thread, call);
    thread.give(call.name, call.raw, call.repository);
  }

  #finish(thread: AnswerThread, answer: HubAnswer, heapBytes: number): void {
    const call = this.#threads.get(thread);
    if (call === null || call === undefined) return;
    this.#settle(call, answer);
    if (heapBytes <= this.#bounds.threadMb * BYTES_PER_MB) return this.#release(thread);
    const held = Math.round(heapBytes / BYTES_PER_MB);
    this.#logger.note(`a thread that answers held ${held} MB and is replaced`);
    this.#remove(thread);
    this.#start();
    this.#checkDrained();
  }

  #lose(thread: AnswerThread, reason: string, code: ErrorCodeName, said: Refusal): void {
    const call = this.#threads.get(thread);
    if (call === undefined) return;
    this.#logger.note(`a thread that answers ended: ${reason}; another one is started`);
    this.#remove(thread);
    if (call !== null) this.#settle(call, this.#refuse(code, said));
    if (thread.isReady) this.#start();
    else this.#startLater();
    this.#checkDrained();
  }

  #startLater(): void {
    const timer = setTimeout(() => {
      this.#restarts.delete(timer);
      this.#start();
    }, RESTART_MS);
    this.#restarts.add(timer);
  }

  #remove(thread: AnswerThread): void {
    this.#threads.delete(thread);
    const at = this.#free.indexOf(thread);
    if (at >= 0) this.#free.splice(at, 1);
    thread.end();
  }

  #settle(call: Call, answer: HubAnswer): void {
    clearTimeout(call.timer);
    call.answer(answer);
  }

  #checkDrained(): void {
    const isIdle = this.#queue.size === 0 &&
      [...this.#threads.values()].every((one) => one === null);
    if (isIdle) this.#drained?.resolve();
  }

  #refuse(code: ErrorCodeName, { message, hint }: Refusal): HubAnswer {
    const reply = toFailure(new CodeIntelError(code, message, { hint }), this.#logger);
    return { isOk: false, text: JSON.stringify(reply) };
  }

  #toFull(): Refusal {
    const { threads, waitingCalls } = this.#bounds;
    return {
      message:
        `Cannot take the call: ${waitingCalls} others wait for the ${threads} threads of this server`,
      hint: AGAIN,
    };
  }

  #toLate(): Refusal {
    const { threads, waitMs } = this.#bounds;
    return {
      message:
        `Cannot take the call: none of the ${threads} threads of this server was free for ${waitMs} ms`,
      hint: AGAIN,
    };
  }
}

interface Refusal {
  readonly message: string;
  readonly hint: string;
}

const ENDING: Refusal = {
  message: "Cannot take the call: this server is being ended",
  hint: "Ask again: another server of the hub answers, or this one when it has started anew.",
};
const CANCELLED: Refusal = {
  message: "Cannot answer the call: it was cancelled while it waited",
  hint: "Ask again when the answer is wanted.",
};
const LOST: Refusal = {
  message: "Cannot answer the call: the thread that worked on it ended",
  hint:
    "Ask again, or for less where it happens again; the server goes on, and its standard error says why.",
};

/** As many threads as there are processors, within bounds: one works while another one waits for the store. */
export function countThreads(processors: number): number {
  return Math.max(FEWEST_THREADS, Math.min(LIMITS.hubThreads.value, processors));
}

function readRepository(raw: unknown): string | null {
  const { repository } = (raw ?? {}) as { readonly repository?: unknown };
  return typeof repository === "string" ? repository : null;
}
