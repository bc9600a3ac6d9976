/** The rule of every stage, as one table. */
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
} from "./explore_rules.ts";
import { impactAnalysis } from "./impact_rules.ts";
import { merge, preCommit, qualityReview, verifyIntervention } from "./finish_rules.ts";
import { postImplVerify } from "./verify_rules.ts";
import type { Stage } from "../table/phases.ts";
import { readyComplete, readyImplement, readyPlan } from "./ready_rules.ts";
import type { Rule } from "./rule.ts";

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
