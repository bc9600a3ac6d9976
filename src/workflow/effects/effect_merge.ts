/**
 * Merges the task branch into its base, and sends the work back to READY when there is a conflict.
 */
import type { TreePath } from "../../base/paths.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import { SAME_CALL, say } from "../../base/text/words.ts";
import { mergeTaskBranch, readMergedBase } from "../../git/branches/merge.ts";
import { mergeBaseIntoTask } from "../../git/branches/merge_base.ts";
import { formatCommitMessage } from "../../git/branches/new_commit.ts";
import { diffTrees } from "../../git/trees/changes.ts";
import type { Effect, WorkspaceState } from "../../phase/state.ts";
import { buildForcedFields, chooseTrailerValue, formatForcedLines } from "../../phase/trailer.ts";
import type { EffectContext, Performed } from "./effect_context.ts";
import { done, removeTaskBranch } from "./effect_context.ts";
import { buildCommitFields, buildStatement, formatHookLines } from "./hook_fields.ts";
import { writePresentTree } from "../context/present_tree.ts";

/**
 * Merges the branch. On a conflict it does what the agent chose, and nothing where the agent chose
 * nothing.
 */
export async function performMerge(
  effect: Extract<Effect, { readonly kind: "merge" }>,
  context: EffectContext,
): Promise<Performed> {
  const { repo, state, session, expected } = context;
  const { taskBranch, baseBranch } = state.workspace;
  if (taskBranch === null || baseBranch === null) {
    return done({ kind: "merge" }, { reply: { merged: false } });
  }
  const subject = effect.message ?? `Merge branch '${taskBranch}' into ${baseBranch}`;
  const stated = state.workspace.statement ?? { verified: chooseTrailerValue(state) };
  const merged = await mergeTaskBranch(repo, {
    taskBranch,
    base: baseBranch,
    // The branch may have moved since a kill: only the commit that was judged is merged.
    ...(expected.branch === taskBranch && expected.head !== undefined
      ? { expectedTip: expected.head }
      : {}),
    sessionId: session.id,
    message: formatCommitMessage(subject, [
      ["Code-Intel-Session", session.id],
      ...formatForcedLines(state).map((line) => ["Code-Intel-Forced", line] as const),
      ...formatHookLines(stated).map((line) => ["Code-Intel-Changed-By-Hooks", line] as const),
    ]),
  });
  switch (merged.kind) {
    case "merged": {
      const isThere = merged.after?.hasWork ?? true;
      const changed = [...stated.byHooks ?? [], ...merged.after?.changed ?? []];
      const statement = buildStatement(stated.verified, isThere ? changed : []);
      return done({ kind: "merge" }, {
        workspace: { statement },
        ...(isThere ? {} : { outcome: "taken_back" }),
        reply: {
          merged: isThere,
          // The user looks for the tip; a hook may have put another commit on top of the merge.
          commit: merged.after?.tip ?? merged.commit,
          from_branch: taskBranch,
          to_branch: baseBranch,
          ...buildForcedFields(state),
          ...(statement.byHooks === undefined ? {} : { verified: statement.verified }),
          ...buildCommitFields(context, { ...merged, branch: baseBranch }, statement),
          ...(merged.keptAs === null ? {} : { kept_as: merged.keptAs }),
          ...(isThere ? {} : describeWayBack(merged.keptAs ?? merged.commit, baseBranch)),
          ...describeLeftBranch(taskBranch, merged.branchLeft),
          ...await describeMovedBase(context, merged.commit),
        },
      });
    }
    case "nothing_to_merge":
      return await endWithoutChanges(context);
    case "conflict":
      return await onConflict(effect, context, merged.paths);
    case "refused":
      return { ...merged, problem: addMergeHint(merged.problem, state.workspace) };
  }
}

/** Removes the task branch, on which there is nothing to merge. */
async function endWithoutChanges(context: EffectContext): Promise<Performed> {
  const removed = await removeTaskBranch(context);
  return removed.kind === "refused" ? removed : done({ kind: "merge" }, {
    outcome: "no_changes",
    ...(removed.result.workspace === undefined ? {} : { workspace: removed.result.workspace }),
    reply: { merged: false, committed: false, ...removed.result.reply },
  });
}

/** Says that a hook took the merge out of the base again, and how the user brings the work back. */
function describeWayBack(kept: string, base: string): Readonly<Record<string, unknown>> {
  const note = `A git hook took the merge out of ${base} again: the work is not in it. ` +
    `Tell the person; once the hook allows it, \`git merge ${kept}\` on ${base} brings it back.`;
  return { not_in_base: note };
}

/** Says that the merged branch is still there, and how it goes; empty where it is gone. */
function describeLeftBranch(branch: string, why?: string): Readonly<Record<string, unknown>> {
  if (why === undefined) return {};
  return { branch_left: branch, branch_left_note: `${why}. Later: \`git branch -d ${branch}\`` };
}

const MOST_MOVED = 20;

/**
 * What others brought to the base since it was last reported, from the merge commit; empty for nothing.
 */
async function describeMovedBase(
  { repo, state, paths }: EffectContext,
  commit: string,
): Promise<Readonly<Record<string, unknown>>> {
  const { baseBranch, baseCommit } = state.workspace;
  const from = state.ledger?.baseTip ?? baseCommit;
  const to = await readMergedBase(repo, commit);
  if (from === null || from === to) return {};
  const files = await diffTrees(repo, from, to, { withoutRenames: true });
  return {
    base_moved: {
      branch: baseBranch,
      from,
      to,
      files: files.slice(0, MOST_MOVED).map(({ path }) => paths.toProject(path)),
      files_total: files.length,
      notice: "Others moved the base before the merge: their files were not part of the review.",
    },
  };
}

/** Names the field for another message, and a base branch that is gone by its commit. */
function addMergeHint(problem: Problem, { baseBranch, baseCommit }: WorkspaceState): Problem {
  if (problem.code === "git_message_refused") {
    const hint = "Nothing was merged: send merge_message, a message as the hook wants it.";
    return { ...problem, at: "data.merge_message", hint };
  }
  if (problem.code !== "base_missing" || baseBranch === null || baseCommit === null) return problem;
  const hint =
    say`Ask the person to run \`git branch ${baseBranch} ${baseCommit}\` (the base as the session knew it), then ${SAME_CALL} again; or park.`;
  return { ...problem, hint };
}

async function onConflict(
  effect: Extract<Effect, { readonly kind: "merge" }>,
  context: EffectContext,
  conflicts: readonly TreePath[],
): Promise<Performed> {
  const { repo, state, session, deps, expected } = context;
  const { taskBranch, baseBranch, baselineTree, cleanTree } = state.workspace;
  const paths = conflicts.map((path) => context.paths.toProject(path));
  if (effect.onConflict === "park") {
    return done({ kind: "merge" }, {
      outcome: "parked",
      paths,
      workspace: { parkTree: expected.tree ?? null },
      reply: { conflicts: paths },
    });
  }
  if (
    effect.onConflict === null || taskBranch === null || baseBranch === null ||
    baselineTree === null
  ) {
    return {
      kind: "refused",
      problem: makeProblem(
        "merge_conflict",
        `Merging into ${baseBranch ?? "the base"} conflicts in: ${paths.join(", ")}`,
        {
          at: "data.on_conflict",
          hint: 'Nothing was changed. Send on_conflict "resolve" to mend it in READY, or "park".',
        },
      ),
    };
  }
  const brought = await mergeBaseIntoTask(repo, {
    taskBranch,
    base: baseBranch,
    baselineTree,
    ...(cleanTree === null ? {} : { cleanTree }),
    sessionId: session.id,
    at: deps.clock.now(),
  });
  if (brought.kind === "refused") return brought;
  await context.sessions.recordExplored(session, brought.conflicted, "merge_conflict");
  return done({ kind: "merge" }, {
    outcome: "conflict",
    paths: brought.conflicted.map((path) => context.paths.toProject(path)),
    written: [...brought.conflicted, ...brought.brought],
    workspace: {
      mergeParent: brought.mergeParent,
      // The next commit is verified and said again.
      statement: null,
      conflictTreePaths: brought.conflicted,
      baselineTree: brought.baselineTree,
      cleanTree: brought.cleanTree,
      // The conflict's task is the plan from here on, so the plan tree includes what the base
      // brought.
      planTree: await writePresentTree(context),
      baseCommit: brought.mergeParent,
    },
    reply: { brought_files: brought.brought.length },
  });
}
