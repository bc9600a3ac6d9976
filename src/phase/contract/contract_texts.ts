/**
 * The texts of the built-in contract: one row for each stage, in short English, with one next call.
 */
import type { Words } from "../../base/text/words.ts";
import { call, say, tool, use } from "../../base/text/words.ts";
import type { Stage } from "../table/phases.ts";

/** The row of one stage. */
export interface ContractRow {
  /** Short, imperative English that names exactly one next call. */
  readonly instruction: Words;
  /** Each field with its type or a literal example. */
  readonly expectedPayload: Readonly<Record<string, unknown>>;
  /** Tools that must have answered `ok` in this visit. */
  readonly requiredTools: readonly string[];
  /** How many different tools must have answered `ok` in this visit. */
  readonly minDistinctTools: number;
}

/** Ends the instruction of a stage. */
const HAND_IN = say`Then ${use("submit_phase")}.`;

/** What a stage asks for when the tool that it needs cannot be offered. */
export const WITHOUT_TOOL: Readonly<Partial<Record<Stage, Words>>> = {
  SEMANTIC: say`Search for what is still missing with ${tool("search_text")}, ${
    tool("find_definitions")
  } or ${tool("find_references")}. Nothing relevant: send [] and say so in summary. ${HAND_IN}`,
  IMPACT_ANALYSIS: say`List what depends on the files you will change, with ${
    tool("find_references")
  } and ${
    tool("search_text")
  }, and decide for each: will_modify, no_change_needed or not_affected with a reason. ${HAND_IN}`,
};

/** What step 15 asks for where `verify` names no command. */
export const WITHOUT_COMMANDS: Words =
  say`The project names no commands to run (verify): run the tests of the change yourself and send the true result and the failed tasks. Do not edit here. ${HAND_IN}`;

type Payload = Readonly<Record<string, unknown>>;

const CHECKLIST_DONE = [
  { item: 1, evidence: "src/auth.ts:42-58" },
  { item: 2, reason: "10+ characters, where it is skipped" },
];

/** The row of every stage; `summary` and `tools_used` are added to each payload that needs them. */
export const BUILT_IN: Readonly<Record<Stage, ContractRow>> = {
  BRANCH_INTERVENTION: ask(
    say`Old task branches exist (stale_branches). Ask the person: delete them (kept by ref), merge the one that is checked out, or continue and leave them. ${HAND_IN}`,
    { choice: "delete | merge | continue" },
  ),
  DOCUMENT_RESEARCH: ask(
    say`Find the project documents that bind this request (${tool("search_files")}, ${
      tool("search_text")
    }), read them, and note each rule with its source (to_change: true where the request changes the rule). None fits: [] with no_documents_reason after one search (documents of this reply count). ${HAND_IN}`,
    {
      documents_reviewed: ["docs/auth.md"],
      mandatory_rules: [{ rule: "…", source: "docs/auth.md:12" }],
      no_documents_reason: "string | null",
    },
  ),
  QUERY_FRAME: ask(
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
  EXPLORATION: ask(
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
  Q1: ask(
    say`Decide: is the place unclear, are there several, or is similar code needed? true leads to a search by meaning. ${HAND_IN}`,
    { needs_more_information: "boolean", reason: "10+ characters" },
  ),
  SEMANTIC: ask(
    say`Search by meaning with ${tool("semantic_search")} for what is still missing; ${
      tool("fetch_chunk_detail")
    } shows a hit whole. Nothing relevant: send [] and say so in summary. ${HAND_IN}`,
    { search_query: "string", search_results: [{ file: "src/session.ts", why: "…" }] },
    ["semantic_search"],
  ),
  Q2: ask(
    say`Decide: do you rely on something unchecked? Name each such hypothesis. true leads to their verification. ${HAND_IN}`,
    {
      has_unverified_hypotheses: "boolean",
      reason: "10+ characters",
      hypotheses: ["tokens expire"],
    },
  ),
  VERIFICATION: ask(
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
  Q3: ask(
    say`Decide: can the change reach other files, or are callers unknown? true leads to the impact analysis. ${HAND_IN}`,
    { needs_impact_analysis: "boolean", reason: "10+ characters" },
  ),
  IMPACT_ANALYSIS: ask(
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
  READY_PLAN: ask(
    say`Plan tasks in order of dependency for every place found. A checklist item is a verb, a concrete change and a file; none for verification or commits; a removed test file is an item of its own. Completed tasks stay; send what is left to do. ${HAND_IN}`,
    {
      tasks: [{
        id: "task_1",
        description: "…",
        checklist: ["Add login() to src/auth.ts"],
      }],
    },
  ),
  READY_IMPL: ask(
    say`Do next_task: edit what may_write names, and other files after ${
      tool("check_write_target")
    }, with your own tools; then report every item by its number (more may be added by their text), with evidence (changed lines) or, if skipped, a reason, by ${
      tool("submit_phase")
    }.`,
    { task_id: "task_1", checklist: CHECKLIST_DONE },
    ["check_write_target"],
  ),
  READY_COMPLETE: bare(
    say`All tasks are reported. Read the request again: if something is missing send back_to EXPLORATION. observed: for each clause what you ran and what it showed, with the name of a test of yours where one shows it; one without is open. Checks that you ran yourself (linters) go under their command. Then ${
      use("submit_phase")
    }.`,
    { observed: { "clause of the request": "…" }, summary: "string" },
  ),
  POST_IMPL_VERIFY: ask(
    say`The server runs the project's commands (verify) at this call; its result is the verdict. While they run, send the same payload again. None applies: run the tests of the change yourself and send the true result and the failed tasks. Do not edit here. ${HAND_IN}`,
    {
      passed: "boolean",
      verifier_used: "npm test",
      failed_tasks: ["task_1"],
      details: "output that matters",
    },
  ),
  VERIFY_INTERVENTION: ask(
    say`The same work failed repeatedly. Stop, restate the goal, question your assumptions, and choose another approach; restore_to takes the files back. ${HAND_IN}`,
    {
      prompt_used: "step_back.md",
      action_taken: "string",
      restore_to: "none | plan | baseline",
    },
  ),
  PRE_COMMIT: ask(
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
  QUALITY_REVIEW: ask(
    say`Review the change: security, correctness, size, mandatory rules, and what \`diff_facts\` of step 17 named. Report only; issues lead back to the plan. ${HAND_IN}`,
    { quality_score: "good", issues: [], quality_prompt_used: "quality_review.md" },
  ),
  MERGE: bare(
    say`${
      call("submit_phase")
    }: the server merges the task branch into the base; on_conflict is for a conflict, merge_message for a hook that refuses the usual message.`,
    { summary: "string", on_conflict: "resolve | park | null", merge_message: "string | null" },
  ),
  SESSION_COMPLETE: bare(
    say`The session is over. Tell the person what was done. ${call("start_session")} for new work.`,
    {},
  ),
};

function ask(
  instruction: Words,
  payload: Payload,
  requiredTools: readonly string[] = [],
  minDistinctTools = 0,
): ContractRow {
  return {
    instruction,
    expectedPayload: { ...payload, tools_used: ["names"], summary: "string" },
    requiredTools,
    minDistinctTools,
  };
}

function bare(instruction: Words, expectedPayload: Payload): ContractRow {
  return { instruction, expectedPayload, requiredTools: [], minDistinctTools: 0 };
}
