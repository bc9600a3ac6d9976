/**
 * Step 15 before the engine: the project's own commands, run by the server. Nothing is locked while
 * they run or while the person is asked to allow them.
 */
import type { Asker } from "../base/asker.ts";
import { NO_ASKER } from "../base/asker.ts";
import type { Reply } from "../base/reply.ts";
import type {
  ProjectCommands,
  VerificationRun,
  VerificationState,
  VerifyCommand,
} from "../evidence/mod.ts";
import { judgeRun, selectCommands, toTrustText, toUntrusted } from "../evidence/mod.ts";
import type { Trees } from "../ledger/mod.ts";
import { isManifestId } from "../ledger/mod.ts";
import type { ServerRun, SessionState } from "../phase/mod.ts";
import { parseSubmission } from "../phase/mod.ts";
import type { Bench, Desk, OpenSession } from "./desk.ts";
import type { WorkflowSettings } from "./deps.ts";
import { toTree } from "./gather.ts";
import { toOkReply, toRefusedReply } from "./replies.ts";

/** What the server's run came to: a fact for the engine, or a reply that ends the call. */
export type VerifyStep =
  | {
    readonly kind: "run";
    readonly run: ServerRun | null;
    /** Globs of what the commands write, relative to the project. */
    readonly writes: readonly string[];
  }
  | { readonly kind: "reply"; readonly reply: Reply };

/** What the step works with. */
export interface VerifyInput {
  readonly session: OpenSession;
  readonly settings: WorkflowSettings;
  readonly data: unknown;
  readonly caller?: { readonly signal: AbortSignal; readonly asker: Asker };
}

/** Longest wait of one call for a run that goes on, in milliseconds (specification). */
const WAIT_MS = 45_000;
const TAIL_CHARS = 1_500;
/** No command applies: the client reports. */
export const NO_RUN: VerifyStep = { kind: "run", run: null, writes: [] };

/** Runs the commands that apply to the changed files; without any, the client reports. */
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
  const tree = await toTree({ ...input, bench });
  const changed = await listChanged(bench, state, tree);
  const found = await desk.deps.verification.loadCommands();
  const commands = selectCommands(found.commands, changed.project);
  if (commands.length === 0) return NO_RUN;
  if (!found.isTrusted) {
    const refused = await askForTrust(desk, bench, { ...input, found });
    if (refused !== null) return refused;
  }
  await desk.cancelBaseline(state.sessionId);
  const run = await runOnTree(desk, bench, {
    state,
    found,
    commands,
    tree: tree ?? `revision ${input.session.revision}`,
    changed: changed.worktree,
  });
  return await toStep(desk, bench, { ...input, found, run, changed: changed.worktree });
}

interface ChangedPaths {
  readonly worktree: readonly string[];
  readonly project: readonly string[];
}

/** Files of the session, or with `only_verify` of the working diff. */
async function listChanged(
  bench: Bench,
  state: SessionState,
  tree: string | null,
): Promise<ChangedPaths> {
  const { baselineTree, cleanTree } = state.workspace;
  const from = state.flags.only_verify === true ? cleanTree : baselineTree;
  if (bench.trees === null || tree === null) return { worktree: [], project: [] };
  if (from === null) return await listSources(bench);
  const worktree = (await bench.trees.diff(from, tree)).map(({ path }) => path);
  return { worktree, project: worktree.map((path) => bench.paths.toProject(path)) };
}

/** Without git nobody knows the working diff: every command applies, and every source counts. */
async function listSources({ deps, paths }: Bench): Promise<ChangedPaths> {
  const project = (await deps.listFiles()).filter(deps.isSourceFile);
  const worktree = project.flatMap((path) => {
    const resolved = paths.toWorktree(path);
    return resolved.kind === "path" ? [resolved.path] : [];
  });
  return { worktree, project };
}

/** Asks the person to allow the commands; null once they have. */
async function askForTrust(
  desk: Desk,
  bench: Bench,
  input: VerifyInput & { readonly found: ProjectCommands },
): Promise<VerifyStep | null> {
  const { found, session, caller } = input;
  const signal = caller?.signal ?? new AbortController().signal;
  const answer = await (caller?.asker ?? NO_ASKER).ask({
    key: `trust ${session.id} ${found.hash}`,
    message: toTrustText(found, { maxLines: 40 }),
    fields: [{
      name: "allow",
      title: "Allow these commands to run in this project",
      type: "boolean",
      required: true,
    }],
  }, signal);
  if (answer.kind === "answered" && answer.values.allow === true) {
    await desk.deps.verification.trustCommands(found, "asked");
    return null;
  }
  const problem = toUntrusted(found);
  const reply = await toRefusedReply({
    deps: desk.deps,
    contract: bench.contract,
    state: session.state,
    error: "verify_untrusted",
    problems: [{
      ...problem,
      hint: "Ask the person to run `code-intel trust` at a terminal, then send the same payload " +
        "again; or with their word user_decision accept, or park.",
    }],
    fields: { person_asked: answer.kind },
  });
  return { kind: "reply", reply };
}

interface RunInput {
  readonly state: SessionState;
  readonly found: ProjectCommands;
  readonly commands: readonly VerifyCommand[];
  readonly tree: string;
  readonly changed: readonly string[];
}

/** The run that fits the present tree: one that is known, or a new one. */
async function runOnTree(desk: Desk, bench: Bench, input: RunInput): Promise<VerificationState> {
  const { runner } = desk.deps.verification;
  const { sessionId } = input.state;
  const known = desk.runs.get(sessionId);
  if (known !== undefined && await isStillTrue(bench.trees, known.tree, input)) {
    const state = await runner.wait(known.id, WAIT_MS);
    if (state.kind !== "lost") return state;
  }
  for (const run of (await runner.read(sessionId)).toReversed()) {
    const fits = run.kind === "verify" && !run.wasCancelled &&
      run.commandsHash === input.found.hash &&
      await isStillTrue(bench.trees, run.treeAtStart, input);
    if (fits) return { kind: "done", run };
  }
  const started = await runner.start({
    sessionId,
    kind: "verify",
    tree: input.tree,
    commands: input.commands,
    commandsHash: input.found.hash,
  });
  const id = started.kind === "done" ? started.run.id : started.id;
  desk.runs.set(sessionId, { id, tree: input.tree });
  return started.kind === "running" ? await runner.wait(id, WAIT_MS) : started;
}

/** True when the result on the tree of a run holds for the present one: no work changed or went away. */
async function isStillTrue(
  trees: Trees | null,
  before: string,
  input: Pick<RunInput, "tree" | "changed" | "state">,
): Promise<boolean> {
  return await isSameWork(trees, before, input) && !await isWorkGone(trees, before, input);
}

/**
 * True when a file that the run saw as work of the session is back at the baseline, as after a discard:
 * it is in no list of changes any more. What the person changed since has moved the baseline instead.
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
  // A run of a session from before there were states without git names none.
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
    return {
      kind: "reply",
      reply: { ...reply, instruction: "The commands still run. Send the same payload again." },
    };
  }
  const now = await toTree({ ...input, bench });
  const isVoid = now !== null && !await isSameWork(bench.trees, run.run.treeAtStart, {
    tree: now,
    changed: input.changed,
  });
  if (isVoid) {
    const problems = [{
      code: "verification_void",
      message: "Files of the session changed while the commands ran",
      hint: "Send the same payload again; the commands then run on the files as they are.",
    }];
    const reply = await toRefusedReply({ ...parts, error: "verification_void", problems });
    return { kind: "reply", reply };
  }
  const writes = input.found.commands.flatMap((command) => command.writes ?? []);
  return { kind: "run", run: await judge(desk, run.run, input), writes };
}

async function judge(
  desk: Desk,
  run: VerificationRun,
  input: { readonly found: ProjectCommands; readonly session: OpenSession },
): Promise<ServerRun> {
  const [runs, records] = await Promise.all([
    desk.deps.verification.runner.read(run.sessionId),
    desk.records(run.sessionId),
  ]);
  // Another process may have cleared the first file, which cannot cancel a run of this one.
  const writtenAt = records.find((record) =>
    record.kind === "call" && record.tool === "check_write_target" && record.ok
  )?.at;
  const baseline = runs.findLast((other) =>
    other.kind === "baseline" && !other.wasCancelled && other.commandsHash === input.found.hash &&
    (writtenAt === undefined || other.finishedAt <= writtenAt)
  );
  const verdict = judgeRun({ baseline: baseline?.results ?? null, run: run.results });
  return {
    verdict: verdict.verdict,
    failed: verdict.failed,
    stillRed: verdict.stillRed,
    tree: input.session.state.workspace.hasGit ? run.treeAtStart : null,
    results: run.results.map((result) => ({
      name: result.name,
      exitCode: result.exitCode,
      durationMs: result.durationMs,
      outputTail: result.outputTail.slice(-TAIL_CHARS),
      outputHash: result.outputHash,
    })),
  };
}

/** Starts the commands once on the untouched tree, so that what was red before convicts nobody. */
export async function startBaseline(desk: Desk, state: SessionState): Promise<string | null> {
  const { flags, workspace } = state;
  const reachesStep = flags.no_verify !== true && flags.only_verify !== true &&
    flags.only_explore !== true && (state.intent === "IMPLEMENT" || state.intent === "MODIFY");
  if (!reachesStep) return null;
  const found = await desk.deps.verification.loadCommands();
  if (found.commands.length === 0) return null;
  if (!found.isTrusted) return "untrusted";
  if (found.baseline === "off" || workspace.baselineTree === null) return null;
  const started = await desk.deps.verification.runner.start({
    sessionId: state.sessionId,
    kind: "baseline",
    tree: workspace.baselineTree,
    commands: found.commands,
    commandsHash: found.hash,
  });
  if (started.kind === "running") desk.baselines.set(state.sessionId, started.id);
  return "running";
}
