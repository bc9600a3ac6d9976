/**
 * What a commit's trailer says about its verification, and whether the person accepted the work as
 * it is. Pure.
 */
import type { PersonDecision, SessionState } from "./state.ts";
import type { VerifiedTrailer } from "./verification_state.ts";

/** How the commit says that it was verified. */
export function toTrailer(
  state: Pick<SessionState, "decisions" | "verification">,
): VerifiedTrailer {
  const override = findOverride(state);
  if (override !== undefined && isOverridden(state)) return `overridden (${override.source})`;
  const { passed = false, source = "unproven", inWorktree } = state.verification ?? {};
  if (!passed || source === "unproven") return "no";
  if (source !== "server") return source;
  return inWorktree === undefined ? "yes" : "yes (worktree)";
}

/** Whether the last verification failed; one that only proves nothing has not. */
export function isRed(
  { verification }: Pick<SessionState, "verification">,
): boolean {
  return verification?.passed === false && verification.source !== "unproven";
}

/** Whether the commit will be called verified, by a result that a later change can take away. */
export function isCalledVerified(
  state: Pick<SessionState, "decisions" | "verification">,
): boolean {
  return state.verification?.passed === true && !isOverridden(state);
}

/** Whether the person took the work as it is, and no verification has passed since. */
export function isOverridden(state: Pick<SessionState, "decisions" | "verification">): boolean {
  const override = findOverride(state);
  const isVerifiedSince = override !== undefined && state.verification?.passed === true &&
    state.verification.at > override.at;
  return override !== undefined && !isVerifiedSince;
}

function findOverride({ decisions }: Pick<SessionState, "decisions">): PersonDecision | undefined {
  return decisions.findLast(({ decision }) => decision === "accept");
}
