/**
 * The steps that follow the present one where nothing is open, and that can be answered together with it: what they ask
 * depends on nothing that the server finds in between. Pure.
 */
import type { Outcome, Stage } from "./phases.ts";
import type { SessionState } from "./state.ts";
import { findTransition } from "./transitions.ts";

/** The outcome of a step in which everything is clear. */
const STRAIGHT: Readonly<Partial<Record<Stage, Outcome>>> = {
  EXPLORATION: "done",
  Q1: "no",
  Q2: "no",
  Q3: "no",
  READY_IMPL: "all_done",
  READY_COMPLETE: "done",
  PRE_COMMIT: "reviewed",
  QUALITY_REVIEW: "clean",
};

/** Steps that need no look at the reply before them; a small request is planned with its exploration too. */
const JOINED: readonly Stage[] = [
  "Q1",
  "Q2",
  "Q3",
  "READY_COMPLETE",
  "POST_IMPL_VERIFY",
  "QUALITY_REVIEW",
  "MERGE",
];

/** Steps at which a row begins; in the others the reply has to be read first. */
const BEGINNINGS: readonly Stage[] = ["EXPLORATION", "READY_IMPL", "PRE_COMMIT"];

/** The steps, in order, whose payloads can be sent with that of the present step; empty where there are none. */
export function toFollowing(state: SessionState): readonly Stage[] {
  const pending = state.tasks.filter(({ status }) => status === "pending").length;
  // At high risk the server's advice on the exploration is read before the questions are answered.
  const isOpen = state.stage === "EXPLORATION" && state.risk === "HIGH";
  const isBeginning = BEGINNINGS.includes(state.stage) && !isOpen &&
    (state.stage !== "READY_IMPL" || pending === 1);
  if (!isBeginning) return [];
  const following: Stage[] = [];
  let at: SessionState = state;
  for (;;) {
    const outcome = STRAIGHT[at.stage];
    if (outcome === undefined) return following;
    const { to } = findTransition(at, outcome);
    if (to === "stay" || !isJoined(at, to)) return following;
    following.push(to);
    at = { ...at, stage: to };
  }
}

function isJoined({ size }: SessionState, to: Stage): boolean {
  return JOINED.includes(to) || (to === "READY_PLAN" && size?.level === "small");
}
