/** The line of a decision. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import {
  buildDecision,
  isDecided,
  parseDecision,
} from "../../../src/features/learning/decision_log.ts";
import { mergedState, SAMPLE_ID, SAMPLE_PLAN, sampleState } from "./samples.ts";

const AT = "2026-01-31T14:30:00.000Z";

function decide(patch: Parameters<typeof mergedState>[0] = {}, isFirst = false) {
  return buildDecision(mergedState(patch), { at: AT, isFirst, plan: SAMPLE_PLAN });
}

Deno.test("isDecided() once the frame is accepted, or at once where none will be", () => {
  equal(isDecided({ state: sampleState(), isFramed: true }), false);
  equal(isDecided({ state: sampleState(), isFramed: false }), true);
  equal(isDecided({ state: mergedState(), isFramed: true }), true);
  const { sessionId, query } = sampleState();
  const line = buildDecision(sampleState(), { at: AT, isFirst: false, plan: SAMPLE_PLAN });
  deepEqual([line.sessionId, line.query, line.missingSlots], [sessionId, query, []]);
});

Deno.test("buildDecision() says how the request was understood and what was planned for it", () => {
  const line = decide({ flags: { fast: true, quick: false } });
  deepEqual([line.recordId, line.flags, line.risk], [
    `decision_${SAMPLE_ID}`,
    ["fast"],
    "MEDIUM",
  ]);
  deepEqual(line.missingSlots, ["trigger_condition", "observed_issue", "desired_action"]);
  deepEqual(line.targetSymbols, ["AuthService.login", "other"]);
  deepEqual(
    [line.requiredPhases, line.toolsPlanned, line.pastCommits],
    [SAMPLE_PLAN.requiredPhases, SAMPLE_PLAN.toolsPlanned, SAMPLE_PLAN.pastCommits],
  );
  deepEqual(parseDecision(JSON.parse(JSON.stringify(line))), line);
});

Deno.test("buildDecision() says why the code has to be looked at first: it changes, or nothing is known yet", () => {
  const rows = [
    ["MODIFY", false, true, "intent_modify"],
    ["IMPLEMENT", true, true, "intent_implement"],
    ["QUESTION", true, true, "first_query"],
    ["QUESTION", false, false, null],
  ] as const;
  for (const [intent, isFirst, needs, reason] of rows) {
    const { needsBootstrap, bootstrapReason } = decide({ intent }, isFirst);
    deepEqual([needsBootstrap, bootstrapReason], [needs, reason], intent);
  }
});

Deno.test("parseDecision() keeps fields of later versions and refuses what is no decision", () => {
  const { requiredPhases: _, ...older } = decide();
  deepEqual(parseDecision(older), older, "a line of an earlier version");
  const line = { ...decide(), later: 1 };
  deepEqual(parseDecision(line), line);
  for (const value of [null, 1, {}, { ...line, query: 1 }]) equal(parseDecision(value), undefined);
});
