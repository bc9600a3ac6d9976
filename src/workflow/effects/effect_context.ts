/** What an effect works with and what it answers; and what several effects do alike. */
import type { Problem } from "../../base/problem.ts";
import type { Repository } from "../../git/repository.ts";
import { deleteBranch } from "../../git/branches/branches.ts";
import { switchBranch } from "../../git/branches/switch_files.ts";
import type { EffectResult, SessionState, WorkspaceState } from "../../phase/state.ts";
import type { OpenContext } from "../context/sessions.ts";

/** What an effect needs, with git opened and the decision applied to the state. */
export interface EffectContext extends OpenContext {
  readonly repo: Repository;
  /** The state as it will be after the effects. */
  readonly state: SessionState;
  /** Object ids noted before the first effect. */
  readonly expected: Readonly<Record<string, string>>;
}

/** The result of an effect, or why it was not done; then nothing was changed. */
export type Performed =
  | { readonly kind: "done"; readonly result: EffectResult }
  | { readonly kind: "refused"; readonly problem: Problem };

/** The result of an effect that was done. */
export function done(
  effect: Pick<EffectResult, "kind">,
  rest: Omit<EffectResult, "kind"> & { readonly workspace?: Partial<WorkspaceState> },
): Performed {
  return { kind: "done", result: { kind: effect.kind, ...rest } };
}

/** Removes a task branch without work: HEAD goes to the base, and a ref keeps the tip. */
export async function removeTaskBranch(
  { repo, state, deps }: EffectContext,
): Promise<Performed> {
  const { taskBranch, baseBranch } = state.workspace;
  if (taskBranch === null || baseBranch === null) return done({ kind: "remove_branch" }, {});
  const left = await switchBranch(repo, baseBranch);
  if (left.kind === "refused") return left;
  const deleted = await deleteBranch(repo, taskBranch, deps.clock.now());
  if (deleted.kind === "refused") return deleted;
  return done({ kind: "remove_branch" }, {
    workspace: { taskBranch: null },
    reply: {
      branch_removed: taskBranch,
      ...(deleted.kind === "deleted" ? { kept_as: deleted.keptAs } : {}),
    },
  });
}
