/** Sessions that are set aside, as replies list them. */
import type { Clock } from "../../base/clock.ts";
import { DAY_MS } from "../../base/clock.ts";
import { ASKED, call, say, tool } from "../../base/text/words.ts";
import { PHASES } from "../../phase/table/phases.ts";
import type { Checkpoint } from "../../session/session.ts";
import type { SessionStore } from "../../session/store_api.ts";

/** The parked sessions of the project. */
async function loadParked(store: SessionStore): Promise<readonly Checkpoint[]> {
  return (await store.loadAll()).flatMap((outcome) =>
    outcome.kind === "loaded" && outcome.checkpoint.state.status === "parked"
      ? [outcome.checkpoint]
      : []
  );
}

/** A session that waits, as lists of such show it. */
function toParked(
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
export function toParkedFields(
  parked: readonly Pick<Checkpoint, "state" | "savedAt">[],
  now: Date,
): Readonly<Record<string, unknown>> {
  if (parked.length === 0) return {};
  return {
    parked_sessions: parked.map((checkpoint) => toParked(checkpoint, now)),
    parked_note: say`${call("get_session_status", { session_id: ASKED })} resumes one; ${
      tool("submit_phase")
    } {"abandon": true, "reason": "…"} then ends it.`,
  };
}

/** The same of all parked sessions of the project. */
export async function readParkedFields(
  { store, clock }: { readonly store: SessionStore; readonly clock: Clock },
): Promise<Readonly<Record<string, unknown>>> {
  return toParkedFields(await loadParked(store), clock.now());
}
