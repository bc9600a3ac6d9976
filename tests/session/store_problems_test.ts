/** The refusals of the store: a stable code, and a next step in each. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { STORE_PROBLEMS } from "../../src/session/store_problems.ts";

Deno.test("each refusal of the store has its code and names a next step", () => {
  const problems = [
    STORE_PROBLEMS.missing("s"),
    STORE_PROBLEMS.tampered("s", "changed"),
    STORE_PROBLEMS.tampered("s", "older"),
    STORE_PROBLEMS.tampered("s", "key_lost"),
    STORE_PROBLEMS.unmarked("s"),
    STORE_PROBLEMS.newer("s", 2),
    STORE_PROBLEMS.damaged("s"),
    STORE_PROBLEMS.conflict("s", 2, 1),
    STORE_PROBLEMS.tooLarge("s", 2, 1),
  ];
  deepEqual(problems.map(({ code }) => code), [
    "session_not_found",
    "checkpoint_tampered",
    "checkpoint_tampered",
    "checkpoint_tampered",
    "checkpoint_tampered",
    "checkpoint_version",
    "checkpoint_damaged",
    "checkpoint_conflict",
    "checkpoint_too_large",
  ]);
  for (const { code, hint, message } of problems) {
    ok(String(hint ?? "").length > 20, code);
    ok(String(message).includes('"s"'), code);
  }
});
