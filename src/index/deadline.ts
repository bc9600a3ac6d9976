/** When the work of a call has to end. */
import type { SyncOptions } from "./index_api.ts";

/** A signal with a clock behind it; disposing of it ends the clock. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
}

/** The signal of the caller and the budget in one. */
export function toDeadline(
  { signal, budgetMs }: Pick<SyncOptions, "signal" | "budgetMs">,
): Deadline {
  const end = new AbortController();
  const abort = () => end.abort();
  if (signal?.aborted === true) abort();
  signal?.addEventListener("abort", abort, { once: true });
  const timer = budgetMs === undefined ? undefined : setTimeout(abort, budgetMs);
  return {
    signal: end.signal,
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    },
  };
}
