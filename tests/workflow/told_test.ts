/** What a refusal leaves out because the reply before it said the same. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { Reply } from "../../src/base/reply.ts";
import { ReportedSteps } from "../../src/workflow/workflow.ts";

const STEP = {
  session_id: "session_1",
  step: 13,
  instruction: "Do next_task.",
  expected_payload: { task_id: "task_1" },
  then: [{}],
  compaction_count: 0,
};
const ACCEPTED: Reply = { ok: true, ...STEP, instruction: `Nothing fails. ${STEP.instruction}` };
const REFUSED: Reply = { ok: false, error: "payload_mismatch", message: "x", ...STEP };

/** The fields of the refusal that follows `before`, without those that every reply has. */
function toFields(before: readonly Reply[], refused: Reply): readonly string[] {
  const told = new ReportedSteps();
  for (const reply of before) told.shorten(reply);
  const every = ["ok", "error", "message", "session_id", "step", "compaction_count"];
  return Object.keys(told.shorten(refused)).filter((field) => !every.includes(field)).sort();
}

const WHOLE = ["expected_payload", "instruction", "then"];

Deno.test("ReportedSteps leaves out of a refusal what the last reply of the session said of the same step", () => {
  deepEqual(toFields([ACCEPTED], REFUSED), ["as_before"]);
  deepEqual(toFields([REFUSED], REFUSED), ["as_before"]);
  const cleared = { ok: true, session_id: "session_1", instruction: "Edit these." } as const;
  deepEqual(toFields([ACCEPTED, cleared], REFUSED), ["as_before"]);
  deepEqual(toFields([ACCEPTED], { ...REFUSED, then: [] }), ["as_before", "then"]);
});

Deno.test("ReportedSteps says everything to one that was not told, or that lost its memory", () => {
  deepEqual(toFields([], REFUSED), WHOLE);
  deepEqual(toFields([{ ...ACCEPTED, session_id: "session_2" }], REFUSED), WHOLE);
  deepEqual(toFields([ACCEPTED], { ...REFUSED, compaction_count: 1 }), WHOLE);
  deepEqual(toFields([ACCEPTED, { ...ACCEPTED, instruction: "Plan." }], REFUSED), WHOLE);
  const memory = { ...REFUSED, phase_summaries: {} };
  deepEqual(toFields([ACCEPTED], memory), [...WHOLE, "phase_summaries"].sort());
});
