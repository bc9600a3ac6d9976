/** Problems as values. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { joinAlike, makeProblem } from "../../src/base/problem.ts";

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

Deno.test("joinAlike() tells three of one cause once, and leaves two, others and those of no file alone", () => {
  const gone = (path: string) =>
    makeProblem("gone", `${path} is gone`, { path, hint: "Name others." });
  const field = makeProblem("missing", "x is missing", { at: "data.x" });
  const two = [gone("a"), gone("b"), field, field, field];
  deepEqual(joinAlike(two), two);
  deepEqual(joinAlike([gone("a"), field, gone("b"), gone("c")]), [
    { ...gone("a"), message: "a is gone; 2 more like it: b, c" },
    field,
  ]);
});
