/**
 * Notices about the files of sessions, kept until a reply tells them: whichever call loads a
 * session first, the notice reaches the agent, and each cause is told once. A process without
 * replies, such as a hook, leaves its notices in the records for the next process.
 */
import type { SessionRecord } from "./records.ts";
import type { StoreNotice } from "./store_api.ts";

const NOTICE_CODES: readonly StoreNotice["code"][] = [
  "checkpoint_damaged",
  "records_damaged",
  "seal_unchecked",
  "lock_taken_over",
];

/** Notices of this process that no reply has told yet. */
export class UntoldNotices {
  readonly #waiting = new Map<
    string,
    { readonly id: string | null; readonly notice: StoreNotice }
  >();
  readonly #known = new Set<string>();

  /**
   * Keeps a notice about a session, or about all of them (null); a notice that was kept before is
   * not told again.
   */
  add(id: string | null, notice: StoreNotice): void {
    const cause = JSON.stringify([id, notice.code, notice.message]);
    if (this.#known.has(cause)) return;
    this.#known.add(cause);
    this.#waiting.set(cause, { id, notice });
  }

  /** The untold notices about one session, or about all of them (null). */
  list(id: string | null): readonly StoreNotice[] {
    return [...this.#waiting.values()].filter((entry) => entry.id === id)
      .map(({ notice }) => notice);
  }

  /** Takes all notices, with their sessions, for a reply that tells them now. */
  take(): readonly { readonly id: string | null; readonly notice: StoreNotice }[] {
    const taken = [...this.#waiting.values()];
    this.#waiting.clear();
    return taken;
  }
}

/** Notices in the records of a session that no reply has told. */
export function listPending(records: readonly SessionRecord[]): readonly StoreNotice[] {
  const notes = records.flatMap((record) => record.kind === "note" ? [record] : []);
  const told = new Set(notes.filter((note) => note.told !== false).map(({ text }) => text));
  const pending = new Map<string, StoreNotice>();
  for (const note of notes) {
    const code = NOTICE_CODES.find((name) => name === note.code);
    if (note.told !== false || told.has(note.text) || code === undefined) continue;
    pending.set(note.text, { code, message: note.text });
  }
  return [...pending.values()];
}
