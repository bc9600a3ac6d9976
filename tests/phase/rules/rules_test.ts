/** Rows of input and expected output for `src/phase/rules/rules.ts`. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { PAYLOADS } from "../../../src/phase/payload/payloads.ts";
import { RULES } from "../../../src/phase/rules/rules.ts";
import type { Stage } from "../../../src/phase/table/phases.ts";
import { accept, PAYLOAD, submit, toState } from "../samples.ts";

Deno.test("RULES has a rule for every stage that has a payload", () => {
  deepEqual(Object.keys(RULES).sort(), Object.keys(PAYLOADS).sort());
});

/** Where the sample payload leads in a default session. */
const NEXT: Readonly<Record<Exclude<Stage, "SESSION_COMPLETE">, Stage>> = {
  BRANCH_INTERVENTION: "DOCUMENT_RESEARCH",
  DOCUMENT_RESEARCH: "QUERY_FRAME",
  QUERY_FRAME: "EXPLORATION",
  EXPLORATION: "Q1",
  Q1: "Q2",
  SEMANTIC: "Q2",
  Q2: "Q3",
  VERIFICATION: "Q3",
  Q3: "READY_PLAN",
  IMPACT_ANALYSIS: "READY_PLAN",
  READY_PLAN: "READY_IMPL",
  READY_IMPL: "READY_COMPLETE",
  READY_COMPLETE: "POST_IMPL_VERIFY",
  POST_IMPL_VERIFY: "PRE_COMMIT",
  VERIFY_INTERVENTION: "READY_PLAN",
  PRE_COMMIT: "QUALITY_REVIEW",
  QUALITY_REVIEW: "MERGE",
  MERGE: "SESSION_COMPLETE",
};

for (const [stage, next] of Object.entries(NEXT) as [Stage, Stage][]) {
  Deno.test(`the sample payload of ${stage} leads to ${next}`, () => {
    equal(accept(submit(toState(stage), PAYLOAD[stage])).state.stage, next);
  });
}
