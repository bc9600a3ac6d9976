/**
 * Counts the turns of loops: which outcome a turn leads to, and what its transition changes. Pure.
 */
import type { SessionState } from "../state.ts";
import type { Loop, Transition } from "./transitions.ts";
import type { Outcome } from "./phases.ts";
import { findTransition } from "./transitions.ts";
import type { ValveLimits } from "../facts.ts";
import { buildEscalation, countFailure, resetFailures } from "../valves.ts";

/** What a turn needs. */
export interface LimitOptions {
  readonly limits: ValveLimits;
  /** Why the work goes back, kept for the next plan; absent where nothing failed. */
  readonly reason?: string;
  /** What the user is told where they have to be asked. */
  readonly detail: string;
  /** Tasks that failed; absent where no task can be at fault. */
  readonly failedTasks?: readonly string[];
  /** True where the server's own run failed; default false. */
  readonly isRun?: boolean;
}

/** The result of a turn. */
export interface LimitedOutcome {
  /** The requested outcome, or that of the limit. */
  readonly outcome: Outcome;
  /** The transition of that outcome. */
  readonly row: Transition;
  /** The counters, and the question to the user where the row asks one. */
  readonly patch: Partial<SessionState>;
}

/**
 * Takes an outcome of the present stage: counts its loop, and at the limit takes the outcome of the
 * limit instead.
 */
export function limitLoop(
  state: SessionState,
  outcome: Outcome,
  options: LimitOptions,
): LimitedOutcome {
  const first = findTransition(state, outcome);
  const { counts } = first;
  const counted = counts === undefined ? null : count(state, counts.loop, options);
  const isAtLimit = counts !== undefined && counted?.isAtLimit === true;
  const reached = isAtLimit ? counts.atLimit : outcome;
  const row = isAtLimit ? findTransition(state, reached) : first;
  const patch = {
    ...counted?.patch,
    ...resetLoops({ ...state, ...counted?.patch }, first.resets ?? []),
    ...(row.asks === undefined ? {} : buildEscalation(row.asks, options.detail)),
  };
  return { outcome: reached, row, patch };
}

/**
 * Loops that may take as many turns as their limit; every other loop ends with the turn that
 * reaches it.
 */
const MAY_REACH: readonly Loop[] = ["backs"];

function count(
  state: SessionState,
  loop: Loop,
  options: LimitOptions,
): { readonly patch: Partial<SessionState>; readonly isAtLimit: boolean } {
  const { limits, reason, failedTasks, isRun = false } = options;
  if (loop === "verificationFailures" && failedTasks !== undefined) {
    return countFailure(state, failedTasks, { reason: reason ?? options.detail, limits, isRun });
  }
  const turns = state.counters[loop] + 1;
  const mayReach = MAY_REACH.includes(loop);
  const isAtLimit = mayReach ? turns > limits[loop] : turns >= limits[loop];
  // A turn that is refused is not counted.
  const counters = { ...state.counters, [loop]: mayReach && isAtLimit ? turns - 1 : turns };
  return {
    patch: { counters, ...(reason === undefined ? {} : { revertReason: reason }) },
    isAtLimit,
  };
}

/** The counters of these loops at zero; those of the tasks too where they count failures. */
function resetLoops(state: SessionState, loops: readonly Loop[]): Partial<SessionState> {
  if (loops.length === 0) return {};
  const zeros = Object.fromEntries(loops.map((loop) => [loop, 0]));
  return {
    ...(loops.includes("verificationFailures") ? resetFailures(state) : {}),
    counters: { ...state.counters, ...zeros },
  };
}
