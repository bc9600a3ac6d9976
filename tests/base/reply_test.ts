/** Refusals as replies. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { buildRefusal } from "../../src/base/reply.ts";

Deno.test("buildRefusal() takes its code from the only problem, and joins several", () => {
  const a = { code: "a_missing", message: "a is missing" };
  const b = { code: "b_wrong", message: "b is wrong" };
  deepEqual(buildRefusal([a]), {
    ok: false,
    error: "a_missing",
    message: "a is missing",
    problems: [a],
  });
  deepEqual(buildRefusal([a, b]), {
    ok: false,
    error: "invalid_arguments",
    message: "a is missing; b is wrong",
    problems: [a, b],
  });
  deepEqual(buildRefusal([a, b], "payload_mismatch", "no"), {
    ok: false,
    error: "payload_mismatch",
    message: "no",
    problems: [a, b],
  });
});
