/**
 * Where the flow goes: one table of stage, outcome and condition. The first row that fits wins. Pure.
 */
import { invariant } from "../base/errors.ts";
import { isThinAtHighRisk } from "./evaluation.ts";
import { isInvestigation } from "./flags.ts";
import type { Stage } from "./phases.ts";
import type { SessionState } from "./state.ts";

/** What an accepted payload, or an effect of it, came to. */
export type Outcome =
  | "done"
  | "yes"
  | "no"
  | "planned"
  | "task_done"
  | "all_done"
  | "evidence_stale"
  | "tests_removed"
  | "no_changes"
  | "passed"
  | "failed"
  | "failed_at_limit"
  | "limit"
  | "reviewed"
  | "discarded"
  | "void"
  | "clean"
  | "issues"
  | "forced"
  | "hooks_changed"
  | "hook_failed"
  | "merged"
  | "conflict"
  | "back"
  | "continued"
  | "accepted";

/** A condition on the session, by name so that the documents can show it. */
export type Condition =
  | "investigation"
  | "no_doc"
  | "skips_exploration"
  | "gate_full"
  | "thin_at_high_risk"
  | "no_verify"
  | "quick"
  | "no_verify_quick"
  | "only_verify"
  | "no_quality"
  | "no_intervention";

/** Every condition. */
export const CONDITIONS: Readonly<Record<Condition, (state: SessionState) => boolean>> = {
  investigation: (state) => isInvestigation(state),
  no_doc: ({ flags }) => flags.no_doc === true,
  skips_exploration: ({ flags }) => flags.fast === true || flags.quick === true,
  gate_full: ({ gateLevel }) => gateLevel === "full",
  thin_at_high_risk: isThinAtHighRisk,
  no_verify: ({ flags }) => flags.no_verify === true,
  quick: ({ flags }) => flags.quick === true,
  no_verify_quick: ({ flags }) => flags.no_verify === true && flags.quick === true,
  only_verify: ({ flags }) => flags.only_verify === true,
  no_quality: ({ flags }) => flags.no_quality === true || flags.fast === true,
  no_intervention: ({ flags }) => flags.no_intervention === true || flags.quick === true,
};

/** A row of {@link TRANSITIONS}. `stay` keeps the stage: the person has to be asked first. */
export interface Transition {
  readonly from: Stage;
  readonly on: Outcome;
  readonly when?: Condition;
  readonly to: Stage | "stay";
}

/** Stages from which the agent may go back to EXPLORATION. */
export const BACK_STAGES: readonly Stage[] = [
  "Q1",
  "SEMANTIC",
  "Q2",
  "VERIFICATION",
  "Q3",
  "IMPACT_ANALYSIS",
  "READY_PLAN",
  "READY_IMPL",
  "READY_COMPLETE",
];

/** Stages whose gate the person can override; the work then goes on to the commit. */
const ACCEPT_TO_COMMIT: readonly Stage[] = [
  "READY_IMPL",
  "READY_COMPLETE",
  "POST_IMPL_VERIFY",
  "VERIFY_INTERVENTION",
];

/** Every legal move of the machine. */
export const TRANSITIONS: readonly Transition[] = [
  { from: "BRANCH_INTERVENTION", on: "done", when: "no_doc", to: "QUERY_FRAME" },
  { from: "BRANCH_INTERVENTION", on: "done", to: "DOCUMENT_RESEARCH" },
  { from: "DOCUMENT_RESEARCH", on: "done", to: "QUERY_FRAME" },
  { from: "QUERY_FRAME", on: "done", when: "skips_exploration", to: "READY_PLAN" },
  { from: "QUERY_FRAME", on: "done", to: "EXPLORATION" },
  { from: "EXPLORATION", on: "done", to: "Q1" },

  { from: "Q1", on: "yes", to: "SEMANTIC" },
  { from: "Q1", on: "no", when: "gate_full", to: "SEMANTIC" },
  { from: "Q1", on: "no", when: "thin_at_high_risk", to: "SEMANTIC" },
  { from: "Q1", on: "no", to: "Q2" },
  { from: "SEMANTIC", on: "done", to: "Q2" },
  { from: "Q2", on: "yes", to: "VERIFICATION" },
  { from: "Q2", on: "no", when: "gate_full", to: "VERIFICATION" },
  { from: "Q2", on: "no", to: "Q3" },
  { from: "VERIFICATION", on: "done", to: "Q3" },
  { from: "Q3", on: "yes", to: "IMPACT_ANALYSIS" },
  { from: "Q3", on: "no", when: "gate_full", to: "IMPACT_ANALYSIS" },
  { from: "Q3", on: "no", when: "investigation", to: "SESSION_COMPLETE" },
  { from: "Q3", on: "no", to: "READY_PLAN" },
  { from: "IMPACT_ANALYSIS", on: "done", when: "investigation", to: "SESSION_COMPLETE" },
  { from: "IMPACT_ANALYSIS", on: "done", to: "READY_PLAN" },

  { from: "READY_PLAN", on: "planned", to: "READY_IMPL" },
  { from: "READY_IMPL", on: "planned", to: "READY_IMPL" },
  { from: "READY_IMPL", on: "task_done", to: "READY_IMPL" },
  { from: "READY_IMPL", on: "all_done", to: "READY_COMPLETE" },
  { from: "READY_COMPLETE", on: "evidence_stale", to: "READY_IMPL" },
  { from: "READY_COMPLETE", on: "tests_removed", to: "READY_IMPL" },
  { from: "READY_COMPLETE", on: "no_changes", to: "SESSION_COMPLETE" },
  { from: "READY_COMPLETE", on: "done", when: "no_verify_quick", to: "SESSION_COMPLETE" },
  { from: "READY_COMPLETE", on: "done", when: "no_verify", to: "PRE_COMMIT" },
  { from: "READY_COMPLETE", on: "done", to: "POST_IMPL_VERIFY" },

  { from: "POST_IMPL_VERIFY", on: "passed", when: "only_verify", to: "SESSION_COMPLETE" },
  { from: "POST_IMPL_VERIFY", on: "passed", when: "quick", to: "SESSION_COMPLETE" },
  { from: "POST_IMPL_VERIFY", on: "passed", to: "PRE_COMMIT" },
  { from: "POST_IMPL_VERIFY", on: "failed", when: "only_verify", to: "SESSION_COMPLETE" },
  { from: "POST_IMPL_VERIFY", on: "failed", to: "READY_PLAN" },
  { from: "POST_IMPL_VERIFY", on: "failed_at_limit", when: "no_intervention", to: "stay" },
  { from: "POST_IMPL_VERIFY", on: "failed_at_limit", to: "VERIFY_INTERVENTION" },
  { from: "VERIFY_INTERVENTION", on: "done", to: "READY_PLAN" },
  { from: "VERIFY_INTERVENTION", on: "limit", to: "stay" },

  { from: "PRE_COMMIT", on: "no_changes", to: "SESSION_COMPLETE" },
  { from: "PRE_COMMIT", on: "evidence_stale", to: "READY_IMPL" },
  { from: "PRE_COMMIT", on: "discarded", when: "no_verify", to: "PRE_COMMIT" },
  { from: "PRE_COMMIT", on: "discarded", to: "POST_IMPL_VERIFY" },
  { from: "PRE_COMMIT", on: "void", to: "POST_IMPL_VERIFY" },
  { from: "PRE_COMMIT", on: "hooks_changed", to: "PRE_COMMIT" },
  { from: "PRE_COMMIT", on: "hook_failed", to: "READY_PLAN" },
  { from: "PRE_COMMIT", on: "limit", to: "stay" },
  { from: "PRE_COMMIT", on: "reviewed", when: "no_quality", to: "MERGE" },
  { from: "PRE_COMMIT", on: "reviewed", to: "QUALITY_REVIEW" },
  { from: "QUALITY_REVIEW", on: "clean", to: "MERGE" },
  { from: "QUALITY_REVIEW", on: "issues", to: "READY_PLAN" },
  { from: "QUALITY_REVIEW", on: "forced", to: "MERGE" },
  { from: "QUALITY_REVIEW", on: "evidence_stale", to: "READY_IMPL" },
  { from: "QUALITY_REVIEW", on: "void", when: "no_verify", to: "PRE_COMMIT" },
  { from: "QUALITY_REVIEW", on: "void", to: "POST_IMPL_VERIFY" },
  { from: "QUALITY_REVIEW", on: "hooks_changed", to: "PRE_COMMIT" },
  { from: "QUALITY_REVIEW", on: "hook_failed", to: "READY_PLAN" },
  { from: "QUALITY_REVIEW", on: "limit", to: "stay" },
  { from: "MERGE", on: "merged", to: "SESSION_COMPLETE" },
  { from: "MERGE", on: "no_changes", to: "SESSION_COMPLETE" },
  { from: "MERGE", on: "conflict", to: "READY_IMPL" },

  ...backRows(),
  ...personRows(),
];

/**
 * The stage that follows.
 *
 * @returns The next stage, or the same one where the person has to be asked.
 */
export function toNextStage(state: SessionState, outcome: Outcome): Stage {
  const row = TRANSITIONS.find((candidate) =>
    candidate.from === state.stage && candidate.on === outcome &&
    (candidate.when === undefined || CONDITIONS[candidate.when](state))
  );
  invariant(row !== undefined, `no transition from ${state.stage} on ${outcome}`);
  return row.to === "stay" ? state.stage : row.to;
}

function backRows(): readonly Transition[] {
  return BACK_STAGES.flatMap((from): Transition[] => [
    { from, on: "back", to: "EXPLORATION" },
    { from, on: "limit", to: "stay" },
  ]);
}

/** What an answer of the person does: `continue` after an escalation, `accept` as an override. */
function personRows(): readonly Transition[] {
  const rows: Transition[] = [
    { from: "POST_IMPL_VERIFY", on: "continued", to: "READY_PLAN" },
    { from: "VERIFY_INTERVENTION", on: "continued", to: "READY_PLAN" },
    { from: "PRE_COMMIT", on: "continued", to: "READY_PLAN" },
    { from: "QUALITY_REVIEW", on: "continued", to: "READY_PLAN" },
    { from: "QUALITY_REVIEW", on: "accepted", to: "MERGE" },
  ];
  for (const from of BACK_STAGES) rows.push({ from, on: "continued", to: "EXPLORATION" });
  for (const from of ACCEPT_TO_COMMIT) {
    rows.push({ from, on: "accepted", when: "only_verify", to: "SESSION_COMPLETE" });
    rows.push({ from, on: "accepted", when: "quick", to: "SESSION_COMPLETE" });
    rows.push({ from, on: "accepted", to: "PRE_COMMIT" });
  }
  return rows;
}

/** The first stage of a session. */
export function toFirstStage(
  mode: Pick<SessionState, "intent" | "flags">,
  hasStaleBranches: boolean,
): Stage {
  if (mode.flags.only_verify === true) return "POST_IMPL_VERIFY";
  if (hasStaleBranches) return "BRANCH_INTERVENTION";
  return mode.flags.no_doc === true ? "QUERY_FRAME" : "DOCUMENT_RESEARCH";
}
