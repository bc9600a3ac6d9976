/**
 * Records what can be learned from sessions: at each save, at the next start for a process that was
 * killed, and when a person says how past work turned out.
 */
import type { ParsedSubmission } from "../../phase/payload/payloads.ts";
import type { SessionState } from "../../phase/state.ts";
import { noteState } from "./note_state.ts";
import type { WorkflowDeps } from "./deps.ts";
import type { Noted } from "./learning.ts";

/** The fields of a reply about learning at the end of a session. */
export function buildLearnedFields(noted: Noted): Readonly<Record<string, unknown>> {
  const { learned, notices } = noted;
  return {
    ...(learned.length === 0 ? {} : {
      learned: learned.map((name) => `.code-intel/agreements/${name}`),
      learned_note:
        "Git ignores it. The team shares it where it is moved to .code-intel/agreements and committed.",
    }),
    ...(notices.length === 0 ? {} : { notices }),
  };
}

/**
 * Records and archives sessions of processes that were killed between the last checkpoint and the
 * archive. Call it under the lock.
 */
export async function completeEnds(deps: WorkflowDeps): Promise<void> {
  for (const outcome of await deps.store.loadAll()) {
    if (outcome.kind !== "loaded" || outcome.checkpoint.state.status !== "ended") continue;
    const { notices } = await noteState(deps, outcome.checkpoint.state);
    for (const notice of notices) deps.logger.note(notice);
    await deps.store.archive(outcome.id);
  }
}

/**
 * Records the end of a session that is about to be archived by hand: if it has not ended, the
 * user abandons it.
 *
 * @returns What could not be written.
 */
export async function noteCleaned(deps: WorkflowDeps, id: string): Promise<readonly string[]> {
  const found = await deps.store.load(id);
  if (found.kind !== "loaded") return [];
  const { state } = found.checkpoint;
  const at = deps.clock.now().toISOString();
  const ended: SessionState = state.status === "ended" ? state : {
    ...state,
    status: "ended",
    end: "abandoned",
    escalation: null,
    decisions: [...state.decisions, {
      at,
      stage: state.stage,
      decision: "abandon",
      reason: "ended by clean",
      source: "terminal",
    }],
  };
  return (await noteState(deps, ended)).notices;
}

/** `previous_failed`: work that was called done has failed; its outcome is corrected. */
export async function amendPrevious(
  deps: WorkflowDeps,
  reason: string,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const amended = await (await deps.openLearning()).amendLast(reason);
    return {
      previous_failed: amended === null
        ? "No earlier outcome is on record: nothing was amended."
        : { amended: amended.sessionId ?? "work without a session" },
    };
  } catch (failure) {
    const message = failure instanceof Error ? failure.message : String(failure);
    return { previous_failed: `The outcome could not be amended: ${message}` };
  }
}

/** Keeps an agent's suggestion about the project's prompts, for people to read. */
export async function noteSuggestion(
  { openLearning, logger }: WorkflowDeps,
  sessionId: string,
  { submission }: ParsedSubmission,
): Promise<void> {
  if (submission?.kind !== "payload") return;
  const { suggestion } = submission.data as { readonly suggestion?: string | null };
  if (typeof suggestion !== "string" || suggestion.trim() === "") return;
  const { stage } = submission;
  const learning = await openLearning();
  const notice = await learning.addSuggestion({ sessionId, stage, text: suggestion });
  if (notice !== null) logger.note(notice);
}
