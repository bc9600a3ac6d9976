/** Problems as values. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { toProblem } from "../../src/base/problem.ts";

Deno.test("toProblem() leaves out what it is not given", () => {
  deepEqual(Object.entries(toProblem("a", "b")), [["code", "a"], ["message", "b"]]);
  deepEqual(toProblem("a", "b", { at: "data.x", hint: "h", path: "p" }), {
    code: "a",
    message: "b",
    at: "data.x",
    hint: "h",
    path: "p",
  });
});
