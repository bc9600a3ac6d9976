/**
 * Where the flow goes, and what is done, counted and asked on the way, as one table of stage,
 * outcome and condition. The first row that fits counts. Pure.
 */
import { invariant } from "../../base/errors.ts";
import type { Condition, ConditionFacts } from "./conditions.ts";
import { CONDITIONS } from "./conditions.ts";
import type { EffectKind } from "./effects.ts";
import { writesFiles } from "./flags.ts";
import type { Outcome, PhaseName, Stage } from "./phases.ts";
import { PHASES, STAGES } from "./phases.ts";
import type { Counters, EscalationCause, SessionEnd, SessionState } from "../state.ts";

/** A counted loop, which a limit ends. */
export type Loop = keyof Counters;

/** A row of {@link TRANSITIONS}. */
export interface Transition {
  readonly from: Stage;
  readonly on: Outcome;
  /** Conditions that all must hold; absent where the row always fits. */
  readonly when?: readonly Condition[];
  /** `stay` keeps the stage: the user has to be asked first. */
  readonly to: Stage | "stay";
  /** Effects that are performed before the move, in this order, each where there is something to do. */
  readonly does?: readonly EffectKind[];
  /**
   * The loop that this transition is a turn of, and the outcome that replaces its own at the loop's
   * limit.
   */
  readonly counts?: { readonly loop: Loop; readonly atLimit: Outcome };
  /** Loops that are counted from zero again. */
  readonly resets?: readonly Loop[];
  /** The question that waits for the user from then on. */
  readonly asks?: EscalationCause;
  /**
   * True when no new stage entry begins, so that write grants and recorded calls of this one still count.
   */
  readonly keepsVisit?: true;
  /** How the session ended; absent where the last verification says so. */
  readonly end?: SessionEnd;
}

/** A row of {@link EXITS}. */
export interface Exit {
  readonly on: Outcome;
  /** `stay` leads nowhere: the session stays at its stage, and its entry goes on. */
  readonly to: "parked" | "ended" | "stay";
  readonly does: readonly EffectKind[];
  readonly end?: SessionEnd;
}

/** Where a session begins: the first row that fits. `stale_branches` are task branches that nobody owns. */
export const STARTS: readonly {
  readonly when?: Condition | "stale_branches";
  readonly to: Stage;
}[] = [
  { when: "only_verify", to: "POST_IMPL_VERIFY" },
  { when: "stale_branches", to: "BRANCH_INTERVENTION" },
  { when: "no_doc", to: "QUERY_FRAME" },
  { to: "DOCUMENT_RESEARCH" },
];

/** What is open at every stage: the ways out (a parked session keeps its stage for the resume), and a question to the user. */
export const EXITS: readonly Exit[] = [
  { on: "parked", to: "parked", does: ["leave_branch"] },
  { on: "abandoned", to: "ended", does: ["leave_branch"], end: "abandoned" },
  { on: "asked", to: "stay", does: [] },
];

/** Stages from which the agent may go back to EXPLORATION. */
const BACK_STAGES: readonly Stage[] = [
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

/** Stages whose gate the user can override; the work then goes on to the commit. */
const ACCEPT_TO_COMMIT: readonly Stage[] = [
  "READY_IMPL",
  "READY_COMPLETE",
  "POST_IMPL_VERIFY",
  "VERIFY_INTERVENTION",
];

/** Every allowed move of the machine. */
export const TRANSITIONS: readonly Transition[] = [
  {
    from: "BRANCH_INTERVENTION",
    on: "done",
    when: ["no_doc"],
    to: "QUERY_FRAME",
    does: ["resolve_stale"],
  },
  { from: "BRANCH_INTERVENTION", on: "done", to: "DOCUMENT_RESEARCH", does: ["resolve_stale"] },
  { from: "DOCUMENT_RESEARCH", on: "done", to: "QUERY_FRAME" },
  { from: "QUERY_FRAME", on: "done", when: ["skips_exploration"], to: "READY_PLAN" },
  { from: "QUERY_FRAME", on: "done", to: "EXPLORATION" },
  { from: "EXPLORATION", on: "done", to: "Q1" },

  { from: "Q1", on: "yes", to: "SEMANTIC" },
  { from: "Q1", on: "no", when: ["gate_full"], to: "SEMANTIC" },
  { from: "Q1", on: "no", when: ["thin_at_high_risk"], to: "SEMANTIC" },
  { from: "Q1", on: "no", to: "Q2" },
  { from: "SEMANTIC", on: "done", to: "Q2" },
  { from: "Q2", on: "yes", to: "VERIFICATION" },
  { from: "Q2", on: "no", when: ["gate_full"], to: "VERIFICATION" },
  { from: "Q2", on: "no", to: "Q3" },
  { from: "VERIFICATION", on: "done", to: "Q3" },
  { from: "Q3", on: "yes", to: "IMPACT_ANALYSIS" },
  { from: "Q3", on: "no", when: ["gate_full"], to: "IMPACT_ANALYSIS" },
  { from: "Q3", on: "no", when: ["investigation"], to: "SESSION_COMPLETE" },
  { from: "Q3", on: "no", to: "READY_PLAN" },
  { from: "IMPACT_ANALYSIS", on: "done", when: ["investigation"], to: "SESSION_COMPLETE" },
  { from: "IMPACT_ANALYSIS", on: "done", to: "READY_PLAN" },
  { from: "IMPACT_ANALYSIS", on: "settled", to: "READY_COMPLETE" },

  { from: "READY_PLAN", on: "planned", to: "READY_IMPL", does: ["create_branch"] },
  { from: "READY_IMPL", on: "planned", to: "READY_IMPL", does: ["create_branch"] },
  { from: "READY_IMPL", on: "task_done", to: "READY_IMPL", keepsVisit: true },
  { from: "READY_IMPL", on: "all_done", to: "READY_COMPLETE", keepsVisit: true },
  { from: "READY_COMPLETE", on: "evidence_stale", to: "READY_IMPL", keepsVisit: true },
  { from: "READY_COMPLETE", on: "tests_removed", to: "READY_IMPL", keepsVisit: true },
  { from: "READY_COMPLETE", on: "outgrown", to: "IMPACT_ANALYSIS" },
  { from: "READY_COMPLETE", on: "no_changes", to: "SESSION_COMPLETE", does: ["remove_branch"] },
  { from: "READY_COMPLETE", on: "done", when: ["no_verify", "quick"], to: "SESSION_COMPLETE" },
  { from: "READY_COMPLETE", on: "done", when: ["no_verify"], to: "PRE_COMMIT" },
  { from: "READY_COMPLETE", on: "done", to: "POST_IMPL_VERIFY" },

  { from: "POST_IMPL_VERIFY", on: "passed", when: ["only_verify"], to: "SESSION_COMPLETE" },
  { from: "POST_IMPL_VERIFY", on: "passed", when: ["quick"], to: "SESSION_COMPLETE" },
  { from: "POST_IMPL_VERIFY", on: "passed", to: "PRE_COMMIT" },
  {
    from: "POST_IMPL_VERIFY",
    on: "failed",
    when: ["only_verify"],
    to: "SESSION_COMPLETE",
    end: "failed",
  },
  {
    from: "POST_IMPL_VERIFY",
    on: "failed",
    to: "READY_PLAN",
    counts: { loop: "verificationFailures", atLimit: "failed_at_limit" },
  },
  {
    from: "POST_IMPL_VERIFY",
    on: "failed_at_limit",
    when: ["no_intervention"],
    to: "stay",
    asks: "verification_limit",
  },
  { from: "POST_IMPL_VERIFY", on: "failed_at_limit", to: "VERIFY_INTERVENTION" },
  {
    from: "VERIFY_INTERVENTION",
    on: "done",
    to: "READY_PLAN",
    does: ["restore_tree"],
    counts: { loop: "interventions", atLimit: "limit" },
    resets: ["verificationFailures"],
  },
  {
    from: "VERIFY_INTERVENTION",
    on: "limit",
    to: "stay",
    does: ["restore_tree"],
    resets: ["verificationFailures"],
    asks: "intervention_limit",
  },

  { from: "PRE_COMMIT", on: "no_changes", to: "SESSION_COMPLETE", does: ["remove_branch"] },
  { from: "PRE_COMMIT", on: "evidence_stale", to: "READY_IMPL" },
  {
    from: "PRE_COMMIT",
    on: "emptied",
    when: ["no_verify"],
    to: "PRE_COMMIT",
    does: ["discard"],
    keepsVisit: true,
  },
  { from: "PRE_COMMIT", on: "emptied", to: "POST_IMPL_VERIFY", does: ["discard"] },
  {
    from: "PRE_COMMIT",
    on: "discarded",
    when: ["no_verify", "no_quality"],
    to: "MERGE",
    does: ["discard", "commit"],
  },
  {
    from: "PRE_COMMIT",
    on: "discarded",
    when: ["no_verify"],
    to: "QUALITY_REVIEW",
    does: ["discard"],
  },
  { from: "PRE_COMMIT", on: "discarded", to: "POST_IMPL_VERIFY", does: ["discard"] },
  { from: "PRE_COMMIT", on: "reviewed", when: ["no_quality"], to: "MERGE", does: ["commit"] },
  { from: "PRE_COMMIT", on: "reviewed", to: "QUALITY_REVIEW" },
  { from: "QUALITY_REVIEW", on: "clean", to: "MERGE", does: ["commit"] },
  {
    from: "QUALITY_REVIEW",
    on: "issues",
    to: "READY_PLAN",
    counts: { loop: "qualityReverts", atLimit: "forced" },
  },
  { from: "QUALITY_REVIEW", on: "forced", to: "MERGE", does: ["commit"] },
  { from: "QUALITY_REVIEW", on: "evidence_stale", to: "READY_IMPL" },
  { from: "QUALITY_REVIEW", on: "void", when: ["no_verify"], to: "PRE_COMMIT" },
  ...commitRows(),
  { from: "MERGE", on: "merged", to: "SESSION_COMPLETE", does: ["merge"], end: "merged" },
  // A git hook took the merge out of the base again: the work is kept, but nobody has it.
  { from: "MERGE", on: "taken_back", to: "SESSION_COMPLETE", end: "failed" },
  { from: "MERGE", on: "no_changes", to: "SESSION_COMPLETE" },
  { from: "MERGE", on: "conflict", to: "READY_IMPL" },

  ...backRows(),
  ...userRows(),
];

/**
 * The row that an outcome leads to.
 *
 * @throws Where the table has none: a rule came to an outcome that its stage does not know.
 */
export function findTransition(state: SessionState, outcome: Outcome): Transition {
  const row = TRANSITIONS.find((candidate) =>
    candidate.from === state.stage && candidate.on === outcome &&
    (candidate.when ?? []).every((condition) => CONDITIONS[condition].holds(state))
  );
  invariant(row !== undefined, `no transition from ${state.stage} on ${outcome}`);
  return row;
}

/** The way out of that name; undefined for an outcome of a stage. */
export function findExit(outcome: Outcome): Exit | undefined {
  return EXITS.find(({ on }) => on === outcome);
}

/** Whether the table has a row for an outcome of a stage. */
export function hasOutcome(stage: Stage, outcome: Outcome): boolean {
  return TRANSITIONS.some(({ from, on }) => from === stage && on === outcome);
}

/**
 * The stage that follows.
 *
 * @returns The next stage, or the same one where the user has to be asked.
 */
export function findNextStage(state: SessionState, outcome: Outcome): Stage {
  const { to } = findTransition(state, outcome);
  return to === "stay" ? state.stage : to;
}

/** Whether the flow goes from completed work to the verification. */
export function verifiesWork(state: SessionState): boolean {
  return writesFiles(state) &&
    findNextStage({ ...state, stage: "READY_COMPLETE" }, "done") === "POST_IMPL_VERIFY";
}

/** Whether the flow comes to the step that takes the request apart; no row leads back to it. */
export function framesRequest(mode: ConditionFacts): boolean {
  return STAGES.indexOf(findFirstStage(mode, false)) <= STAGES.indexOf("QUERY_FRAME");
}

/** What each stage comes to where nothing optional is asked for and nothing goes wrong. */
const PLAIN_OUTCOMES: readonly Outcome[] = [
  "done",
  "no",
  "all_done",
  "planned",
  "passed",
  "reviewed",
  "clean",
  "merged",
];

/**
 * The phases that a session has to pass, in their order: optional ones are left out unless its mode demands them.
 */
export function listRequiredPhases(state: SessionState): readonly PhaseName[] {
  const phases = new Set<PhaseName>();
  let stage = findFirstStage(state, false);
  while (stage !== "SESSION_COMPLETE") {
    phases.add(PHASES[stage].phase);
    const outcome = PLAIN_OUTCOMES.find((one) => hasOutcome(stage, one));
    invariant(outcome !== undefined, `no plain outcome of ${stage}`);
    stage = findNextStage({ ...state, stage }, outcome);
  }
  return [...phases];
}

/**
 * The rows for a commit whose verification became worthless, or that a git hook changed or refused.
 */
function commitRows(): readonly Transition[] {
  return (["PRE_COMMIT", "QUALITY_REVIEW"] as const).flatMap((from): Transition[] => [
    { from, on: "void", to: "POST_IMPL_VERIFY" },
    { from, on: "hooks_changed", to: "PRE_COMMIT" },
    {
      from,
      on: "hook_failed",
      to: "READY_PLAN",
      counts: { loop: "verificationFailures", atLimit: "limit" },
    },
    {
      from,
      on: "message_refused",
      to: "PRE_COMMIT",
      counts: { loop: "verificationFailures", atLimit: "message_limit" },
    },
    { from, on: "message_limit", to: "stay", asks: "message_limit" },
    { from, on: "hook_broken", to: "stay", asks: "hook_broken" },
    { from, on: "limit", to: "stay", asks: "hook_limit" },
  ]);
}

function backRows(): readonly Transition[] {
  return BACK_STAGES.flatMap((from): Transition[] => [
    { from, on: "back", to: "EXPLORATION", counts: { loop: "backs", atLimit: "limit" } },
    { from, on: "limit", to: "stay", asks: "back_limit" },
  ]);
}

/**
 * What an answer of the user leads to: `continue` after an escalation, `accept` as an override.
 */
function userRows(): readonly Transition[] {
  const resets = ["verificationFailures", "interventions", "backs"] as const;
  const goOn = (from: Stage, to: Stage): Transition => ({ from, on: "continued", to, resets });
  return [
    goOn("POST_IMPL_VERIFY", "READY_PLAN"),
    goOn("VERIFY_INTERVENTION", "READY_PLAN"),
    // Nothing in the files is wrong then, so there is nothing to plan.
    { ...goOn("PRE_COMMIT", "PRE_COMMIT"), on: "retried" },
    { ...goOn("QUALITY_REVIEW", "PRE_COMMIT"), on: "retried" },
    goOn("PRE_COMMIT", "READY_PLAN"),
    goOn("QUALITY_REVIEW", "READY_PLAN"),
    ...BACK_STAGES.map((from) => goOn(from, "EXPLORATION")),
    { from: "QUALITY_REVIEW", on: "accepted", to: "MERGE", does: ["commit"] },
    ...ACCEPT_TO_COMMIT.flatMap(acceptRows),
  ];
}

function acceptRows(from: Stage): readonly Transition[] {
  // The user took the work as it is, in spite of a failed verification.
  const isOver = { to: "SESSION_COMPLETE", end: "completed" } as const;
  return [
    { from, on: "accepted", when: ["only_verify"], ...isOver },
    { from, on: "accepted", when: ["quick"], ...isOver },
    { from, on: "accepted", to: "PRE_COMMIT" },
  ];
}

/** The first stage of a session. */
export function findFirstStage(mode: ConditionFacts, hasStaleBranches: boolean): Stage {
  const row = STARTS.find(({ when }) =>
    when === undefined ||
    (when === "stale_branches" ? hasStaleBranches : CONDITIONS[when].holds(mode))
  );
  invariant(row !== undefined, "no first stage fits");
  return row.to;
}
