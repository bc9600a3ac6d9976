/** A reply to several steps tells each fact once, and shows no form that the server fills itself. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { Reply } from "../../../src/base/reply.ts";
import { dropForms, joinTaken, tellOnce } from "../../../src/workflow/advance/told_once.ts";

const OVER = {
  ok: true,
  session_complete: true,
  verification_result: "yes: test: 7 passed (deno test); 0.3 s",
  from_branch: "llm_task_session_1_from_main",
  to_branch: "main",
} as unknown as Reply;

Deno.test("tellOnce() leaves out what the last reply says, and nothing that went otherwise than usual", () => {
  const rows = [
    { phase: "PLAN", tasks_registered: 1, branch: "llm_task_session_1_from_main" },
    {
      phase: "VERIFY",
      verified: true,
      verification_source: "server",
      commands: ["test: 7 passed (deno test); 0.3 s"],
      proof: "not proven: 7 tests ran",
    },
    { phase: "REVIEW", kept: 2, discarded: 1, verified: "yes" },
    { phase: "AGAIN", proof: "not proven: 7 tests ran", lost: ["a test of two"] },
  ];
  deepEqual(tellOnce(rows, OVER), [
    { phase: "VERIFY", proof: "not proven: 7 tests ran" },
    { phase: "REVIEW", discarded: 1 },
    { phase: "AGAIN", lost: ["a test of two"] },
  ]);
  // A run that failed or that the agent reports is told, and before the end also one that passed.
  const other = [{ phase: "VERIFY", verified: false, verification_source: "self-reported" }];
  deepEqual(tellOnce(other, OVER), other);
  const open = { ok: true, phase: "PRE_COMMIT" } as unknown as Reply;
  deepEqual(tellOnce([{ phase: "VERIFY", verified: true }], open), [
    { phase: "VERIFY", verified: true },
  ]);
});

Deno.test("joinTaken() names a row of the server's steps by its ends", () => {
  deepEqual(joinTaken(["A (server)", "B (server)", "C", "D (server)"]), [
    "A to B (server)",
    "C",
    "D (server)",
  ]);
});

Deno.test("dropForms() keeps of a form what a refusal means, and all of a question to the person", () => {
  const form = { rest: "keep", findings: [], commit_message: "…" };
  const refused = {
    ok: false,
    problems: [{ code: "x", message: "x", at: "data.findings[0].file" }],
    expected_payload: form,
    then: [],
    phase: "PRE_COMMIT",
  } as unknown as Reply;
  const told = dropForms(refused);
  deepEqual(told["expected_payload"], { findings: [] });
  equal("then" in told, false);
  const asked = { ok: true, user_escalation: true, expected_payload: form } as unknown as Reply;
  equal(dropForms(asked), asked);
});
