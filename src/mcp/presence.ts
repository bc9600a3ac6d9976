/**
 * Tells whether a person sits at a client. `claude -p` and `codex exec` declare forms and answer
 * each one by themselves, at once: such an answer is nobody's word.
 */
import type { Answer } from "../base/asker.ts";
import type { Clock } from "../base/clock.ts";

/** What a client says about itself, with its connection and with each call. */
export interface ClientSigns {
  readonly clientName: string | undefined;
  /** The environment that the client started this process with; it is empty behind HTTP. */
  readonly env: (name: string) => string | undefined;
  /** The `_meta` of the call. */
  readonly meta: unknown;
}

/** Each client that says that it runs without a person, and how it says so. */
const HEADLESS: Readonly<Record<string, (signs: ClientSigns) => boolean>> = {
  // `claude -p`; a window of Claude Code says `cli`.
  "claude-code": ({ env }) => env("CLAUDE_CODE_ENTRYPOINT") === "sdk-cli",
  // `codex exec`.
  "codex-mcp-client": ({ meta }) =>
    readField(readField(meta, "x-codex-turn-metadata"), "turn_trigger") === "exec",
};

function readField(value: unknown, name: string): unknown {
  return (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
}

/** Whether the client says that it runs without a person. */
export function isHeadless(signs: ClientSigns): boolean {
  const { clientName = "" } = signs;
  return Object.hasOwn(HEADLESS, clientName) && HEADLESS[clientName]?.(signs) === true;
}

/** Nobody reads a form and refuses it within this time. */
export const QUICK_ANSWER_MS = 1000;

/** Stands before a question that is put a second time, so that a person reads it again. */
export const ASKED_AGAIN = "Asked once more, because the first answer came within a second.\n";

/**
 * Judges the answers of one connection. A refusal within a second is asked about once more; after a
 * second one there is nobody. A connection that ever answered otherwise has a person, whose quick
 * refusals count. Values that fit a form are always an answer: no client invents them.
 */
export class Presence {
  readonly #clock: Clock;
  #hasPerson = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The present time, to be given to {@link judge} with the answer. */
  now(): number {
    return this.#clock.now().getTime();
  }

  /** What an answer counts as; `again` where the question has to be put once more. */
  judge(
    answer: Answer,
    { askedAt, isRepeat }: { readonly askedAt: number; readonly isRepeat: boolean },
  ): Answer | "again" {
    const isQuick = this.now() - askedAt < QUICK_ANSWER_MS;
    if (answer.kind === "answered" || !isQuick) this.#hasPerson = true;
    if (this.#hasPerson) return answer;
    return isRepeat ? { kind: "unavailable" } : "again";
  }
}
