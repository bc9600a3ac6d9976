/**
 * Finds out by its fields which stage a payload is meant for, where its schema alone does not tell.
 * Pure.
 */
import type { Problem } from "../../base/problem.ts";
import { toProblem } from "../../base/problem.ts";
import type { Stage } from "../table/phases.ts";
import { STAGES } from "../table/phases.ts";

/**
 * A field that only the payload of this stage has. Without it, stages that need no field of their
 * own would accept the payload of any other stage, such as a repeated one.
 */
const MARKERS: Readonly<Partial<Record<Stage, string>>> = {
  BRANCH_INTERVENTION: "choice",
  DOCUMENT_RESEARCH: "documents_reviewed",
  QUERY_FRAME: "slots",
  EXPLORATION: "explored_files",
  Q1: "needs_more_information",
  SEMANTIC: "search_results",
  Q2: "has_unverified_hypotheses",
  VERIFICATION: "hypotheses_verified",
  Q3: "needs_impact_analysis",
  IMPACT_ANALYSIS: "impact_summary",
  READY_PLAN: "tasks",
  READY_IMPL: "task_id",
  READY_COMPLETE: "observed",
  POST_IMPL_VERIFY: "passed",
  VERIFY_INTERVENTION: "action_taken",
  PRE_COMMIT: "reviewed_files",
  QUALITY_REVIEW: "quality_score",
  MERGE: "on_conflict",
};
const WITHOUT_OWN_FIELDS: readonly Stage[] = [
  "QUERY_FRAME",
  "READY_COMPLETE",
  "POST_IMPL_VERIFY",
  "MERGE",
];

/** Tells which stage a payload is meant for, and whether that is the present one. */
export function toTarget(
  stage: Stage,
  record: Readonly<Record<string, unknown>>,
): { readonly stage: Stage; readonly problem: Problem | null } {
  if (WITHOUT_OWN_FIELDS.includes(stage)) {
    const sent = STAGES.find((other) =>
      other !== stage && record[MARKERS[other] ?? ""] !== undefined
    );
    return { stage, problem: sent === undefined ? null : toMismatch(stage, sent) };
  }
  if (!stage.startsWith("READY_")) return { stage, problem: null };
  const sent: Stage | null = record.tasks !== undefined
    ? "READY_PLAN"
    : record.task_id !== undefined
    ? "READY_IMPL"
    : null;
  if (sent === null || sent === stage) return { stage, problem: null };
  if (stage === "READY_IMPL" && sent === "READY_PLAN") return { stage: sent, problem: null };
  return { stage, problem: toMismatch(stage, sent) };
}

function toMismatch(stage: Stage, sent: Stage): Problem {
  const field = MARKERS[sent] ?? "";
  return toProblem(
    "payload_mismatch",
    `The payload has "${field}", which belongs to ${sent}; the session is at ${stage}`,
    { at: `data.${field}`, hint: `Send the payload of ${stage} as expected_payload shows it.` },
  );
}
