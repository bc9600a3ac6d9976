/**
 * Records what can be learned from sessions: at each save, at the next start for a process that was
 * killed, and when a person says how past work turned out.
 */
import { toProblem } from "../../base/problem.ts";
import type { Reply } from "../../base/reply.ts";
import type { HandOutcome, Noted } from "../../features/learning/mod.ts";
import { findLastWork } from "../../features/learning/mod.ts";
import type { ParsedSubmission, SessionState } from "../../phase/mod.ts";
import { noteState } from "./note_state.ts";
import type { Desk } from "../desk.ts";
import type { WorkflowDeps } from "../deps.ts";
import { writeAsServer } from "../changes/server_writes.ts";
import { toPlainRefusal } from "../replies.ts";

/** The fields of a reply about learning at the end of a session. */
export function toLearnedFields(noted: Noted): Readonly<Record<string, unknown>> {
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
 * person abandons it.
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
    const amended = await deps.learning.amendLast(reason);
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
  { learning, logger }: WorkflowDeps,
  sessionId: string,
  { submission }: ParsedSubmission,
): Promise<void> {
  if (submission?.kind !== "payload") return;
  const { suggestion } = submission.data as { readonly suggestion?: string | null };
  if (typeof suggestion !== "string" || suggestion.trim() === "") return;
  const { stage } = submission;
  const notice = await learning.addSuggestion({ sessionId, stage, text: suggestion });
  if (notice !== null) logger.note(notice);
}

/** The input of `code-intel outcome`. */
export interface OutcomeInput extends HandOutcome {
  /** Default: the active session, else the last finished work. */
  readonly sessionId?: string;
}

/** Records what a person says about a piece of work, and the agreement that they name. */
export async function recordOutcome(desk: Desk, input: OutcomeInput): Promise<Reply> {
  const { learning, store, codeIntelDir, projectRoot } = desk.deps;
  if (await Deno.stat(codeIntelDir).then(() => false, () => true)) return toNeverUsed(projectRoot);
  const { outcomes } = await learning.readLogs();
  const found = input.sessionId === undefined
    ? await store.findActive()
    : await store.load(input.sessionId);
  const state = found?.kind === "loaded" ? found.checkpoint.state : null;
  const known = outcomes.findLast(({ sessionId }) => sessionId === input.sessionId)?.sessionId;
  if (input.sessionId !== undefined && state === null && known === undefined) {
    return toPlainRefusal([
      toProblem("session_not_found", `No session "${input.sessionId}" is on record`, {
        at: "session",
        hint: "`code-intel stats --json` lists the last sessions.",
      }),
    ], "get_session_status");
  }
  // A start that was given up is meant only where nothing else is on record.
  const last = findLastWork(outcomes) ?? outcomes.at(-1);
  const sessionId = input.sessionId ?? state?.sessionId ?? last?.sessionId ?? null;
  const agreement = await learning.toHandAgreement(input, sessionId);
  const write = async (): Promise<Reply> => {
    const kept = agreement === null ? null : await learning.keepAgreement(agreement);
    const { recordId } = await learning.recordByHand(input, { sessionId, state });
    return {
      ok: true,
      recorded: recordId,
      session_id: sessionId,
      result: input.result,
      ...(kept === null ? {} : toKeptFields(kept)),
    };
  };
  if (agreement === null) return await write();
  return await writeAsServer(desk, await learning.toAgreementPath(agreement), write);
}

/** Without the program's folder there was never a session, so there is nothing to record about. */
function toNeverUsed(projectRoot: string): Reply {
  return toPlainRefusal([
    toProblem("not_set_up", `${projectRoot} was never set up, and no session ran there`, {
      hint:
        "Nothing was recorded. Name the project that the outcome is about with --project DIR, or set this one up with `code-intel init`.",
    }),
  ], "start_session");
}

function toKeptFields(
  kept: Awaited<ReturnType<WorkflowDeps["learning"]["keepAgreement"]>>,
): Readonly<Record<string, unknown>> {
  switch (kept.kind) {
    case "saved":
    case "known":
      return { agreement: `.code-intel/agreements/${kept.name}` };
    case "rejected":
      return { agreement_rejected: `.code-intel/agreements/${kept.name}` };
    case "full":
      return { agreement_refused: "the folder .code-intel/agreements holds as many as are read" };
  }
}
