/**
 * Completes decisions: saves the state with its snapshot, performs the effects that a checkpoint names, and words the
 * reply. The code that performs effects also completes what a killed process left half-done.
 */
import { CodeIntelError } from "../../base/errors.ts";
import { findHindrance } from "../context/hindrance.ts";
import type { Reply } from "../../base/reply.ts";
import { SAME_CALL, say } from "../../base/text/words.ts";
import type { Decision } from "../../phase/decide.ts";
import type { SessionState } from "../../phase/state.ts";
import { decide } from "../../phase/decide.ts";
import { endRuns } from "../verify/baseline.ts";
import { loadSessionSettings } from "../context/deps.ts";
import type { OpenContext, OpenSession, SessionContext, Sessions } from "../context/sessions.ts";
import { refuseWithoutSession } from "../context/sessions.ts";
import { performEffects } from "../effects/effects.ts";
import { gatherBaseFacts } from "../look/gather.ts";
import { addSeenTests } from "../look/seen_tests.ts";
import { keepSnapshot, writePresentTree } from "../context/present_tree.ts";
import { bookEffects } from "../effects/ledger_after.ts";
import { buildLearnedFields } from "../context/learn.ts";
import { buildPendingReply, buildUndoneFields } from "./leave.ts";
import { buildOkReply, buildRefusedReply } from "../context/replies.ts";

/** The outcome of pending effects. */
export interface PendingOutcome {
  readonly reply: Reply;
  /** Why they are still pending; null where they are done. */
  readonly failure: CodeIntelError | null;
}

/**
 * Does the effects that the checkpoint names, and completes the decision with their results. It can be repeated,
 * because effects recognise what is done already. Where git or the disk fails they stay pending.
 */
export async function completePending(
  sessions: Sessions,
  id: string,
  { seen = null }: Seen = {},
): Promise<PendingOutcome> {
  return await sessions.whilePerforming(async () => {
    const opened = await sessions.underLock(() => sessions.enter(id));
    if (opened.kind !== "open") {
      return {
        reply: opened.kind === "refused" ? opened.reply : refuseWithoutSession(),
        failure: null,
      };
    }
    const { session } = opened;
    if (session.state.pending === null) {
      const parts = { ...opened, state: session.state };
      return { reply: await buildOkReply(parts), failure: null };
    }
    try {
      return { reply: await performPending(sessions, opened, seen), failure: null };
    } catch (cause) {
      const failure = findHindrance(cause);
      if (failure === null) throw cause;
      await noteTold(sessions, session);
      return { reply: await buildPendingReply(opened, session.state, failure), failure };
    }
  });
}

/** Remembers that the failure is reported. A full disk may refuse that: then the payload is judged as any other one. */
async function noteTold(sessions: Sessions, session: OpenSession): Promise<void> {
  const { state } = session;
  if (state.pending === null || state.pending.isTold === true) return;
  const told = { ...state, pending: { ...state.pending, isTold: true as const } };
  await sessions.underLock(() => sessions.save(session, told)).catch((failure) => {
    if (findHindrance(failure) === null) throw failure;
  });
}

/** Performs, looks at what the effects changed, decides what follows, saves, and answers. */
async function performPending(
  sessions: Sessions,
  context: OpenContext,
  seen: string | null,
): Promise<Reply> {
  const { session, contract: { contract } } = context;
  const facts = gatherBaseFacts({ ...context, records: [] });
  const outcome = await performEffects(context);
  const results = outcome.kind === "done" ? outcome.results : [];
  const decision = outcome.kind === "done"
    ? decide(session.state, { type: "completed", results, facts }, contract)
    : decide(session.state, { type: "effect_refused", problem: outcome.problem }, contract);
  const booked = await bookEffects(context, { decision, results, known: seen });
  return await sessions.underLock(async () => {
    const saved = await finish(context, { session, ...booked });
    return await buildReply(context, saved, booked.decision);
  });
}

/** What a call knows of the files. */
export interface Seen {
  /** The working tree as this call saw it, if the call has not changed it since. */
  readonly seen?: string | null;
}

/** Saves the state after a decision; an accepted payload is followed by a snapshot for the new stage. */
export async function finish(
  context: SessionContext,
  input: Seen & { readonly session: OpenSession; readonly decision: Decision },
): Promise<OpenSession> {
  const { session, decision, seen = null } = input;
  if (decision.kind === "accepted") {
    const { state } = decision;
    const label = state.status === "active" ? `enter ${state.stage}` : state.status;
    if (state.status !== "active") await endRuns(context.sessions, session.id);
    await keepSnapshot(context, session.state, { label, written: seen });
    return await context.sessions.save(session, await notePark(context, { session, state }));
  }
  return await context.sessions.save(session, decision.state);
}

/** Without git no effect leaves a branch, so the state of the files at the parking is noted here. */
async function notePark(
  context: SessionContext,
  input: { readonly session: OpenSession; readonly state: SessionState },
): Promise<SessionState> {
  const { session, state } = input;
  if (state.status !== "parked" || state.workspace.hasGit) return state;
  const settings = await loadSessionSettings(context.deps, session.state);
  // Parking is possible whatever fails; without this state nothing is attributed at the resume.
  const parkTree = await writePresentTree({ ...context, session, settings }).catch(() => null);
  return { ...state, workspace: { ...state.workspace, parkTree } };
}

/** Most files that are named. */
const MOST_LEFT = 10;

/** The changed files of a session that was left and not finished: they stay as they are, and nobody commits them. */
async function listLeft(
  context: SessionContext,
  session: OpenSession,
): Promise<Readonly<Record<string, unknown>>> {
  const { state: { status, end, workspace: { baselineTree: from } } } = session;
  if (from === null || status !== "parked" && end !== "abandoned") return {};
  const settings = await loadSessionSettings(context.deps, session.state);
  // A session can be left whatever fails.
  const changed = await writePresentTree({ ...context, session, settings })
    .then((to) => to === null ? [] : context.trees.diff(from, to)).catch(() => []);
  const files = changed.map(({ path }) => context.paths.toProject(path));
  return files.length === 0 ? {} : {
    changed_files_stay: files.slice(0, MOST_LEFT),
    ...(files.length > MOST_LEFT ? { changed_files_total: files.length } : {}),
  };
}

/** The reply to a decision. */
export async function buildReply(
  context: SessionContext,
  session: OpenSession,
  decision: Decision,
): Promise<Reply> {
  const parts = { deps: context.deps, contract: context.contract, state: session.state };
  const learned = session.noted === undefined ? {} : buildLearnedFields(session.noted);
  const undone = session.state.status === "active"
    ? {}
    : { ...buildUndoneFields(session.state), ...await listLeft(context, session) };
  switch (decision.kind) {
    case "accepted":
      return await addSeenTests(
        await buildOkReply({ ...parts, fields: { ...decision.reply, ...undone, ...learned } }),
        context,
        parts.state,
      );
    case "refused":
      return await buildRefusedReply({
        ...parts,
        error: decision.error,
        problems: decision.problems,
        fields: decision.reply,
      });
    case "perform":
      throw new CodeIntelError("busy", "Cannot answer: effects of the session are under way", {
        hint: say`${SAME_CALL} again.`,
      });
  }
}
