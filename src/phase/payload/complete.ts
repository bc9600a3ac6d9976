/**
 * Completes a decision with the results of its effects: what they mean for the state and the
 * outcome. Pure.
 */
import type { EffectKind } from "../table/effects.ts";
import { EFFECTS, isLeavingOnly } from "../table/effects.ts";
import type { EffectResult, PendingDecision, SessionState, UndoneEffects } from "../state.ts";
import { formatStoredProblem, makeProblem } from "../../base/problem.ts";
import type { Facts } from "../facts.ts";
import { limitLoop } from "../table/loops.ts";
import { buildProgress } from "../rules/ready_rules.ts";
import type { Task } from "../tasks.ts";
import { carryTasks, reopenTasks } from "../tasks.ts";
import type { Outcome } from "../table/phases.ts";

/** Why the effects were not done. */
export type EffectFailure = Pick<UndoneEffects, "at" | "code" | "message">;

/**
 * The state without its pending decision, so that the session can be left. When it is parked,
 * effects that are tried again wait for the resume; all others are dropped, and the state names
 * them.
 */
export function setPendingAside(
  state: SessionState,
  failure: EffectFailure,
  options: { readonly isParking: boolean },
): SessionState {
  const { pending } = state;
  if (pending === null) return state;
  const kinds = toKinds(pending);
  // A failed decision to leave is replaced by the present one.
  if (isLeavingOnly(kinds)) return { ...state, pending: null };
  const isDeferred = options.isParking && kinds.some((kind) => EFFECTS[kind].isResumed);
  return isDeferred
    ? { ...state, pending: null, deferred: pending }
    : giveUp({ ...state, pending: null }, kinds, failure);
}

/** The state with a note that effects were dropped for good. */
export function giveUp(
  state: SessionState,
  effects: readonly EffectKind[],
  failure: EffectFailure,
): SessionState {
  return { ...state, undone: [...state.undone ?? [], { ...failure, effects }] };
}

/**
 * The state of a resumed session with its deferred decision pending again. Where files changed
 * meanwhile the decision is dropped, because it was about other files, and its step has to be done
 * again.
 */
export function takeUpDeferred(
  state: SessionState,
  options: { readonly isUnchanged: boolean },
): SessionState {
  const { deferred, ...rest } = state;
  if (deferred === undefined) return state;
  return options.isUnchanged ? { ...rest, pending: deferred } : rest;
}

/** The kinds of the effects of a decision. */
export function toKinds({ effects }: PendingDecision): readonly EffectKind[] {
  return effects.map(({ kind }) => kind);
}

/** State, outcome and reply after all effects. */
export interface Completion {
  readonly state: SessionState;
  readonly outcome: Outcome;
  readonly reply: Readonly<Record<string, unknown>>;
}

/** Enters the results of effects into the state; an unexpected result changes the outcome. */
export function completeEffects(
  state: SessionState,
  decided: Outcome,
  options: { readonly results: readonly EffectResult[]; readonly facts: Facts },
): Completion {
  if (options.results.length === 0) return { state, outcome: decided, reply: {} };
  const stale = options.results.flatMap((result) => result.stale ?? []);
  const workspace = options.results.reduce(
    (all, result) => ({ ...all, ...result.workspace }),
    state.workspace,
  );
  const carried = carryTasks(
    state.tasks,
    options.results.flatMap((result) => result.carried ?? []),
  );
  const tasks = reopenTasks(carried, stale);
  const booked = options.results.reduce<SessionState>(
    (all, { kind, undone }) => undone === undefined ? all : giveUp(all, [kind], undone),
    { ...state, workspace, tasks },
  );
  const special = options.results.find((result) => result.outcome !== undefined);
  switch (special?.outcome) {
    case "conflict":
      return openConflictTask(booked, special.paths ?? []);
    case "hook_failed":
    case "message_refused":
    case "hook_broken":
      return stopForHook(booked, special.outcome, {
        output: String(special.reply?.output ?? ""),
        facts: options.facts,
      });
    case "hooks_changed":
      return {
        state: {
          ...booked,
          prepared: booked.prepared === null ? null : { ...booked.prepared, hooksReviewed: true },
        },
        outcome: "hooks_changed",
        reply: { hooks_changed: special.paths ?? [] },
      };
    case "parked":
      return {
        state: booked,
        outcome: "parked",
        reply: { parked: true },
      };
    case "taken_back":
    case "evidence_stale":
    case "no_changes":
      return { state: booked, outcome: special.outcome, reply: buildProgress(tasks) };
    case undefined:
      return completePlain(booked, decided, stale.map(({ taskId }) => taskId));
  }
}

/**
 * Where a discard removed the evidence of tasks, these are reopened at once, and the reply says
 * which and why.
 */
function completePlain(
  state: SessionState,
  decided: Outcome,
  reopened: readonly string[],
): Completion {
  if (reopened.length === 0 || state.stage !== "PRE_COMMIT") {
    return { state, outcome: decided, reply: {} };
  }
  const names = reopened.join(", ");
  return {
    state: { ...state, prepared: null },
    outcome: "evidence_stale",
    reply: {
      prepared: false,
      sent_back: true,
      reason: `The discard took the evidence of ${names}: do it again, or report it as skipped`,
    },
  };
}

/** The id of a conflict's task, for people only: its field `conflict` is what marks the task. */
function formatConflictId(number: number): string {
  return `resolve_conflicts_${number}`;
}

/** Makes a merge conflict a task with one item for each conflicted file. */
function openConflictTask(state: SessionState, paths: readonly string[]): Completion {
  const ids = new Set(state.tasks.map(({ id }) => id));
  let number = state.tasks.filter(({ conflict }) => conflict !== undefined).length + 1;
  while (ids.has(formatConflictId(number))) number++;
  const task: Task = {
    id: formatConflictId(number),
    description: `Resolve the merge conflicts with ${state.workspace.baseBranch ?? "the base"}`,
    status: "pending",
    checklist: paths.map((path) => ({
      item: `Resolve the conflict in ${path}`,
      status: "pending",
    })),
    failureCount: 0,
    revertReason: null,
    evidenceTree: null,
    conflict: state.workspace.conflictTreePaths ?? [],
  };
  const tasks = [...state.tasks, task];
  return {
    state: { ...state, tasks, prepared: null, clearances: [] },
    outcome: "conflict",
    reply: { conflicts: paths, ...buildProgress(tasks) },
  };
}

/** What is to be done after each failure of a git hook. */
const HOOK_HINTS = {
  hook_failed: "Plan a task that mends what the hook names.",
  message_refused:
    "Send this step again with another commit_message, as the hook wants it; the files stay as they are.",
  message_limit:
    "Ask the person what message the hook wants; after their continue, send this step again with such a commit_message.",
  hook_broken: "Ask the person to install what the hook needs, or to mend the hook.",
} as const;

/**
 * Stops the commit for a git hook. With work to fix, the session goes back to the plan. With a
 * message to fix, it stays at the review. For a hook that cannot run, the user is asked.
 */
function stopForHook(
  state: SessionState,
  outcome: "hook_failed" | "message_refused" | "hook_broken",
  { output, facts }: { readonly output: string; readonly facts: Facts },
): Completion {
  const reason = `A git hook stopped the commit: ${output}`;
  const turn = limitLoop(state, outcome, { limits: facts.limits, reason, detail: output });
  const hint = HOOK_HINTS[turn.outcome === "message_limit" ? turn.outcome : outcome];
  return {
    state: {
      ...state,
      ...turn.patch,
      prepared: null,
      lastProblems: [formatStoredProblem(makeProblem("git_hook_failed", reason, { hint }))],
    },
    outcome: turn.outcome,
    reply: {
      sent_back: turn.row.to !== "stay",
      git_hook_failed: true,
      reason,
      hint,
    },
  };
}
