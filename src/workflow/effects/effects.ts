/**
 * Does what a decision wants done on git and on files: one function for each effect. Each can be
 * repeated after a kill, because it recognises what is done already.
 */
import type { TreePath } from "../../base/paths.ts";
import { quoteShellWord } from "../../base/text/plain_text.ts";
import { listSnapshots } from "../../git/snapshots/snapshots.ts";
import { findOpenOverlaps } from "../../git/trees/commit_tree.ts";
import type { EffectContext, Performed } from "./effect_context.ts";
import { done, removeTaskBranch } from "./effect_context.ts";
import type { OpenContext, OpenSession, SessionContext } from "../context/sessions.ts";
import { invariant } from "../../base/errors.ts";
import { findHindrance } from "../context/hindrance.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import { createTaskBranch, leaveTaskBranch } from "../../git/branches/branches.ts";
import { attachBranch } from "../../git/branches/switch_files.ts";
import { readHead, readTip } from "../../git/repository.ts";
import { restorePaths } from "../../git/snapshots/restore.ts";
import { diffTrees } from "../../git/trees/changes.ts";
import type { ObservedHead } from "../../ledger/ledger.ts";
import type { Effect, EffectResult } from "../../phase/state.ts";
import { applyPending } from "../../phase/accepted.ts";
import { performCommit } from "./effect_commit.ts";
import { performMerge } from "./effect_merge.ts";
import { performStale } from "./effect_stale.ts";
import { carryToTree } from "../look/gather.ts";
import { buildStagedFields } from "../look/notices.ts";
import { writePresentTree } from "../context/present_tree.ts";

const MOST_PATHS = 20;

/**
 * Fields of the reply after files were put back in which the user had written on lines of the
 * session. The baseline lacks that text, so it was removed with these lines; the snapshot before
 * the effect has it.
 */
export async function reportRemovedText(
  { repo, state, session, sessions, paths, expected }: EffectContext,
  treePaths: Iterable<TreePath>,
): Promise<Readonly<Record<string, unknown>>> {
  const named = new Set(treePaths);
  const overlaps = (state.workspace.personOverlaps ?? [])
    .filter(({ treePath }) => named.has(treePath));
  if (overlaps.length === 0 || expected.tree === undefined) return {};
  const standing = await findOpenOverlaps(repo, expected.tree, overlaps);
  const kept = (await listSnapshots(repo, session.id))
    .findLast(({ tree }) => tree === expected.tree);
  if (standing.length === 0 || kept === undefined) return {};
  const shown = standing.map((treePath) => paths.toProject(treePath));
  const isGone = overlaps.some(({ treePath, after }) =>
    after === null && standing.includes(treePath)
  );
  const words = [
    session.id,
    "--to",
    String(kept.number),
    ...(isGone ? ["--exact"] : []),
    ...shown.slice(0, MOST_PATHS).map(quoteShellWord),
  ];
  const line = `code-intel restore ${words.join(" ")}`;
  await sessions.record(session.id, { kind: "note", code: "restored_change", text: line });
  return {
    person_text_removed: shown.slice(0, MOST_PATHS),
    person_text_removed_total: shown.length,
    person_text_removed_note:
      `What the person had written on lines of the session went with them. Tell them: \`${line}\` brings it back.`,
  };
}

/** Results of all effects of a decision, or the first refusal. */
export type PerformOutcome =
  | { readonly kind: "done"; readonly results: readonly EffectResult[] }
  | { readonly kind: "refused"; readonly problem: Problem };

type Executor<Kind extends Effect["kind"]> = (
  effect: Extract<Effect, { readonly kind: Kind }>,
  context: EffectContext,
) => Promise<Performed>;

const EXECUTORS: { readonly [Kind in Effect["kind"]]: Executor<Kind> } = {
  resolve_stale: performStale,
  create_branch: performCreateBranch,
  remove_branch: (_effect, context) => removeTaskBranch(context),
  restore_tree: performRestore,
  discard: performDiscard,
  commit: performCommit,
  merge: performMerge,
  leave_branch: performLeave,
};

/**
 * Performs the pending effects of a session in order.
 *
 * @throws {CodeIntelError} Where git or the disk fails; what was done till then is recognised by the next try.
 */
export async function performEffects(input: OpenContext): Promise<PerformOutcome> {
  const { state: before } = input.session;
  const { repo } = input;
  const { pending } = before;
  if (pending === null) return { kind: "done", results: [] };
  if (repo.missing !== undefined) throw repo.missing;
  const applied = applyPending(before);
  if (applied.kind === "refused") return refuseNotAccepted(applied.problems);
  let { state } = applied;
  const results: EffectResult[] = [];
  for (const effect of pending.effects) {
    const context = { ...input, repo, state, expected: pending.expected };
    const performed = await perform(effect, context);
    if (performed.kind === "refused") return performed;
    results.push(performed.result);
    if (performed.result.outcome !== undefined) break;
    state = { ...state, workspace: { ...state.workspace, ...performed.result.workspace } };
  }
  return { kind: "done", results };
}

/** The refusal for a pending decision that an earlier version accepted and this one would not. */
function refuseNotAccepted(problems: readonly Problem[]): PerformOutcome {
  const [problem] = problems;
  invariant(problem !== undefined, "what is refused has a problem");
  return { kind: "refused", problem };
}

async function perform(effect: Effect, context: EffectContext): Promise<Performed> {
  const executor = EXECUTORS[effect.kind] as (
    effect: Effect,
    context: EffectContext,
  ) => Promise<Performed>;
  return await executor(effect, context);
}

/** The state of disk and HEAD that was judged, which effects expect to find. */
export interface JudgedState {
  readonly tree: string | null;
  /** Null where HEAD was not judged: then it is accepted as it is. */
  readonly head: ObservedHead | null;
}

/**
 * Notes the object ids by which the effects' own work is recognised after a kill. Null when HEAD
 * has moved since it was judged, because a commit made meanwhile must not be taken for the
 * session's.
 */
export async function noteExpected(
  context: SessionContext,
  { tree, head: judged }: JudgedState,
): Promise<Readonly<Record<string, string>> | null> {
  const { repo } = context;
  if (repo.missing !== undefined) return {};
  const found = await readHead(repo);
  const branch = found.kind === "branch" ? found.branch : null;
  const { commit } = found;
  if (judged !== null && (judged.commit !== commit || judged.branch !== branch)) return null;
  return {
    ...(tree === null ? {} : { tree }),
    ...(commit === null ? {} : { head: commit }),
    ...(branch === null ? {} : { branch }),
  };
}

async function performCreateBranch(
  _effect: Extract<Effect, { readonly kind: "create_branch" }>,
  { repo, state, session }: EffectContext,
): Promise<Performed> {
  const base = state.workspace.baseBranch;
  if (base === null) {
    return {
      kind: "refused",
      problem: makeProblem("no_base_branch", "The session has no base branch", {
        hint: "Park the session, switch to a branch, and start again.",
      }),
    };
  }
  const made = await createTaskBranch(repo, { sessionId: session.id, base });
  if (made.kind === "refused") return made;
  return done({ kind: "create_branch" }, {
    workspace: { taskBranch: made.branch, baseCommit: made.tip },
    reply: { branch: made.branch, base_branch: base },
  });
}

async function performRestore(
  effect: Extract<Effect, { readonly kind: "restore_tree" }>,
  context: EffectContext,
): Promise<Performed> {
  const { workspace } = context.state;
  const tree = effect.to === "plan" ? workspace.planTree : workspace.baselineTree;
  if (tree === null) return done({ kind: "restore_tree" }, {});
  const { repo, expected } = context;
  const restored = await restorePaths(repo, { tree, paths: "all", exact: true });
  // What an earlier try of this effect wrote counts as the effect's work too.
  const changes = await diffTrees(repo, expected.tree ?? tree, tree, { withoutRenames: true });
  const evidence = await carryToTree({ ...context, session: withState(context) }, tree);
  const written = new Set([
    ...restored.written,
    ...restored.removed,
    ...changes.map(({ path }) => path),
  ]);
  return done({ kind: "restore_tree" }, {
    ...evidence,
    written: [...written],
    reply: {
      restored_to: effect.to,
      restored_files: written.size,
      ...await reportRemovedText(context, written),
      ...await buildStagedFields(context, [...written]),
    },
  });
}

async function performDiscard(
  effect: Extract<Effect, { readonly kind: "discard" }>,
  context: EffectContext,
): Promise<Performed> {
  const { repo, paths, state, expected } = context;
  const { baselineTree } = state.workspace;
  if (baselineTree === null) return done({ kind: "discard" }, {});
  const named = new Set(effect.paths.flatMap((path) => {
    const resolved = paths.toWorktree(path);
    return resolved.kind === "path" ? [resolved.path] : [];
  }));
  // To discard a rename the old name is restored as well.
  const changes = await diffTrees(repo, baselineTree, expected.tree ?? baselineTree);
  for (const { path, from } of changes) if (from !== undefined && named.has(path)) named.add(from);
  await restorePaths(repo, { tree: baselineTree, paths: [...named], exact: true });
  const now = await writePresentTree(context);
  const evidence = await carryToTree({ ...context, session: withState(context) }, now);
  return done({ kind: "discard" }, {
    ...evidence,
    written: [...named],
    reply: {
      discarded_files: effect.paths,
      ...await reportRemovedText(context, named),
      ...await buildStagedFields(context, [...named]),
    },
  });
}

/**
 * Ends the session even when a clean-up step fails: each failure is reported in the reply and
 * skipped, because the user must always be able to leave.
 */
async function performLeave(
  effect: Extract<Effect, { readonly kind: "leave_branch" }>,
  context: EffectContext,
): Promise<Performed> {
  const { taskBranch, baseBranch, baselineTree } = context.state.workspace;
  const workspace = { parkTree: context.expected.tree ?? null };
  const restored = effect.restore && baselineTree !== null
    ? await attempt(context, () => restoreBaseline(context, baselineTree))
    : null;
  const written = restored?.kind === "done" ? restored.value.written : [];
  const reply = restored === null
    ? {}
    : restored.kind === "done"
    ? restored.value.reply
    : await buildUnrestoredReply(context, restored.undone.message);
  const isRestored = restored?.kind === "done";
  const left = taskBranch === null || baseBranch === null
    ? null
    : await attempt(context, () => leave(context, { taskBranch, baseBranch, isRestored }));
  const head = left === null
    ? {}
    : left.kind === "done"
    ? left.value
    : { head_note: `${left.undone.message}; \`git switch ${baseBranch}\` leaves the task branch` };
  const undone = [restored, left].find((part) => part?.kind === "undone");
  return done({ kind: "leave_branch" }, {
    workspace,
    written,
    reply: { ...reply, ...head },
    ...(undone?.kind === "undone" ? { undone: undone.undone } : {}),
  });
}

type Attempt<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "undone"; readonly undone: NonNullable<EffectResult["undone"]> };

async function attempt<T>({ deps }: EffectContext, action: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { kind: "done", value: await action() };
  } catch (cause) {
    const failure = findHindrance(cause);
    if (failure === null) throw cause;
    const { code, message } = failure;
    return { kind: "undone", undone: { at: deps.clock.now().toISOString(), code, message } };
  }
}

async function restoreBaseline(context: EffectContext, tree: string) {
  const restored = await restorePaths(context.repo, { tree, paths: "all", exact: true });
  const written = [...restored.written, ...restored.removed];
  return { written, reply: await buildRestoredReply(context, written) };
}

/**
 * A restore that failed may have begun. So the reply names the command lines to the state before
 * and to the wanted one.
 */
async function buildUnrestoredReply(
  { repo, session }: EffectContext,
  message: string,
): Promise<Readonly<Record<string, unknown>>> {
  const command = `code-intel restore ${session.id} --to`;
  const last = (await listSnapshots(repo, session.id).catch(() => [])).at(-1);
  return {
    restored: false,
    restore_note:
      `${message}; once that is mended, this brings back the start: ${command} 1 --exact`,
    ...(last === undefined ? {} : { undo: `${command} ${last.number}` }),
  };
}

/** What was put back, and the command line that undoes it. */
async function buildRestoredReply(
  context: EffectContext,
  paths: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  const last = (await listSnapshots(context.repo, context.session.id)).at(-1);
  return {
    restored: true,
    restored_total: paths.length,
    restored_files: paths.slice(0, 50).map((path) => context.paths.toProject(path)),
    ...(last === undefined
      ? {}
      : { undo: `code-intel restore ${context.session.id} --to ${last.number}` }),
    ...await buildStagedFields(context, paths),
  };
}

/**
 * Moves HEAD back where no file changes by that; otherwise the reply names the command for the
 * user.
 */
async function leave(
  { repo, state, session }: EffectContext,
  options: {
    readonly taskBranch: string;
    readonly baseBranch: string;
    readonly isRestored: boolean;
  },
): Promise<Readonly<Record<string, unknown>>> {
  const { taskBranch, baseBranch } = options;
  const left = await leaveTaskBranch(repo, { taskBranch, base: baseBranch });
  if (left.kind === "left") return { head: left.branch };
  // The restored tree is that of the base at the start: if the base has not moved, HEAD may go
  // there.
  const tip = options.isRestored ? await readTip(repo, baseBranch) : null;
  if (tip !== null && tip === state.workspace.baseCommit) {
    const taken = await attachBranch(repo, baseBranch, session.id);
    if (taken.kind === "switched") return { head: baseBranch };
  }
  return { head: left.branch, head_note: `${left.reason}; \`git switch ${baseBranch}\` leaves it` };
}

/**
 * The session with the state after the effects, for functions that read tasks and workspace from
 * it.
 */
function withState(context: EffectContext): OpenSession {
  return { ...context.session, state: context.state };
}
