/** Rows of input and expected output for `src/phase/valves.ts`. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import {
  countFailure,
  DEFAULT_VALVE_LIMITS,
  ESCALATIONS,
  resetFailures,
} from "../../src/phase/valves.ts";
import { accept, PAYLOAD, submit, toDoneTask, toState } from "./samples.ts";

Deno.test("DEFAULT_VALVE_LIMITS are 3 failures, 2 interventions, 3 reverts and 3 ways back", () => {
  deepEqual(DEFAULT_VALVE_LIMITS, {
    verificationFailures: 3,
    interventions: 2,
    qualityReverts: 3,
    backs: 3,
  });
});

Deno.test("ESCALATIONS offer a way to stop in every case", () => {
  deepEqual(
    Object.entries(ESCALATIONS).map(([cause, { decisions }]) => [cause, ...decisions]),
    [
      ["verification_limit", "continue", "accept", "park", "abandon"],
      ["intervention_limit", "continue", "accept", "park", "abandon"],
      ["back_limit", "continue", "park", "abandon"],
      ["hook_broken", "continue", "park", "abandon"],
      ["hook_limit", "continue", "park", "abandon"],
      ["message_limit", "continue", "park", "abandon"],
    ],
  );
});

/** Counts before, failed tasks, counts after: session, task_1, task_2, at the limit. */
const COUNTS: readonly (readonly [
  before: readonly [number, number, number],
  failed: readonly string[],
  after: readonly [number, number, number],
  isAtLimit: boolean,
])[] = [
  [[0, 0, 0], [], [1, 0, 0], false],
  [[2, 0, 0], [], [3, 0, 0], true],
  [[0, 0, 0], ["task_1"], [0, 1, 0], false],
  [[0, 2, 0], ["task_1"], [0, 3, 0], true],
  [[0, 2, 0], ["task_2"], [0, 2, 1], false],
  [[0, 1, 2], ["task_1", "task_2"], [0, 2, 3], true],
  [[2, 2, 2], ["task_1", "task_1"], [2, 3, 2], true],
];

for (const [before, failed, after, isAtLimit] of COUNTS) {
  Deno.test(`countFailure() from ${before} with [${failed}] comes to ${after}`, () => {
    const [verificationFailures, one, two] = before;
    const state = toState("POST_IMPL_VERIFY", {
      counters: { verificationFailures, interventions: 0, qualityReverts: 0, backs: 0 },
      tasks: [
        toDoneTask("task_1", { failureCount: one }),
        toDoneTask("task_2", { failureCount: two }),
      ],
    });
    const limits = { ...DEFAULT_VALVE_LIMITS, verificationFailures: 3 };
    const result = countFailure(state, failed, { reason: "red", limits });
    deepEqual([
      result.patch.counters?.verificationFailures,
      ...result.patch.tasks?.map(({ failureCount }) => failureCount) ?? [],
    ], after);
    equal(result.isAtLimit, isAtLimit);
  });
}

Deno.test("resetFailures() leaves the other counters alone", () => {
  const counters = { verificationFailures: 2, interventions: 1, qualityReverts: 2, backs: 3 };
  const state = toState("MERGE", { counters, tasks: [toDoneTask("a", { failureCount: 2 })] });
  const patch = resetFailures(state);
  deepEqual(patch.counters, { ...counters, verificationFailures: 0 });
  equal(patch.tasks?.[0]?.failureCount, 0);
});

Deno.test("limits of the configuration take the place of the defaults", () => {
  const limits = { verificationFailures: 1, interventions: 1, qualityReverts: 1, backs: 0 };
  const failed = { ...PAYLOAD.POST_IMPL_VERIFY, passed: false };
  const facts = { limits };
  const first = accept(submit(toState("POST_IMPL_VERIFY"), failed, { facts }));
  equal(first.state.stage, "VERIFY_INTERVENTION");
  const second = accept(submit(first.state, PAYLOAD.VERIFY_INTERVENTION, { facts }));
  equal(second.state.escalation?.cause, "intervention_limit");
  const issues = { ...PAYLOAD.QUALITY_REVIEW, issues: ["x"] };
  equal(accept(submit(toState("QUALITY_REVIEW"), issues, { facts })).state.stage, "MERGE");
  const back = { back_to: "EXPLORATION", reason: "wrong place" };
  equal(accept(submit(toState("Q1"), back, { facts })).state.escalation?.cause, "back_limit");
});
