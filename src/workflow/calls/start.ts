/** Starts a session: checks the mode and the repository, deals with an unfinished session, and takes the baseline. */
import { isGitUnusable } from "../../base/errors.ts";
import type { AskedSource } from "../../base/asker.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import type { Reply } from "../../base/reply.ts";
import { buildRefusal } from "../../base/reply.ts";
import { argument, either, say, tool } from "../../base/text/words.ts";
import type { Head, Repository } from "../../git/repository.ts";
import type { AddedFiles } from "../../git/trees/unstored_files.ts";
import { parseTaskBranchName } from "../../git/branches/branches.ts";
import { takeSnapshot } from "../../git/snapshots/snapshots.ts";
import { hashGuardedFiles } from "../../git/snapshots/guarded_files.ts";
import { hashUnstored } from "../../ledger/trees.ts";
import type { LedgerState, SessionState, WorkspaceState } from "../../phase/state.ts";
import { beginSession } from "../../phase/begin.ts";
import { CONDITIONS } from "../../phase/table/conditions.ts";
import type { Flags, GateLevel, Intent } from "../../phase/table/flags.ts";
import { checkMode, hasBranchFlow } from "../../phase/table/flags.ts";
import type { LoadOutcome } from "../../session/store_api.ts";
import { createSessionId } from "../../session/session.ts";
import type { Caller } from "../advance/progress.ts";
import { advance } from "../advance/advance.ts";
import { startBaseline } from "../verify/baseline.ts";
import type { SessionContext, Sessions } from "../context/sessions.ts";
import { listBranchesToSettle } from "../effects/effect_stale.ts";
import { amendPrevious, completeEnds } from "../context/learn.ts";
import { buildStartReply, describeCandidate } from "./start_reply.ts";
import { readGitFacts } from "./git_facts.ts";
import { findLostSessions } from "./earlier_sessions.ts";
import { resume } from "./status.ts";
import { claimWorktree } from "./worktree_mark.ts";
import { checkDocPrompts } from "../context/prompts.ts";

/** Input of {@link Workflow.startSession}. */
export interface StartInput {
  readonly intent: Intent;
  readonly query: string;
  readonly gateLevel: GateLevel;
  readonly flags: Flags;
  /** Names of prompts below `doc_research/`, from `--doc-research=a,b`. */
  readonly docResearchPrompts: readonly string[];
  /** What the user wants to happen to an unfinished session. */
  readonly onUnfinished?: "resume" | "park" | "abandon";
  /** Which unfinished session is meant, when there are several. */
  readonly sessionId?: string;
  /** Why the last session's work turned out to be wrong; its outcome is corrected. */
  readonly previousFailed?: string;
}

/** Starts a session, or tells what prevents it and how to go on. */
export async function startSession(
  sessions: Sessions,
  input: StartInput,
  caller: Caller,
): Promise<Reply> {
  const conflicts = checkMode(input);
  if (conflicts.length > 0) {
    return { ...buildRefusal(conflicts, "flags_conflict"), call: "start_session" };
  }
  const unknown = await checkDocPrompts(sessions.deps.codeIntelDir, input.docResearchPrompts);
  if (unknown.length > 0) return { ...buildRefusal(unknown), call: "start_session" };
  const handled = await handleUnfinished(sessions, { ...input, caller });
  if (handled !== null) return handled;
  // The session that was in the way may have begun without git.
  const preparing = sessions.prepare();
  const [fresh, earlier] = await Promise.all([
    preparing,
    recallEarlier(sessions, input, preparing),
  ]);
  const reply = await claimWorktree(
    fresh,
    () => sessions.underLock(() => begin(fresh, { ...input, earlier })),
  );
  return reply.ok ? { ...reply, ...await buildVerifyNotice(fresh) } : reply;
}

/** What is known of earlier work; what the user says of it is recorded first, so that it counts too. */
async function recallEarlier(
  sessions: Sessions,
  input: StartInput,
  beside: Promise<unknown>,
): Promise<Readonly<Record<string, unknown>>> {
  const { deps } = sessions;
  const { query, previousFailed } = input;
  // The same reason is recorded once, so a start that is refused now can be repeated.
  const amended = previousFailed === undefined ? {} : await amendPrevious(deps, previousFailed);
  if (CONDITIONS.only_verify.holds(input)) return amended;
  // What sessions learned comes first: it was proved here, while a past commit is only like the request.
  const [learned, past] = await Promise.all([
    deps.openLearning().then((learning) => learning.recall(query)),
    deps.recallPast(query, beside),
  ]);
  return { ...amended, ...learned, ...past };
}

/** Starts the run on the untouched tree in the background, or tells that nobody has allowed it yet. */
async function buildVerifyNotice(
  context: SessionContext,
): Promise<Readonly<Record<string, unknown>>> {
  const found = await context.deps.store.findActive();
  if (found?.kind !== "loaded") return {};
  const state = await startBaseline(context, found.checkpoint.state);
  if (state === null) return {};
  return state === "running" ? { verify_baseline: "running" } : {
    verify_untrusted: "The person has to allow the verification commands: `code-intel trust`.",
  };
}

/** Deals with an unfinished session; null when a new one may begin. */
async function handleUnfinished(
  sessions: Sessions,
  input: StartInput & { readonly caller: Caller },
): Promise<Reply | null> {
  const unfinished = await sessions.underLock(async () => {
    await completeEnds(sessions.deps);
    return await sessions.deps.store.loadAll();
  });
  const active = unfinished.filter(isUnfinished);
  const wanted = input.sessionId;
  const target = wanted === undefined ? active[0] : unfinished.find(({ id }) => id === wanted);
  if (active.length === 0 && input.onUnfinished !== "resume") return null;
  if (target === undefined) return active.length === 0 ? null : refuseUnfinished(active, wanted);
  if (target.kind !== "loaded") return refuseUnfinished(active, wanted);
  const chosen = await chooseForUnfinished(target.checkpoint.state, input);
  if (chosen === null) return active.length === 0 ? null : refuseUnfinished(active, wanted);
  if (chosen.choice === "resume") {
    return await resume(await sessions.prepare(target.id), target.id);
  }
  const { caller } = input;
  const said = chosen.said === undefined ? {} : { said: chosen.said };
  const reason = `start of a new session: ${input.query.slice(0, 200)}`;
  const data = chosen.choice === "park"
    ? { park: true, reason }
    : { abandon: true, reason, restore: false };
  const done = await advance(sessions, data, {
    sessionId: target.id,
    caller: { ...caller, ...said },
  });
  return done.ok ? null : done;
}

/** What to do with a session, and where the user said so; absent where the agent did. */
interface Chosen {
  readonly choice: NonNullable<StartInput["onUnfinished"]>;
  readonly said?: AskedSource;
}

/**
 * Chooses what happens to an unfinished session. The user is asked where they can be, unless the
 * agent's choice loses nothing; null where nobody chose.
 */
async function chooseForUnfinished(
  { sessionId, query, stage }: SessionState,
  { onUnfinished, caller }: StartInput & { readonly caller: Caller },
): Promise<Chosen | null> {
  if (onUnfinished === "resume" || onUnfinished === "park") return { choice: onUnfinished };
  const answer = await caller.asker.ask({
    key: `unfinished ${sessionId} ${stage}`,
    message: `A session of this project is not finished (${sessionId}, at ${stage}): ${
      query.slice(0, 200)
    }\nIt has to be resumed, parked or abandoned before another one begins. Its files stay as they are.`,
    fields: [{
      name: "choice",
      title: "What becomes of it",
      type: "choice",
      choices: ["resume", "park", "abandon"],
      required: true,
    }],
  }, caller.signal);
  if (answer.kind === "unavailable") {
    return onUnfinished === undefined ? null : { choice: onUnfinished };
  }
  if (answer.kind !== "answered") return null;
  const choice = answer.values.choice as Chosen["choice"];
  return { choice, said: caller.asker.source ?? "asked" };
}

function isUnfinished(outcome: LoadOutcome): boolean {
  if (outcome.kind === "missing") return false;
  return outcome.kind !== "loaded" || outcome.checkpoint.state.status === "active";
}

function refuseUnfinished(active: readonly LoadOutcome[], wanted: string | undefined): Reply {
  const unreadable = active.flatMap((outcome) =>
    outcome.kind === "loaded" || outcome.kind === "missing" ? [] : [outcome.problem]
  );
  const problem = wanted === undefined || active.some(({ id }) => id === wanted)
    ? makeProblem("session_unfinished", "A session of this project is not finished", {
      at: "on_unfinished",
      hint: say`Ask the person: resume, park or abandon it; then repeat the ${
        either({ agent: "call", person: "command" })
      } with ${argument("on_unfinished")}.`,
    })
    : makeProblem("session_not_found", `No unfinished session is called "${wanted.slice(0, 80)}"`, {
      at: "session_id",
      hint: "Use an id of `candidates`.",
    });
  return {
    ok: false,
    error: problem.code,
    message: problem.message,
    problems: [problem, ...unreadable],
    recovery_available: true,
    candidates: active.flatMap((outcome) =>
      outcome.kind === "loaded" || outcome.kind === "tampered"
        ? [describeCandidate(outcome.checkpoint.state)]
        : [{ session_id: outcome.id, readable: false }]
    ),
    on_unfinished: "resume | park | abandon",
    call: "start_session",
  };
}

/** What a session begins with: the call, and what is known of similar earlier work. */
interface BeginInput extends StartInput {
  readonly earlier: Readonly<Record<string, unknown>>;
}

async function begin(before: SessionContext, input: BeginInput): Promise<Reply> {
  const { deps, sessions } = before;
  const all = await deps.store.loadAll();
  const active = all.filter(isUnfinished);
  // Another client may have started a session since the question was answered.
  if (active.length > 0) return refuseUnfinished(active, undefined);
  const lost = await findLostSessions(before);
  if (lost.length > 0) return { ...buildRefusal(lost), call: "start_session" };
  const needsBranch = hasBranchFlow(input);
  if (needsBranch && isGitUnusable(before.repo.missing)) throw before.repo.missing;
  const facts = await readGitFacts(before, { needsBranch });
  const parked = all.flatMap((outcome) =>
    outcome.kind === "loaded" && outcome.checkpoint.state.status === "parked"
      ? [outcome.checkpoint]
      : []
  );
  const problems = [
    ...facts.problems,
    ...checkTaskBranch(facts.head, parked.map(({ state }) => state)),
  ];
  if (problems.length > 0) return { ...buildRefusal(problems), call: "start_session" };

  const context = await sessions.prepareToBegin(before);
  const sessionId = createSessionId(deps.clock);
  const stale = await listBranchesToSettle(context.repo, deps.store);
  const { head } = facts;
  const workspace = await takeBaseline(context, { sessionId, head });
  const ledger = await takeLedger(context, { ...workspace, head });
  const [fixedVerify, { interventionsEnabled, maxSnapshotMb }] = await Promise.all([
    deps.verification.readSettings(),
    deps.loadSettings(),
  ]);
  const state = beginSession({
    fixedVerify,
    maxSnapshotMb,
    ledger,
    sessionId,
    query: input.query,
    intent: input.intent,
    gateLevel: input.gateLevel,
    // A step that the project has switched off counts as switched off by the user.
    flags: interventionsEnabled ? input.flags : { ...input.flags, no_intervention: true },
    docResearchPrompts: input.docResearchPrompts,
    now: deps.clock.now().toISOString(),
    workspace: workspace.workspace,
    hasStaleBranches: stale.length > 0,
  });
  const opened = { id: sessionId, revision: 0, state, notices: [] };
  const saved = await sessions.save(opened, state);
  return await buildStartReply(context, {
    earlier: input.earlier,
    state: saved.state,
    noted: [...facts.notices, ...saved.noted?.notices ?? []],
    stale,
    parked,
    large: workspace.large,
    added: workspace.added,
  });
}

/** Refuses a start on the task branch of a parked session, which would mix two pieces of work. */
function checkTaskBranch(
  head: Head | null,
  parked: readonly SessionState[],
): readonly Problem[] {
  if (head?.kind !== "branch") return [];
  const owner = parked.find(({ workspace }) => workspace.taskBranch === head.branch);
  return owner === undefined ? [] : [
    makeProblem("on_task_branch", `HEAD is on the task branch of the parked ${owner.sessionId}`, {
      hint: say`Resume it (${
        tool("get_session_status", { session_id: owner.sessionId })
      }), or ask the person to run \`git switch ${owner.workspace.baseBranch ?? "<branch>"}\`.`,
    }),
  ];
}

/** The state of the project at the start. */
interface Baseline {
  readonly workspace: WorkspaceState;
  /** Files that are recorded by hash only, relative to the project. */
  readonly large: readonly string[];
  /** Untracked files that the first snapshot took in. */
  readonly added: AddedFiles;
  readonly odd: Readonly<Record<string, string>>;
}

async function takeBaseline(
  { deps, repo, paths }: SessionContext & { readonly repo: Repository },
  { sessionId, head }: { readonly sessionId: string; readonly head: Head | null },
): Promise<Baseline> {
  const hasGit = repo.isPrivate !== true;
  const { maxSnapshotMb: maxFileMb } = await deps.loadSettings();
  const at = deps.clock.now();
  const snapshot = await takeSnapshot(repo, { sessionId, label: "start", at, maxFileMb });
  const workspace: WorkspaceState = {
    hasGit,
    baseBranch: head?.kind === "branch"
      ? parseTaskBranchName(head.branch)?.base ?? head.branch
      : null,
    baseCommit: head?.commit ?? null,
    taskBranch: null,
    baselineTree: snapshot.tree,
    planTree: null,
    parkTree: null,
    cleanTree: head?.commit ?? null,
    mergeParent: null,
    commits: [],
  };
  return {
    workspace,
    large: snapshot.large.map(({ path }) => paths.toProject(path)),
    // Without git no file is tracked, so that there is nothing to tell of those that are not.
    added: hasGit ? snapshot.added : { files: 0, bytes: 0 },
    odd: await hashUnstored(repo, snapshot),
  };
}

/** The ledger of a new session: the present disk, HEAD and confirmed mode. */
async function takeLedger(
  { deps, repo }: SessionContext & { readonly repo: Repository },
  { workspace, odd, head }: Baseline & { readonly head: Head | null },
): Promise<LedgerState> {
  const [mode, gitFiles, texts] = await Promise.all([
    deps.takeEnforcement(),
    hashGuardedFiles(repo),
    deps.hashProtectedTexts(),
  ]);
  return {
    tree: workspace.baselineTree,
    head: head === null
      ? null
      : { branch: head.kind === "branch" ? head.branch : null, commit: head.commit },
    personPaths: [],
    foundTree: null,
    gitFiles,
    texts,
    odd,
    mode,
  };
}
