/** The time that the questions of a command share: one that asks several may not wait as long for each of them. */
import { LIMITS } from "../base/settings/limits.ts";

/** The last question of a command has this at least, so that a small project is answered from all its files. */
const LEAST_MS = 1_000;

/** What is left of the time of a command. */
export class Patience {
  readonly #nowMs: () => number;
  #leftMs = LIMITS.briefAnswerMs.value;

  /** @param nowMs The clock, default that of the process. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** How long something may be waited for, of what it would have by itself. */
  limit(ms: number): number {
    return Math.min(ms, Math.max(LEAST_MS, this.#leftMs));
  }

  /** Counts the time until it is disposed of. */
  spend(): Disposable {
    const since = this.#nowMs();
    return { [Symbol.dispose]: () => void (this.#leftMs -= this.#nowMs() - since) };
  }
}
