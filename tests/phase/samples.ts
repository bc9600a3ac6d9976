/** States, facts and payloads that the tests of the engine start from; all of them literals. */
import { ok } from "node:assert/strict";
import type { BeginInput } from "../../src/phase/begin.ts";
import type { Contract } from "../../src/phase/contract/contract.ts";
import type { Decision } from "../../src/phase/decide.ts";
import type { ChangedFile, ExploringCall, Facts } from "../../src/phase/facts.ts";
import type { EffectResult, SessionState } from "../../src/phase/state.ts";
import type { Stage } from "../../src/phase/table/phases.ts";
import type { Task } from "../../src/phase/tasks.ts";
import type { Problem } from "../../src/base/problem.ts";
import { BUILT_IN_CONTRACT } from "../../src/phase/contract/contract.ts";
import { beginSession } from "../../src/phase/begin.ts";
import { decide } from "../../src/phase/decide.ts";
import { parseSubmission } from "../../src/phase/payload/payloads.ts";

/** The time of every event that sets none of its own. */
export const NOW = "2026-11-21T10:15:00.000Z";

/** Fields that most payloads need beside their own. */
export const COMMON = { summary: "what was done", tools_used: [] } as const;

/** One payload a stage that the stage accepts in {@link toState}. */
export const PAYLOAD: Readonly<Record<Stage, Readonly<Record<string, unknown>>>> = {
  BRANCH_INTERVENTION: { ...COMMON, choice: "continue" },
  DOCUMENT_RESEARCH: {
    ...COMMON,
    documents_reviewed: ["docs/auth.md"],
    mandatory_rules: [{ rule: "Services own business logic", source: "docs/auth.md:12" }],
    no_documents_reason: null,
  },
  QUERY_FRAME: {
    ...COMMON,
    action_type: "modify",
    slots: {
      target_feature: { value: "login", quote: "login form" },
      trigger_condition: null,
      observed_issue: null,
      desired_action: { value: "add", quote: "add" },
    },
    target_symbols: ["AuthService"],
    scope: "src/auth",
    constraints: [],
  },
  EXPLORATION: {
    ...COMMON,
    explored_files: ["src/auth.ts"],
    findings: ["AuthService.login issues the token (src/auth.ts:40)"],
    reproduced: { command: "npm test", showed: "1 failed" },
  },
  Q1: { ...COMMON, needs_more_information: false, reason: "one candidate only" },
  SEMANTIC: {
    ...COMMON,
    search_query: "session refresh",
    search_results: [{ file: "src/session.ts", why: "it refreshes" }],
  },
  Q2: { ...COMMON, has_unverified_hypotheses: false, reason: "all was read" },
  VERIFICATION: {
    ...COMMON,
    hypotheses_verified: [
      { hypothesis: "tokens expire", result: "refuted", evidence: "src/token.ts:9" },
    ],
  },
  Q3: { ...COMMON, needs_impact_analysis: false, reason: "a private function" },
  IMPACT_ANALYSIS: {
    ...COMMON,
    impact_summary: {
      decisions: [
        { path: "src/auth.ts", status: "will_modify" },
        { path: "src/legacy/**", status: "not_affected", reason: "never imported" },
      ],
    },
  },
  READY_PLAN: {
    ...COMMON,
    tasks: [{
      id: "task_1",
      description: "Add the login",
      status: "pending",
      checklist: [{ item: "Add login() to src/auth.ts", status: "pending" }],
    }],
  },
  READY_IMPL: {
    ...COMMON,
    task_id: "task_1",
    checklist: [{ item: "Add login() to src/auth.ts", status: "done", evidence: "src/auth.ts:42" }],
  },
  READY_COMPLETE: { summary: "all there" },
  POST_IMPL_VERIFY: {
    ...COMMON,
    passed: true,
    verifier_used: "npm test",
    failed_tasks: [],
    details: "12 passed",
  },
  VERIFY_INTERVENTION: {
    ...COMMON,
    prompt_used: "step_back.md",
    action_taken: "another approach",
    restore_to: "none",
  },
  PRE_COMMIT: {
    ...COMMON,
    reviewed_files: [{ path: "src/auth.ts", decision: "keep" }],
    rest: null,
    include_person_changes: [],
    commit_message: "Add the login",
    review_prompt_used: "garbage_detection.md",
  },
  QUALITY_REVIEW: {
    ...COMMON,
    quality_score: "good",
    issues: [],
    quality_prompt_used: "quality_review.md",
  },
  MERGE: { summary: "merge it", on_conflict: "resolve" },
  SESSION_COMPLETE: { summary: "over" },
};

/** The file that the sample session changed. */
export const CHANGE: ChangedFile = { path: "src/auth.ts", kind: "modified", isShared: false };

/** Calls that show all that work on code needs: three symbols, two files, a use in another file. */
export const GOOD_EXPLORATION: readonly ExploringCall[] = [
  {
    tool: "find_definitions",
    subject: "login",
    files: ["src/auth.ts"],
    defines: { "src/auth.ts": ["login", "logout", "hash"] },
    refers: {},
  },
  {
    tool: "find_references",
    subject: "login",
    files: ["src/auth.ts", "src/main.ts"],
    defines: { "src/auth.ts": ["login"] },
    refers: { "src/main.ts": ["login"] },
  },
];

/** Facts with which every payload of {@link PAYLOAD} passes. */
export function toFacts(rest: Partial<Facts> = {}): Facts {
  return {
    now: NOW,
    limits: { verificationFailures: 3, interventions: 2, qualityReverts: 3, backs: 3 },
    offered: [],
    calls: [
      { tool: "search_text", subject: "login", total: 1 },
      { tool: "find_definitions", subject: "AuthService", total: 1 },
    ],
    calledTools: ["search_text", "find_definitions"],
    paths: {
      "docs/auth.md": "file",
      "src/auth.ts": "file",
      "src/session.ts": "file",
      "src/token.ts": "file",
      "src": "folder",
      "../up.ts": "outside",
    },
    documents: { enabled: true, total: 1 },
    hasSourceFiles: true,
    changes: [CHANGE],
    tree: "tree_1",
    ...rest,
  };
}

/** A pending task with one item. */
export function toTask(id: string, rest: Partial<Task> = {}): Task {
  return {
    id,
    description: "Add the login",
    status: "pending",
    checklist: [{ item: "Add login() to src/auth.ts", status: "pending" }],
    failureCount: 0,
    revertReason: null,
    evidenceTree: null,
    ...rest,
  };
}

/** A task that was reported. */
export function toDoneTask(id: string, rest: Partial<Task> = {}): Task {
  return toTask(id, {
    status: "completed",
    checklist: [{ item: "Add login() to src/auth.ts", status: "done", evidence: "src/auth.ts:42" }],
    evidenceTree: "tree_1",
    ...rest,
  });
}

/** A session at `stage`, with the tasks that the stage needs. */
export function toState(
  stage: Stage,
  rest: Partial<SessionState> & { readonly begin?: Partial<BeginInput> } = {},
): SessionState {
  const { begin, ...own } = rest;
  const first = beginSession({
    sessionId: "session_20261121_101500_3fa9",
    query: "add a login form",
    intent: "IMPLEMENT",
    gateLevel: "auto",
    flags: {},
    docResearchPrompts: [],
    now: NOW,
    workspace: WORKSPACE,
    hasStaleBranches: false,
    ...begin,
  });
  const done = ["READY_COMPLETE", "POST_IMPL_VERIFY", "PRE_COMMIT", "QUALITY_REVIEW", "MERGE"];
  const tasks = stage === "READY_IMPL"
    ? [toTask("task_1")]
    : done.includes(stage) || stage === "VERIFY_INTERVENTION"
    ? [toDoneTask("task_1")]
    : [];
  const workspace = tasks.length > 0 ? { ...WORKSPACE, taskBranch: "llm_task_x" } : WORKSPACE;
  return { ...first, stage, path: [{ stage, at: NOW }], tasks, workspace, ...own };
}

/** A clean git project at its start. */
export const WORKSPACE: SessionState["workspace"] = {
  hasGit: true,
  baseBranch: "main",
  baseCommit: "c0",
  taskBranch: null,
  baselineTree: "t0",
  planTree: null,
  parkTree: null,
  cleanTree: "c0",
  mergeParent: null,
  commits: [],
};

/** Options of {@link submit}. */
export interface SubmitOptions {
  readonly facts?: Partial<Facts>;
  readonly contract?: Contract;
}

/** Reads `data` at the stage of the session and decides on it. */
export function submit(
  state: SessionState,
  data: unknown,
  options: SubmitOptions = {},
): Decision {
  return decide(state, {
    type: "submitted",
    parsed: parseSubmission(state.stage, data),
    data: typeof data === "object" && data !== null ? data as Record<string, unknown> : {},
    facts: toFacts(options.facts),
  }, options.contract ?? BUILT_IN_CONTRACT);
}

/** Lets the effects of a decision succeed with `results`, or simply succeed. */
export function settle(
  decision: Decision,
  results: readonly EffectResult[] = [],
  facts: Partial<Facts> = {},
): Decision {
  ok(decision.kind === "perform", `${decision.kind} has no effects`);
  return decide(
    decision.state,
    { type: "completed", results, facts: toFacts(facts) },
    BUILT_IN_CONTRACT,
  );
}

/** The decision, or the one after its effects succeeded. */
export function accept(decision: Decision): Extract<Decision, { readonly kind: "accepted" }> {
  const last = decision.kind === "perform" ? settle(decision) : decision;
  ok(last.kind === "accepted", JSON.stringify(last.kind === "refused" ? last.problems : last.kind));
  return last;
}

/** Problems as `code at` lines, in order. */
export function toLines(problems: readonly Problem[]): readonly string[] {
  return problems.map(({ code, at }) => at === undefined ? code : `${code} ${at}`);
}

/** Problems of a refused decision as `code at` lines; empty when it was not refused. */
export function toRefusal(decision: Decision): readonly string[] {
  if (decision.kind !== "refused") return [];
  for (const { code, message, hint } of decision.problems) {
    // A problem that a test put into the facts has the message "m".
    if (message !== "m" && hint === undefined) throw new Error(`${code} names no next step`);
  }
  return toLines(decision.problems);
}
