/** Payloads that every stage accepts: park, abandon, go back, and the user's answer. Pure. */
import { STEP, STEP_NUMBER } from "../../base/steps.ts";
import { assertNever } from "../../base/errors.ts";
import { makeProblem } from "../../base/problem.ts";
import type { Facts } from "../facts.ts";
import { findAnswerSource, recordDecision } from "./finish_rules.ts";
import { limitLoop } from "../table/loops.ts";
import type { Submission } from "../payload/payloads.ts";
import type { Stage } from "../table/phases.ts";
import type { RuleResult } from "./rule.ts";
import type { SessionState } from "../state.ts";
import { hasOutcome } from "../table/transitions.ts";
import { ESCALATIONS } from "../valves.ts";

type AnyStage = Exclude<Submission, { readonly kind: "payload" }>;

/** Decides about a payload that belongs to no single stage. */
export function decideAnyStage(
  state: SessionState,
  submission: AnyStage,
  facts: Facts,
): RuleResult {
  switch (submission.kind) {
    case "park":
      return park(state, submission.reason, facts);
    case "abandon":
      return abandon(state, { reason: submission.reason, restore: submission.restore, facts });
    case "back":
      return goBack(state, submission, facts);
    case "person":
      return applyUserDecision(state, submission, facts);
    case "ask":
      return keepAnswer(state, submission, facts);
    default:
      return assertNever(submission);
  }
}

/** Sets the session aside: everything is kept, and HEAD goes back where no file changes by that. */
export function park(state: SessionState, reason: string, facts: Facts): RuleResult {
  return {
    outcome: "parked",
    patch: { decisions: note(state, "park", { reason, facts }) },
    reply: { parked: true },
  };
}

function abandon(
  state: SessionState,
  options: { readonly reason: string; readonly restore: boolean; readonly facts: Facts },
): RuleResult {
  return {
    outcome: "abandoned",
    patch: { escalation: null, decisions: note(state, "abandon", options) },
    asked: { restore: options.restore },
    reply: {
      session_complete: true,
      abandoned: true,
      ...(options.restore && !state.workspace.hasGit
        ? {
          restored: false,
          restore_note:
            `without git nothing is put back; the person brings back what has a copy: code-intel restore ${state.sessionId}`,
        }
        : {}),
    },
  };
}

/** How the last steps lead back to the plan, which is not by `back_to`. */
const REVIEWS: Partial<Record<Stage, string>> = {
  PRE_COMMIT:
    `Keep what stands ("rest": "keep") and say at ${STEP.QUALITY_REVIEW} what is to be mended, in issues: that leads back to the plan.`,
  QUALITY_REVIEW: "Say what is to be mended in issues: that leads back to the plan.",
};

function goBack(
  state: SessionState,
  { to, reason }: Extract<AnyStage, { readonly kind: "back" }>,
  facts: Facts,
): RuleResult {
  if (state.escalation !== null) {
    return {
      problems: [makeProblem("user_decision_required", state.escalation.message, {
        at: "data.user_decision",
        hint: "Ask the person, then send user_decision and user_reason.",
      })],
    };
  }
  if (!hasOutcome(state.stage, "back")) {
    return {
      problems: [makeProblem("back_not_allowed", `${state.stage} has no way back to ${to}`, {
        at: "data.back_to",
        hint: REVIEWS[state.stage] ??
          `Steps ${STEP_NUMBER.Q1}–${STEP_NUMBER.READY_COMPLETE} have one; here send the payload of the step, or park.`,
      })],
    };
  }
  if (to !== "EXPLORATION") {
    return {
      problems: [makeProblem("back_not_allowed", `back_to leads to EXPLORATION, never to ${to}`, {
        at: "data.back_to",
        hint: `Send {"back_to": "EXPLORATION", "reason": "…"}; completed tasks stay.`,
      })],
    };
  }
  const { outcome, row, patch } = limitLoop(state, "back", {
    limits: facts.limits,
    detail: reason,
  });
  return {
    outcome,
    patch: { ...patch, clearances: [] },
    reply: row.to === "stay" ? {} : { back_count: patch.counters?.backs, reason },
  };
}

function applyUserDecision(
  state: SessionState,
  submission: Extract<AnyStage, { readonly kind: "person" }>,
  facts: Facts,
): RuleResult {
  const { decision, reason } = submission;
  if (decision === "park") return park(state, reason, facts);
  if (decision === "abandon") return abandon(state, { reason, restore: false, facts });
  const offered = state.escalation === null ? null : ESCALATIONS[state.escalation.cause].decisions;
  if (offered === null && (decision === "continue" || isGateOpen(state))) {
    return {
      problems: [makeProblem("no_escalation", "No question to the person is open", {
        at: "data.user_decision",
        hint:
          `Send the payload of the step; accept overrides a gate that refused it, from ${STEP.READY_IMPL} on.`,
      })],
    };
  }
  if (offered !== null && !offered.includes(decision)) {
    return {
      problems: [
        makeProblem("decision_not_offered", `"${decision}" is no answer to this question`, {
          at: "data.user_decision",
          hint: `The person may answer: ${offered.join(", ")}.`,
        }),
      ],
    };
  }
  return decision === "continue"
    ? resumeFlow(state, { reason, facts })
    : override(state, { reason, facts });
}

/** Steps whose outcome is the user's to take, whether or not the verification could run. */
const JUDGED_HERE: readonly Stage[] = ["POST_IMPL_VERIFY", "VERIFY_INTERVENTION"];

/** Refusals of a word of the user, or of a payload's form: the user has nothing to decide about them. */
const NO_GATE: readonly string[] = [
  "no_escalation",
  "decision_not_offered",
  "person_refused",
  "person_unanswered",
  "missing_field",
  "wrong_type",
];

/** Whether a stage could be accepted, and nothing there waits for the user's word: nothing was refused, nothing failed. */
function isGateOpen({ stage, lastProblems, verification }: SessionState): boolean {
  const isOpen = lastProblems.some(({ code }) => !NO_GATE.includes(code)) ||
    (JUDGED_HERE.includes(stage) ? verification?.passed !== true : verification?.passed === false);
  return hasOutcome(stage, "accepted") && !isOpen;
}

/** `continue`: the counters start again, and the flow goes on where the limit had stopped it. */
function resumeFlow(
  state: SessionState,
  options: { readonly reason: string; readonly facts: Facts },
): RuleResult {
  const { limits } = options.facts;
  const { cause } = state.escalation ?? {};
  const isRetried = cause === "hook_broken" || cause === "message_limit";
  const answered = isRetried ? "retried" : "continued";
  const { outcome, patch } = limitLoop(state, answered, { limits, detail: options.reason });
  return {
    outcome,
    patch: {
      ...patch,
      escalation: null,
      decisions: note(state, "continue", options),
    },
    reply: { user_decision: "continue", decided_by: findAnswerSource(options.facts) },
  };
}

/** `accept`: the user overrides the gate, and the commit says so. */
function override(
  state: SessionState,
  options: { readonly reason: string; readonly facts: Facts },
): RuleResult {
  if (!hasOutcome(state.stage, "accepted")) {
    return {
      problems: [makeProblem("decision_not_offered", `${state.stage} cannot be accepted as it is`, {
        at: "data.user_decision",
        hint:
          `Send the payload of the step; accept overrides a gate from ${STEP.READY_IMPL} on, save ${STEP_NUMBER.PRE_COMMIT} and ${STEP_NUMBER.MERGE}.`,
      })],
    };
  }
  return {
    outcome: "accepted",
    patch: { escalation: null, decisions: note(state, "accept", options) },
    reply: { user_decision: "accept", decided_by: findAnswerSource(options.facts), override: true },
  };
}

/** A question of the agent's own: the answer is kept with the session, which stays where it is. */
function keepAnswer(
  state: SessionState,
  { question, answer }: Extract<AnyStage, { readonly kind: "ask" }>,
  facts: Facts,
): RuleResult {
  if (answer === null) {
    return {
      outcome: "asked",
      reply: { ask_the_person: question, ask_note: 'Ask them, then send it again with "answer".' },
    };
  }
  const reason = `${question} ${answer}`;
  return {
    outcome: "asked",
    patch: { decisions: note(state, "answer", { reason, facts }) },
    reply: { person_answer: answer, decided_by: findAnswerSource(facts) },
  };
}

function note(
  state: SessionState,
  decision: string,
  options: { readonly reason: string; readonly facts: Facts },
): SessionState["decisions"] {
  const { reason, facts } = options;
  return [...state.decisions, recordDecision(state, facts, { decision, reason })];
}
