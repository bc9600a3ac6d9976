/** What runs prove, with and without a baseline. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { TestReport } from "../../../src/runners/report.ts";
import type { JudgedResult } from "../../../src/evidence/runs/judge_run.ts";
import { isPassed, judgeRun } from "../../../src/evidence/runs/judge_run.ts";
import { toReport } from "./test_reports.ts";

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
    ["+-", "+-", "unproven", "", "b"],
    ["+t", "+-", "unproven", "", "b"],
    ["m", "-", "unproven", "", "a"],
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
    const { commands: _commands, ...verdictOnly } = judged;
    const expected = { verdict, failed: [...failed], stillRed: [...stillRed] };
    deepEqual(verdictOnly, expected, `${baseline} ${run}`);
  }
});

function toResult(exitCode: number, report: TestReport | null): JudgedResult {
  return { name: "a", exitCode, timedOut: false, cancelled: false, report };
}

Deno.test("judgeRun() believes no status 0 beside failures that the runner counts", () => {
  const red = toReport({ passed: ["x"], failed: ["a"] });
  const rows: readonly (readonly [JudgedResult | null, JudgedResult, string, string])[] = [
    [null, toResult(0, red), "unproven", "1 failed, although it ended with 0"],
    [
      toResult(0, toReport({ passed: ["x", "a"] })),
      toResult(0, red),
      "failed",
      "1 failed, although it ended with 0",
    ],
    [toResult(1, red), toResult(0, red), "failed", "1 failed, although it ended with 0"],
    [toResult(0, null), toResult(0, red), "failed", "1 failed, although it ended with 0"],
    // A test tool that prints the failures of its samples did so before.
    [toResult(0, red), toResult(0, red), "passed", ""],
  ];
  for (const [before, now, verdict, why] of rows) {
    const judged = judgeRun({ baseline: before === null ? null : [before], run: [now] });
    deepEqual([judged.verdict, judged.commands[0]?.why], [verdict, why]);
    // None of those that were printed before is new.
    if (verdict === "passed") equal(judged.commands[0]?.freshCount, 0);
  }
});

Deno.test("judgeRun() never takes an exit code alone for proof that nothing new fails", () => {
  const two = toReport({ passed: ["x"], failed: ["a", "b"] });
  const broken = { ...toReport({}), errors: 1, failures: [{ name: "t.py", line: "no module" }] };
  const rows: readonly (readonly [JudgedResult | null, JudgedResult, string, string])[] = [
    [toResult(1, two), toResult(1, two), "still_red", "the same 2 as before the work"],
    [
      toResult(1, two),
      toResult(1, toReport({ passed: ["x", "a"], failed: ["b"] })),
      "still_red",
      "all of them failed before the work, 1 more did then",
    ],
    [
      toResult(1, two),
      toResult(1, toReport({ passed: ["x", "a"], failed: ["c", "b"] })),
      "failed",
      "1 new, 1 failed before the work too",
    ],
    [
      toResult(1, { ...two, isComplete: false }),
      toResult(1, { ...two, isComplete: false }),
      "unproven",
      "it failed before the work too, and not everything that failed is named",
    ],
    [
      toResult(1, { ...two, isComplete: false }),
      toResult(1, { ...two, isComplete: false, failed: 3 }),
      "failed",
      "2 failed before the work",
    ],
    [
      toResult(2, broken),
      toResult(2, broken),
      "unproven",
      "it broke at the same place before the work, and no test ran",
    ],
    [toResult(1, two), toResult(2, broken), "failed", "no test ran; 3 ran before the work"],
    [
      toResult(1, two),
      toResult(5, toReport({})),
      "failed",
      "no test ran; 3 ran before the work",
    ],
    [toResult(1, two), toResult(1, null), "failed", "its output names no test any more"],
    [
      toResult(1, { ...two, cut: ["stopping after 1 failures"] }),
      toResult(1, { ...two, cut: ["stopping after 1 failures"] }),
      "unproven",
      "on the untouched tree it stopped before its end, so nothing is known of the tests behind that",
    ],
    [
      toResult(1, two),
      toResult(1, { ...two, cut: ["ex.org/m (panic)"] }),
      "unproven",
      "it stopped before its end, so nothing is known of the tests behind that",
    ],
    [
      toResult(1, null),
      toResult(1, two),
      "unproven",
      "it failed before the work too, and nothing says what failed",
    ],
    [toResult(0, two), toResult(1, two), "failed", "it passed before the work"],
    [toResult(1, two), toResult(0, toReport({ passed: ["x"] })), "passed", ""],
  ];
  for (const [before, now, verdict, why] of rows) {
    const judged = judgeRun({ baseline: before === null ? null : [before], run: [now] });
    deepEqual([judged.verdict, judged.commands[0]?.why], [verdict, why]);
  }
});

Deno.test("judgeRun() calls a run without a test no proof, whatever its exit code", () => {
  const none = toResult(0, toReport({ skipped: ["a"] }));
  const some = toResult(0, toReport({ passed: ["a"] }));
  const judge = (baseline: JudgedResult | null, ...run: readonly JudgedResult[]) =>
    judgeRun({ baseline: baseline === null ? null : [baseline], run }).verdict;
  equal(judge(null, none), "unproven");
  equal(judge(none, none), "unproven");
  equal(judge(some, none), "failed");
  equal(judge(some, toResult(0, null)), "unproven");
  equal(judge(null, none, { ...some, name: "b" }), "passed");
  equal(judge(null, none, { ...toResult(0, null), name: "lint" }), "unproven");
  equal(judge(null, toResult(0, null)), "passed");
});

Deno.test("judgeRun() puts new failures first and finds tests that no longer run", () => {
  const before = toResult(1, toReport({ passed: ["x", "y"], failed: ["a"] }));
  const worse = toResult(1, toReport({ passed: ["x", "y"], failed: ["a", "b"] }));
  const [command] = judgeRun({ baseline: [before], run: [worse] }).commands;
  deepEqual(command?.failures.map(({ name }) => name), ["b", "a"]);
  equal(command?.freshCount, 1);
  const fewer = toResult(0, toReport({ passed: ["x", "a"] }));
  const [green] = judgeRun({ baseline: [before], run: [fewer] }).commands;
  deepEqual(green?.lost, [{ kind: "gone", tests: ["y"] }]);
});

Deno.test("isPassed() needs status 0 that the command reached by itself", () => {
  const good = { name: "a", exitCode: 0, timedOut: false, cancelled: false };
  equal(isPassed(good), true);
  equal(isPassed({ ...good, exitCode: 1 }), false);
  equal(isPassed({ ...good, exitCode: null }), false);
  equal(isPassed({ ...good, timedOut: true }), false);
  equal(isPassed({ ...good, cancelled: true }), false);
});
