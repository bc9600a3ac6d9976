/** Counters of failures as they are remembered, and what they do to an older state. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { raiseFailureCounts, toFailureCounts } from "../../src/session/revision_marks.ts";
import { sampleState } from "./sample_state.ts";

Deno.test("raiseFailureCounts() gives an older state the counters of a newer one, and lowers none", () => {
  const older = sampleState();
  const newer = {
    ...older,
    counters: { ...older.counters, interventions: older.counters.interventions + 1 },
    tasks: older.tasks.map((task) => ({ ...task, failureCount: task.failureCount + 2 })),
  };
  deepEqual(raiseFailureCounts(older, toFailureCounts(newer)), newer);
  deepEqual(raiseFailureCounts(newer, toFailureCounts(older)), newer);
  deepEqual(raiseFailureCounts(newer, {}), newer);
  equal(older.tasks.length > 0, true);
});
