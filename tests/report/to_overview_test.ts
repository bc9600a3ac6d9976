/** What an overview counts: each session once, by the last word about it. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { toOverview } from "../../src/report/to_overview.ts";
import type { OutcomeLine } from "../../src/features/learning/mod.ts";
import { SAMPLE_ID, sampleState } from "../session/sample_state.ts";

function line(patch: Partial<OutcomeLine>): OutcomeLine {
  return {
    ...{ recordId: "r", sessionId: SAMPLE_ID, at: "2026-02-01T00:00:00.000Z", by: "server" },
    ...{ outcome: "merged", result: "success", query: "q", intent: "IMPLEMENT", risk: null },
    ...{ confidence: null, flags: [], phase: "MERGE", reverts: 0, backs: 0, interventions: 0 },
    ...{ qualityReverts: 0, verification: null, overrides: [], tools: {}, symbols: [], files: [] },
    ...{ rootCause: null, ...patch },
  };
}

Deno.test("toOverview() counts a session by its last outcome, in the month of that, beside open and unlogged ones", () => {
  const other = "session_20260102_030405_aaaa";
  const open = sampleState({ sessionId: "session_20260303_030303_bbbb" });
  const report = toOverview({
    states: [open, sampleState()],
    archived: [SAMPLE_ID, other],
    outcomes: [
      line({}),
      line({
        at: "2026-03-01T00:00:00.000Z",
        outcome: "amended",
        result: "failure",
        rootCause: "x",
      }),
    ],
    notices: ["n"],
  });
  deepEqual(report.all, { total: 1, success: 0, partial: 0, failure: 1 });
  deepEqual(report.by_month, [{ month: "2026-03", total: 1, success: 0, partial: 0, failure: 1 }]);
  deepEqual(report.failures, [{ phase: "MERGE", failures: 1, causes: ["x"] }]);
  deepEqual(report.sessions.map(({ id, outcome }) => [id, outcome]), [
    [SAMPLE_ID, "amended"],
    [open.sessionId, "active"],
    [other, "no outcome on record"],
  ]);
});
