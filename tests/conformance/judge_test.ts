/** Verdicts on what the protocol's suite found, against the table of exceptions. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { findUnknown, judgeRuns } from "../../tools/conformance/judge.ts";
import EXCEPTIONS from "../../tools/conformance/not_applicable.json" with { type: "json" };
import type { Check } from "../../tools/conformance/suite.ts";

const ROWS = [
  { scenario: "whole", reason: "a tool of the suite" },
  { scenario: "part", check: "odd", reason: "a tool of the suite" },
];

function judge(scenario: string, ...statuses: readonly (readonly [string, Check["status"]])[]) {
  const checks = statuses.map(([id, status]) => ({ id, status, errorMessage: "why" }));
  const [verdict] = judgeRuns([{ revision: "r", scenario, checks }], ROWS);
  return [verdict?.kind, verdict?.passed, verdict?.faults];
}

Deno.test("judgeRuns() passes what the server does, and names what it does not", () => {
  deepEqual(judge("plain", ["a", "SUCCESS"], ["b", "WARNING"]), ["passed", 1, []]);
  deepEqual(judge("plain", ["a", "SUCCESS"], ["b", "FAILURE"]), ["failed", 1, ["b: why"]]);
});

Deno.test("judgeRuns() takes an exception only where it is needed", () => {
  deepEqual(judge("whole", ["a", "FAILURE"]), ["not_applicable", 0, []]);
  equal(judge("whole", ["a", "SUCCESS"])[0], "failed");
  deepEqual(judge("part", ["odd", "FAILURE"], ["a", "SUCCESS"]), ["passed", 1, []]);
  deepEqual(judge("part", ["odd", "FAILURE"], ["a", "FAILURE"]), ["failed", 0, ["a: why"]]);
  equal(judge("part", ["odd", "SUCCESS"])[0], "failed");
});

Deno.test("findUnknown() names exceptions of scenarios that there are not", () => {
  deepEqual(findUnknown([{ revision: "r", scenario: "whole", checks: [] }], ROWS), ["part"]);
});

Deno.test("each test that an exception names is there", async () => {
  const named = new Set(
    EXCEPTIONS.flatMap(({ shownBy }) => shownBy === undefined ? [] : [shownBy]),
  );
  for (const path of named) equal((await Deno.stat(path)).isFile, true, path);
});
