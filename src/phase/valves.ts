/** The counters that end loops. Pure; the limits come from the configuration. */
import type { ValveLimits } from "./facts.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { clip } from "../base/text/clip.ts";
import type { EscalationCause, SessionState } from "./state.ts";

/** The limits where the project's configuration sets none. */
export const DEFAULT_VALVE_LIMITS: ValveLimits = {
  verificationFailures: LIMITS.verificationFailures.value,
  interventions: LIMITS.interventions.value,
  qualityReverts: LIMITS.qualityReverts.value,
  backs: LIMITS.backToCount.value,
};

/** The answers that the user may give to an escalation, and the wording of the question. */
export const ESCALATIONS: Readonly<
  Record<EscalationCause, {
    readonly question: string;
    readonly decisions: readonly ("continue" | "accept" | "park" | "abandon")[];
  }>
> = {
  verification_limit: {
    question: "The verification failed repeatedly.",
    decisions: ["continue", "accept", "park", "abandon"],
  },
  intervention_limit: {
    question: "The work failed again after the interventions.",
    decisions: ["continue", "accept", "park", "abandon"],
  },
  back_limit: {
    question: "The session went back to the exploration too often.",
    decisions: ["continue", "park", "abandon"],
  },
  hook_broken: {
    question:
      "A git hook of the project cannot run: install what it needs, or mend it; then continue.",
    decisions: ["continue", "park", "abandon"],
  },
  hook_limit: {
    question: "A git hook of the project refuses the commit repeatedly.",
    decisions: ["continue", "park", "abandon"],
  },
  message_limit: {
    question:
      "A git hook of the project refuses the commit message repeatedly: say what message it wants; then continue.",
    decisions: ["continue", "park", "abandon"],
  },
};

/** The patch that makes the session wait for the user. */
export function buildEscalation(
  cause: EscalationCause,
  detail: string,
): Pick<SessionState, "escalation"> {
  return { escalation: { cause, message: `${ESCALATIONS[cause].question} ${detail}`.trim() } };
}

/** Most characters of a failure that each task keeps; the session has the whole of it once. */
const TASK_REASON_CHARS = 200;

/**
 * Counts a failed verification; tells whether the limit is reached. A failed run of the server counts
 * for the session too, whatever tasks are named: otherwise a new task for each repair would never
 * reach the limit.
 */
export function countFailure(
  state: SessionState,
  failedTasks: readonly string[],
  options: {
    readonly reason: string;
    readonly limits: ValveLimits;
    /** True for a run of the server; default false. */
    readonly isRun?: boolean;
  },
): { readonly patch: Partial<SessionState>; readonly isAtLimit: boolean } {
  const failed = new Set(failedTasks);
  const revertReason = clip(options.reason, TASK_REASON_CHARS);
  const tasks = state.tasks.map((task) =>
    failed.has(task.id) ? { ...task, failureCount: task.failureCount + 1, revertReason } : task
  );
  const isOfTasks = failed.size > 0 && options.isRun !== true;
  const counters = isOfTasks ? state.counters : {
    ...state.counters,
    verificationFailures: state.counters.verificationFailures + 1,
  };
  const limit = options.limits.verificationFailures;
  const isAtLimit = counters.verificationFailures >= limit ||
    tasks.some((task) => task.failureCount >= limit);
  return { patch: { tasks, counters, revertReason: options.reason }, isAtLimit };
}

/** The state with the failure counters at zero, as after an intervention. */
export function resetFailures(state: SessionState): Partial<SessionState> {
  return {
    tasks: state.tasks.map((task) => ({ ...task, failureCount: 0 })),
    counters: { ...state.counters, verificationFailures: 0 },
    ...(state.attempts === undefined ? {} : { attempts: [] }),
  };
}

/** What a passed run changes: the failed runs before it are no series any more. */
export function endAttempts(state: SessionState): Partial<SessionState> {
  const { attempts = [], counters } = state;
  if (attempts.length === 0) return {};
  const verificationFailures = Math.max(0, counters.verificationFailures - attempts.length);
  return { attempts: [], counters: { ...counters, verificationFailures } };
}
