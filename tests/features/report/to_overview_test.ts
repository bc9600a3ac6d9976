/** What an overview shows: the last word about each session, beside open and unlogged ones. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { buildOverview } from "../../../src/features/report/to_overview.ts";
import { SAMPLE_ID, sampleState } from "../../session/sample_state.ts";

Deno.test("buildOverview() shows a session by its last outcome, in the month of that, beside open and unlogged ones", () => {
  const other = "session_20260102_030405_aaaa";
  const open = sampleState({ sessionId: "session_20260303_030303_bbbb" });
  const one = { total: 1, success: 0, partial: 0, failure: 1 };
  const report = buildOverview({
    states: [open, sampleState()],
    archived: [SAMPLE_ID, other],
    finals: [{
      ...{ sessionId: SAMPLE_ID, at: "2026-03-01T00:00:00.000Z", query: "q", phase: "MERGE" },
      ...{ outcome: "amended", result: "failure", rootCause: "x" },
    }],
    counts: {
      all: one,
      by_phase: { MERGE: one },
      common_failure_points: [{ phase: "MERGE", failures: 1, root_causes: ["x"] }],
    },
    notices: ["n"],
    prices: [],
  });
  deepEqual(report.all, one);
  deepEqual(report.by_month, [{ month: "2026-03", ...one }]);
  deepEqual(report.by_phase, [{ phase: "MERGE", ...one }]);
  deepEqual(report.failures, [{ phase: "MERGE", failures: 1, causes: ["x"] }]);
  deepEqual(report.sessions.map(({ id, outcome }) => [id, outcome]), [
    [SAMPLE_ID, "amended"],
    [open.sessionId, "active"],
    [other, "no outcome on record"],
  ]);
});
