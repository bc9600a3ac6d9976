/**
 * Remembers answers of git that can never change, because the question names every object by its
 * whole id: the differences of two trees, the tree of a commit. The answer whose last use is
 * longest ago is dropped first.
 */
import { LIMITS } from "../base/settings/limits.ts";

/** Answers by their question, up to `LIMITS.gitMemoryBytes`. */
export class AnswerMemory {
  readonly #answers = new Map<string, Uint8Array>();
  #bytes = 0;

  /** The answer to a question; undefined when it was never asked or its answer was dropped. */
  get(question: string): Uint8Array | undefined {
    const answer = this.#answers.get(question);
    if (answer === undefined) return undefined;
    this.#answers.delete(question);
    this.#answers.set(question, answer);
    return answer;
  }

  /** Keeps an answer; a large one is not kept, because it would push out many others. */
  set(question: string, answer: Uint8Array): void {
    const limit = LIMITS.gitMemoryBytes.value;
    if (answer.length > limit / 8 || this.#answers.has(question)) return;
    this.#answers.set(question, answer);
    this.#bytes += toBytes(question, answer);
    for (const [oldest, old] of this.#answers) {
      if (this.#bytes <= limit) break;
      this.#answers.delete(oldest);
      this.#bytes -= toBytes(oldest, old);
    }
  }
}

/** Bytes of an entry, with a guess for its overhead, since most answers are empty or short. */
function toBytes(question: string, answer: Uint8Array): number {
  return 2 * question.length + answer.length + 200;
}
