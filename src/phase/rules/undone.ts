/** What becomes of effects that keep failing when the session is left in spite of them. Pure. */
import { EFFECTS, isLeavingOnly } from "../effects.ts";
import type { EffectKind } from "../effects.ts";
import type { PendingDecision, SessionState, UndoneEffects } from "../state.ts";

/** Why the effects were not done. */
export type EffectFailure = Pick<UndoneEffects, "at" | "code" | "message">;

/**
 * The state without its pending decision, so that the session can be left. When it is parked, effects
 * worth another try wait for the resume; all others are given up, and the state says which.
 */
export function setPendingAside(
  state: SessionState,
  failure: EffectFailure,
  options: { readonly isParking: boolean },
): SessionState {
  const { pending } = state;
  if (pending === null) return state;
  const kinds = toKinds(pending);
  // A leaving that failed is replaced by the one that comes now.
  if (isLeavingOnly(kinds)) return { ...state, pending: null };
  const isDeferred = options.isParking && kinds.some((kind) => EFFECTS[kind].isResumed);
  return isDeferred
    ? { ...state, pending: null, deferred: pending }
    : giveUp({ ...state, pending: null }, kinds, failure);
}

/** The state with a note that effects were given up for good. */
export function giveUp(
  state: SessionState,
  effects: readonly EffectKind[],
  failure: EffectFailure,
): SessionState {
  return { ...state, undone: [...state.undone ?? [], { ...failure, effects }] };
}

/**
 * The state of a resumed session with its deferred decision pending again. Where files changed meanwhile
 * it is dropped, because it was made about other files: its step is due again.
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
