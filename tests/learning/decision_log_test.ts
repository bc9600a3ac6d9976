/** The line of a decision. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { parseDecision, toDecision } from "../../src/learning/decision_log.ts";
import { mergedState, SAMPLE_ID, sampleState } from "./samples.ts";

const AT = "2026-01-31T14:30:00.000Z";

Deno.test("toDecision() is due once the frame is accepted, or at once where none will be", () => {
  equal(toDecision({ state: sampleState(), isFramed: true }, AT), null);
  equal(toDecision({ state: sampleState(), isFramed: false }, AT)?.missingSlots.length, 0);
  const state = mergedState({ flags: { fast: true, quick: false } });
  const line = toDecision({ state, isFramed: true }, AT);
  deepEqual([line?.recordId, line?.flags, line?.risk], [
    `decision_${SAMPLE_ID}`,
    ["fast"],
    "MEDIUM",
  ]);
  deepEqual(line?.missingSlots, ["trigger_condition", "observed_issue", "desired_action"]);
  deepEqual(line?.targetSymbols, ["AuthService.login", "other"]);
  deepEqual(parseDecision(JSON.parse(JSON.stringify(line))), line);
});

Deno.test("parseDecision() keeps fields of later versions and refuses what is no decision", () => {
  const line = { ...toDecision({ state: mergedState(), isFramed: true }, AT), later: 1 };
  deepEqual(parseDecision(line), line);
  for (const value of [null, 1, {}, { ...line, query: 1 }]) equal(parseDecision(value), undefined);
});
