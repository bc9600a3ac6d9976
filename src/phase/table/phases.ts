/**
 * The stages of the flow as one table. A stage is one node of the machine; the three substeps of
 * READY are three stages with one phase name. A stage names no tool: it grants capabilities.
 */

/** A permission that a stage grants and a tool may need. */
export type Capability =
  | "text"
  | "files"
  | "definitions"
  | "references"
  | "structure"
  | "query"
  | "meaning"
  | "chunk"
  | "impact"
  | "review"
  | "write"
  | "cleanup";

/** The name of a phase in replies. */
export type PhaseName =
  | "BRANCH_INTERVENTION"
  | "DOCUMENT_RESEARCH"
  | "QUERY_FRAME"
  | "EXPLORATION"
  | "Q1"
  | "SEMANTIC"
  | "Q2"
  | "VERIFICATION"
  | "Q3"
  | "IMPACT_ANALYSIS"
  | "READY"
  | "POST_IMPL_VERIFY"
  | "VERIFY_INTERVENTION"
  | "PRE_COMMIT"
  | "QUALITY_REVIEW"
  | "MERGE"
  | "SESSION_COMPLETE";

/** A node of the machine; also the key of its row in the contract. */
export type Stage =
  | Exclude<PhaseName, "READY">
  | "READY_PLAN"
  | "READY_IMPL"
  | "READY_COMPLETE";

/** A row of {@link PHASES}. */
export interface PhaseRow {
  readonly phase: PhaseName;
  /** Number of the step that the person sees, 1–19; SESSION_COMPLETE keeps 19. */
  readonly step: number;
  /** What tools may do in this stage. */
  readonly grants: readonly Capability[];
  /** Substep of READY, as the stored state names it. */
  readonly substep?: "plan" | "implement" | "complete";
  /** Folders and files below `.code-intel/` with prompts for the stage. */
  readonly prompts?: readonly string[];
  /** Key under which the summary of a visit is kept. */
  readonly summaryKey: string;
}

/** Looking changes nothing, so every step allows it: a refused look would only cost a call. */
const LOOKING = [
  "text",
  "files",
  "definitions",
  "references",
  "structure",
  "query",
  "meaning",
  "chunk",
  "impact",
] as const;
/** From step 12 on there may be changes to look at. */
const REVIEWING = [...LOOKING, "review"] as const;
const WORKING = [...REVIEWING, "write"] as const;

/** Number of steps that the replies count to. */
export const LAST_STEP = 19;

/** Every stage by name. */
export const PHASES: Readonly<Record<Stage, PhaseRow>> = {
  BRANCH_INTERVENTION: row("BRANCH_INTERVENTION", 2, [...LOOKING, "cleanup"]),
  DOCUMENT_RESEARCH: row("DOCUMENT_RESEARCH", 3, LOOKING, { prompts: ["doc_research"] }),
  QUERY_FRAME: row("QUERY_FRAME", 4, LOOKING),
  EXPLORATION: row("EXPLORATION", 5, LOOKING),
  Q1: row("Q1", 6, LOOKING),
  SEMANTIC: row("SEMANTIC", 7, LOOKING),
  Q2: row("Q2", 8, LOOKING),
  VERIFICATION: row("VERIFICATION", 9, LOOKING),
  Q3: row("Q3", 10, LOOKING),
  IMPACT_ANALYSIS: row("IMPACT_ANALYSIS", 11, LOOKING),
  READY_PLAN: row("READY", 12, WORKING, {
    substep: "plan",
    prompts: ["task_planning.md"],
    summaryKey: "step_12_READY_PLAN",
  }),
  READY_IMPL: row("READY", 13, WORKING, {
    substep: "implement",
    summaryKey: "step_13_READY_IMPL",
  }),
  READY_COMPLETE: row("READY", 14, WORKING, {
    substep: "complete",
    summaryKey: "step_14_READY_COMPLETE",
  }),
  POST_IMPL_VERIFY: row("POST_IMPL_VERIFY", 15, REVIEWING, { prompts: ["verifiers"] }),
  VERIFY_INTERVENTION: row("VERIFY_INTERVENTION", 16, REVIEWING, {
    prompts: ["interventions"],
  }),
  PRE_COMMIT: row("PRE_COMMIT", 17, REVIEWING, {
    prompts: ["review_prompts/garbage_detection.md"],
  }),
  QUALITY_REVIEW: row("QUALITY_REVIEW", 18, REVIEWING, {
    prompts: ["review_prompts/quality_review.md"],
  }),
  MERGE: row("MERGE", 19, LOOKING),
  SESSION_COMPLETE: row("SESSION_COMPLETE", 19, [...WORKING, "cleanup"]),
};

/** All stages in the order of the flow. */
export const STAGES = Object.keys(PHASES) as readonly Stage[];

/** True for text that names a stage. */
export function isStage(name: string): name is Stage {
  return Object.hasOwn(PHASES, name);
}

function row(
  phase: PhaseName,
  step: number,
  grants: readonly Capability[],
  rest: Partial<Pick<PhaseRow, "substep" | "prompts" | "summaryKey">> = {},
): PhaseRow {
  const summaryKey = `step_${String(step).padStart(2, "0")}_${phase}`;
  return { phase, step, grants, summaryKey, ...rest };
}

/** What an accepted payload, or one of its effects, led to. */
export type Outcome =
  | "done"
  | "yes"
  | "no"
  | "planned"
  | "task_done"
  | "all_done"
  | "evidence_stale"
  | "tests_removed"
  | "outgrown"
  | "settled"
  | "no_changes"
  | "passed"
  | "failed"
  | "failed_at_limit"
  | "limit"
  | "reviewed"
  | "discarded"
  | "emptied"
  | "void"
  | "clean"
  | "issues"
  | "forced"
  | "hooks_changed"
  | "hook_failed"
  | "message_refused"
  | "message_limit"
  | "hook_broken"
  | "merged"
  | "taken_back"
  | "conflict"
  | "back"
  | "continued"
  | "retried"
  | "accepted"
  | "parked"
  | "abandoned"
  | "asked";
