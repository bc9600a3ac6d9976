/**
 * What an accepted submission changes. While a decision waits for its effects, the checkpoint keeps
 * the submission and its facts. The changes are computed from both again when they are needed. So
 * the checkpoint never has parts of a state under names that a later version dropped. Pure.
 */
import {
  branchIntervention,
  documentResearch,
  exploration,
  queryFrame,
  questionOne,
  questionThree,
  questionTwo,
  semantic,
  verification,
} from "./rules/explore_rules.ts";
import { impactAnalysis } from "./rules/impact_rules.ts";
import { merge, preCommit, qualityReview, verifyIntervention } from "./rules/finish_rules.ts";
import { postImplVerify } from "./rules/verify_rules.ts";
import type { Outcome, Stage } from "./table/phases.ts";
import { PHASES } from "./table/phases.ts";
import { readyComplete, readyImplement, readyPlan } from "./rules/ready_rules.ts";
import type { Rule, RuleResult, Verdict } from "./rules/rule.ts";
import { buildLeftOut } from "./rules/rule.ts";
import { invariant } from "../base/errors.ts";
import type { Problem } from "../base/problem.ts";
import type { Facts } from "./facts.ts";
import type { Submission } from "./payload/payloads.ts";
import { decideAnyStage } from "./rules/user_rules.ts";
import { buildDoubtfulFields, correctRules, judgeCited } from "./rules/cited_lines.ts";
import { markWalked } from "./lazy.ts";
import type { SessionState } from "./state.ts";

/** Every rule by stage. */
export const RULES: { readonly [S in Stage]: Rule<S> } = {
  BRANCH_INTERVENTION: branchIntervention,
  DOCUMENT_RESEARCH: documentResearch,
  QUERY_FRAME: queryFrame,
  EXPLORATION: exploration,
  Q1: questionOne,
  SEMANTIC: semantic,
  Q2: questionTwo,
  VERIFICATION: verification,
  Q3: questionThree,
  IMPACT_ANALYSIS: impactAnalysis,
  READY_PLAN: readyPlan,
  READY_IMPL: readyImplement,
  READY_COMPLETE: readyComplete,
  POST_IMPL_VERIFY: postImplVerify,
  VERIFY_INTERVENTION: verifyIntervention,
  PRE_COMMIT: preCommit,
  QUALITY_REVIEW: qualityReview,
  MERGE: merge,
  SESSION_COMPLETE: () => ({ problems: [] }),
};

/** The changes of an accepted submission, before any result of its effects. */
export interface Applied {
  readonly kind: "applied";
  /** The state with the changes in it, still at its stage. */
  readonly state: SessionState;
  readonly outcome: Outcome;
  /** Fields of the reply that follow from the submission. */
  readonly reply: Readonly<Record<string, unknown>>;
}

/** Judges a submission by the rule of its stage, or by that of payloads which are legal at any stage. */
export function applyRule(
  state: SessionState,
  submission: Submission,
  facts: Facts,
): RuleResult {
  if (submission.kind !== "payload") return decideAnyStage(state, submission, facts);
  // The schema of this stage accepted the data, so the rule may rely on its type.
  const rule = RULES[submission.stage] as (data: unknown, context: unknown) => RuleResult;
  return rule(submission.data, { state, facts });
}

/** Applies a verdict to the state, together with what every stage entry leaves behind. */
export function applyVerdict(
  state: SessionState,
  verdict: Verdict,
  { submission, facts }: { readonly submission: Submission; readonly facts: Facts },
): Applied {
  const { outcome, patch, reply = {} } = verdict;
  if (submission.kind !== "payload") {
    return { kind: "applied", state: { ...state, ...patch }, outcome, reply };
  }
  const { kept: rules, left } = judgeCited(submission.common.rules ?? [], facts);
  const { draft } = facts;
  const next = {
    ...state,
    ...patch,
    ...buildStagePatch(state, submission),
    ...(draft === undefined ? {} : { path: markWalked(state.path) }),
    ...(draft === undefined || draft.sent === null ? {} : { sent: draft.sent }),
  };
  return {
    kind: "applied",
    state: rules.length === 0 ? next : { ...next, rules: correctRules(next.rules, rules, facts) },
    outcome,
    reply: {
      ...(rules.length === 0 ? {} : { rules_cited: rules.length }),
      ...buildDoubtfulFields(rules, facts),
      ...buildLeftOut(left),
      ...reply,
    },
  };
}

/**
 * The changes of a state's pending decision. Problems are possible only where this version would
 * not accept what an earlier one accepted.
 */
export function applyPending(
  state: SessionState,
): Applied | { readonly kind: "refused"; readonly problems: readonly Problem[] } {
  const { pending } = state;
  invariant(pending !== null, "nothing is pending");
  const { accepted } = pending;
  if (accepted.kind === "changes") {
    const { patch, outcome } = accepted;
    return { kind: "applied", state: { ...state, ...patch }, outcome, reply: {} };
  }
  const result = applyRule(state, accepted.submission, accepted.facts);
  return "problems" in result
    ? { kind: "refused", problems: result.problems }
    : applyVerdict(state, result, accepted);
}

/** Keeps the summary of a stage entry; every stage entry has its own key. */
function buildStagePatch(
  state: SessionState,
  submission: Extract<Submission, { readonly kind: "payload" }>,
): Partial<SessionState> {
  const { summaryKey } = PHASES[submission.stage];
  const taskId = submission.stage === "READY_IMPL"
    ? (submission.data as { readonly task_id: string }).task_id
    : null;
  const base = taskId === null ? summaryKey : `${summaryKey}.${taskId}`;
  let key = base;
  for (let visit = 2; Object.hasOwn(state.summaries, key); visit++) key = `${base}#${visit}`;
  return { summaries: { ...state.summaries, [key]: submission.common.summary } };
}
