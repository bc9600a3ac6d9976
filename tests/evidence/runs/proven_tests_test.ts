/** Which changed tests prove the change, by what their run without it says. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { JudgedResult } from "../../../src/evidence/runs/judge_run.ts";
import type { TestReport } from "../../../src/evidence/runs/report/report.ts";
import { judgeProof } from "../../../src/evidence/runs/proven_tests.ts";

const TEXT = `test("old", () => {
  same();
});
test("new", () => {
  a();
});
test("weak %i", () => {
  b();
});
`;
const FILE = { path: "a.test.ts", text: TEXT, ranges: [{ start: 4, end: 9 }] };

function toReport(rest: Partial<TestReport>): TestReport {
  const none = { runner: "r", unit: "tests" as const, passed: 0, failed: 0, skipped: 0, errors: 0 };
  return { ...none, failures: [], isComplete: true, ...rest };
}

function toResult(exitCode: number, report: TestReport | null): JudgedResult {
  return { name: "t", exitCode, timedOut: false, cancelled: false, report };
}

Deno.test("a changed test that passes without the change proves nothing", () => {
  const failed = [{ name: "suite > new", line: "" }];
  const red = toResult(1, toReport({ passed: 2, failed: 1, failures: failed }));
  deepEqual(judgeProof([FILE], [red]), {
    nothing: ["a.test.ts: weak %i"],
    proving: 1,
    unknown: null,
    tests: ["a.test.ts: new", "a.test.ts: weak %i"],
  });
  const filled = [...failed, { name: "weak 7", line: "" }];
  const both = toResult(1, toReport({ passed: 1, failed: 2, failures: filled }));
  deepEqual(judgeProof([FILE], [both]).nothing, []);
  const green = toResult(0, toReport({ passed: 3 }));
  deepEqual(judgeProof([FILE], [green]).nothing, ["a.test.ts: new", "a.test.ts: weak %i"]);
  deepEqual(judgeProof([FILE], [toResult(0, null)]).nothing.length, 2);
});

Deno.test("a file that cannot be loaded without the change proves it, and so does a build that breaks", () => {
  const broken = [{ name: "src/a.test.ts", line: "" }];
  const red = toResult(1, toReport({ passed: 9, errors: 1, failures: broken }));
  equal(judgeProof([{ ...FILE, path: "src/a.test.ts" }], [red]).proving, 2);
  const build = toResult(1, toReport({ errors: 1, failures: [{ name: "pkg", line: "" }] }));
  equal(judgeProof([FILE], [build]).proving, 2);
});

Deno.test("what cannot be told apart is said, and never called nothing", () => {
  const rows = [
    toResult(1, null),
    toResult(1, toReport({ passed: 1, failed: 3, isComplete: false })),
    { ...toResult(1, null), timedOut: true, exitCode: null },
    toResult(0, toReport({})),
  ];
  for (const row of rows) {
    const { nothing, unknown } = judgeProof([FILE], [row]);
    deepEqual(nothing, []);
    match(unknown ?? "", /\w/);
  }
  const computed = { ...FILE, text: "test(name, () => {});\n", ranges: [{ start: 1, end: 1 }] };
  const red = toResult(1, toReport({ passed: 1, failed: 1, failures: [{ name: "x", line: "" }] }));
  match(judgeProof([computed], [red]).unknown ?? "", /known/);
});
