/**
 * Leaves a session when git or the disk fails: steps that fail are skipped where possible, noted in
 * the state, and reported with what stays where it is.
 */
import { loadSessionSettings } from "../context/deps.ts";
import { CodeIntelError } from "../../base/errors.ts";
import { findHindrance } from "../context/hindrance.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import type { Reply } from "../../base/reply.ts";
import { joinWords } from "../../base/text/words.ts";
import type { EngineEvent } from "../../phase/decide.ts";
import type { SessionState } from "../../phase/state.ts";
import { decide } from "../../phase/decide.ts";
import { parseSubmission } from "../../phase/payload/payloads.ts";
import { giveUp, setPendingAside, toKinds } from "../../phase/payload/complete.ts";
import { isLeavingOnly } from "../../phase/table/effects.ts";
import type { OpenSession, SessionContext, Sessions } from "../context/sessions.ts";
import { refuseWithoutSession } from "../context/sessions.ts";
import { gatherBaseFacts } from "../look/gather.ts";
import { buildOkReply, buildRefusedReply } from "../context/replies.ts";

const WAYS_OUT =
  'It is tried again with the next call; {"park": true, "reason": "…"} and {"abandon": true, "reason": "…"} pass in spite of it.';

/** Why effects of an accepted payload are still pending, and how to go on. */
export function buildPendingProblem(state: SessionState, failure: CodeIntelError): Problem {
  const effects = state.pending === null ? [] : toKinds(state.pending);
  // What is made already must not be called undone.
  const begun = failure.details.made === undefined ? "Not done yet" : "Not finished yet";
  const message = `${begun}: ${effects.join(", ")}. ${failure.message}`;
  return makeProblem(failure.code, message, { hint: joinWords([failure.hint, WAYS_OUT]) });
}

/** The reply to a payload whose effects, or those of an earlier one, fail. */
export async function buildPendingReply(
  context: SessionContext,
  state: SessionState,
  failure: CodeIntelError,
): Promise<Reply> {
  return await buildRefusedReply({
    deps: context.deps,
    contract: context.contract,
    state,
    error: failure.code,
    problems: [buildPendingProblem(state, failure)],
  });
}

/**
 * The failure as an error for a session before its next step; its hint also names the ways to
 * leave.
 */
export function addWaysToLeave(failure: CodeIntelError): CodeIntelError {
  const { code, message, hint, details } = failure;
  return new CodeIntelError(code, message, {
    hint: joinWords([hint, WAYS_OUT]),
    details,
    cause: failure,
  });
}

/** How the session is left, and why. */
interface Leaving {
  readonly failure: CodeIntelError;
  readonly data: unknown;
}

/**
 * Takes failing effects of an earlier payload out of the state, so that the session can be left.
 */
export async function putPendingAside(
  sessions: Sessions,
  id: string,
  leaving: Leaving,
): Promise<void> {
  await sessions.underLock(async () => {
    const opened = await sessions.open(id);
    if (opened.kind !== "open" || opened.session.state.pending === null) return;
    await sessions.save(opened.session, await putAside(sessions, opened.session, leaving));
  });
}

/** The state without pending effects, and a note for the report. */
async function putAside(
  sessions: Sessions,
  { id, state }: OpenSession,
  { failure, data }: Leaving,
): Promise<SessionState> {
  if (state.pending === null) return state;
  const at = sessions.deps.clock.now().toISOString();
  const { code, message } = failure;
  const text = `Left undone: ${toKinds(state.pending).join(", ")}. ${message}`;
  await sessions.deps.store.appendRecord(id, { kind: "note", at, code, text });
  return setPendingAside(state, { at, code, message }, { isParking: isParking(data) });
}

function isParking(data: unknown): boolean {
  const sent = (data ?? {}) as Readonly<Record<string, unknown>>;
  return sent.park === true || sent.user_decision === "park";
}

/**
 * Parks or abandons without reading the disk and without moving HEAD, for a repository that is gone
 * or that git cannot use.
 */
export async function leaveWithout(
  sessions: Sessions,
  data: unknown,
  options: { readonly failure: CodeIntelError; readonly sessionId?: string },
): Promise<Reply> {
  const { failure, sessionId } = options;
  const context = await sessions.prepareToLeave();
  return await sessions.underLock(async () => {
    const opened = sessionId === undefined
      ? await sessions.openActive()
      : await sessions.open(sessionId);
    if (opened.kind !== "open") {
      return opened.kind === "refused" ? opened.reply : refuseWithoutSession();
    }
    const { session } = opened;
    const settings = await loadSessionSettings(sessions.deps, session.state);
    const state = await putAside(sessions, session, { failure, data });
    const facts = gatherBaseFacts({ ...context, session, settings, records: [] });
    const parsed = parseSubmission(state.stage, withoutResolutions(data));
    const event: EngineEvent = { type: "submitted", parsed, data: {}, facts, isAside: true };
    const { contract } = context.contract;
    const decided = decide(state, event, contract);
    const decision = decided.kind === "perform"
      ? decide(decided.state, { type: "completed", results: [], facts }, contract)
      : decided;
    const parts = { deps: sessions.deps, contract: context.contract };
    if (decision.kind !== "accepted") {
      const problems = decision.kind === "refused" ? decision.problems : [];
      const { code: error } = problems[0] ?? failure;
      return await buildRefusedReply({ ...parts, state: session.state, error, problems });
    }
    const { code, message } = failure;
    const left = giveUp(decision.state, ["leave_branch"], { at: facts.now, code, message });
    const saved = await saveLeft(sessions, session, left);
    const fields = { ...decision.reply, ...buildUndoneFields(saved.state), ...buildHeadNote(left) };
    return await buildOkReply({ ...parts, state: saved.state, fields });
  });
}

/** Saves with the tree at the parking where it could be written and kept, otherwise without it. */
async function saveLeft(sessions: Sessions, session: OpenSession, left: SessionState) {
  const { pending } = session.state;
  const tree = pending !== null && isLeavingOnly(toKinds(pending))
    ? pending.expected.tree
    : undefined;
  if (tree === undefined) return await sessions.save(session, left);
  const withTree = { ...left, workspace: { ...left.workspace, parkTree: tree } };
  return await sessions.save(session, withTree).catch((cause) => {
    if (findHindrance(cause) === null) throw cause;
    return sessions.save(session, left);
  });
}

function buildHeadNote({ workspace }: SessionState): Readonly<Record<string, unknown>> {
  const { baseBranch, taskBranch } = workspace;
  if (baseBranch === null || taskBranch === null) return {};
  return { head_note: `HEAD was not moved; \`git switch ${baseBranch}\` leaves the task branch` };
}

function withoutResolutions(data: unknown): unknown {
  const { change_resolution: _, ...rest } = data as Readonly<Record<string, unknown>>;
  return rest;
}

/**
 * The fields of a reply about effects that were not done, and where things are; empty where all
 * were done.
 */
export function buildUndoneFields(state: SessionState): Readonly<Record<string, unknown>> {
  const { deferred, undone = [], workspace, sessionId } = state;
  if (deferred === undefined && undone.length === 0) return {};
  return {
    ...(undone.length === 0 ? {} : { left_undone: undone }),
    ...(deferred === undefined ? {} : { done_at_resume: toKinds(deferred) }),
    stays: {
      files: "as they are on the disk",
      ...(workspace.taskBranch === null ? {} : { branch: workspace.taskBranch }),
      ...(workspace.commits.length === 0 ? {} : { commits: workspace.commits }),
      ...(workspace.hasGit ? { snapshots: `refs/code-intel/${sessionId}/` } : {}),
    },
  };
}
