/** What the tests made of a mutant. */
import { strictEqual as equal } from "node:assert/strict";
import type { JudgedResult } from "../../../src/evidence/runs/judge_run.ts";
import { judgeMutant } from "../../../src/features/mutants/try_mutants.ts";
import { toReport } from "../../evidence/runs/test_reports.ts";

const GREEN: JudgedResult = { name: "t", exitCode: 0, timedOut: false, cancelled: false };
const RED = { ...GREEN, exitCode: 1 };

Deno.test("judgeMutant() takes a failed test and a run without end for a kill, and what never ran for broken", () => {
  const counted = { ...GREEN, report: toReport({ passed: ["a", "b"] }) };
  const rows: readonly (readonly [clean: JudgedResult, result: JudgedResult, expected: string])[] =
    [
      [counted, { ...RED, report: toReport({ passed: ["a"], failed: ["b"] }) }, "killed"],
      [counted, { ...RED, report: { ...toReport({}), errors: 1 } }, "broken"],
      [counted, RED, "broken"],
      [counted, { ...GREEN, exitCode: null, timedOut: true }, "killed"],
      [counted, counted, "survived"],
      [GREEN, GREEN, "survived"],
      [GREEN, RED, "killed"],
    ];
  for (const [clean, result, expected] of rows) equal(judgeMutant(clean, result), expected);
});
