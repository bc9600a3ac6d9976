/**
 * Decides what happens to effects that keep failing when the session is left in spite of them.
 * Pure.
 */
import { EFFECTS, isLeavingOnly } from "../table/effects.ts";
import type { EffectKind } from "../table/effects.ts";
import type { PendingDecision, SessionState, UndoneEffects } from "../state.ts";

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
