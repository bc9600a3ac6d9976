/** Archives the active session when the person agrees; its branch and snapshots stay. */
import type { Reply } from "../../base/reply.ts";
import type { Caller } from "../advance/advance.ts";
import { advance } from "../advance/advance.ts";
import { askPerson, checkWord } from "../person/ask_resolutions.ts";
import type { Desk } from "../desk.ts";
import { toPlainRefusal } from "../replies.ts";

const CALL = "get_session_status";

/** The reply to the abandoning, or to what prevents it; null where no session is active. */
export async function discardActive(desk: Desk, caller: Caller): Promise<Reply | null> {
  const opened = await desk.underLock(() => desk.openActive());
  if (opened.kind === "none") return null;
  if (opened.kind === "refused") return opened.reply;
  const { id, state } = opened.session;
  // No lock is held while the person is asked.
  const word = await askPerson(
    {
      key: `discard ${id} ${state.stage} ${state.visit}`,
      message: `Shall the session ${id} (at ${state.stage}) be ended without a merge? ` +
        `Its files stay as they are: ${state.query.slice(0, 200)}`,
      fields: [{ name: "agree", title: "Yes: end it", type: "boolean", required: true }],
    },
    caller.asker,
    caller.signal,
  );
  const refusal = checkWord(word);
  if (refusal !== null) return toPlainRefusal([refusal], CALL);
  const said = word.answer === "confirmed" ? { said: word.source } : {};
  const reason = "discarded by get_session_status";
  const data = { abandon: true, reason };
  return await advance(desk, data, { sessionId: id, caller: { ...caller, ...said } });
}
