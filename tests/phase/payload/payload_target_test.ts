/** Rows of input and expected output for `src/phase/payload/payload_target.ts`. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { toTarget } from "../../../src/phase/payload/payload_target.ts";
import { PAYLOAD } from "../samples.ts";

Deno.test("toTarget() takes a new plan at READY implement and nowhere else", () => {
  deepEqual(toTarget("READY_IMPL", PAYLOAD.READY_PLAN), { stage: "READY_PLAN", problem: null });
  equal(toTarget("READY_COMPLETE", PAYLOAD.READY_PLAN).problem?.at, "data.tasks");
  equal(toTarget("MERGE", PAYLOAD.READY_PLAN).problem?.at, "data.tasks");
});

Deno.test("toTarget() names the right substep of READY", () => {
  const { problem } = toTarget("READY_PLAN", PAYLOAD.READY_IMPL);
  equal(problem?.code, "payload_mismatch");
  equal(problem?.at, "data.task_id");
  equal(/READY_PLAN/.test(String(problem?.hint ?? "")), true);
});

Deno.test("R35: a payload of another stage does not pass a stage that needs no field of its own", () => {
  for (const stage of ["QUERY_FRAME", "READY_COMPLETE", "MERGE"] as const) {
    equal(toTarget(stage, PAYLOAD[stage]).problem, null);
    equal(toTarget(stage, PAYLOAD.QUALITY_REVIEW).problem?.at, "data.quality_score");
    equal(toTarget(stage, PAYLOAD.Q1).problem?.at, "data.needs_more_information");
  }
});

Deno.test("toTarget() leaves other stages to their schema", () => {
  deepEqual(toTarget("Q1", PAYLOAD.Q2), { stage: "Q1", problem: null });
});
