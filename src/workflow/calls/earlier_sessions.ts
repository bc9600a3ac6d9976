/** Sessions that are set aside, as replies list them. */
import type { Reply } from "../../base/reply.ts";
import type { Caller } from "../advance/progress.ts";
import { advance } from "../advance/advance.ts";
import { askPerson, checkAnswer } from "../resolve/ask_resolutions.ts";
import type { SessionContext, Sessions } from "../context/sessions.ts";
import { buildPlainRefusal } from "../context/replies.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import { listSnapshotSessions } from "../../git/snapshots/snapshot_list.ts";
import type { Clock } from "../../base/clock.ts";
import { DAY_MS } from "../../base/clock.ts";
import { ASKED, call, say, tool } from "../../base/text/words.ts";
import { PHASES } from "../../phase/table/phases.ts";
import type { Checkpoint } from "../../session/session.ts";
import type { SessionStore } from "../../session/store_api.ts";

const CALL = "get_session_status";

/** The reply to the abandoning, or to what prevents it; null where no session is active. */
export async function discardActive(sessions: Sessions, caller: Caller): Promise<Reply | null> {
  const opened = await sessions.underLock(() => sessions.openActive());
  if (opened.kind === "none") return null;
  if (opened.kind === "refused") return opened.reply;
  const { id, state } = opened.session;
  // No lock is held while the user is asked.
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
  const refusal = checkAnswer(word);
  if (refusal !== null) return buildPlainRefusal([refusal], CALL);
  const said = word.answer === "confirmed" ? { said: word.source } : {};
  const reason = "discarded by get_session_status";
  const data = { abandon: true, reason };
  return await advance(sessions, data, { sessionId: id, caller: { ...caller, ...said } });
}

/**
 * One problem for each session of this project that was saved, has not ended, and has no file left.
 * With git only sessions with snapshots count, because a project that was removed and made again
 * has lost nothing.
 */
export async function findLostSessions(
  { deps, repo }: SessionContext,
): Promise<readonly Problem[]> {
  const lost = await deps.store.listLost();
  if (lost.length === 0) return [];
  const kept = repo.missing !== undefined
    ? null
    : new Set((await listSnapshotSessions(repo)).map(({ sessionId }) => sessionId));
  return lost.filter((id) => kept === null || kept.has(id)).map(describeLost);
}

function describeLost(id: string): Problem {
  return makeProblem(
    "session_lost",
    `The session "${id}" was never ended, and its files in .code-intel/sessions are gone`,
    {
      hint:
        `Tell the person. What it left in the files is not theirs by itself: \`code-intel restore ${id}\` ` +
        `brings back what its last snapshot had; \`code-intel session accept ${id}\`, at a terminal, ends it and leaves the files as they are.`,
    },
  );
}

/** The parked sessions of the project. */
async function loadParked(store: SessionStore): Promise<readonly Checkpoint[]> {
  return (await store.loadAll()).flatMap((outcome) =>
    outcome.kind === "loaded" && outcome.checkpoint.state.status === "parked"
      ? [outcome.checkpoint]
      : []
  );
}

/** A session that waits, as lists of such show it. */
function describeParked(
  { state, savedAt }: Pick<Checkpoint, "state" | "savedAt">,
  now: Date,
): Readonly<Record<string, unknown>> {
  const days = Math.max(0, Math.floor((now.getTime() - Date.parse(savedAt)) / DAY_MS));
  return {
    session_id: state.sessionId,
    query: state.query.slice(0, 200),
    step: PHASES[state.stage].step,
    parked_days: days,
  };
}

/** Sessions that wait, and how each is ended; nothing where there are none. */
export function buildParkedFields(
  parked: readonly Pick<Checkpoint, "state" | "savedAt">[],
  now: Date,
): Readonly<Record<string, unknown>> {
  if (parked.length === 0) return {};
  return {
    parked_sessions: parked.map((checkpoint) => describeParked(checkpoint, now)),
    parked_note: say`${call("get_session_status", { session_id: ASKED })} resumes one; ${
      tool("submit_phase")
    } {"abandon": true, "reason": "…"} then ends it.`,
  };
}

/** The same of all parked sessions of the project. */
export async function readParkedFields(
  { store, clock }: { readonly store: SessionStore; readonly clock: Clock },
): Promise<Readonly<Record<string, unknown>>> {
  return buildParkedFields(await loadParked(store), clock.now());
}
