/**
 * The steps that follow the present one where nothing is open, and that can be answered together with it: what they ask
 * depends on nothing that the server finds in between. Pure.
 */
import type { Outcome, Stage } from "../table/phases.ts";
import type { SessionState } from "../state.ts";
import { toDoubts } from "../rules/frame_doubts.ts";
import { toNextTask } from "../tasks.ts";
import { findTransition } from "../table/transitions.ts";

/** The outcome of a step in which everything is clear. */
const STRAIGHT: Readonly<Partial<Record<Stage, Outcome>>> = {
  DOCUMENT_RESEARCH: "done",
  EXPLORATION: "done",
  Q1: "no",
  SEMANTIC: "done",
  Q2: "no",
  VERIFICATION: "done",
  Q3: "no",
  READY_IMPL: "all_done",
  READY_COMPLETE: "done",
  PRE_COMMIT: "reviewed",
  QUALITY_REVIEW: "clean",
};

/** Steps that need no look at the reply before them. */
const JOINED: readonly Stage[] = [
  "QUERY_FRAME",
  "Q1",
  "Q2",
  "VERIFICATION",
  "Q3",
  "READY_PLAN",
  "READY_COMPLETE",
  "POST_IMPL_VERIFY",
  "QUALITY_REVIEW",
  "MERGE",
];

/** Steps at which a row begins; the rows of these reach the others, and who went there step by step wants none. */
const BEGINNINGS: readonly Stage[] = [
  "DOCUMENT_RESEARCH",
  "SEMANTIC",
  "VERIFICATION",
  "READY_IMPL",
  "PRE_COMMIT",
];

/** So many steps are offered in one row, of many tasks too; a longer one would be read by nobody (guessed). */
const MOST_FOLLOWING = 5;

/**
 * The states, in order, of the steps whose payloads can be sent with that of the present one; empty where there are none.
 * All finished tasks are reported in one row.
 */
export function toFollowing(state: SessionState): readonly SessionState[] {
  // At high risk the server's advice on the exploration is read before the questions are answered.
  const beginning: Stage = state.risk === "HIGH" ? "Q1" : "EXPLORATION";
  if (![...BEGINNINGS, beginning].includes(state.stage)) return [];
  const following: SessionState[] = [];
  for (let at = state;;) {
    const next = toNext(at);
    if (next === null || following.length === MOST_FOLLOWING) return following;
    following.push(next);
    at = next;
  }
}

/** The state at the step behind, where everything is clear; null where a reply has to be read first. */
function toNext(state: SessionState): SessionState | null {
  const { stage, tasks } = state;
  const task = toNextTask(tasks);
  const others = tasks.map((one) => one === task ? { ...one, status: "completed" as const } : one);
  if (stage === "READY_IMPL" && toNextTask(others) !== null) return { ...state, tasks: others };
  // Doubts of the frame are known before, and step 9 asks for them whatever is answered.
  const doubts = stage === "Q2" ? toDoubts(state) : [];
  const outcome = doubts.length > 0 ? "yes" : STRAIGHT[stage];
  if (outcome === undefined) return null;
  const { to } = findTransition(state, outcome);
  if (to === "stay" || !JOINED.includes(to)) return null;
  const hypotheses = doubts.length > 0 ? doubts : state.hypotheses;
  return { ...state, tasks: others, stage: to, hypotheses };
}
