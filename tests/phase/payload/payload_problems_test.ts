/** Hints of payloads that are wrong in form: each shows the form, wherever that is found. */
import * as z from "zod";
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { findTarget, makeSchemaProblems } from "../../../src/phase/payload/payload_problems.ts";
import { PAYLOAD } from "../samples.ts";
import type { Problem } from "../../../src/base/problem.ts";
import { parseResolutions, parseSubmission } from "../../../src/phase/payload/payloads.ts";

Deno.test("findTarget() takes a new plan at READY implement and nowhere else", () => {
  deepEqual(findTarget("READY_IMPL", PAYLOAD.READY_PLAN), { stage: "READY_PLAN", problem: null });
  equal(findTarget("READY_COMPLETE", PAYLOAD.READY_PLAN).problem?.at, "data.tasks");
  equal(findTarget("MERGE", PAYLOAD.READY_PLAN).problem?.at, "data.tasks");
});

Deno.test("findTarget() names the right substep of READY", () => {
  const { problem } = findTarget("READY_PLAN", PAYLOAD.READY_IMPL);
  equal(problem?.code, "payload_mismatch");
  equal(problem?.at, "data.task_id");
  equal(/READY_PLAN/.test(String(problem?.hint ?? "")), true);
});

Deno.test("R35: a payload of another stage does not pass a stage that needs no field of its own", () => {
  for (const stage of ["QUERY_FRAME", "READY_COMPLETE", "MERGE"] as const) {
    equal(findTarget(stage, PAYLOAD[stage]).problem, null);
    equal(findTarget(stage, PAYLOAD.QUALITY_REVIEW).problem?.at, "data.quality_score");
    equal(findTarget(stage, PAYLOAD.Q1).problem?.at, "data.needs_more_information");
  }
});

Deno.test("findTarget() leaves other stages to their schema", () => {
  deepEqual(findTarget("Q1", PAYLOAD.Q2), { stage: "Q1", problem: null });
});

Deno.test("makeSchemaProblems() names every place, and the nearest branch of a union", () => {
  const schema = z.object({ rows: z.array(z.union([z.string(), z.object({ path: z.string() })])) });
  const parsed = schema.safeParse({ rows: ["a", { path: 1 }, 7] });
  const problems = parsed.error === undefined ? [] : makeSchemaProblems(parsed.error, "data");
  deepEqual(problems.map(({ code, at }) => `${code} ${at}`), [
    "wrong_type data.rows[1].path",
    "wrong_type data.rows[2]",
  ]);
  equal(problems[0]?.hint, "Send path as expected_payload shows it.");
});

/** Fields that are legal at every stage, so that no `expected_payload` shows them. */
const CONTROLS: readonly (readonly [data: object, form: RegExp])[] = [
  [{ park: true }, /"park": true, "reason"/],
  [{ park: "perhaps", reason: "r" }, /"park": true, "reason"/],
  [{ abandon: true }, /"abandon": true, "reason"/],
  [{ back_to: "MERGE", reason: "r" }, /"back_to": "EXPLORATION", "reason": "at least 10/],
  [{ user_decision: "yes" }, /"user_decision": "continue \| accept \| park \| abandon"/],
];

for (const [data, form] of CONTROLS) {
  Deno.test(`the hints for ${JSON.stringify(data)} show its form`, () => {
    const { problems } = parseSubmission("Q1", { tools_used: [], ...data });
    checkHints(problems, form);
  });
}

Deno.test("the hints for change_resolution show its form", () => {
  for (const sent of ["restore", [], [{}], [{ path: "a", action: "keep", reason: "r" }]]) {
    const { problems } = parseResolutions({ change_resolution: sent });
    checkHints(problems, /change_resolution \[\{"path": .*"action": "restore \| person/);
  }
});

function checkHints(problems: readonly Problem[], form: RegExp): void {
  equal(problems.length > 0, true);
  for (const { hint = "" } of problems) {
    match(String(hint), form);
    equal(String(hint).includes("expected_payload"), false, String(hint));
  }
}
