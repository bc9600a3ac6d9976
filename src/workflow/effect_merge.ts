/** The merge of the task branch into its base, and the way through READY when it conflicts. */
import { toProblem } from "../base/problem.ts";
import { mergeBaseIntoTask, mergeTaskBranch, toCommitMessage } from "../git/mod.ts";
import type { Effect } from "../phase/mod.ts";
import type { EffectContext, Performed } from "./effects.ts";
import { removeTaskBranch, toDone } from "./effects.ts";
import { toTree } from "./gather.ts";

/** Merges, or on a conflict does what the agent chose; without a choice nothing changes. */
export async function performMerge(
  effect: Extract<Effect, { readonly kind: "merge" }>,
  context: EffectContext,
): Promise<Performed> {
  const { repo, state, session, expected } = context;
  const { taskBranch, baseBranch } = state.workspace;
  if (taskBranch === null || baseBranch === null) {
    return toDone({ kind: "merge" }, { reply: { merged: false } });
  }
  const merged = await mergeTaskBranch(repo, {
    taskBranch,
    base: baseBranch,
    // Between a kill and the next process the branch may have been moved: only what was judged is merged.
    ...(expected.branch === taskBranch && expected.head !== undefined
      ? { expectedTip: expected.head }
      : {}),
    message: toCommitMessage(`Merge branch '${taskBranch}' into ${baseBranch}`, [
      ["Code-Intel-Session", session.id],
    ]),
  });
  switch (merged.kind) {
    case "merged":
      return toDone({ kind: "merge" }, {
        reply: {
          merged: true,
          commit: merged.commit,
          from_branch: taskBranch,
          to_branch: baseBranch,
          ...(merged.keptAs === null ? {} : { kept_as: merged.keptAs }),
        },
      });
    case "nothing_to_merge": {
      const removed = await removeTaskBranch(context);
      return removed.kind === "refused" ? removed : toDone({ kind: "merge" }, {
        outcome: "no_changes",
        ...(removed.result.workspace === undefined ? {} : { workspace: removed.result.workspace }),
        reply: { merged: false, committed: false, ...removed.result.reply },
      });
    }
    case "conflict":
      return await onConflict(effect, context, merged.paths);
    case "refused":
      return merged;
  }
}

async function onConflict(
  effect: Extract<Effect, { readonly kind: "merge" }>,
  context: EffectContext,
  conflicts: readonly string[],
): Promise<Performed> {
  const { repo, state, session, bench } = context;
  const { taskBranch, baseBranch, baselineTree, cleanTree } = state.workspace;
  const paths = conflicts.map((path) => bench.paths.toProject(path));
  if (effect.onConflict === "park") {
    return toDone({ kind: "merge" }, { outcome: "parked", paths, reply: { conflicts: paths } });
  }
  if (
    effect.onConflict === null || taskBranch === null || baseBranch === null ||
    baselineTree === null
  ) {
    return {
      kind: "refused",
      problem: toProblem(
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
    at: bench.deps.clock.now(),
  });
  if (brought.kind === "refused") return brought;
  await bench.deps.store.appendRecord(session.id, {
    kind: "explored",
    at: bench.deps.clock.now().toISOString(),
    visit: state.visit,
    paths: brought.conflicted,
    via: "merge_conflict",
  });
  return toDone({ kind: "merge" }, {
    outcome: "conflict",
    paths: brought.conflicted.map((path) => bench.paths.toProject(path)),
    written: [...brought.conflicted, ...brought.brought],
    workspace: {
      mergeParent: brought.mergeParent,
      baselineTree: brought.baselineTree,
      cleanTree: brought.cleanTree,
      // The task of the conflict is the plan from here on: what the base brought is part of it.
      planTree: await toTree(context),
      baseCommit: brought.mergeParent,
    },
    reply: { brought_files: brought.brought.length },
  });
}
