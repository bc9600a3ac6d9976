/** Which changed tests prove the change, by what their run without it says. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { JudgedResult } from "../../../src/evidence/runs/judge_run.ts";
import type { TestReport } from "../../../src/runners/report.ts";
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

Deno.test("a changed test that passes without the change proves nothing", async () => {
  const failed = [{ name: "suite > new", line: "" }];
  const red = toResult(1, toReport({ passed: 2, failed: 1, failures: failed }));
  deepEqual(await judgeProof([FILE], [red]), {
    nothing: ["a.test.ts: weak %i"],
    proving: 1,
    unknown: null,
    tests: ["a.test.ts: new", "a.test.ts: weak %i"],
  });
  const filled = [...failed, { name: "weak 7", line: "" }];
  const both = toResult(1, toReport({ passed: 1, failed: 2, failures: filled }));
  deepEqual((await judgeProof([FILE], [both])).nothing, []);
  const green = toResult(0, toReport({ passed: 3 }));
  deepEqual((await judgeProof([FILE], [green])).nothing, ["a.test.ts: new", "a.test.ts: weak %i"]);
  deepEqual((await judgeProof([FILE], [toResult(0, null)])).nothing.length, 2);
});

Deno.test("a file that cannot be loaded without the change proves it, and so does a build that breaks", async () => {
  const broken = [{ name: "src/a.test.ts", line: "" }];
  const red = toResult(1, toReport({ passed: 9, errors: 1, failures: broken }));
  equal((await judgeProof([{ ...FILE, path: "src/a.test.ts" }], [red])).proving, 2);
  const build = toResult(1, toReport({ errors: 1, failures: [{ name: "pkg", line: "" }] }));
  equal((await judgeProof([FILE], [build])).proving, 2);
});

Deno.test("what cannot be told apart is said, and never called nothing", async () => {
  const rows = [
    toResult(1, null),
    toResult(1, toReport({ passed: 1, failed: 3, isComplete: false })),
    { ...toResult(1, null), timedOut: true, exitCode: null },
    toResult(0, toReport({})),
  ];
  for (const row of rows) {
    const { nothing, unknown } = await judgeProof([FILE], [row]);
    deepEqual(nothing, []);
    match(unknown ?? "", /\w/);
  }
  const computed = { ...FILE, text: "test(name, () => {});\n", ranges: [{ start: 1, end: 1 }] };
  const red = toResult(1, toReport({ passed: 1, failed: 1, failures: [{ name: "x", line: "" }] }));
  match((await judgeProof([computed], [red])).unknown ?? "", /known/);
});

Deno.test("a package of Go that does not build without the change takes its tests with it, though another one passes", async () => {
  const text = "func TestNew(t *testing.T) {\n}\nfunc TestMore(t *testing.T) {\n}\n";
  const toFile = (path: string) => ({ path, text, ranges: [{ start: 1, end: 4 }] });
  const broken = (name: string, line: string) =>
    toResult(
      1,
      toReport({ unit: "packages", passed: 1, errors: 1, failures: [{ name, line }] }),
    );
  const root = broken("example.com/m", "./new_test.go:1:18: undefined: New");
  deepEqual(await judgeProof([toFile("new_test.go")], [root]), {
    nothing: [],
    proving: 2,
    unknown: null,
    tests: ["new_test.go: TestNew", "new_test.go: TestMore"],
  });
  equal(
    (await judgeProof([toFile("inner/new_test.go")], [broken("example.com/m/inner", "")])).proving,
    2,
  );
  // A part of a test that fails is no package that fails: behind the panic of another test these did not run.
  const part = { name: "example.com/m.TestOld/a_b", line: "old_test.go:7: not a" };
  const red = toReport({ passed: 1, failed: 1, failures: [part], cut: ["example.com/m (panic)"] });
  const behind = await judgeProof([toFile("new_test.go")], [toResult(1, red)]);
  deepEqual([behind.nothing, behind.proving], [[], 0]);
  match(behind.unknown ?? "", /^2 of the changed tests came to no verdict/);
  // Another package that does not build says nothing of these tests.
  const other = await judgeProof([toFile("new_test.go")], [broken("example.com/m/inner", "")]);
  deepEqual([other.nothing, other.proving], [[], 0]);
  match(other.unknown ?? "", /^2 of the changed tests came to no verdict/);
});

Deno.test("only tests that a red run names as passed, or that nothing could hide, prove nothing", async () => {
  const failures = [{ name: "suite > new", line: "" }];
  const names = { passed: ["suite > old"], skipped: [] };
  const named = toResult(1, toReport({ passed: 1, failed: 1, failures, names }));
  const untold = await judgeProof([FILE], [named]);
  deepEqual([untold.nothing, untold.proving], [[], 1]);
  match(untold.unknown ?? "", /^1 of the changed tests/);
  const cut = toResult(1, toReport({ passed: 1, failed: 1, failures, cut: ["a (panic)"] }));
  deepEqual((await judgeProof([FILE], [cut])).nothing, []);
  const all = { passed: ["suite > weak 7"], skipped: [] };
  const whole = toResult(1, toReport({ passed: 1, failed: 1, failures, names: all }));
  deepEqual((await judgeProof([FILE], [whole])).nothing, ["a.test.ts: weak %i"]);
});
