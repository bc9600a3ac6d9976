/** What the session store tells: its refusals, each with a next step, and notices that wait for a reply. */
import type { SessionRecord } from "./records.ts";
import type { StoreNotice, TamperedReason } from "./store_api.ts";
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
import { call, either, SAME_CALL, say, tool } from "../base/text/words.ts";
import { CHECKPOINT_FORMAT } from "./session.ts";

const NOTICE_CODES: readonly StoreNotice["code"][] = [
  "checkpoint_damaged",
  "records_damaged",
  "seal_unchecked",
  "lock_taken_over",
];

/** Notices of this process that no reply has reported yet. */
export class UnreportedNotices {
  readonly #waiting = new Map<
    string,
    { readonly id: string | null; readonly notice: StoreNotice }
  >();
  readonly #known = new Set<string>();

  /**
   * Keeps a notice about a session, or about all of them (null); a notice that was kept before is
   * not reported again.
   */
  add(id: string | null, notice: StoreNotice): void {
    const cause = JSON.stringify([id, notice.code, notice.message]);
    if (this.#known.has(cause)) return;
    this.#known.add(cause);
    this.#waiting.set(cause, { id, notice });
  }

  /** The unreported notices about one session, or about all of them (null). */
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

/** Notices in the records of a session that no reply has reported. */
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

const TAMPERED: Readonly<Record<TamperedReason, (id: string) => string>> = {
  changed: (id) => `The file of session "${id}" was changed by something other than code-intel`,
  older: (id) => `The file of session "${id}" is older than the one that code-intel saved last`,
  key_lost: (id) =>
    `The file of session "${id}" cannot be compared with its seal: the key with which this home sealed it ` +
    "is gone or was replaced",
};

const CLEAN = "`code-intel clean --all` ends it without going on";
const NO_SESSION = either({ agent: "without session_id", person: "without a name" });
const DISCARD = say`${tool("get_session_status", { discard_active: true })} archives it`;

/** The problem of each thing that can be wrong with a stored session. */
export const STORE_PROBLEMS = {
  missing: (id: string): Problem =>
    makeProblem("session_not_found", `No session "${id.slice(0, 80)}" is stored`, {
      hint: say`${call("get_session_status")} ${NO_SESSION}, or ${tool("start_session")}.`,
    }),
  tampered: (id: string, reason: TamperedReason): Problem =>
    makeProblem("checkpoint_tampered", TAMPERED[reason](id), {
      hint: reason === "key_lost"
        ? "Ask the person to bring `seal.key` back into the state folder (`code-intel doctor` names it), " +
          `or to look at the session and run \`code-intel session accept ${id}\`; ${CLEAN}.`
        : `Ask the person to look at it and run \`code-intel session accept ${id}\`; ${CLEAN}.`,
    }),
  unmarked: (id: string): Problem =>
    makeProblem(
      "checkpoint_tampered",
      `Session "${id}" cannot be accepted: the state folder of this home cannot be written`,
      {
        hint: "Make the state folder writable (`code-intel doctor` names it), then run " +
          `\`code-intel session accept ${id}\` again; ${CLEAN}.`,
      },
    ),
  newer: (id: string, format: number): Problem =>
    makeProblem(
      "checkpoint_version",
      `Cannot open session "${id}": its format is ${format}, this program reads ${CHECKPOINT_FORMAT}`,
      { hint: "Update code-intel; the file was left as it is." },
    ),
  damaged: (id: string): Problem =>
    makeProblem("checkpoint_damaged", `No whole file of session "${id}" is left`, {
      hint: say`The damaged files were set aside as ${id}.json.corrupt-<n>; ${DISCARD}.`,
    }),
  conflict: (id: string, found: number, expected: number): Problem =>
    makeProblem(
      "checkpoint_conflict",
      `Session "${id}" is at revision ${found}, not at ${expected}: another process saved it`,
      { hint: say`${SAME_CALL} again; it starts from what the other process saved.` },
    ),
  tooLarge: (id: string, sizeBytes: number, limitBytes: number): Problem =>
    makeProblem(
      "checkpoint_too_large",
      `Session "${id}" would take ${sizeBytes} bytes, more than ${limitBytes}`,
      { hint: "Send the payload again with shorter texts and fewer list entries." },
    ),
} as const;
