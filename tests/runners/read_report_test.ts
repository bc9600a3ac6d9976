/**
 * What test runners say of their tests, on outputs as they print them. Those of pytest, unittest, node, Go, Cargo
 * and Deno come from runs of the real programs.
 */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { readReport, stripColours } from "../../src/runners/read_report.ts";

const OUTPUTS = new URL("../fixtures/runner_outputs/", import.meta.url);

type Row = readonly [
  sample: string,
  said: string,
  failures?: readonly string[],
  files?: readonly string[],
];

const PYTEST = [
  "tests/test_a.py::test_bad | AssertionError: no match",
  "tests/test_a.py::TestC::test_p[2] | assert 2 == 1",
  "tests/test_b.py::T::test_err | ValueError: x",
  "tests/test_b.py::T::test_two | AssertionError: 1 != 2",
  "tests/test_a.py::test_fix | RuntimeError: boom",
];
const PYTEST_FILES = ["tests/test_a.py 2 2 2", "tests/test_b.py 1 2 1"];
const UNITTEST = [
  "test_err (tests.test_b.T.test_err) | ValueError: x",
  "test_two (tests.test_b.T.test_two) | AssertionError: 1 != 2",
];

/** Passed, failed, skipped and broken, whether every test is named, what was cut; failures; files with the first three. */
const ROWS: readonly Row[] = [
  ["pytest", "pytest 9.2.0: 3 4 3 1", PYTEST, PYTEST_FILES],
  ["pytest_quiet", "pytest: 3 4 3 1", PYTEST],
  ["pytest_verbose", "pytest 9.2.0: 3 4 3 1 named", PYTEST, PYTEST_FILES],
  ["pytest_colours", "pytest 9.2.0: 3 4 3 1", PYTEST, PYTEST_FILES],
  ["pytest_all_deselected", "pytest: 0 0 0 0 named"],
  ["pytest_stopped", "pytest 9.2.0: 0 1 0 0 named, cut: stopping after 1 failures", [
    "test_a.py::test_one | assert 1 == 2",
  ], ["test_a.py 0 1 0"]],
  [
    "pytest_collection_error",
    "pytest 9.2.0: 0 0 0 1 named, cut: Interrupted: 1 error during collection",
    [
      "bad_collect.py | ModuleNotFoundError: No module named 'nothing_here'",
    ],
  ],
  ["pytest_subtests", "pytest: 1 2 0 0", [
    "test_sub.py::T::test_number (i=1) | AssertionError: 1 != 0",
    "test_sub.py::T::test_sql [parses] (sql='SELECT t.x::int') | Assertio...",
    "test_sub.py::T::test_sql [parses] (sql='SELECT (1)') | AssertionErro...",
    "test_sub.py::T::test_sql [parses] (sql='SELECT (1)') (2) | AssertionErro...",
  ]],
  ["unittest_subtests", "unittest: 1 2 0 0", [
    "test_number (test_sub.T.test_number) (i=1) | AssertionError: 1 != 0",
    "test_sql (test_sub.T.test_sql) [parses] (sql='SELECT t.x::int') | + ok",
    "test_sql (test_sub.T.test_sql) [parses] (sql='SELECT (1)') | + ok",
    "test_sql (test_sub.T.test_sql) [parses] (sql='SELECT (1)') (2) | + ok",
  ]],
  ["unittest", "unittest: 1 2 1 0", UNITTEST],
  ["unittest_verbose", "unittest: 1 2 1 0 named", UNITTEST],
  ["unittest_none", "unittest: 0 0 0 0 named"],
  ["unittest_import_error", "unittest: 0 0 0 1 named", [
    "test_q (unittest.loader._FailedTest.test_q) | ModuleNotFoundError: No module named 'nothing'",
  ]],
  ["node_tap", "TAP: 3 2 2 0 named", ["breaks | 1 == 2", "group > inner bad | inner no"]],
  ["node_tap_none", "TAP: 0 0 7 0 named"],
  ["node_tap_import_error", "TAP: 0 0 0 1 named", ["/project/c.test.mjs | test failed"]],
  ["node_spec", "node:test: 3 2 2 0 named", [
    "breaks | AssertionError [ERR_ASSERTION]: 1 == 2",
    "group > inner bad | Error: inner no",
  ]],
  ["node_junit", "JUnit report: 3 2 2 0 named", ["breaks | 1 == 2", "inner bad | inner no"]],
  ["deno", "deno test: 2 2 1 0 named", [
    "./a_test.ts breaks | Error: no",
    "./a_test.ts steps ... two | Error: step no",
  ], ["a_test.ts 1 2 1", "b_test.ts 1 0 0"]],
  ["deno_none", "deno test: 0 0 0 0 named"],
  ["deno_tap", "TAP: 3 2 1 0 named", [
    "breaks | Error: no",
    "steps > two | Error: step no",
  ], ["a_test.ts 2 2 1", "b_test.ts 1 0 0"]],
  ["go", "go test: 1 1 0 0", [
    "ex.org/m/a.TestBad | a_test.go:4: want 1, got 2",
    "ex.org/m/a.TestSub | ",
    "ex.org/m/a.TestSub/two | a_test.go:6: sub no",
  ]],
  ["go_verbose", "go test: 3 3 1 0 named", [
    "ex.org/m/a.TestBad | a_test.go:4: want 1, got 2",
    "ex.org/m/a.TestSub | a_test.go:6: sub no",
    "ex.org/m/a.TestSub/two | ",
  ]],
  ["go_json", "go test: 3 3 1 0 named", [
    "ex.org/m/a.TestBad | a_test.go:4: want 1, got 2",
    "ex.org/m/a.TestSub/two | a_test.go:6: sub no",
    "ex.org/m/a.TestSub | ",
  ]],
  ["go_none", "go test: 0 0 2 0"],
  ["go_panic", "go test: 0 1 0 0, cut: ex.org/m/d (panic)", [
    "ex.org/m/d.TestD | panic: boo [recovered, repanicked]",
  ]],
  ["go_json_panic", "go test: 1 1 0 0 named, cut: ex.org/m/a (panic)", [
    "ex.org/m/a.TestCrash | panic: assignment to entry in nil map [recovered, repanicked]",
  ]],
  ["go_build_failed", "go test: 0 0 0 1", [
    "ex.org/m/d | d/d_test.go:3:28: declared and not used: x",
  ]],
  ["go_json_build_failed", "go test: 0 0 0 1 named", [
    "ex.org/m/d | d/d_test.go:3:28: declared and not used: x",
  ]],
  ["cargo", "cargo test: 2 1 1 0 named", ["t::bad | assertion `left == right` failed"]],
  ["cargo_quiet", "cargo test: 2 1 1 0", ["t::bad | assertion `left == right` failed"]],
  ["cargo_none", "cargo test: 0 0 0 0 named"],
  ["nextest", "cargo nextest: 2 1 1 0", ["shop cart::tests::adds | "]],
  ["vitest", "vitest 3.2.4: 52 1 1 1", [
    'src/gone.test.ts | Error: Failed to resolve import "./gone" from "src/gone.test.ts". Does the file exist?',
    "src/cart.test.ts > adds > twice | AssertionError: expected 1 to be 2 // Object.is equality",
  ], ["src/etag/index.test.ts 50 0 0", "src/cart.test.ts 2 1 1"]],
  ["vitest_projects", "vitest 4.1.12: 1 1 1 0", [
    "src/a.test.ts > adds > twice | AssertionError: expected 1 to be 2 // Object.is equality",
  ], ["src/a.test.ts 1 1 1"]],
  ["vitest_none", "vitest 3.2.4: 0 0 0 0 named"],
  ["jest", "jest: 3 1 1 1", [
    "src/cart.test.js cart › adds | expect(received).toBe(expected) // Object.is equality",
    "src/broken.test.js | Cannot find module './nope' from 'src/broken.test.js'",
  ]],
  ["jest_none", "jest: 0 0 0 0 named"],
  ["mocha", "mocha: 2 1 1 0 named", [
    "cart > adding > counts twice | AssertionError [ERR_ASSERTION]: 1 == 2",
  ]],
  ["dotnet", "dotnet test: 14 1 2 0", [
    "Shop.Tests.CartTests.Adds | Assert.Equal() Failure: Values differ",
  ]],
  ["dotnet_new", "dotnet test: 11 1 2 0", [
    "Shop.Tests.CartTests.Adds | Assert.Equal() Failure",
  ]],
  ["maven", "maven: 4 1 1 0", [
    "com.example.CartTest.adds | org.opentest4j.AssertionFailedError: expected: <2> but was: <1>",
  ], ["com.example.CartTest 2 1 1", "com.example.UserTest 2 0 0"]],
  ["maven_none", "maven: 0 0 0 0 named"],
  ["gradle", "gradle: 4 1 1 0", [
    "CartTest > adds() | org.opentest4j.AssertionFailedError at CartTest.java:12",
  ]],
  ["phpunit", "phpunit 11.2.1: 2 2 1 0", [
    "Tests\\CartTest::testTotal | Error: Call to undefined function total()",
    "Tests\\CartTest::testAdds | Failed asserting that 1 matches expected 2.",
  ]],
  ["phpunit_none", "phpunit 11.2.1: 0 0 0 0 named"],
  ["rspec", "rspec: 2 1 1 0", ["./spec/cart_spec.rb Cart adds | expected: 2"]],
  ["ctest", "ctest: 1 1 1 0 named", ["user | Failed"]],
];

async function readSample(name: string) {
  return readReport(await Deno.readTextFile(new URL(`${name}.txt`, OUTPUTS)));
}

Deno.test("readReport() reads counts, names and first lines of what failed from each runner's output", async () => {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(OUTPUTS)) names.push(name.replace(/\.txt$/, ""));
  names.sort();
  deepEqual(ROWS.map(([sample]) => sample).sort(), names);
  for (const [sample, said, failures = [], files = []] of ROWS) {
    const report = await readSample(sample);
    const { runner, passed, failed, skipped, errors, names: named } = report ?? {};
    const counts = `${runner}: ${passed} ${failed} ${skipped} ${errors}`;
    const cut = report?.cut === undefined ? "" : `, cut: ${report.cut.join()}`;
    equal(`${counts}${named === undefined ? "" : " named"}${cut}`, said, sample);
    deepEqual(report?.failures.map(({ name, line }) => `${name} | ${line}`), failures, sample);
    equal(report?.isComplete, true, sample);
    const rows = Object.entries(report?.files ?? {})
      .map(([file, count]) => `${file} ${count.passed} ${count.failed} ${count.skipped}`);
    deepEqual(rows, files, sample);
  }
});

/** Names of passed tests, then of skipped ones, in each output that names all of its tests and has some. */
const NAMED: Readonly<Record<string, readonly [passed: string, skipped: string]>> = {
  cargo: ["t::ok, integ", "t::ign"],
  ctest: ["cart", "slow"],
  deno: ["./a_test.ts adds, ./b_test.ts b", "./a_test.ts off"],
  deno_tap: ["adds, steps > one, b", "off"],
  go_json: ["ex.org/m/a.TestOk, ex.org/m/a.TestSub/one, ex.org/m/b.TestB", "ex.org/m/a.TestSkip"],
  go_json_panic: ["ex.org/m/a.TestFirst", ""],
  go_verbose: [
    "ex.org/m/a.TestOk, ex.org/m/a.TestSub/one, ex.org/m/b.TestB",
    "ex.org/m/a.TestSkip",
  ],
  mocha: ["cart > is empty, cart > adding > counts once", "cart > removes"],
  node_junit: ["adds, inner ok, other", "skipped, todo one"],
  node_spec: ["adds, group > inner ok, other", "skipped, todo one"],
  node_tap: ["adds, group > inner ok, other", "skipped, todo one"],
  node_tap_none: [
    "",
    "adds, breaks, skipped, todo one, group > inner ok, group > inner bad, other",
  ],
  pytest_verbose: [
    "tests/test_a.py::test_ok, tests/test_a.py::TestC::test_p[1], tests/test_b.py::T::test_one",
    "tests/test_a.py::test_skip, tests/test_a.py::test_x, tests/test_b.py::T::test_three",
  ],
  unittest_verbose: [
    "test_one (tests.test_b.T.test_one)",
    "test_three (tests.test_b.T.test_three)",
  ],
};

Deno.test("readReport() names the passed and the skipped tests, by which a lost one is noticed", async () => {
  for (const [sample] of ROWS) {
    const { passed = [], skipped = [] } = (await readSample(sample))?.names ?? {};
    deepEqual([passed.join(", "), skipped.join(", ")], NAMED[sample] ?? ["", ""], sample);
  }
});

Deno.test("readReport() takes a test of node around others for their group, also where all of them pass", () => {
  const lines = ["▶ around (2ms)", "  ✔ one (1ms)", "✔ around (3ms)", "ℹ tests 2", "ℹ pass 2"];
  const report = readReport(lines.join("\n"));
  deepEqual([report?.passed, report?.names?.passed], [1, ["around > one"]]);
});

Deno.test("readReport() says nothing of an output without a known runner", () => {
  const texts = [
    "",
    "Checked 12 files\n",
    "all 3 tests passed\n",
    "ok\n",
    "error: something failed\n",
  ];
  for (const text of texts) equal(readReport(text), null, text);
});

Deno.test("readReport() adds up the runners of one command", () => {
  const report = readReport(
    "..\n2 passed in 0.01s\n\n  3 passing (4ms)\n  1 failing\n\n  1) a:\n     no\n",
  );
  deepEqual([report?.runner, report?.passed, report?.failed], ["pytest + mocha", 5, 1]);
});

Deno.test("readReport() knows where not everything that failed is named", () => {
  const report = readReport("F.F\n2 failed, 1 passed in 0.01s\n");
  deepEqual([report?.failed, report?.isComplete], [2, false]);
});

Deno.test("stripColours() leaves the text", () => {
  equal(stripColours("\u001b[31m\u001b[1mFAILED\u001b[0m x\u001b]8;;a\u0007y"), "FAILED xy");
});

Deno.test("a message of several lines is told with what was expected", () => {
  const said = [
    "        \tError Trace:\t/p/a_test.go:9",
    "        \tError:      \tNot equal: ",
    '        \t            \texpected: "xml"',
    '        \t            \tactual  : "XML"',
    "        \tTest:       \tTestName",
  ];
  const [head, place, end] = ["--- FAIL: TestName (0.00s)", "    a_test.go:9: ", "FAIL\tp\t0.1s"];
  for (
    const lines of [[head, place, ...said, end], [
      "--- PASS: TestA (0.00s)",
      "=== RUN   TestName",
      place,
      ...said,
      head,
      end,
    ]]
  ) {
    deepEqual(readReport(lines.join("\n"))?.failures, [
      { name: "p.TestName", line: 'a_test.go:9: Not equal: expected: "xml" actual  : "XML"' },
    ]);
  }
});

Deno.test("readReport() counts what unittest expects to fail as left out", () => {
  const text = "Ran 3 tests in 0.001s\n\nOK (skipped=1, expected failures=1)\n";
  const { passed, failed, skipped } = readReport(text) ?? {};
  deepEqual([passed, failed, skipped], [1, 0, 2]);
});
