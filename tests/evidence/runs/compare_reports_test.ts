/** What differs between what a runner said before the work and after it. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { compareFailures, findLostTests } from "../../../src/evidence/runs/compare_reports.ts";
import { readReport as read } from "../../../src/runners/read_report.ts";
import { toReport } from "./test_reports.ts";

function readReport(output: string) {
  const report = read(output);
  ok(report !== null, output);
  return report;
}

Deno.test("compareFailures() compares by name, not by number", () => {
  const rows = [
    // before, now, fresh, same, mended
    [["a", "b"], ["a", "b"], [], 2, 0],
    [["a", "b"], ["a", "c"], ["c"], 1, 1],
    [["a", "b"], ["b"], [], 1, 1],
  ] as const;
  for (const [before, now, fresh, same, mended] of rows) {
    const change = compareFailures(toReport({ failed: before }), toReport({ failed: now }));
    deepEqual(
      { ...change, fresh: change.fresh.map(({ name }) => name) },
      { fresh, same, mended, isKnown: true },
    );
  }
});

Deno.test("a name with the time or an address of its run is the same test in the next one, another case is not", () => {
  const before = toReport({
    passed: ["t[08:53:10 2026-11-28]", "t[<A object at 0x7f52aa10>]", "t[1-2]"],
  });
  const now = toReport({
    passed: ["t[08:59:41 2026-11-28]", "t[<A object at 0x7f1103cd>]", "t[1-3]"],
  });
  deepEqual(findLostTests(before, now), [{ kind: "gone", tests: ["t[1-2]"] }]);
  const failed = compareFailures(
    toReport({ failed: ["t[08:53:10]", "u[1]"] }),
    toReport({ failed: ["t[08:53:11]", "u[2]"] }),
  );
  deepEqual([failed.fresh.map(({ name }) => name), failed.same, failed.mended], [["u[2]"], 1, 1]);
});

Deno.test("compareFailures() knows nothing where failures are not named", () => {
  const some = { ...toReport({ failed: ["a"] }), isComplete: false };
  deepEqual(compareFailures(some, toReport({ failed: ["a"] })).isKnown, false);
  deepEqual(compareFailures(toReport({}), toReport({ failed: ["a"] })).isKnown, false);
});

Deno.test("parts of tests are compared by their parameters, and their tests are not lost when they pass", () => {
  const end = (said: string) => readReport(`${said}\n`);
  const sub = (at: number) => `SUBFAILED(i=${at}) a_test.py::T::test_n - AssertionError: ${at}`;
  const before = end(`${sub(1)}\n${sub(2)}\n2 failed, 3 passed, 4 subtests passed in 0.28s`);
  const now = end(`${sub(2)}\n${sub(1)}\n2 failed, 4 passed, 4 subtests passed in 0.31s`);
  const worse = end(`${sub(1)}\n${sub(3)}\n2 failed, 3 passed, 4 subtests passed in 0.31s`);
  const green = end("3 passed, 6 subtests passed in 0.30s");
  const change = compareFailures(before, now);
  deepEqual([change.fresh, change.same, change.isKnown], [[], 2, true]);
  deepEqual(compareFailures(before, worse).fresh.map(({ name }) => name), [
    "a_test.py::T::test_n (i=3)",
  ]);
  deepEqual(findLostTests(before, green), []);
  const head = (which: string) => `${"=".repeat(70)}\nFAIL: test_n (a.T.test_n) ${which}\n`;
  const red = end(`${head("(i=1)")}${head("(i=2)")}Ran 3 tests in 0.01s\n\nFAILED (failures=2)`);
  deepEqual(compareFailures(red, red).isKnown, true);
  deepEqual(findLostTests(red, end("Ran 3 tests in 0.01s\n\nOK")), []);
});

Deno.test("data sets of PHPUnit are compared by their names, whatever values they hold", () => {
  const end = (value: string) =>
    readReport(
      `There was 1 failure:\n\n1) CartTest::testAdds with data set "two" (${value})\nFailed.\n\n` +
        "FAILURES!\nTests: 3, Assertions: 3, Failures: 1.\n",
    );
  const change = compareFailures(end("1, Closure Object #12"), end("1, Closure Object #40"));
  deepEqual([change.fresh, change.same, change.isKnown], [[], 1, true]);
});

Deno.test("findLostTests() names tests that are gone or skipped now, and counts where no name is known", () => {
  const before = toReport({ passed: ["a", "b", "c"], skipped: ["d"], failed: ["e"] });
  deepEqual(findLostTests(before, before), []);
  deepEqual(findLostTests(before, toReport({ passed: ["a", "e"], skipped: ["b", "d"] })), [
    { kind: "gone", tests: ["c"] },
    { kind: "skipped", tests: ["b"] },
  ]);
  deepEqual(findLostTests(before, toReport({ passed: ["a", "d"], failed: ["b", "c", "e"] })), []);
  const { names: _names, ...unnamed } = before;
  const files = (passed: number) => ({ "t/a.py": { passed, failed: 0, skipped: 0 } });
  deepEqual(findLostTests({ ...unnamed, files: files(4) }, { ...unnamed, files: files(3) }), [
    { kind: "fewer", tests: ["t/a.py: 4 ran before the work, 3 now"] },
  ]);
  deepEqual(findLostTests(unnamed, { ...unnamed, passed: 1 }), [
    { kind: "fewer", tests: ["all tests: 4 ran before the work, 2 now"] },
  ]);
  deepEqual(findLostTests(unnamed, { ...unnamed, unit: "packages", passed: 1 }), []);
});
