/** Problems as values. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { makeProblem } from "../../src/base/problem.ts";

Deno.test("makeProblem() leaves out what it is not given", () => {
  deepEqual(Object.entries(makeProblem("a", "b")), [["code", "a"], ["message", "b"]]);
  deepEqual(makeProblem("a", "b", { at: "data.x", hint: "h", path: "p" }), {
    code: "a",
    message: "b",
    at: "data.x",
    hint: "h",
    path: "p",
  });
});
