/**
 * Step 15 before the engine: the server runs the project's own commands. No lock is held while they
 * run, or while the person is asked to allow them.
 */
import type { Asker } from "../../base/asker.ts";
import type { TreePath } from "../../base/paths.ts";
import { toProblem } from "../../base/problem.ts";
import type { Reply } from "../../base/reply.ts";
import type { ProjectCommands } from "../../evidence/runs/project_verification.ts";
import type {
  RunCheckout,
  RunVoid,
  VerificationRequest,
  VerificationRun,
  VerificationState,
} from "../../evidence/runs/verification.ts";
import type { VerifyCommand } from "../../evidence/runs/verify_commands.ts";
import { isPassed } from "../../evidence/runs/judge_run.ts";
import { selectCommands } from "../../evidence/runs/verify_commands.ts";
import type { Trees } from "../../ledger/trees.ts";
import { isManifestId } from "../../ledger/manifest_trees.ts";
import type { ServerRun } from "../../phase/facts.ts";
import type { SessionState } from "../../phase/state.ts";
import { parseSubmission } from "../../phase/payload/payloads.ts";
import { CONDITIONS } from "../../phase/table/conditions.ts";
import type { Bench, Desk, OpenSession } from "../context/desk.ts";
import type { SessionSettings } from "../context/deps.ts";
import { toTree } from "../context/present_tree.ts";
import { inspect } from "../look/inspect.ts";
import { toOkReply, toRefusedReply } from "../context/replies.ts";
import { planCheckout, planUntouched, toUseApart } from "./checkout_plan.ts";
import { findBaseline, judge } from "./judge_step.ts";
import type { Waiting } from "./run_wait.ts";
import { waitForRun } from "./run_wait.ts";
import { planProof } from "./test_proof.ts";
import { createRunWatch } from "./run_watch.ts";
import { askForTrust, refuseFaults, refuseUntrusted } from "./verify_trust.ts";

/** The result of the server's run: a fact for the engine, or a reply that ends the call. */
export type VerifyStep =
  | {
    readonly kind: "run";
    readonly run: ServerRun | null;
  }
  /** Findings have to be resolved first; no command ran. */
  | { readonly kind: "blocked" }
  | { readonly kind: "reply"; readonly reply: Reply };

/** What the step needs. */
export interface VerifyInput {
  readonly session: OpenSession;
  readonly settings: SessionSettings;
  readonly data: unknown;
  readonly caller?: Waiting & { readonly asker: Asker };
}

/** The signal of callers that never cancel. */
const NEVER = new AbortController().signal;
/** No command applies, so the client's report counts. */
export const NO_RUN: VerifyStep = { kind: "run", run: null };

/** Runs the commands that apply to the changed files; where none applies, the client reports. */
export async function runVerification(
  desk: Desk,
  bench: Bench,
  input: VerifyInput,
): Promise<VerifyStep> {
  const { state } = input.session;
  const isDue = state.stage === "POST_IMPL_VERIFY" && state.status === "active" &&
    state.escalation === null && state.pending === null;
  if (!isDue || parseSubmission(state.stage, input.data).submission?.kind !== "payload") {
    return NO_RUN;
  }
  // Resolutions come first: commands do not run on changes that nobody answers for.
  if (hasResolutions(input.data)) return { kind: "blocked" };
  const ready = await prepare(desk, bench, input);
  if (ready.kind !== "ready") return ready;
  const { found, session, tree, changed } = ready;
  const commands = selectCommands(found.commands, changed.project);
  if (commands.length === 0) return NO_RUN;
  const run = await runOnTree(desk, bench, {
    state: session.state,
    settings: input.settings,
    found,
    commands,
    tree: tree ?? `revision ${session.revision}`,
    changed: changed.worktree,
    waiting: input.caller ?? { signal: NEVER },
  });
  return await toStep(desk, bench, { ...input, session, run, found, changed: changed.worktree });
}

function hasResolutions(data: unknown): boolean {
  return typeof data === "object" && data !== null && "change_resolution" in data;
}

interface Ready {
  readonly kind: "ready";
  readonly found: ProjectCommands;
  readonly session: OpenSession;
  readonly tree: string | null;
  readonly changed: ChangedPaths;
}

/** How often the commands may change while the person reads them (guessed). */
const MOST_FORMS = 3;

/** Files and commands as they are judged and allowed; both are read again after the person answered. */
async function prepare(
  desk: Desk,
  bench: Bench,
  input: VerifyInput,
): Promise<Ready | Exclude<VerifyStep, { readonly kind: "run" }>> {
  let allowed: string | null = null;
  for (let forms = 0;; forms++) {
    const looked = await lookFirst(desk, bench, input);
    if (looked.kind !== "looked") return looked;
    const { session, tree } = looked;
    const { state } = session;
    const found = await desk.deps.verification.loadCommands(state.fixedVerify);
    if (found.faults.length > 0) return await refuseFaults(bench, session, found);
    const changed = await listChanged(bench, state, tree);
    const isNeeded = selectCommands(found.commands, changed.project).length > 0;
    if (!isNeeded || found.isTrusted || found.hash === allowed) {
      return { kind: "ready", found, session, tree, changed };
    }
    const isLast = forms >= MOST_FORMS;
    const refused = isLast
      ? await refuseUntrusted(bench, session, { found, answer: "changed_meanwhile" })
      : await askForTrust(desk, bench, { ...input, session, found });
    if (refused !== null) return refused;
    allowed = found.hash;
  }
}

type Looked =
  | { readonly kind: "looked"; readonly session: OpenSession; readonly tree: string | null }
  | Exclude<VerifyStep, { readonly kind: "run" }>;

/** Inspects the disk before the commands; findings are left for the submission to resolve. */
async function lookFirst(desk: Desk, bench: Bench, input: VerifyInput): Promise<Looked> {
  return await desk.underLock(async () => {
    const opened = await desk.open(input.session.id);
    if (opened.kind !== "open" || opened.session.state.pending !== null) return { kind: "blocked" };
    const { session } = opened;
    const { settings } = input;
    const inspection = await inspect(desk, bench, { session, settings });
    const saved = inspection.state === session.state
      ? session
      : await desk.save(session, inspection.state);
    const isStrict = session.state.ledger?.mode !== "warn";
    if (inspection.total > 0 && isStrict) return { kind: "blocked" };
    const tree = inspection.seen?.tree ?? await toTree({ bench, session, settings });
    return { kind: "looked", session: saved, tree };
  });
}

interface ChangedPaths {
  readonly worktree: readonly string[];
  readonly project: readonly string[];
}

/** Files that the session changed, or with `only_verify` those of the working diff. */
async function listChanged(
  bench: Bench,
  state: SessionState,
  tree: string | null,
): Promise<ChangedPaths> {
  const { baselineTree, cleanTree } = state.workspace;
  const from = CONDITIONS.only_verify.holds(state) ? cleanTree : baselineTree;
  if (bench.trees === null || tree === null) return { worktree: [], project: [] };
  if (from === null) return await listSources(bench);
  const worktree = (await bench.trees.diff(from, tree)).map(({ path }) => path);
  return { worktree, project: worktree.map((path) => bench.paths.toProject(path)) };
}

/** Without git the working diff is not known, so every command applies and every source file counts. */
async function listSources({ deps, paths }: Bench): Promise<ChangedPaths> {
  const project = (await deps.listFiles()).filter(deps.isSourceFile);
  const worktree = project.flatMap((path) => {
    const resolved = paths.toWorktree(path);
    return resolved.kind === "path" ? [resolved.path] : [];
  });
  return { worktree, project };
}

interface RunInput {
  readonly state: SessionState;
  readonly settings: SessionSettings;
  readonly found: ProjectCommands;
  readonly commands: readonly VerifyCommand[];
  readonly tree: string;
  readonly changed: readonly string[];
  readonly waiting: Waiting;
}

/** The run for the present tree: a known one, or a new one. */
async function runOnTree(desk: Desk, bench: Bench, input: RunInput): Promise<VerificationState> {
  const { runner } = desk.deps.verification;
  const { sessionId, visit } = input.state;
  const known = desk.runs.get(sessionId);
  if (known?.visit === visit && await isStillTrue(bench.trees, known.tree, input)) {
    const state = await waitForRun(runner, known.id, input.waiting);
    if (state.kind === "running" || (state.kind === "done" && state.run.voided === null)) {
      return state;
    }
  }
  for (const run of (await runner.read(sessionId)).toReversed()) {
    if (isUsable(run, input) && await isStillTrue(bench.trees, run.treeAtStart, input)) {
      return { kind: "done", run };
    }
  }
  const { tree, commands, found } = input;
  const baseline = await findBaseline(desk.deps, sessionId, found.hash);
  const checkout = await planCheckout(desk, bench, { ...input, baseline });
  const started = await runner.start({
    sessionId,
    kind: "verify",
    tree,
    visit,
    commands,
    commandsHash: found.hash,
    ...(checkout === undefined ? {} : { checkout }),
    ...(baseline === undefined ? await planUntouched(desk, bench, input) : {
      before: baseline.results,
    }),
    ...await planProof(desk, bench, input),
    ...await planAdditions(desk, bench, { ...input, checkout }),
    watch: createRunWatch(desk, bench, {
      ...input,
      treeAtStart: tree,
      maxFileMb: input.settings.maxFileMb,
      paths: input.changed,
    }),
  });
  const id = started.kind === "done" ? started.run.id : started.id;
  desk.runs.set(sessionId, { id, tree, visit });
  return started.kind === "running" ? await waitForRun(runner, id, input.waiting) : started;
}

/** What features add to the run. */
async function planAdditions(
  desk: Desk,
  bench: Bench,
  input: RunInput & { readonly checkout: RunCheckout | string | undefined },
): Promise<Pick<VerificationRequest, "mutants" | "coverage">> {
  const { settings, found } = input;
  const { deps } = desk;
  return {
    ...await deps.addition("planMutants")?.({
      ...input,
      settings: settings.mutants,
      repo: bench.repo,
      toProject: (path) => bench.paths.toProject(path),
      findNearTests: (files) => deps.findNearTests(files),
      useApart: (wanted) => toUseApart(desk, { ...wanted, found }),
    }),
    ...await deps.addition("planCoverage")?.({ ...input, project: bench }),
  };
}

/** A failure may come from something that no tree holds (a database), so it counts only in its own visit. */
function isUsable(run: VerificationRun, { state, found }: RunInput): boolean {
  return run.kind === "verify" && !run.wasCancelled && run.voided === null &&
    run.commandsHash === found.hash && (run.visit === state.visit || run.results.every(isPassed));
}

/**
 * Whether the result of a run holds for the judged tree: a file of the session may change between the end of the run
 * and the judgement, and the person's claim of it would book that change unnoticed.
 */
export async function isRunOf(
  bench: Bench,
  state: SessionState,
  { run, tree }: { readonly run: ServerRun | null; readonly tree: string | null },
): Promise<boolean> {
  const before = run?.tree ?? null;
  if (before === null || tree === null || before === tree) return true;
  const { worktree: changed } = await listChanged(bench, state, tree);
  return await isStillTrue(bench.trees, before, { tree, changed, state });
}

/** True when a result holds for the present tree: no work of the session was changed or removed since. */
async function isStillTrue(
  trees: Trees | null,
  before: string,
  input: Pick<RunInput, "tree" | "changed" | "state">,
): Promise<boolean> {
  return await isSameWork(trees, before, input) && !await isWorkGone(trees, before, input);
}

/**
 * True when a file that the run saw as work of the session is again as in the baseline, as after a
 * discard, and so in no list of changes. What the person changed since is in the baseline already.
 */
async function isWorkGone(
  trees: Trees | null,
  before: string,
  { tree, state }: Pick<RunInput, "tree" | "state">,
): Promise<boolean> {
  const { baselineTree, cleanTree } = state.workspace;
  if (trees === null || before === tree || baselineTree === null) return false;
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
  trees: Trees | null,
  before: string,
  input: Pick<RunInput, "tree" | "changed">,
): Promise<boolean> {
  if (before === input.tree) return true;
  // A run of an older session without git names no state of the files.
  if (trees === null || (trees.kind === "manifest") !== isManifestId(before)) return false;
  const changed = new Set(input.changed);
  return (await trees.diff(before, input.tree)).every(({ path }) => !changed.has(path));
}

async function toStep(
  desk: Desk,
  bench: Bench,
  input: VerifyInput & {
    readonly found: ProjectCommands;
    readonly run: VerificationState;
    readonly changed: readonly string[];
  },
): Promise<VerifyStep> {
  const { run, session } = input;
  const parts = { deps: desk.deps, contract: bench.contract, state: session.state };
  if (run.kind !== "done") {
    const facts = run.kind === "running"
      ? { command: run.command, elapsed_ms: run.elapsedMs, last_line: run.lastLine }
      : {};
    const reply = await toOkReply({ ...parts, fields: { verification_running: true, ...facts } });
    const { resources: _resources, ...rest } = reply;
    return { kind: "reply", reply: { ...rest, instruction: RUNNING } };
  }
  const toProject = (path: TreePath) => bench.paths.toProject(path);
  // What changes behind the run is found by the look of the submission (`isRunOf`).
  const { voided } = run.run;
  if (voided !== null) {
    desk.runs.delete(session.id);
    return await refuseVoid(bench, session, voided);
  }
  return { kind: "run", run: await judge(desk, run.run, { ...input, bench, toProject }) };
}

/** What a client is told while commands run. */
export const RUNNING =
  "The server runs the project's commands; they still run. Send the same payload again to wait for " +
  "their result: nothing is run twice.";

async function refuseVoid(
  bench: Bench,
  session: OpenSession,
  { path, command }: RunVoid,
): Promise<VerifyStep> {
  const while_ = command === null ? "after the commands had begun" : `while "${command}" ran`;
  const problem = toProblem(
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
  const parts = { deps: bench.deps, contract: bench.contract, state: session.state };
  const reply = await toRefusedReply({
    ...parts,
    error: "verification_void",
    problems: [problem],
  });
  return { kind: "reply", reply };
}
