/** Tells where a session stands, with its brief, and resumes a parked session. */
import type { CodeIntelError } from "../../base/errors.ts";
import { makeProblem } from "../../base/problem.ts";
import type { Reply } from "../../base/reply.ts";
import { buildRefusal } from "../../base/reply.ts";
import { ASKED, call, say, tool } from "../../base/text/words.ts";
import type { Repository } from "../../git/repository.ts";
import { hasNoGit, readHead } from "../../git/repository.ts";
import { switchBranch } from "../../git/branches/switch_files.ts";
import { takeSnapshot } from "../../git/snapshots/snapshots.ts";
import { hashGuardedFiles } from "../../git/snapshots/guarded_files.ts";
import { carryChanges } from "../../git/trees/carry_changes.ts";
import { diffTrees } from "../../git/trees/changes.ts";
import { carryReferenceTrees } from "../../ledger/attribute_user.ts";
import { compareHashes, createTrees } from "../../ledger/trees.ts";
import type { LedgerState, WorkspaceState } from "../../phase/state.ts";
import { takeUpDeferred } from "../../phase/payload/complete.ts";
import { buildStateSummary } from "../../session/state_summary.ts";
import type { Caller } from "../advance/progress.ts";
import { completePending } from "../advance/complete.ts";
import { loadSessionSettings } from "../context/deps.ts";
import type { OpenSession, SessionContext, Sessions } from "../context/sessions.ts";
import { refuseWithoutSession } from "../context/sessions.ts";
import { discardActive, findLostSessions, readParkedFields } from "./earlier_sessions.ts";
import { buildStaleField, listStaleBranches } from "../effects/effect_stale.ts";
import { buildPendingProblem } from "../advance/leave.ts";
import { readHooksSeen } from "../look/notices.ts";
import { readBriefOptions } from "./brief_options.ts";
import { buildOkReply } from "../context/replies.ts";
import { readBaseline } from "../verify/baseline.ts";
import { RUNNING } from "../verify/verify_step.ts";
import { buildOverlapFields } from "../resolve/ask_resolutions.ts";
import { claimWorktree } from "./worktree_mark.ts";

/** Which session is meant, and what happens to the active one. */
export interface StatusInput {
  readonly sessionId?: string;
  /** Archives the active session first; its branch and snapshots stay. */
  readonly discardActive?: boolean;
}

/** Answers with the brief; resumes a parked session that is named. */
export async function getStatus(
  sessions: Sessions,
  input: StatusInput,
  caller: Caller,
): Promise<Reply> {
  if (input.discardActive === true) {
    const discarded = await discardActive(sessions, caller);
    const isAll = input.sessionId === undefined;
    if (discarded !== null && (!discarded.ok || isAll)) return discarded;
  }
  const context = await sessions.prepare(input.sessionId);
  if (input.sessionId !== undefined) return await resume(context, input.sessionId);
  // A checkpoint is replaced as a whole, so reading needs no lock and writes nothing.
  const opened = await sessions.openActive();
  if (opened.kind === "refused") return opened.reply;
  if (opened.kind === "none") return await replyWithoutSession(context);
  const now = await complete(sessions, opened.session);
  return now.kind === "over"
    ? now.reply
    : await buildStatusReply(context, { session: now.session, fields: buildUnfinishedField(now) });
}

/** The fields of a reply about effects that fail. */
function buildUnfinishedField(
  { session, failure }: Extract<Completed, { readonly kind: "open" }>,
): Readonly<Record<string, unknown>> {
  return failure === null
    ? {}
    : { unfinished_effects: buildPendingProblem(session.state, failure) };
}

/** The session without pending effects, or the reply of the effects that ended it. */
type Completed =
  | {
    readonly kind: "open";
    readonly session: OpenSession;
    /** Why effects are still pending; null where none are. */
    readonly failure: CodeIntelError | null;
  }
  | { readonly kind: "over"; readonly reply: Reply };

/** Completes effects that a killed process left pending. */
async function complete(sessions: Sessions, session: OpenSession): Promise<Completed> {
  if (session.state.pending === null) return { kind: "open", session, failure: null };
  const { reply, failure } = await completePending(sessions, session.id);
  const again = await sessions.underLock(() => sessions.open(session.id));
  // Effects that end a session archive it, and their reply is the answer.
  return again.kind === "open" ? { ...again, failure } : { kind: "over", reply };
}

async function replyWithoutSession(context: SessionContext): Promise<Reply> {
  const lost = await findLostSessions(context);
  if (lost.length > 0) return { ...buildRefusal(lost), call: "get_session_status" };
  const parked = await readParkedFields(context.deps);
  const none = { ...refuseWithoutSession(), ...await buildLastSessionField(context.sessions) };
  if (Object.keys(parked).length === 0) return none;
  return {
    ...none,
    ...parked,
    instruction: say`${call("get_session_status", { session_id: ASKED })} of a parked session, or ${
      tool("start_session")
    } for new work.`,
  };
}

/** How the last session ended, because the reply that reported it may have been lost. */
async function buildLastSessionField(
  sessions: Sessions,
): Promise<Readonly<Record<string, unknown>>> {
  const last = await sessions.deps.store.readLastEnded();
  if (last === null) return {};
  const { sessionId, end, query, workspace } = last.state;
  return {
    last_session: {
      session_id: sessionId,
      end,
      ended_at: last.savedAt,
      query: query.slice(0, 200),
      ...(workspace.baseBranch === null ? {} : { base_branch: workspace.baseBranch }),
    },
  };
}

/** Makes a parked session active again; an active one is only shown. */
export async function resume(context: SessionContext, id: string): Promise<Reply> {
  return await claimWorktree(context, () => resumeClaimed(context, id));
}

async function resumeClaimed(context: SessionContext, id: string): Promise<Reply> {
  const opened = await context.sessions.underLock(() => context.sessions.open(id));
  if (opened.kind === "refused") {
    const { reply } = opened;
    return "error" in reply && reply.error === "session_not_found"
      ? { ...reply, ...await readParkedFields(context.deps) }
      : reply;
  }
  if (opened.kind === "none") return refuseWithoutSession();
  const before = await complete(context.sessions, opened.session);
  if (before.kind === "over") return before.reply;
  const step = await context.sessions.underLock(async () => {
    const again = await context.sessions.open(before.session.id);
    if (again.kind !== "open") {
      return stopWith(again.kind === "refused" ? again.reply : refuseWithoutSession());
    }
    const { session } = again;
    if (session.state.status === "active") {
      const shown = { session, fields: buildUnfinishedField(before) };
      return stopWith(await buildStatusReply(context, shown));
    }
    if (session.state.status === "ended") {
      return stopWith({ ...refuseEnded(session.id), ...await readParkedFields(context.deps) });
    }
    const active = await context.sessions.openActive();
    if (active.kind === "refused") return stopWith(active.reply);
    if (active.kind === "open") return stopWith(refuseOtherActive(active.session.id));
    return await unpark(context, session);
  });
  if (step.kind === "over") return step.reply;
  const after = await complete(context.sessions, step.session);
  if (after.kind === "over") return after.reply;
  const fields = { ...step.fields, ...buildUnfinishedField(after) };
  return await buildStatusReply(context, { session: after.session, fields });
}

type Step = { readonly kind: "over"; readonly reply: Reply } | Unparked;

interface Unparked {
  readonly kind: "back";
  readonly session: OpenSession;
  readonly fields: Readonly<Record<string, unknown>>;
}

function stopWith(reply: Reply): Step {
  return { kind: "over", reply };
}

async function unpark(context: SessionContext, session: OpenSession): Promise<Step> {
  const { state } = session;
  const back = context.repo.missing !== undefined
    ? BACK_WITHOUT_STATES
    : await returnToBranch(context.sessions, context.repo, session);
  if (back.kind === "refused") return stopWith({ ...back.reply, session_id: session.id });
  const isUnchanged = back.personFiles.length + back.gitFiles.length === 0 &&
    state.workspace.parkTree !== null;
  const next = takeUpDeferred({
    ...state,
    status: "active",
    workspace: { ...state.workspace, ...back.workspace },
    ...(state.ledger === undefined || back.ledger === null
      ? {}
      : { ledger: { ...state.ledger, ...back.ledger } }),
  }, { isUnchanged });
  const projectPaths = back.personFiles.map((treePath) => context.paths.toProject(treePath));
  const personFiles = [...projectPaths, ...back.gitFiles];
  const isBooked = new Set(back.personFiles);
  const overlapping = (next.workspace.personOverlaps ?? [])
    .filter(({ treePath }) => isBooked.has(treePath))
    .map(({ treePath }) => context.paths.toProject(treePath));
  return {
    kind: "back",
    session: await context.sessions.save(session, next),
    fields: {
      resumed: true,
      ...(personFiles.length === 0 ? {} : { booked_as_person: personFiles }),
      ...buildOverlapFields(overlapping),
    },
  };
}

type ReturnResult =
  | {
    readonly kind: "back";
    readonly workspace: Partial<WorkspaceState>;
    /** Files that changed since the parking, relative to the worktree. */
    readonly personFiles: readonly string[];
    /** Files in git's folder that changed, as `.git/<name>`. */
    readonly gitFiles: readonly string[];
    /** The fields of the ledger at the resume; null where it has none. */
    readonly ledger: Partial<LedgerState> | null;
  }
  | { readonly kind: "refused"; readonly reply: Reply };

/** Moves HEAD to the task branch again; changes since the parking are attributed to the user. */
async function returnToBranch(
  sessions: Sessions,
  repo: Repository,
  session: OpenSession,
): Promise<ReturnResult> {
  const { workspace } = session.state;
  const at = sessions.deps.clock.now();
  const { maxFileMb } = await loadSessionSettings(sessions.deps, session.state);
  const options = {
    sessionId: session.id,
    label: "resume",
    at,
    maxFileMb,
  };
  const before = await takeSnapshot(repo, options);
  const head = await readHead(repo);
  const isAway = workspace.taskBranch !== null &&
    !(head.kind === "branch" && head.branch === workspace.taskBranch);
  if (isAway && workspace.taskBranch !== null) {
    const switched = await switchBranch(repo, workspace.taskBranch);
    if (switched.kind === "refused") {
      return { kind: "refused", reply: buildRefusal([switched.problem]) };
    }
  }
  const now = isAway ? (await takeSnapshot(repo, options)).tree : before.tree;
  const { parkTree, baselineTree } = workspace;
  const resumed = await resumeLedger(sessions, repo, { session, now });
  const { ledger, gitFiles } = resumed;
  if (parkTree === null || baselineTree === null || parkTree === now) {
    return { kind: "back", workspace: {}, personFiles: [], gitFiles, ledger };
  }
  const changes = await diffTrees(repo, parkTree, now);
  const origins = await carryReferenceTrees(createTrees(repo), workspace, {
    from: parkTree,
    to: now,
  });
  return {
    kind: "back",
    workspace: { ...origins, parkTree: null },
    ledger,
    personFiles: changes.map(({ path }) => path),
    gitFiles,
  };
}

/** Where the states are gone nothing is compared: the next step says so. */
const BACK_WITHOUT_STATES: ReturnResult = {
  kind: "back",
  workspace: {},
  personFiles: [],
  gitFiles: [],
  ledger: null,
};

/**
 * The ledger at the resume: changes since the parking are the user's, and findings from before it
 * still stand. A commit on the session's branch is always somebody else's.
 */
async function resumeLedger(
  sessions: Sessions,
  repo: Repository,
  { session, now }: { readonly session: OpenSession; readonly now: string },
): Promise<
  { readonly ledger: Partial<LedgerState> | null; readonly gitFiles: readonly string[] }
> {
  const { ledger, workspace } = session.state;
  if (ledger === undefined) return { ledger: null, gitFiles: [] };
  const [head, gitFiles, texts] = await Promise.all([
    readHead(repo),
    hashGuardedFiles(repo),
    sessions.deps.hashProtectedTexts(session.state.fixedVerify),
  ]);
  const branch = head.kind === "branch" ? head.branch : null;
  const isOnTask = branch !== null && branch === workspace.taskBranch;
  const commit = isOnTask && ledger.taskTip !== undefined ? ledger.taskTip : head.commit;
  const { parkTree } = workspace;
  const tree = ledger.tree === null || parkTree === null
    ? ledger.tree
    : await carryChanges(repo, { onto: ledger.tree, from: parkTree, to: now, onConflict: "onto" });
  return {
    ledger: {
      tree,
      head: ledger.head === null ? null : { branch, commit },
      gitFiles,
      texts,
      foundTree: null,
    },
    gitFiles: compareHashes(ledger.gitFiles, gitFiles).map((name) => `.git/${name}`),
  };
}

function refuseEnded(id: string): Reply {
  return {
    ...buildRefusal([makeProblem("session_ended", `${id} is over`, {
      hint: say`${call("start_session")} for new work.`,
    })]),
    call: "start_session",
  };
}

function refuseOtherActive(id: string): Reply {
  return {
    ...buildRefusal([makeProblem("session_unfinished", `${id} is active`, {
      hint: say`Finish, park or abandon it by ${
        tool("submit_phase")
      } before another one is resumed.`,
    })]),
    session_id: id,
    call: "get_session_status",
  };
}

async function buildStatusReply(
  context: SessionContext,
  input: {
    readonly session: OpenSession;
    readonly fields: Readonly<Record<string, unknown>>;
  },
): Promise<Reply> {
  const { session, fields } = input;
  const options = await readBriefOptions(context, session);
  const brief = buildStateSummary(
    session.state,
    await context.sessions.records(session.id),
    options,
  );
  const isAsked = session.state.stage === "BRANCH_INTERVENTION" && !hasNoGit(context.repo);
  const stale = isAsked ? await listStaleBranches(context.repo, context.deps.store) : [];
  const { overrides } = await context.deps.loadSettings();
  return await buildOkReply({
    deps: context.deps,
    contract: context.contract,
    state: session.state,
    fields: {
      ...fields,
      ...buildStaleField(stale),
      ...await buildRunningField(context.sessions, session),
      ...await readBaseline(context.sessions, session.id),
      hooks: await readHooksSeen(context.sessions, session.id),
      brief,
      counters: {
        verification_failures: session.state.counters.verificationFailures,
        interventions: session.state.counters.interventions,
        quality_reverts: session.state.counters.qualityReverts,
        backs: session.state.counters.backs,
      },
      completed_steps: [...new Set(session.state.path.slice(0, -1).map(({ stage }) => stage))],
      ...(overrides.length === 0 ? {} : { overrides }),
    },
  });
}

/** At step 15: which command runs now, and that the same payload waits for it. */
async function buildRunningField(
  sessions: Sessions,
  { id, state }: OpenSession,
): Promise<Readonly<Record<string, unknown>>> {
  if (state.stage !== "POST_IMPL_VERIFY") return {};
  const running = await sessions.deps.verification.runner.readRunning(id);
  const mark = running.find(({ kind }) => kind === "verify");
  return mark === undefined
    ? {}
    : { verification_running: true, command: mark.command, running_note: RUNNING };
}
