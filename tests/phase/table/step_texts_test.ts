/** Rows of input and expected output for `src/phase/table/phases.ts`. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { BUILT_IN_CONTRACT as BUILT_IN } from "../../../src/phase/contract/contract.ts";
import { PAYLOADS } from "../../../src/phase/payload/payloads.ts";
import { STAGES } from "../../../src/phase/table/phases.ts";

const SESSION_TOOLS = /\b(start_session|submit_phase|get_session_status)\b/g;

for (const stage of STAGES) {
  Deno.test(`BUILT_IN has a short instruction for ${stage} that names exactly one next call`, () => {
    const { instruction } = BUILT_IN[stage];
    equal(String(instruction).length <= 400, true, `${String(instruction).length} characters`);
    const wanted = stage === "SESSION_COMPLETE" ? "start_session" : "submit_phase";
    deepEqual(String(instruction).match(SESSION_TOOLS), [wanted]);
  });

  Deno.test(`BUILT_IN shows exactly the fields that ${stage} reads`, () => {
    const shown = Object.keys(BUILT_IN[stage].expectedPayload).sort();
    const own = Object.keys(PAYLOADS[stage].shape);
    const common = stage === "SESSION_COMPLETE"
      ? []
      : stage === "READY_COMPLETE" || stage === "MERGE"
      ? ["summary"]
      : ["summary", "tools_used"];
    // A suggestion is asked for by a field of the reply, where the project wants any, as is a clause of step 17 that rests on a
    // word; the size names the gate level.
    const asked = [...own, ...common]
      .filter((name) =>
        name !== "suggestion" && name !== "gate_level" &&
        !(stage === "PRE_COMMIT" && name === "observed")
      );
    deepEqual(shown, asked.sort());
  });
}

Deno.test("BUILT_IN requires the tools of this list and no others", () => {
  const required = STAGES.flatMap((stage) =>
    BUILT_IN[stage].requiredTools.map((tool) => `${stage} ${tool}`)
  );
  deepEqual(required, [
    "SEMANTIC semantic_search",
    "IMPACT_ANALYSIS analyze_impact",
    "READY_IMPL check_write_target",
    "PRE_COMMIT review_changes",
  ]);
  const many = STAGES.filter((stage) => BUILT_IN[stage].minDistinctTools > 0);
  deepEqual(many, ["EXPLORATION"]);
  equal(BUILT_IN.EXPLORATION.minDistinctTools, 2);
});

Deno.test("R18: the instruction of READY names check_write_target and no tool that does not exist", () => {
  equal(String(BUILT_IN.READY_IMPL.instruction).includes("check_write_target"), true);
  for (const stage of STAGES) {
    equal(
      /complete_task|begin_phase_gate|submit_for_review/.test(String(BUILT_IN[stage].instruction)),
      false,
    );
  }
});
