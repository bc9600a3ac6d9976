/** One thread that answers for a hub, as its server sees it: starting, free, at work, or gone. */
import type { StorePlace } from "../postgres/store_place.ts";
import type { HubAnswer, ThreadAsk, ThreadSays } from "./answer_protocol.ts";

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
