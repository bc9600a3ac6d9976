/** Agreements, outcomes and states as the tests of this folder change them. */
import type { StoredTerm } from "../../../src/features/learning/agreement.ts";
import type { DecisionPlan } from "../../../src/workflow/context/learning.ts";
import type { OutcomeLine } from "../../../src/features/learning/outcome_log.ts";
import type { SessionState } from "../../../src/phase/state.ts";
import type { CallEntry } from "../../../src/session/records.ts";
import { SAMPLE_ID, sampleState } from "../../session/sample_state.ts";

export { SAMPLE_ID, sampleState };

/** An agreement about the login form. */
export function sampleAgreement(patch: Partial<StoredTerm> = {}): StoredTerm {
  return {
    name: "login-form--login.md",
    terms: ["login form"],
    symbols: ["AuthService.login"],
    files: ["src/auth.ts"],
    sessions: [SAMPLE_ID],
    confirmed: 1,
    learnedAt: "2026-01-31T15:00:00.000Z",
    updatedAt: "2026-01-31T15:00:00.000Z",
    isRejected: false,
    evidence: ["login: defined in src/auth.ts"],
    ...patch,
  };
}

/** The line of a session that was merged. */
export function sampleOutcome(patch: Partial<OutcomeLine> = {}): OutcomeLine {
  return {
    recordId: "outcome_1",
    sessionId: SAMPLE_ID,
    at: "2026-01-31T15:00:00.000Z",
    outcome: "merged",
    result: "success",
    by: "server",
    query: "Add a captcha to the login form",
    intent: "IMPLEMENT",
    risk: "MEDIUM",
    confidence: "high",
    flags: [],
    phase: "MERGE",
    reverts: 0,
    backs: 0,
    interventions: 0,
    qualityReverts: 0,
    verification: { passed: true, source: "server" },
    overrides: [],
    tools: { search_text: { calls: 2, failed: 0 } },
    symbols: ["login"],
    files: ["src/auth.ts"],
    rootCause: null,
    ...patch,
  };
}

/** What was planned for a request. */
export const SAMPLE_PLAN: DecisionPlan = {
  requiredPhases: ["QUERY_FRAME", "READY"],
  toolsPlanned: ["find_definitions"],
  pastCommits: ["abc1234"],
};

/** A session that was merged with work done and verified. */
export function mergedState(patch: Partial<SessionState> = {}): SessionState {
  const slot = { value: "the form of login", quote: "login form", source: "FACT" } as const;
  return sampleState({
    status: "ended",
    end: "merged",
    stage: "SESSION_COMPLETE",
    frame: {
      actionType: "modify",
      slots: {
        target_feature: slot,
        trigger_condition: null,
        observed_issue: null,
        desired_action: null,
      },
      targetSymbols: ["AuthService.login", "other"],
      scope: "src",
      constraints: [],
    },
    tasks: [{
      id: "task_1",
      description: "the form",
      status: "completed",
      checklist: [{ item: "Change it", status: "done", evidence: "src/auth.ts:3-9" }],
      failureCount: 0,
      revertReason: null,
      evidenceTree: null,
    }],
    verification: {
      at: "2026-01-31T14:50:00.000Z",
      passed: true,
      verifier: "npm test",
      details: "all green",
      failedTasks: [],
      source: "server",
    },
    ...patch,
  });
}

/** A recorded call that showed definitions. */
export function sampleCall(patch: Partial<CallEntry> = {}): CallEntry {
  return {
    kind: "call",
    at: "2026-01-31T14:30:00.000Z",
    visit: 3,
    stage: "EXPLORATION",
    tool: "find_definitions",
    argsHash: "0".repeat(16),
    subject: "login",
    ok: true,
    total: 1,
    files: ["src/auth.ts"],
    symbols: ["login"],
    defines: { "src/auth.ts": ["login"], "src/other.ts": ["other"] },
    durationMs: 3,
    via: "mcp",
    ...patch,
  };
}
