/** What is said of a command and its run. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import {
  formatBaseline,
  formatCommandLine,
  formatFailureLine,
  formatRestHint,
  formatSummary,
  listChangedTests,
} from "../../../src/evidence/runs/run_formats.ts";
import { toReport } from "./test_reports.ts";

const ENDED = { exitCode: 0, failure: null, durationMs: 1_240 };

Deno.test("formatSummary() says counts, how it ended, and why that counts as it does", () => {
  const report = toReport({ passed: ["a", "b"], skipped: ["c"] });
  equal(formatSummary({ ...ENDED, report }), "2 passed, 1 skipped (runner); 1.2 s");
  const red = toReport({ passed: ["a"], failed: ["b"] });
  equal(
    formatSummary({ ...ENDED, exitCode: 1, report: red }, { why: "the same 1 as before the work" }),
    "1 passed, 1 failed (runner); exit code 1; the same 1 as before the work; 1.2 s",
  );
  equal(
    formatSummary({ ...ENDED, exitCode: 2, report: { ...red, cut: ["ex.org/m (panic)"] } }),
    "1 passed, 1 failed (runner); ended in the middle, so that tests behind it did not run: ex.org/m (panic); exit code 2; 1.2 s",
  );
  equal(
    formatSummary({ ...ENDED, report: null }),
    "exit code 0 only; 1.2 s",
  );
  equal(
    formatSummary({ ...ENDED, exitCode: null, failure: "was ended by SIGKILL", report: null }),
    "was ended by SIGKILL; 1.2 s",
  );
  equal(
    formatSummary({ ...ENDED, report: { ...toReport({}), unit: "packages", errors: 1 } }),
    "no test ran, 1 broke before their tests (runner); 1.2 s",
  );
});

Deno.test("toCommandLine() is what can be typed", () => {
  const run = ["npm", "test", "--", "-k", "a b"];
  equal(formatCommandLine({ run, set: ["CI=true"] }), "CI=true npm test -- -k 'a b'");
  equal(formatCommandLine({ run: ["sh", "x"], program: "/bin/sh" }), "/bin/sh x");
});

Deno.test("toFailureLine() is the name and the first line", () => {
  equal(formatFailureLine({ name: "a > b", line: "1 == 2" }), "a > b: 1 == 2");
  equal(formatFailureLine({ name: "a", line: "" }), "a");
});

Deno.test("toChangedTests() says of each changed test file whether it ran", () => {
  const files = {
    "src/etag/index.test.ts": { passed: 50, failed: 0, skipped: 0 },
    "a.test.ts": { passed: 1, failed: 2, skipped: 3 },
  };
  const report = { ...toReport({}), files };
  deepEqual(
    listChangedTests(report, ["etag/index.test.ts", "packages/x/a.test.ts", "b.test.ts"]),
    [
      "etag/index.test.ts: 50 passed",
      "packages/x/a.test.ts: 1 passed, 2 failed, 3 skipped",
      "b.test.ts: did not run",
    ],
  );
  deepEqual(listChangedTests(toReport({}), ["b.test.ts"]), []);
});

Deno.test("toBaselineSentence() says what was red, or why nothing is known", () => {
  const result = {
    ...ENDED,
    name: "unit",
    run: ["x"],
    startedAt: "",
    outputTail: "",
    outputHash: "",
    outputBytes: 0,
    timedOut: false,
    cancelled: false,
    isStarted: true,
  };
  const run = { wasCancelled: false, voided: null };
  const green = { ...result, report: toReport({ passed: ["a"] }) };
  equal(
    formatBaseline({ ...run, results: [green] }),
    "The untouched tree: unit: 1 passed (runner); 1.2 s.",
  );
  const red = { ...result, exitCode: 1, report: toReport({ failed: ["a", "b"] }) };
  equal(
    formatBaseline({ ...run, results: [red] }),
    "The untouched tree: unit: 0 passed, 2 failed (runner); exit code 1; 1.2 s [a, b]. " +
      "It was red before your work: only what fails newly counts against it.",
  );
  equal(
    formatBaseline({ ...run, results: [], voided: { path: "a.ts" } }),
    "Nothing is known of the untouched tree: a.ts changed while the commands ran.",
  );
});

const RESTS: readonly (readonly [
  runner: string,
  run: readonly string[],
  failed: readonly string[],
  how: RegExp,
])[] = [
  [
    "go test",
    ["/usr/bin/go", "test", "-race", "./..."],
    ["ex.org/m.TestBoom/deep", "ex.org/m/n.TestOther"],
    /^Run `\/usr\/bin\/go test -skip '\^\(TestBoom\|TestOther\)\$' -race \.\/\.\.\.`/,
  ],
  ["go test", ["make", "test"], ["ex.org/m.TestBoom"], /^Run the tests behind it by themselves/],
  ["pytest", ["python", "-m", "pytest", "-x"], ["a.py::b"], /pytest -x --maxfail=0 --continue/],
  ["tap", ["prove"], ["a"], /^Run the tests behind it by themselves/],
];

for (const [runner, run, failed, how] of RESTS) {
  Deno.test(`toRestWords() runs what is left of ${run.join(" ")} (${runner})`, () => {
    const failures = failed.map((name) => ({ name, line: "" }));
    match(formatRestHint({ run, report: { runner, failures, cut: ["it"] } }) ?? "", how);
    equal(formatRestHint({ run, report: { runner, failures } }), null);
  });
}

Deno.test("toChangedTests() tells files without a folder from classes, which need not lie in a file of their name", () => {
  const report = (files: Readonly<Record<string, number>>) => ({
    ...toReport({}),
    files: Object.fromEntries(
      Object.entries(files).map(([file, passed]) => [file, { passed, failed: 0, skipped: 0 }]),
    ),
  });
  const rows: readonly (readonly [
    files: Readonly<Record<string, number>>,
    path: string,
    told: readonly string[],
  ])[] = [
    [{ "test_cart.py": 2 }, "test_cart.py", ["test_cart.py: 2 passed"]],
    [{ "test_cart.py": 2 }, "test_user.py", ["test_user.py: did not run"]],
    [{ "shop.CartTest$Inner": 2, "shop.CartTest": 1 }, "src/test/java/shop/CartTest.java", [
      "src/test/java/shop/CartTest.java: 3 passed",
    ]],
    [{ "shop.CartTest": 1 }, "src/test/java/shop/UserTest.java", []],
    [{ "a/b": 1 }, "a/b.test.ts", ["a/b.test.ts: did not run"]],
  ];
  for (const [files, path, told] of rows) {
    deepEqual(listChangedTests(report(files), [path]), told, JSON.stringify(files));
  }
});
