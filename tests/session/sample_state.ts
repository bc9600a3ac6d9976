/** A whole state of the engine, as tests of this folder change it. */
import type { SessionState } from "../../src/phase/state.ts";

/** Id of the sample. */
export const SAMPLE_ID = "session_20260131_142530_9f3a";

/** A session in READY implement with one task, changed by `patch`. */
export function sampleState(patch: Partial<SessionState> = {}): SessionState {
  return {
    sessionId: SAMPLE_ID,
    query: "add a login form",
    intent: "IMPLEMENT",
    gateLevel: "auto",
    flags: { no_quality: true },
    docResearchPrompts: [],
    startedAt: "2026-01-31T14:25:30.000Z",
    stage: "READY_IMPL",
    status: "active",
    end: null,
    visit: 7,
    path: [{ stage: "DOCUMENT_RESEARCH", at: "2026-01-31T14:25:30.000Z" }],
    counters: { verificationFailures: 0, interventions: 0, qualityReverts: 0, backs: 0 },
    escalation: null,
    decisions: [],
    lastProblems: [],
    compactionCount: 0,
    compactionSeen: false,
    summaries: { step_03_DOCUMENT_RESEARCH: "read docs/auth.md" },
    documents: ["docs/auth.md"],
    rules: [{ rule: "Services own business logic", source: "docs/auth.md:12" }],
    frame: null,
    risk: "MEDIUM",
    evaluation: { confidence: "high", missing: [] },
    findings: ["AuthService.login issues the token (src/auth.ts:40)"],
    hypotheses: [],
    answers: { Q1: { answer: false, reason: "the place is clear" } },
    impact: [],
    tasks: [{
      id: "task_1",
      description: "the form",
      status: "pending",
      checklist: [
        { item: "Add login() to src/auth.ts", status: "pending" },
        { item: "Add the form to src/form.ts", status: "done", evidence: "src/form.ts:1-9" },
      ],
      failureCount: 0,
      revertReason: null,
      evidenceTree: null,
    }],
    revertReason: null,
    clearances: [],
    workspace: {
      hasGit: true,
      baseBranch: "main",
      baseCommit: "a".repeat(40),
      taskBranch: "llm_task_x_from_main",
      baselineTree: "b".repeat(40),
      planTree: null,
      parkTree: null,
      cleanTree: "a".repeat(40),
      mergeParent: null,
      commits: [],
    },
    fixedVerify: { verify: [], baseline: "auto", faults: [] },
    maxSnapshotMb: 50,
    review: [],
    prepared: null,
    verification: null,
    quality: null,
    pending: null,
    undone: [],
    ...patch,
  };
}
