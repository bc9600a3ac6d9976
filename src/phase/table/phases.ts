/**
 * The steps of the flow, a row each with its texts. The three substeps of READY are three stages with one phase name. A
 * row names no tool that it grants: it grants capabilities.
 */
import { LAST_STEP, STEP, STEP_NUMBER } from "../../base/steps.ts";
import type { Words } from "../../base/text/words.ts";
import { call, say, tool, use } from "../../base/text/words.ts";
import type { ContractRow, PhaseName, Stage, StepRow } from "./stage.ts";

/** The words of the table. */
export type { Capability, Outcome, PhaseName, Stage } from "./stage.ts";

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
/** From the plan on there may be changes to look at. */
const REVIEWING = [...LOOKING, "review"] as const;
const WORKING = [...REVIEWING, "write"] as const;

/** Ends the instruction of a stage. */
const HAND_IN = say`Then ${use("submit_phase")}.`;

type Payload = Readonly<Record<string, unknown>>;

const CHECKLIST_DONE = [
  { item: 1, evidence: "src/auth.ts:42-58" },
  { item: 2, reason: "10+ characters, where it is skipped" },
];

/** The row of every stage, in the order of the flow. */
const ROWS: Readonly<Record<Stage, StepRow>> = {
  BRANCH_INTERVENTION: {
    grants: [...LOOKING, "cleanup"],
    field: "choice",
    asks: ask(
      say`Old task branches exist (stale_branches). Ask the person: delete them (kept by ref), merge the one that is checked out, or continue and leave them. ${HAND_IN}`,
      { choice: "delete | merge | continue" },
    ),
  },
  DOCUMENT_RESEARCH: {
    grants: LOOKING,
    prompts: ["doc_research"],
    field: "documents_reviewed",
    clear: "done",
    begins: true,
    asks: ask(
      say`Find the project documents that bind this request (${tool("search_files")}, ${
        tool("search_text")
      }), read them, and note each rule with its source (to_change: true where the request changes the rule). None fits: [] with no_documents_reason after one search (documents of this reply count). ${HAND_IN}`,
      {
        documents_reviewed: ["docs/auth.md"],
        mandatory_rules: [{ rule: "…", source: "docs/auth.md:12" }],
        no_documents_reason: "string | null",
      },
    ),
  },
  QUERY_FRAME: {
    grants: LOOKING,
    field: "slots",
    mayBeEmpty: true,
    joins: true,
    asks: ask(
      say`Take the request apart. Each slot is {value, quote}, the quote copied from the request, else null; do not guess. ${HAND_IN}`,
      {
        action_type: "implement | modify | …",
        slots: {
          target_feature: { value: "login", quote: "words of the request" },
          trigger_condition: null,
          observed_issue: null,
          desired_action: null,
        },
        target_symbols: ["AuthService"],
        scope: "src/auth | null",
        constraints: [],
      },
    ),
  },
  EXPLORATION: {
    grants: LOOKING,
    field: "explored_files",
    clear: "done",
    asks: ask(
      say`Read the code of this request with 2 or more tools: ${tool("query")} without a name; ${
        tool("find_definitions")
      }, ${tool("find_references")}, ${tool("get_symbols")}, ${tool("analyze_structure")}, ${
        tool("search_text")
      } with one (enough: 3 definitions, a use elsewhere, 2 files). Send files (path:line: text where only you read them) and findings with path:line. ${HAND_IN}`,
      {
        explored_files: ["src/auth.ts"],
        findings: ["… (src/auth.ts:40)"],
        reproduced: { command: "what makes the defect show | not reproduced", showed: "…" },
      },
      [],
      2,
    ),
  },
  Q1: {
    grants: LOOKING,
    field: "needs_more_information",
    clear: "no",
    joins: true,
    small: { needs_more_information: false },
    asks: ask(
      say`Decide: is the place unclear, are there several, or is similar code needed? true leads to a search by meaning. ${HAND_IN}`,
      { needs_more_information: "boolean", reason: "10+ characters" },
    ),
  },
  SEMANTIC: {
    grants: LOOKING,
    field: "search_results",
    clear: "done",
    begins: true,
    asks: ask(
      say`Search by meaning with ${tool("semantic_search")} for what is still missing; ${
        tool("fetch_chunk_detail")
      } shows a hit whole. Nothing relevant: send [] and say so in summary. ${HAND_IN}`,
      { search_query: "string", search_results: [{ file: "src/session.ts", why: "…" }] },
      ["semantic_search"],
    ),
    withoutTool: say`Search for what is still missing with ${tool("search_text")}, ${
      tool("find_definitions")
    } or ${tool("find_references")}. Nothing relevant: send [] and say so in summary. ${HAND_IN}`,
  },
  Q2: {
    grants: LOOKING,
    field: "has_unverified_hypotheses",
    clear: "no",
    joins: true,
    small: { has_unverified_hypotheses: false },
    asks: ask(
      say`Decide: do you rely on something unchecked? Name each such hypothesis. true leads to their verification. ${HAND_IN}`,
      {
        has_unverified_hypotheses: "boolean",
        reason: "10+ characters",
        hypotheses: ["tokens expire"],
      },
    ),
  },
  VERIFICATION: {
    grants: LOOKING,
    field: "hypotheses_verified",
    clear: "done",
    joins: true,
    begins: true,
    asks: ask(
      say`Check every hypothesis in the code (${tool("find_references")}, ${
        tool("get_function_at_line")
      }, ${
        tool("search_text")
      } …). Evidence is path:line or \`tool: name(arguments) → result\` of a call you made. refuted is a good answer. ${HAND_IN}`,
      {
        hypotheses_verified: [{
          hypothesis: "…",
          result: "confirmed | refuted",
          evidence: "src/token.ts:9",
        }],
      },
    ),
  },
  Q3: {
    grants: LOOKING,
    field: "needs_impact_analysis",
    clear: "no",
    joins: true,
    small: { needs_impact_analysis: false },
    asks: ask(
      say`Decide: can the change reach other files, or are callers unknown? true leads to the impact analysis. ${HAND_IN}`,
      { needs_impact_analysis: "boolean", reason: "10+ characters" },
    ),
  },
  IMPACT_ANALYSIS: {
    grants: LOOKING,
    field: "impact_summary",
    asks: ask(
      say`${
        call("analyze_impact")
      } for the files you will change. Every file of its must_verify needs a decision: will_modify, or no_change_needed or not_affected with a reason; globs decide for many, should_verify is advice. Files that do not exist yet: decisions []. ${HAND_IN}`,
      {
        impact_summary: {
          decisions: [
            { path: "src/auth.ts", status: "will_modify" },
            { path: "src/legacy/**", status: "not_affected", reason: "…" },
          ],
        },
      },
      ["analyze_impact"],
    ),
    withoutTool: say`List what depends on the files you will change, with ${
      tool("find_references")
    } and ${
      tool("search_text")
    }, and decide for each: will_modify, no_change_needed or not_affected with a reason. ${HAND_IN}`,
  },
  READY_PLAN: {
    grants: WORKING,
    substep: "plan",
    prompts: ["task_planning.md"],
    field: "tasks",
    joins: true,
    asks: ask(
      say`Plan tasks in order of dependency for every place found. A checklist item is a verb, a concrete change and a file; none for verification or commits; a removed test file is an item of its own. Completed tasks stay; send what is left to do. ${HAND_IN}`,
      {
        tasks: [{
          id: "task_1",
          description: "…",
          checklist: ["Add login() to src/auth.ts"],
        }],
      },
    ),
  },
  READY_IMPL: {
    grants: WORKING,
    substep: "implement",
    field: "task_id",
    clear: "all_done",
    begins: true,
    asks: ask(
      say`Do next_task: edit what may_write names, and other files after ${
        tool("check_write_target")
      }, with your own tools; then report every item by its number (more may be added by their text), with evidence (changed lines) or, if skipped, a reason, by ${
        tool("submit_phase")
      }.`,
      { task_id: "task_1", checklist: CHECKLIST_DONE },
      ["check_write_target"],
    ),
  },
  READY_COMPLETE: {
    grants: WORKING,
    substep: "complete",
    field: "observed",
    mayBeEmpty: true,
    clear: "done",
    joins: true,
    asks: bare(
      say`All tasks are reported. Read the request again: if something is missing send back_to EXPLORATION. observed: for each clause what you ran and what it showed, with the name of a test of yours where one shows it; one without is open. Checks that you ran yourself (linters) go under their command. Then ${
        use("submit_phase")
      }.`,
      { observed: { "clause of the request": "…" }, summary: "string" },
    ),
  },
  POST_IMPL_VERIFY: {
    grants: REVIEWING,
    prompts: ["verifiers"],
    field: "passed",
    mayBeEmpty: true,
    joins: true,
    asks: ask(
      say`The server runs the project's commands (verify) at this call; its result is the verdict. While they run, send the same payload again. None applies: run the tests of the change yourself and send the true result and the failed tasks. Do not edit here. ${HAND_IN}`,
      {
        passed: "boolean",
        verifier_used: "npm test",
        failed_tasks: ["task_1"],
        details: "output that matters",
      },
    ),
    withoutCommands:
      say`The project names no commands to run (verify): run the tests of the change yourself and send the true result and the failed tasks. Do not edit here. ${HAND_IN}`,
  },
  VERIFY_INTERVENTION: {
    grants: REVIEWING,
    prompts: ["interventions"],
    field: "action_taken",
    asks: ask(
      say`The same work failed repeatedly. Stop, restate the goal, question your assumptions, and choose another approach; restore_to takes the files back. ${HAND_IN}`,
      {
        prompt_used: "step_back.md",
        action_taken: "string",
        restore_to: "none | plan | baseline",
      },
    ),
  },
  PRE_COMMIT: {
    grants: REVIEWING,
    prompts: ["review_prompts/garbage_detection.md"],
    field: "reviewed_files",
    clear: "reviewed",
    begins: true,
    asks: ask(
      say`The reply shows what no evidence covers. Decide for every file: keep, or discard with a reason (debug output, stray files, unrequested edits); a removed test file needs one too. \`rest\` decides for files not named. ${HAND_IN}`,
      {
        reviewed_files: [
          { path: "src/auth.ts", decision: "keep" },
          { path: "debug.txt", decision: "discard", reason: "debug output" },
        ],
        rest: "keep | discard | null",
        include_person_changes: [],
        findings: [],
        test_findings: [],
        commit_message: "string",
        review_prompt_used: "garbage_detection.md",
      },
      ["review_changes"],
    ),
  },
  QUALITY_REVIEW: {
    grants: REVIEWING,
    prompts: ["review_prompts/quality_review.md"],
    field: "quality_score",
    clear: "clean",
    joins: true,
    asks: ask(
      say`Review the change: security, correctness, size, mandatory rules, and what \`diff_facts\` of ${STEP.PRE_COMMIT} named. Report only; issues lead back to the plan. ${HAND_IN}`,
      { quality_score: "good", issues: [], quality_prompt_used: "quality_review.md" },
    ),
  },
  MERGE: {
    grants: LOOKING,
    field: "on_conflict",
    mayBeEmpty: true,
    joins: true,
    asks: bare(
      say`${
        call("submit_phase")
      }: the server merges the task branch into the base; on_conflict is for a conflict, merge_message for a hook that refuses the usual message.`,
      { summary: "string", on_conflict: "resolve | park | null", merge_message: "string | null" },
    ),
  },
  SESSION_COMPLETE: {
    grants: [...WORKING, "cleanup"],
    asks: bare(
      say`The session is over. Tell the person what was done. ${
        call("start_session")
      } for new work.`,
      {},
    ),
  },
};

/** A stage, and how replies and the stored state name it. */
export interface PhaseRow extends StepRow {
  readonly phase: PhaseName;
  /** Number of the step that the user sees; SESSION_COMPLETE keeps the last one. */
  readonly step: number;
  /** Key under which the summary of a stage entry is kept. */
  readonly summaryKey: string;
}

/** All stages in the order of the flow. */
export const STAGES = Object.keys(ROWS) as readonly Stage[];

/** Every stage by name. */
export const PHASES = Object.fromEntries(
  STAGES.map((stage): [Stage, PhaseRow] => {
    const step = stage === "SESSION_COMPLETE" ? LAST_STEP : STEP_NUMBER[stage];
    const phase = stage.startsWith("READY_") ? "READY" : stage as PhaseName;
    const summaryKey = `step_${String(step).padStart(2, "0")}_${stage}`;
    return [stage, { ...ROWS[stage], phase, step, summaryKey }];
  }),
) as Readonly<Record<Stage, PhaseRow>>;

/** True for text that names a stage. */
export function isStage(name: string): name is Stage {
  return Object.hasOwn(PHASES, name);
}

function ask(
  instruction: Words,
  payload: Payload,
  requiredTools: readonly string[] = [],
  minDistinctTools = 0,
): ContractRow {
  const expectedPayload = { ...payload, tools_used: ["names"], summary: "string" };
  return { instruction, expectedPayload, requiredTools, minDistinctTools };
}

function bare(instruction: Words, expectedPayload: Payload): ContractRow {
  return { instruction, expectedPayload, requiredTools: [], minDistinctTools: 0 };
}
