/**
 * Remembers answers of git that can never change, because every object in the question is named by its whole
 * id: what differs between two trees, which tree a commit has. Oldest use goes first.
 */
import { LIMITS } from "../base/limits.ts";

/** Answers by their question, up to `LIMITS.gitMemoryBytes`. */
export class AnswerMemory {
  readonly #answers = new Map<string, Uint8Array>();
  #bytes = 0;

  /** The answer to a question that was asked before; undefined when it was not, or is forgotten. */
  get(question: string): Uint8Array | undefined {
    const answer = this.#answers.get(question);
    if (answer === undefined) return undefined;
    this.#answers.delete(question);
    this.#answers.set(question, answer);
    return answer;
  }

  /** Keeps an answer; a large one is not worth what it would push out. */
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

/** What an entry takes, with a guess for the entry itself: most answers are empty or short. */
function toBytes(question: string, answer: Uint8Array): number {
  return 2 * question.length + answer.length + 200;
}
