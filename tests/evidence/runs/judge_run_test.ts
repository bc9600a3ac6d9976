/** What runs prove, with and without a baseline. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { JudgedResult } from "../../../src/evidence/runs/judge_run.ts";
import { isPassed, judgeRun } from "../../../src/evidence/runs/judge_run.ts";

/** `+` passed, `-` failed, `t` timed out, `m` missing program, `c` cancelled; one sign a command. */
function toResults(signs: string): readonly JudgedResult[] {
  return [...signs].map((sign, index) => ({
    name: "abcdef".charAt(index),
    exitCode: sign === "+" ? 0 : sign === "-" ? 1 : null,
    timedOut: sign === "t",
    cancelled: sign === "c",
  }));
}

Deno.test("judgeRun() convicts only what was not red before", () => {
  const rows: readonly (readonly [string | null, string, string, string, string])[] = [
    // baseline, run, verdict, failed, still red
    [null, "++", "passed", "", ""],
    [null, "+-", "failed", "b", ""],
    [null, "-t", "failed", "ab", ""],
    [null, "m", "failed", "a", ""],
    ["++", "+-", "failed", "b", ""],
    ["+-", "+-", "still_red", "", "b"],
    ["+t", "+-", "still_red", "", "b"],
    ["m", "-", "still_red", "", "a"],
    ["+-", "--", "failed", "a", "b"],
    ["+-", "++", "passed", "", ""],
    ["+c", "+-", "failed", "b", ""],
    ["+", "+-", "failed", "b", ""],
    ["", "-", "failed", "a", ""],
    [null, "", "incomplete", "", ""],
    [null, "+c", "incomplete", "", ""],
    ["-", "-c", "incomplete", "", "a"],
    [null, "-c", "failed", "a", ""],
  ];
  for (const [baseline, run, verdict, failed, stillRed] of rows) {
    const judged = judgeRun({
      baseline: baseline === null ? null : toResults(baseline),
      run: toResults(run),
    });
    const expected = { verdict, failed: [...failed], stillRed: [...stillRed] };
    deepEqual(judged, expected, `${baseline} ${run}`);
  }
});

Deno.test("isPassed() needs status 0 that the command reached by itself", () => {
  const good = { name: "a", exitCode: 0, timedOut: false, cancelled: false };
  equal(isPassed(good), true);
  equal(isPassed({ ...good, exitCode: 1 }), false);
  equal(isPassed({ ...good, exitCode: null }), false);
  equal(isPassed({ ...good, timedOut: true }), false);
  equal(isPassed({ ...good, cancelled: true }), false);
});
