/**
 * A thread in which expressions are matched, and which is ended with them: JavaScript's matcher can take for ever on one
 * line, and nothing in the same thread could end it.
 */
import { CodeIntelError } from "../base/errors.ts";
import type { ScanResult, ScanTask } from "./text_scan_core.ts";

/** How long a task may take. */
export interface TaskOptions {
  readonly timeoutMs: number;
  /** Ends the work when the client cancels. */
  readonly signal?: AbortSignal | undefined;
}

/** The thread; it starts with its first task, and is of no use after one that did not end by itself. */
export class PatternWorker {
  #worker: Worker | null = null;

  /**
   * Does a task; one at a time.
   *
   * @throws {CodeIntelError} `cancelled` when the signal ended it.
   */
  async run(
    task: ScanTask,
    { timeoutMs, signal }: TaskOptions,
  ): Promise<ScanResult | "timed_out"> {
    if (signal?.aborted === true) throw toCancelled(signal.reason);
    const { promise, resolve, reject } = Promise.withResolvers<ScanResult | "timed_out">();
    const url = new URL("./text_scan_worker.ts", import.meta.url);
    const worker = this.#worker ??= new Worker(url, { type: "module" });
    const timer = setTimeout(() => resolve("timed_out"), timeoutMs);
    const cancel = () => reject(toCancelled(signal?.reason));
    signal?.addEventListener("abort", cancel, { once: true });
    worker.onmessage = (event: MessageEvent<{ result?: ScanResult; error?: string }>) => {
      if (event.data.result !== undefined) resolve(event.data.result);
      else reject(new Error(`The scan failed: ${event.data.error}`));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(`The scan failed: ${event.message}`));
    };
    worker.postMessage(task);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    }
  }

  /** Ends the thread, whatever it does. */
  close(): void {
    this.#worker?.terminate();
    this.#worker = null;
  }
}

/** The failure of a scan whose call was cancelled. */
export function toCancelled(cause: unknown): CodeIntelError {
  return new CodeIntelError("cancelled", "Cannot finish the scan: the call was cancelled", {
    cause,
  });
}
