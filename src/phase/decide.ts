/**
 * The engine: one pure function from a state and an event to the next state, the effects to
 * perform, and the reply. Effects on git or on files are first stored in the state as `pending`. So
 * a kill between effect and checkpoint loses nothing; their results come back as a second event.
 */
import { invariant } from "../base/errors.ts";
import type { Applied } from "./accepted.ts";
import { applyPending, applyRule, applyVerdict } from "./accepted.ts";
import type { Problem } from "../base/problem.ts";
import { formatStoredProblem, joinAlike, makeProblem } from "../base/problem.ts";
import { ASKED, call, say } from "../base/text/words.ts";
import type { Contract } from "./contract/contract.ts";
import { checkAddedFields } from "./contract/contract.ts";
import type { Facts } from "./facts.ts";
import type { ParsedSubmission, Submission } from "./payload/payloads.ts";
import type { Outcome, Stage } from "./table/phases.ts";
import { judgeCited } from "./rules/cited_lines.ts";
import { checkTools } from "./rules/required_tools.ts";
import type { RuleResult, Verdict } from "./rules/rule.ts";
import { isEarly } from "./lazy.ts";
import { buildEffects } from "./table/effects.ts";
import { completeEffects } from "./payload/complete.ts";
import type { Effect, EffectResult, PendingDecision, SessionState } from "./state.ts";
import { hasFailedRun } from "./trailer.ts";
import { findExit, findTransition } from "./table/transitions.ts";

/** What happened to the session. */
export type EngineEvent =
  | {
    readonly type: "submitted";
    readonly parsed: ParsedSubmission;
    /** The payload as it was sent, for checking fields that the project's contract adds. */
    readonly data: Readonly<Record<string, unknown>>;
    readonly facts: Facts;
    /**
     * True when the payload was not sent in the conversation: then a missing count does not mean
     * that the agent lost its memory.
     */
    readonly isAside?: boolean;
  }
  | { readonly type: "completed"; readonly results: readonly EffectResult[]; readonly facts: Facts }
  | { readonly type: "effect_refused"; readonly problem: Problem };

/** Fields that a decision adds to the reply. */
export type ReplyFields = Readonly<Record<string, unknown>>;

/** The consequence of an event. */
export type Decision =
  | { readonly kind: "accepted"; readonly state: SessionState; readonly reply: ReplyFields }
  | { readonly kind: "perform"; readonly state: SessionState; readonly effects: readonly Effect[] }
  | {
    readonly kind: "refused";
    readonly state: SessionState;
    readonly error: string;
    readonly problems: readonly Problem[];
    readonly reply: ReplyFields;
  };

/** Decides what follows from an event. */
export function decide(state: SessionState, event: EngineEvent, contract: Contract): Decision {
  switch (event.type) {
    case "submitted":
      return submit(state, event, contract);
    case "completed":
      return complete(state, event.results, event.facts);
    case "effect_refused":
      return refuseEffect(state, event.problem);
  }
}

function submit(
  before: SessionState,
  event: Extract<EngineEvent, { readonly type: "submitted" }>,
  contract: Contract,
): Decision {
  invariant(before.pending === null, "a decision is still pending");
  const { compactionCount } = event.parsed;
  const { state, reply: memory } = event.isAside === true && compactionCount === null
    ? { state: before, reply: {} }
    : countCompaction(before, compactionCount);
  const wanted = contract[before.stage].expectedPayload;
  const ignored = event.parsed.ignoredFields.filter((field) => !Object.hasOwn(wanted, field));
  const extras = {
    ...memory,
    ...(ignored.length === 0 ? {} : { ignored_fields: ignored }),
    ...(event.parsed.notices.length === 0 ? {} : { notices: event.parsed.notices }),
  };
  if (state.status === "ended" || state.stage === "SESSION_COMPLETE") {
    return refuse(state, "session_ended", [
      makeProblem("session_ended", "The session is over", {
        hint: say`${call("start_session")} for new work.`,
      }),
    ], extras);
  }
  const result = state.status === "parked" && event.parsed.submission?.kind !== "abandon"
    ? { problems: [PARKED] }
    : applySubmission(state, event, contract);
  if ("problems" in result) {
    const error = result.problems.length === 1 && isOwnError(result.problems[0])
      ? result.problems[0]?.code ?? "payload_mismatch"
      : "payload_mismatch";
    return refuse(state, error, joinAlike(result.problems), extras);
  }
  return acceptVerdict(state, result, { event, extras });
}

const PARKED = makeProblem("session_parked", "The session is parked", {
  hint: say`${
    call("get_session_status", { session_id: ASKED })
  } to resume it, then send the payload again.`,
});

/** Error codes that are not about the payload: each becomes the code of the whole reply. */
const OWN_ERRORS: readonly string[] = [
  "user_decision_required",
  "back_not_allowed",
  "no_escalation",
  "decision_not_offered",
  "session_parked",
];

function isOwnError(problem: Problem | undefined): boolean {
  return OWN_ERRORS.includes(problem?.code ?? "");
}

function applySubmission(
  state: SessionState,
  event: Extract<EngineEvent, { readonly type: "submitted" }>,
  contract: Contract,
): RuleResult {
  const { submission, problems } = event.parsed;
  if (submission === null) return { problems };
  if (submission.kind !== "payload") return applyRule(state, submission, event.facts);
  if (state.escalation !== null) {
    return {
      problems: [makeProblem("user_decision_required", state.escalation.message, {
        at: "data.user_decision",
        hint: "Ask the person, then send user_decision and user_reason.",
      })],
    };
  }
  const row = contract[submission.stage];
  const shared = [
    ...checkAddedFields(row, event.data),
    ...checkTools(row, submission, event.facts),
    ...judgeCited(submission.common.rules ?? [], event.facts).problems,
  ];
  const result = applyRule(state, submission, event.facts);
  if ("problems" in result) return { problems: [...shared, ...result.problems] };
  return shared.length > 0 ? { problems: shared } : result;
}

function acceptVerdict(
  state: SessionState,
  verdict: Verdict,
  { event, extras }: {
    readonly event: Extract<EngineEvent, { readonly type: "submitted" }>;
    readonly extras: ReplyFields;
  },
): Decision {
  const { facts, parsed: { submission } } = event;
  invariant(submission !== null, "what has no form is not accepted");
  const calm: SessionState = { ...state, lastProblems: [] };
  const applied = applyVerdict(calm, verdict, { submission, facts });
  const { does = [] } = findExit(verdict.outcome) ?? findTransition(state, verdict.outcome);
  const effects = buildEffects(does, applied.state, verdict.asked ?? {});
  if (effects.length === 0) return finish(applied, extras, { results: [], facts });
  const accepted = { kind: "submission", submission, facts } as const;
  const pending: PendingDecision = { accepted, effects, expected: {}, reply: extras };
  // What was refused before stays until the effects are done: the same rule is asked again then.
  return { kind: "perform", state: { ...state, pending }, effects };
}

function complete(
  state: SessionState,
  results: readonly EffectResult[],
  facts: Facts,
): Decision {
  const applied = applyPending(state);
  if (applied.kind === "refused") {
    return refuse({ ...state, pending: null }, "payload_mismatch", applied.problems, {});
  }
  const done = { ...applied, state: { ...applied.state, pending: null, lastProblems: [] } };
  return finish(done, state.pending?.reply ?? {}, { results, facts });
}

/** Completes a decision with the results of its effects, if there were any, and moves on. */
function finish(
  applied: Applied,
  extras: ReplyFields,
  options: { readonly results: readonly EffectResult[]; readonly facts: Facts },
): Decision {
  const completed = completeEffects(applied.state, applied.outcome, options);
  const next = enter(completed.state, completed.outcome, options.facts.now);
  const reply = options.results.reduce<ReplyFields>(
    (fields, result) => ({ ...fields, ...result.reply }),
    { ...extras, ...applied.reply },
  );
  return { kind: "accepted", state: next, reply: { ...reply, ...completed.reply } };
}

/** Moves to where the outcome leads: the next stage, or out of the session. */
function enter(state: SessionState, outcome: Outcome, now: string): SessionState {
  const exit = findExit(outcome);
  if (exit?.to === "stay") return state;
  if (exit !== undefined) return { ...state, status: exit.to, end: exit.end ?? state.end };
  const row = findTransition(state, outcome);
  const stage = row.to === "stay" ? state.stage : row.to;
  const keepsVisit = row.to === "stay" || row.keepsVisit === true;
  const isOver = stage === "SESSION_COMPLETE";
  const visit = keepsVisit ? state.visit : state.visit + 1;
  // Work that is reopened goes on with the files that were cleared for it, and so does work before its plan.
  const clearances = outcome === "evidence_stale"
    ? state.clearances.map((clearance) => ({ ...clearance, visit }))
    : isEarly(state)
    ? state.clearances.map((one) => one.visit === state.visit ? { ...one, visit } : one)
    : state.clearances;
  return {
    ...state,
    stage,
    visit,
    clearances,
    path: stage === state.stage ? state.path : [...state.path, { stage, at: now }],
    status: isOver ? "ended" : state.status,
    end: isOver ? row.end ?? chooseEnd(state) : state.end,
  };
}

function chooseEnd(state: SessionState): SessionState["end"] {
  return hasFailedRun(state) ? "failed" : "completed";
}

function refuseEffect(state: SessionState, problem: Problem): Decision {
  const memory = state.pending?.reply.phase_summaries;
  return refuse({ ...state, pending: null }, problem.code, [problem], {
    ...(memory === undefined ? {} : { phase_summaries: memory }),
  });
}

function refuse(
  state: SessionState,
  error: string,
  problems: readonly Problem[],
  reply: ReplyFields,
): Decision {
  return {
    kind: "refused",
    state: { ...state, lastProblems: problems.map(formatStoredProblem) },
    error,
    problems,
    reply,
  };
}

/**
 * Notices that the agent lost its conversation: its count may differ from ours, or be missing
 * although one was sent before. Then the reply has all summaries, and its count is adopted.
 */
function countCompaction(
  state: SessionState,
  sent: number | null,
): { readonly state: SessionState; readonly reply: ReplyFields } {
  const isSame = sent === null ? !state.compactionSeen : sent === state.compactionCount;
  if (isSame && state.compactionSeen === (sent !== null)) return { state, reply: {} };
  const next: SessionState = {
    ...state,
    compactionCount: sent ?? (isSame ? state.compactionCount : state.compactionCount + 1),
    compactionSeen: state.compactionSeen || sent !== null,
  };
  return { state: next, reply: isSame ? {} : { phase_summaries: state.summaries } };
}

/** The stage at which a submission would be read, for callers that collect facts. */
export function findSubmittedStage(state: SessionState, submission: Submission | null): Stage {
  return submission?.kind === "payload" ? submission.stage : state.stage;
}
