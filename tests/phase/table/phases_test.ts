/** Rows of input and expected output for `src/phase/table/phases.ts`. */
import { LAST_STEP } from "../../../src/base/steps.ts";
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { Capability, PhaseName, Stage } from "../../../src/phase/table/phases.ts";
import { isStage, PHASES, STAGES } from "../../../src/phase/table/phases.ts";

type Row = readonly [stage: Stage, phase: PhaseName, step: number, key: string];

const ROWS: readonly Row[] = [
  ["BRANCH_INTERVENTION", "BRANCH_INTERVENTION", 2, "step_02_BRANCH_INTERVENTION"],
  ["DOCUMENT_RESEARCH", "DOCUMENT_RESEARCH", 3, "step_03_DOCUMENT_RESEARCH"],
  ["QUERY_FRAME", "QUERY_FRAME", 4, "step_04_QUERY_FRAME"],
  ["EXPLORATION", "EXPLORATION", 5, "step_05_EXPLORATION"],
  ["Q1", "Q1", 6, "step_06_Q1"],
  ["SEMANTIC", "SEMANTIC", 7, "step_07_SEMANTIC"],
  ["Q2", "Q2", 8, "step_08_Q2"],
  ["VERIFICATION", "VERIFICATION", 9, "step_09_VERIFICATION"],
  ["Q3", "Q3", 10, "step_10_Q3"],
  ["IMPACT_ANALYSIS", "IMPACT_ANALYSIS", 11, "step_11_IMPACT_ANALYSIS"],
  ["READY_PLAN", "READY", 12, "step_12_READY_PLAN"],
  ["READY_IMPL", "READY", 13, "step_13_READY_IMPL"],
  ["READY_COMPLETE", "READY", 14, "step_14_READY_COMPLETE"],
  ["POST_IMPL_VERIFY", "POST_IMPL_VERIFY", 15, "step_15_POST_IMPL_VERIFY"],
  ["VERIFY_INTERVENTION", "VERIFY_INTERVENTION", 16, "step_16_VERIFY_INTERVENTION"],
  ["PRE_COMMIT", "PRE_COMMIT", 17, "step_17_PRE_COMMIT"],
  ["QUALITY_REVIEW", "QUALITY_REVIEW", 18, "step_18_QUALITY_REVIEW"],
  ["MERGE", "MERGE", 19, "step_19_MERGE"],
  ["SESSION_COMPLETE", "SESSION_COMPLETE", 19, "step_19_SESSION_COMPLETE"],
];

Deno.test("PHASES numbers and names the steps as this list does, in the order of the flow", () => {
  deepEqual(
    STAGES.map((stage) => {
      const { phase, step, summaryKey } = PHASES[stage];
      return [stage, phase, step, summaryKey];
    }),
    ROWS,
  );
  equal(LAST_STEP, 19);
});

Deno.test("READY has the substeps plan, implement and complete", () => {
  deepEqual(
    STAGES.flatMap((stage) => PHASES[stage].substep ?? []),
    ["plan", "implement", "complete"],
  );
});

/** Stages that grant a capability; all stages that are not named do not. */
const GRANTS: readonly (readonly [Capability, readonly Stage[]])[] = [
  ["write", ["READY_PLAN", "READY_IMPL", "READY_COMPLETE", "SESSION_COMPLETE"]],
  ["review", [
    "READY_PLAN",
    "READY_IMPL",
    "READY_COMPLETE",
    "POST_IMPL_VERIFY",
    "VERIFY_INTERVENTION",
    "PRE_COMMIT",
    "QUALITY_REVIEW",
    "SESSION_COMPLETE",
  ]],
  ["cleanup", ["BRANCH_INTERVENTION", "SESSION_COMPLETE"]],
];

for (const [capability, stages] of GRANTS) {
  Deno.test(`R37: PHASES grants ${capability} in ${stages.join(", ")} only`, () => {
    deepEqual(STAGES.filter((stage) => PHASES[stage].grants.includes(capability)), stages);
  });
}

Deno.test("PHASES refuses no look in any step", () => {
  const looks: readonly Capability[] = [
    "text",
    "files",
    "definitions",
    "references",
    "structure",
    "query",
    "meaning",
    "chunk",
    "impact",
  ];
  for (const stage of STAGES) {
    deepEqual(looks.filter((look) => !PHASES[stage].grants.includes(look)), [], stage);
  }
});

Deno.test("R15: SESSION_COMPLETE grants everything", () => {
  deepEqual(
    [...PHASES.SESSION_COMPLETE.grants].sort(),
    [...new Set(STAGES.flatMap((stage) => PHASES[stage].grants))].sort(),
  );
});

Deno.test("isStage() tells stages from other words", () => {
  for (const stage of STAGES) equal(isStage(stage), true);
  for (const word of ["READY", "toString", "__proto__", ""]) equal(isStage(word), false);
});
