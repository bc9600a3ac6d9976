/** What the logs tell when they are counted. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { buildDecision } from "../../../src/features/learning/decision_log.ts";
import { computeStats, tellSession } from "../../../src/features/learning/stats.ts";
import { mergedState, SAMPLE_ID, SAMPLE_PLAN, sampleOutcome } from "./samples.ts";

const DECISION = buildDecision(mergedState(), {
  at: "2026-01-31T14:30:00.000Z",
  isFirst: true,
  plan: SAMPLE_PLAN,
});
const DECISIONS = DECISION === null ? [] : [DECISION];

const LINES = [
  sampleOutcome({ recordId: "1" }),
  sampleOutcome({
    recordId: "2",
    sessionId: "s2",
    outcome: "escalated",
    result: "failure",
    phase: "POST_IMPL_VERIFY",
    rootCause: "red",
    risk: "HIGH",
  }),
  sampleOutcome({ recordId: "3", sessionId: "s2", result: "partial", reverts: 2, risk: "HIGH" }),
  sampleOutcome({
    recordId: "4",
    sessionId: "s3",
    outcome: "failed",
    result: "failure",
    phase: "POST_IMPL_VERIFY",
    rootCause: "a flaky test",
    intent: "MODIFY",
    risk: null,
    tools: { semantic_search: { calls: 1, failed: 0 } },
  }),
];

Deno.test("computeStats() counts each session by its last outcome", () => {
  const stats = computeStats(DECISIONS, LINES);
  deepEqual(stats.all, { total: 3, success: 1, partial: 1, failure: 1 });
  deepEqual([stats.sessions, stats.with_decision, stats.reverts], [3, 1, 2]);
  deepEqual(stats.by_intent, {
    IMPLEMENT: { total: 2, success: 1, partial: 1, failure: 0 },
    MODIFY: { total: 1, success: 0, partial: 0, failure: 1 },
  });
  deepEqual(Object.keys(stats.by_risk), ["HIGH", "MEDIUM", "unknown"]);
  deepEqual(stats.by_tool.semantic_search, { total: 1, success: 0, partial: 0, failure: 1 });
  deepEqual(stats.common_failure_points, [
    { phase: "POST_IMPL_VERIFY", failures: 1, root_causes: ["a flaky test"] },
  ]);
  equal(computeStats([], []).sessions, 0);
});

Deno.test("tellSession() puts the decision beside the outcomes, in order", () => {
  const whole = tellSession(SAMPLE_ID, DECISIONS, LINES);
  deepEqual([whole.decision?.sessionId, whole.final_result, whole.failure_point], [
    SAMPLE_ID,
    "success",
    null,
  ]);
  const bad = tellSession("s3", DECISIONS, LINES);
  deepEqual([bad.decision, bad.failure_point, bad.root_cause], [
    null,
    "POST_IMPL_VERIFY",
    "a flaky test",
  ]);
  deepEqual(tellSession("s2", [], LINES).outcomes.map(({ recordId }) => recordId), ["2", "3"]);
});
