/** What runs prove, with and without a baseline. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { JudgedResult } from "../../../src/evidence/runs/judge_run.ts";
import {
  compareFailures,
  findLostTests,
  isPassed,
  judgeRun,
} from "../../../src/evidence/runs/judge_run.ts";
import { readReport as read } from "../../../src/runners/read_report.ts";
import { toReport } from "./test_reports.ts";
import type { TestReport } from "../../../src/runners/report.ts";

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

/** `+` passed, `-` failed, `t` timed out, `m` missing program, `c` cancelled; one sign a command. */
function toResults(signs: string): readonly JudgedResult[] {
  return [...signs].map((sign, index) => ({
    name: "abcdef".charAt(index),
    exitCode: sign === "+" ? 0 : sign === "-" ? 1 : null,
    timedOut: sign === "t",
    cancelled: sign === "c",
  }));
}

Deno.test("judgeRun() counts only failures that are new against the change", () => {
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

const RED = { name: "test", exitCode: 1, timedOut: false, cancelled: false };

Deno.test("a program that was not there before the work either breaks nothing and proves nothing", () => {
  const gone = { ...RED, exitCode: null, isStarted: false, failure: "could not be started: x" };
  const one = judgeRun({ baseline: [gone], run: [gone], excusesMissing: true });
  // A session does not go on without it.
  equal(judgeRun({ baseline: [gone], run: [gone] }).verdict, "failed");
  deepEqual([one.verdict, one.commands[0]?.why], [
    "unproven",
    "could not be started: x: install it, or correct the command",
  ]);
  for (const baseline of [null, [{ ...gone, exitCode: 0, isStarted: true }]]) {
    equal(judgeRun({ baseline, run: [gone], excusesMissing: true }).verdict, "failed");
  }
});

Deno.test("failures without names are the same where the text is, whatever the times and folders of a run are", () => {
  const say = (outputTail: string, more = {}) => ({ ...RED, outputTail, ...more });
  const before = say("/tmp/x1/a.ts\n  3:5  error  no-var\nchecked a.ts in 120ms\n");
  const now = say("checked a.ts in 1.2 s\n/tmp/y/a.ts\n  12:5  error  no-var\n");
  const judge = (run: JudgedResult, baseline = before) =>
    judgeRun({ baseline: [baseline], run: [run] }).verdict;
  equal(judge(now), "still_red");
  const others = [
    say(`${now.outputTail}  4:1  error  no-var\n`),
    say(now.outputTail, { exitCode: 2 }),
    say(now.outputTail, { outputBytes: 100_000 }),
  ];
  for (const other of others) equal(judge(other), "unproven", other.outputTail);
  // Where no file is named nothing says what failed.
  equal(judge(say("1 failed"), say("1 failed")), "unproven");
});
