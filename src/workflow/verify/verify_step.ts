/**
 * The server runs the project's own commands before the verification is judged. No lock is held while they run, or while
 * the user is asked to allow them.
 */
import type { UserPrompt } from "../../base/asker.ts";
import type { TreePath } from "../../base/paths.ts";
import { makeProblem } from "../../base/problem.ts";
import type { Reply } from "../../base/reply.ts";
import type { ProjectCommands } from "../../evidence/runs/project_verification.ts";
import type {
  RunVoid,
  VerificationRun,
  VerificationState,
} from "../../evidence/runs/verification.ts";
import { selectCommands } from "../../evidence/runs/verify_commands.ts";
import { isPassed } from "../../evidence/runs/judge_run.ts";
import type { Trees } from "../../ledger/trees.ts";
import type { ServerRun } from "../../phase/facts.ts";
import type { SessionState } from "../../phase/state.ts";
import type { ParsedSubmission } from "../../phase/payload/payloads.ts";
import { CONDITIONS } from "../../phase/table/conditions.ts";
import type { OpenContext, OpenSession, SessionContext, Sessions } from "../context/sessions.ts";
import type { SessionSettings } from "../context/deps.ts";
import { buildOkReply } from "../context/replies.ts";
import { findBaseline, judge } from "./judge_step.ts";
import type { ChecksPlanInput } from "./plan_checks.ts";
import { planChecks } from "./plan_checks.ts";
import type { Waiting } from "./run_wait.ts";
import { waitForRun } from "./run_wait.ts";
import { createRunWatch } from "./run_watch.ts";
import { askForTrust, refuseFaults, refuseRun, refuseUntrusted } from "./verify_trust.ts";

/** What the project's commands came to; null where none applies, so that the client's report counts. */
export interface FinishedRun {
  readonly kind: "run";
  readonly run: ServerRun | null;
}

/** The commands that the user allowed, by their hash, and how many forms they were shown for it. */
export interface TrustGiven {
  readonly hash: string;
  readonly forms: number;
}

/** A finished run, or what comes before one. */
export type VerifyStep =
  | FinishedRun
  /** The user allowed the commands: files and commands are read again before they run. */
  | { readonly kind: "trusted"; readonly trust: TrustGiven }
  | { readonly kind: "answer"; readonly reply: Reply };

/** What the step needs. */
export interface VerifyInput {
  readonly context: OpenContext;
  /** The tree that was looked at; null where nobody keeps states. */
  readonly tree: string | null;
  readonly caller: Waiting & { readonly asker: UserPrompt };
  readonly trust: TrustGiven | null;
}

/** How often the commands may change while the user reads them. */
const MOST_FORMS = 3;

/** Whether the project's commands have to run before a payload is judged. */
export function isRunDue(state: SessionState, { submission }: ParsedSubmission): boolean {
  return state.stage === "POST_IMPL_VERIFY" && state.status === "active" &&
    state.escalation === null && submission?.kind === "payload";
}

/** Runs the commands that apply to the changed files. Hold no lock meanwhile. */
export async function runVerification(sessions: Sessions, input: VerifyInput): Promise<VerifyStep> {
  const { context, tree, trust, caller } = input;
  const { session, settings } = context;
  const { state } = session;
  const found = await sessions.deps.verification.loadCommands(state.fixedVerify);
  if (found.faults.length > 0) return await refuseFaults(context, session, found);
  const changed = await listChanged(context, state, tree);
  const commands = selectCommands(found.commands, changed.project);
  if (commands.length === 0) return { kind: "run", run: null };
  if (!found.isTrusted && found.hash !== trust?.hash) {
    const forms = trust?.forms ?? 0;
    const refused = forms >= MOST_FORMS
      ? await refuseUntrusted(context, session, { found, answer: "changed_meanwhile" })
      : await askForTrust(context, session, { found, caller });
    return refused ?? { kind: "trusted", trust: { hash: found.hash, forms: forms + 1 } };
  }
  const run = await runOnTree(context, {
    state,
    settings,
    found,
    commands,
    tree: tree ?? `revision ${session.revision}`,
    changed: changed.worktree,
    waiting: caller,
  });
  return await finishRun(context, { session, run, found, changed: changed.worktree });
}

interface ChangedPaths {
  readonly worktree: readonly string[];
  readonly project: readonly string[];
}

/** Files that the session changed, or with `only_verify` those of the working diff. */
async function listChanged(
  context: SessionContext,
  state: SessionState,
  tree: string | null,
): Promise<ChangedPaths> {
  const { baselineTree, cleanTree } = state.workspace;
  const from = CONDITIONS.only_verify.holds(state) ? cleanTree : baselineTree;
  if (tree === null) return { worktree: [], project: [] };
  if (from === null) return await listSources(context);
  const worktree = (await context.trees.diff(from, tree)).map(({ path }) => path);
  return { worktree, project: worktree.map((path) => context.paths.toProject(path)) };
}

/** Without git the working diff is not known, so every command applies and every source file counts. */
async function listSources({ deps, paths }: SessionContext): Promise<ChangedPaths> {
  const project = (await deps.listFiles()).filter(deps.isSourceFile);
  const worktree = project.flatMap((path) => {
    const resolved = paths.toWorktree(path);
    return resolved.kind === "path" ? [resolved.path] : [];
  });
  return { worktree, project };
}

interface RunInput extends ChecksPlanInput {
  readonly settings: SessionSettings;
  readonly waiting: Waiting;
}

/** The run for the present tree: a known one, or a new one. */
async function runOnTree(context: SessionContext, input: RunInput): Promise<VerificationState> {
  const { runner } = context.deps.verification;
  const { sessionId, visit } = input.state;
  const known = context.sessions.runs.get(sessionId);
  if (known?.visit === visit && await isStillTrue(context.trees, known.tree, input)) {
    const state = await waitForRun(runner, known.id, input.waiting);
    if (state.kind === "running" || (state.kind === "done" && state.run.voided === null)) {
      return state;
    }
  }
  for (const run of (await runner.read(sessionId)).toReversed()) {
    if (isUsable(run, input) && await isStillTrue(context.trees, run.treeAtStart, input)) {
      return { kind: "done", run };
    }
  }
  const { tree, commands, found } = input;
  const baseline = await findBaseline(context.deps, sessionId, found.hash);
  const started = await runner.start({
    sessionId,
    kind: "verify",
    tree,
    visit,
    commands,
    commandsHash: found.hash,
    ...await planChecks(context, { ...input, baseline }),
    watch: createRunWatch(context, {
      ...input,
      treeAtStart: tree,
      maxFileMb: input.settings.maxFileMb,
      paths: input.changed,
    }),
  });
  const id = started.kind === "done" ? started.run.id : started.id;
  context.sessions.runs.set(sessionId, { id, tree, visit });
  return started.kind === "running" ? await waitForRun(runner, id, input.waiting) : started;
}

/** A failure may come from something that no tree holds (a database), so it counts only in its own stage entry. */
function isUsable(run: VerificationRun, { state, found }: RunInput): boolean {
  // Runs of older versions keep the changed tests in another form.
  return run.kind === "verify" && !("proof" in run) && !run.wasCancelled && run.voided === null &&
    run.commandsHash === found.hash && (run.visit === state.visit || run.results.every(isPassed));
}

/**
 * Whether the result of a run holds for the judged tree. A file of the session may change between
 * the end of the run and the judgement. If the user then claimed the file, that change would be
 * recorded as theirs unnoticed.
 */
export async function isRunOf(
  context: OpenContext,
  { run }: FinishedRun,
  tree: string | null,
): Promise<boolean> {
  const { state } = context.session;
  const before = run?.tree ?? null;
  if (before === null || tree === null || before === tree) return true;
  const { worktree: changed } = await listChanged(context, state, tree);
  return await isStillTrue(context.trees, before, { tree, changed, state });
}

/** True when a result holds for the present tree: no work of the session was changed or removed since. */
async function isStillTrue(
  trees: Trees,
  before: string,
  input: Pick<RunInput, "tree" | "changed" | "state">,
): Promise<boolean> {
  return await isSameWork(trees, before, input) && !await isWorkGone(trees, before, input);
}

/**
 * True when a file is again as in the baseline, as after a discard, and the run saw it as work of
 * the session. Then it is in no list of changes. What the user changed since is in the baseline
 * already.
 */
async function isWorkGone(
  trees: Trees,
  before: string,
  { tree, state }: Pick<RunInput, "tree" | "state">,
): Promise<boolean> {
  const { baselineTree, cleanTree } = state.workspace;
  if (before === tree || baselineTree === null) return false;
  const list = async (from: string, to: string) =>
    new Set((await trees.diff(from, to)).map(({ path }) => path));
  const different = await list(before, tree);
  if (different.size === 0) return false;
  const [work, person] = await Promise.all([
    list(baselineTree, before),
    cleanTree === null ? new Set<string>() : list(cleanTree, baselineTree),
  ]);
  return [...different].some((path) => work.has(path) && !person.has(path));
}

/** True when no file of the session differs between the tree of a run and the present one. */
async function isSameWork(
  trees: Trees,
  before: string,
  input: Pick<RunInput, "tree" | "changed">,
): Promise<boolean> {
  if (before === input.tree) return true;
  const changed = new Set(input.changed);
  return (await trees.diff(before, input.tree)).every(({ path }) => !changed.has(path));
}

async function finishRun(
  context: SessionContext,
  input: {
    readonly session: OpenSession;
    readonly found: ProjectCommands;
    readonly run: VerificationState;
    readonly changed: readonly string[];
  },
): Promise<VerifyStep> {
  const { run, session } = input;
  const parts = { deps: context.deps, contract: context.contract, state: session.state };
  if (run.kind !== "done") {
    const facts = run.kind === "running"
      ? { command: run.command, elapsed_ms: run.elapsedMs, last_line: run.lastLine }
      : {};
    const reply = await buildOkReply({
      ...parts,
      fields: { verification_running: true, ...facts },
    });
    const { resources: _resources, ...rest } = reply;
    return { kind: "answer", reply: { ...rest, instruction: RUNNING } };
  }
  const toProject = (path: TreePath) => context.paths.toProject(path);
  // What changes behind the run is found by the look of the submission (`isRunOf`).
  const { voided } = run.run;
  if (voided !== null) {
    context.sessions.runs.delete(session.id);
    return await refuseVoid(context, session, voided);
  }
  return {
    kind: "run",
    run: await judge(run.run, { ...context, ...input, toProject }),
  };
}

/** What a client is told while commands run. */
export const RUNNING =
  "The server runs the project's commands; they still run. Send the same payload again to wait for " +
  "their result: nothing is run twice.";

async function refuseVoid(
  context: SessionContext,
  session: OpenSession,
  { path, command }: RunVoid,
): Promise<VerifyStep> {
  const while_ = command === null ? "after the commands had begun" : `while "${command}" ran`;
  const problem = makeProblem(
    "verification_void",
    `${path} changed ${while_}: the run proves nothing`,
    {
      path,
      hint: "Send the same payload again; the commands then run on the files as they are." +
        (command === null
          ? ""
          : ` Where "${command}" itself writes this file, the person can name it in its \`writes\` ` +
            "(.code-intel/config.json, for the next session)."),
    },
  );
  return await refuseRun(context, session, { error: "verification_void", problems: [problem] });
}
