/** The lines of outcomes: which one is due, what it says, and what is said of it later. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { LearnedState } from "../../../src/features/learning/decision_log.ts";
import {
  buildAmendment,
  buildOutcome,
  buildReported,
  findDueOutcomeId,
  keepFinalOutcomes,
  parseOutcome,
} from "../../../src/features/learning/outcome_log.ts";
import { mergedState, SAMPLE_ID, sampleCall, sampleOutcome, sampleState } from "./samples.ts";

const AT = "2026-01-31T15:00:00.000Z";

function write(state: LearnedState) {
  const id = findDueOutcomeId(state);
  ok(id !== null);
  const records = [sampleCall(), sampleCall({ ok: false }), sampleCall({ tool: "search_text" })];
  return buildOutcome(id, { state, records, files: ["src/auth.ts"], at: AT });
}

Deno.test("findDueOutcomeId() names an end and each question to the person, and nothing else", () => {
  const escalation = { cause: "verification_limit", message: "3 times red" } as const;
  equal(findDueOutcomeId(sampleState()), null);
  equal(findDueOutcomeId(sampleState({ status: "parked" })), null);
  equal(findDueOutcomeId(mergedState()), `outcome_${SAMPLE_ID}_end`);
  const first = findDueOutcomeId(sampleState({ escalation }));
  ok(first?.startsWith(`outcome_${SAMPLE_ID}_escalated_`), `${first}`);
  ok(findDueOutcomeId(sampleState({ escalation, visit: 9 })) !== first);
});

Deno.test("buildOutcome() tells how it ended, where, and why", () => {
  const red = {
    at: AT,
    passed: false,
    verifier: "npm test",
    details: "login_test:\n  expected 1",
    failedTasks: ["task_1"],
    source: "server",
  } as const;
  const word = {
    at: AT,
    stage: "READY_IMPL",
    decision: "abandon",
    reason: "not wanted any more",
    source: "relayed",
  } as const;
  const rows: readonly (readonly [
    state: LearnedState,
    outcome: string,
    result: string,
    cause: string | null,
  ])[] = [
    [mergedState(), "merged", "success", null],
    [mergedState({ end: "completed", verification: null }), "completed", "success", null],
    [mergedState({ verification: red }), "merged", "partial", "login_test: expected 1"],
    [
      mergedState({ quality: { score: "bad", issues: ["slow", "long"] } }),
      "merged",
      "partial",
      "slow; long",
    ],
    [
      mergedState({ end: "failed", verification: red }),
      "failed",
      "failure",
      "login_test: expected 1",
    ],
    [
      mergedState({ end: "abandoned", decisions: [word] }),
      "abandoned",
      "partial",
      "not wanted any more",
    ],
    [
      mergedState({ end: "abandoned", decisions: [word], verification: red }),
      "abandoned",
      "failure",
      "not wanted any more",
    ],
    [
      sampleState({ escalation: { cause: "back_limit", message: "three ways back" } }),
      "escalated",
      "failure",
      "three ways back",
    ],
  ];
  for (const [state, outcome, result, cause] of rows) {
    const line = write(state);
    deepEqual([line.outcome, line.result, line.rootCause], [outcome, result, cause]);
    deepEqual(parseOutcome(JSON.parse(JSON.stringify(line))), line);
  }
});

Deno.test("buildOutcome() counts calls by tool, and reverts apart from ways back", () => {
  const stages = ["EXPLORATION", "READY_PLAN", "EXPLORATION", "READY_PLAN", "READY_PLAN"] as const;
  const line = write(mergedState({
    path: [...stages, "MERGE", "SESSION_COMPLETE"].map((stage) => ({ stage, at: AT })) as never,
    counters: { verificationFailures: 1, interventions: 1, qualityReverts: 0, backs: 1 },
  }));
  deepEqual(line.tools, {
    find_definitions: { calls: 2, failed: 1 },
    search_text: { calls: 1, failed: 0 },
  });
  deepEqual([line.phase, line.reverts, line.backs, line.interventions], ["MERGE", 1, 1, 1]);
});

Deno.test("buildAmendment() keeps the line it amends, and is the last word about its session", () => {
  const said = {
    recordId: "outcome_2",
    at: AT,
    result: "failure",
    rootCause: "shared counter",
  } as const;
  const earlier = sampleOutcome();
  const line = buildAmendment(earlier, { ...said, files: ["src/limit.ts"] });
  deepEqual([line.outcome, line.by, line.query], ["amended", "person", earlier.query]);
  deepEqual(line.files, ["src/auth.ts", "src/limit.ts"]);
  const other = sampleOutcome({ sessionId: "session_2", recordId: "outcome_3" });
  deepEqual(keepFinalOutcomes([earlier, other, line]).map(({ recordId }) => recordId), [
    "outcome_3",
    "outcome_2",
  ]);
});

Deno.test("buildReported() stands for work without a session, each line for itself", () => {
  const said = { recordId: "a", at: AT, result: "success", rootCause: null } as const;
  const lines = [buildReported(null, said), buildReported(null, { ...said, recordId: "b" })];
  equal(keepFinalOutcomes(lines).length, 2);
  equal(buildReported(sampleState(), said).query, "add a login form");
  for (const line of lines) deepEqual(parseOutcome(JSON.parse(JSON.stringify(line))), line);
});
