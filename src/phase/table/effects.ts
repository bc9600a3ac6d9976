/**
 * What each effect means, as one table. Transitions name effects by kind, and the workflow performs
 * them. All other code asks this table: does the effect move HEAD, is it tried again after a kill?
 * Pure.
 */
import { hasBranchFlow } from "./flags.ts";
import type { Effect, SessionState } from "../state.ts";
import { chooseTrailerValue } from "../trailer.ts";

/** The name of an effect. */
export type EffectKind = Effect["kind"];

/** What an accepted submission says about the effects of its transition. */
export interface EffectInput {
  /** What to do with old task branches. */
  readonly choice?: "delete" | "merge" | "continue";
  /** The state that the files go back to; absent where they stay. */
  readonly restoreTo?: "plan" | "baseline";
  /** Files whose changes are thrown away. */
  readonly discards?: readonly string[];
  /** What to do when the merge conflicts; absent while that is not chosen. */
  readonly onConflict?: "resolve" | "park";
  /** Message of the merge commit; absent for the usual one. */
  readonly mergeMessage?: string;
  /** True when the files go back to the start as the session is left. */
  readonly restore?: boolean;
}

/** A row of {@link EFFECTS}. */
export interface EffectRow {
  /** What it does, for the documents. */
  readonly meaning: string;
  /**
   * Whether the effect moves HEAD. If HEAD moved during an effect that `stays`, somebody else moved
   * it; an effect that `may_move` HEAD has moved it only if HEAD is on another branch afterwards.
   */
  readonly head: "stays" | "moves" | "may_move";
  /** True when files may have other content afterwards than when they were judged. */
  readonly bringsFiles: boolean;
  /** True when the project's git hooks run during the effect. */
  readonly runsHooks: boolean;
  /**
   * True when a failed effect may have done part of its work, or its work is recognised as the
   * session's own: it is tried again at the resume. The same payload repeats the others without
   * harm.
   */
  readonly isResumed: boolean;
  /**
   * True when the effect leaves the session: a failed one is replaced by the next attempt to leave.
   */
  readonly isLeaving: boolean;
  /** Makes the effect for a state that includes the decision; null where nothing has to be done. */
  readonly make: (state: SessionState, asked: EffectInput) => Effect | null;
}

/** Every effect by its kind. */
export const EFFECTS: { readonly [Kind in EffectKind]: EffectRow } = {
  resolve_stale: {
    ...row("deletes, merges or leaves old task branches", "moves"),
    bringsFiles: true,
    make: (_state, { choice }) => choice === undefined ? null : { kind: "resolve_stale", choice },
  },
  create_branch: {
    ...row("makes the task branch and switches to it, where the flow has one", "moves"),
    make: (state) =>
      hasBranchFlow(state) && state.workspace.taskBranch === null
        ? { kind: "create_branch" }
        : null,
  },
  remove_branch: {
    ...row("removes the empty task branch, where there is one; its tip is kept by a ref", "moves"),
    bringsFiles: true,
    make: ({ workspace }) => workspace.taskBranch === null ? null : { kind: "remove_branch" },
  },
  restore_tree: {
    ...row("takes the files back to the plan or to the start, where that is asked", "stays"),
    bringsFiles: true,
    isResumed: true,
    make: (_state, { restoreTo: to }) => to === undefined ? null : { kind: "restore_tree", to },
  },
  discard: {
    ...row("throws the changes of the files away that the review discards", "stays"),
    bringsFiles: true,
    isResumed: true,
    make: (_state, { discards: paths = [] }) =>
      paths.length === 0 ? null : { kind: "discard", paths },
  },
  commit: {
    ...row("commits the reviewed files on the task branch", "moves"),
    runsHooks: true,
    isResumed: true,
    make: (state) => ({ kind: "commit", verified: chooseTrailerValue(state) }),
  },
  merge: {
    ...row("merges the task branch into its base", "moves"),
    bringsFiles: true,
    runsHooks: true,
    isResumed: true,
    make: (_state, { onConflict = null, mergeMessage: message }) => ({
      kind: "merge",
      onConflict,
      ...(message === undefined ? {} : { message }),
    }),
  },
  leave_branch: {
    ...row(
      "takes HEAD back to the base where that changes no file, and keeps the branch",
      "may_move",
    ),
    bringsFiles: true,
    isLeaving: true,
    make: ({ workspace }, { restore = false }) =>
      workspace.hasGit ? { kind: "leave_branch", restore } : null,
  },
};

/** The effects of a transition, in its order; those with nothing to do are left out. */
export function buildEffects(
  kinds: readonly EffectKind[],
  state: SessionState,
  asked: EffectInput,
): readonly Effect[] {
  return kinds.flatMap((kind) => EFFECTS[kind].make(state, asked) ?? []);
}

/** True when neither the effects nor hooks write files. */
export function leavesFiles(effects: readonly Effect[]): boolean {
  return effects.every(({ kind }) => !EFFECTS[kind].bringsFiles && !EFFECTS[kind].runsHooks);
}

/** True when there are effects and all of them leave the session. */
export function isLeavingOnly(kinds: readonly EffectKind[]): boolean {
  return kinds.length > 0 && kinds.every((kind) => EFFECTS[kind].isLeaving);
}

/** A row with the values that most effects share. */
function row(meaning: string, head: EffectRow["head"]): Omit<EffectRow, "make"> {
  return {
    meaning,
    head,
    bringsFiles: false,
    runsHooks: false,
    isResumed: false,
    isLeaving: false,
  };
}
