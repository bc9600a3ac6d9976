/** Turns of the counted loops, with the counts, the outcome and the question of each. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { limitLoop } from "../../../src/phase/table/loops.ts";
import type { EscalationCause, SessionState } from "../../../src/phase/state.ts";
import type { Outcome, Stage } from "../../../src/phase/table/phases.ts";
import { TRANSITIONS } from "../../../src/phase/table/transitions.ts";
import { DEFAULT_VALVE_LIMITS } from "../../../src/phase/valves.ts";
import { toDoneTask, toState } from "../samples.ts";

const LIMITS = { ...DEFAULT_VALVE_LIMITS, interventions: 2, qualityReverts: 3, backs: 3 };
const ZERO = { verificationFailures: 0, interventions: 0, qualityReverts: 0, backs: 0 };

interface Row {
  readonly stage: Stage;
  readonly outcome: Outcome;
  readonly counters: Partial<SessionState["counters"]>;
  readonly flags?: SessionState["flags"];
  readonly reached: Outcome;
  readonly after: Partial<SessionState["counters"]>;
  readonly asks?: EscalationCause;
}

const ROWS: readonly Row[] = [
  {
    stage: "POST_IMPL_VERIFY",
    outcome: "failed",
    counters: { verificationFailures: 1 },
    reached: "failed",
    after: { verificationFailures: 2 },
  },
  {
    stage: "POST_IMPL_VERIFY",
    outcome: "failed",
    counters: { verificationFailures: 2 },
    reached: "failed_at_limit",
    after: { verificationFailures: 3 },
  },
  {
    stage: "POST_IMPL_VERIFY",
    outcome: "failed",
    counters: { verificationFailures: 2 },
    flags: { no_intervention: true },
    reached: "failed_at_limit",
    after: { verificationFailures: 3 },
    asks: "verification_limit",
  },
  {
    stage: "VERIFY_INTERVENTION",
    outcome: "done",
    counters: { verificationFailures: 3 },
    reached: "done",
    after: { interventions: 1 },
  },
  {
    stage: "VERIFY_INTERVENTION",
    outcome: "done",
    counters: { verificationFailures: 3, interventions: 1 },
    reached: "limit",
    after: { interventions: 2 },
    asks: "intervention_limit",
  },
  {
    stage: "QUALITY_REVIEW",
    outcome: "issues",
    counters: { qualityReverts: 1 },
    reached: "issues",
    after: { qualityReverts: 2 },
  },
  {
    stage: "QUALITY_REVIEW",
    outcome: "issues",
    counters: { qualityReverts: 2 },
    reached: "forced",
    after: { qualityReverts: 3 },
  },
  {
    stage: "PRE_COMMIT",
    outcome: "hook_failed",
    counters: { verificationFailures: 2 },
    reached: "limit",
    after: { verificationFailures: 3 },
    asks: "hook_limit",
  },
  { stage: "Q1", outcome: "back", counters: { backs: 2 }, reached: "back", after: { backs: 3 } },
  {
    stage: "Q1",
    outcome: "back",
    counters: { backs: 3 },
    reached: "limit",
    after: { backs: 3 },
    asks: "back_limit",
  },
  {
    stage: "QUALITY_REVIEW",
    outcome: "continued",
    counters: { verificationFailures: 3, interventions: 2, qualityReverts: 1, backs: 3 },
    reached: "continued",
    after: { qualityReverts: 1 },
  },
];

for (const { stage, outcome, counters, flags = {}, reached, after, asks } of ROWS) {
  const name = `${stage} on ${outcome} after ${JSON.stringify(counters)}`;
  Deno.test(`limitLoop() at ${name} ${JSON.stringify(flags)} comes to ${reached}`, () => {
    const state = toState(stage, { counters: { ...ZERO, ...counters }, begin: { flags } });
    const failedTasks = stage === "POST_IMPL_VERIFY" ? { failedTasks: [] } : {};
    const turn = limitLoop(state, outcome, { limits: LIMITS, detail: "why", ...failedTasks });
    equal(turn.outcome, reached);
    deepEqual(turn.patch.counters, { ...ZERO, ...after });
    deepEqual(turn.patch.escalation?.cause, asks);
  });
}

Deno.test("limitLoop() counts nothing where the verification is all there is", () => {
  const state = toState("POST_IMPL_VERIFY", { begin: { flags: { only_verify: true } } });
  const turn = limitLoop(state, "failed", { limits: LIMITS, detail: "why", failedTasks: [] });
  deepEqual([turn.outcome, turn.row.to, turn.patch], ["failed", "SESSION_COMPLETE", {}]);
});

Deno.test("limitLoop() sets the failures of tasks to zero with those of the session", () => {
  const tasks = [toDoneTask("task_1", { failureCount: 3 })];
  const state = toState("VERIFY_INTERVENTION", { tasks });
  const { patch } = limitLoop(state, "done", { limits: LIMITS, detail: "why" });
  deepEqual(patch.tasks?.map(({ failureCount }) => failureCount), [0]);
});

Deno.test("a git hook that fails blames no task, whatever the tasks have failed before", () => {
  const tasks = [toDoneTask("task_1", { failureCount: 3 })];
  const state = toState("PRE_COMMIT", { tasks });
  const turn = limitLoop(state, "hook_failed", { limits: LIMITS, reason: "r", detail: "d" });
  deepEqual([turn.outcome, turn.patch.tasks, turn.patch.revertReason], [
    "hook_failed",
    undefined,
    "r",
  ]);
});

Deno.test("each loop has an outcome for its limit, and each question a way on from its stage", () => {
  const has = (from: Stage, on: Outcome) =>
    TRANSITIONS.some((row) => row.from === from && row.on === on);
  const open = TRANSITIONS.flatMap(({ from, counts, asks }) => [
    ...(counts !== undefined && !has(from, counts.atLimit) ? [`${from} ${counts.loop}`] : []),
    ...(asks !== undefined && !has(from, "continued") ? [`${from} ${asks}`] : []),
  ]);
  deepEqual(open, []);
});
