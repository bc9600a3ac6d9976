/** A report that a runner is asked for by a variable: what is asked, of whom, and what becomes of it. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { dirname, join } from "node:path";
import { askForReport, watchWrittenReports } from "../../../src/evidence/runs/runner_reports.ts";
import { listChangedTests } from "../../../src/evidence/runs/run_formats.ts";
import { readReport } from "../../../src/runners/read_report.ts";
import { SYSTEM_CLOCK } from "../../../src/base/clock.ts";
import { runWithReport } from "../../../src/evidence/runs/run_command.ts";
import { testNeeding } from "../../support/needs.ts";

/** What Maven 3.8 with surefire 3.5 wrote and printed of a class with four tests, without the stacks. */
const SUREFIRE = `<?xml version="1.0" encoding="UTF-8"?>
<testsuite version="3.0.2" name="shop.CartTest" time="0.43" tests="4" errors="1" skipped="1" failures="1" flakes="0">
  <properties>
    <property name="sun.jnu.encoding" value="UTF-8"/>
  </properties>
  <testcase name="breaks" classname="shop.CartTest" time="0.031">
    <error message="a &lt;b&gt; &amp; &quot;c&quot;" type="java.lang.IllegalStateException"><![CDATA[java.lang.IllegalStateException: a <b> & "c"
]]></error>
  </testcase>
  <testcase name="adds" classname="shop.CartTest" time="0.001"/>
  <testcase name="fails" classname="shop.CartTest" time="0.02">
    <failure message="total expected:&lt;2&gt; but was:&lt;3&gt;" type="java.lang.AssertionError"><![CDATA[java.lang.AssertionError: total expected:<2> but was:<3>
]]></failure>
  </testcase>
  <testcase name="later" classname="shop.CartTest" time="0.0">
    <skipped/>
  </testcase>
</testsuite>
`;
const PRINTED = `[INFO] Running shop.CartTest
[ERROR] Tests run: 4, Failures: 1, Errors: 1, Skipped: 1, Time elapsed: 0.430 s <<< FAILURE! -- in shop.CartTest
[ERROR] shop.CartTest.breaks -- Time elapsed: 0.031 s <<< ERROR!
java.lang.IllegalStateException: a <b> & "c"
[ERROR] shop.CartTest.fails -- Time elapsed: 0.020 s <<< FAILURE!
java.lang.AssertionError: total expected:<2> but was:<3>
[ERROR] Tests run: 4, Failures: 1, Errors: 1, Skipped: 1
`;
const GREEN = `<testsuite name="shop.CartTest" tests="1" skipped="0" failures="0" errors="0">
  <testcase name="adds()" classname="shop.CartTest" time="0.0"/>
</testsuite>
`;

async function write(cwd: string, path: string, text: string): Promise<void> {
  await Deno.mkdir(dirname(join(cwd, path)), { recursive: true });
  await Deno.writeTextFile(join(cwd, path), text);
}

Deno.test("Maven's reports name what passed and was skipped, and those of earlier runs are not read", async () => {
  const cwd = await Deno.makeTempDir();
  await write(cwd, "old/target/surefire-reports/TEST-shop.OldTest.xml", GREEN);
  const watched = watchWrittenReports(["./mvnw", "-q", "test"], cwd);
  await write(cwd, "cart/target/surefire-reports/TEST-shop.CartTest.xml", SUREFIRE);
  const report = watched?.add(readReport(PRINTED));
  deepEqual(report?.names, { passed: ["shop.CartTest.adds"], skipped: ["shop.CartTest.later"] });
  deepEqual(report?.failures.map(({ name, line }) => [name, line]), [
    ["shop.CartTest.breaks", 'a <b> & "c"'],
    ["shop.CartTest.fails", "total expected:<2> but was:<3>"],
  ]);
  const tests = ["cart/src/test/java/shop/CartTest.java", "cart/src/test/kotlin/Other.kt"];
  deepEqual(listChangedTests(report, tests), [`${tests[0]}: 1 passed, 2 failed, 1 skipped`]);
  // A report that counts otherwise than what was printed is of something else.
  const printed = readReport("[INFO] Tests run: 9, Failures: 0, Errors: 0, Skipped: 0\n");
  equal(watched?.add(printed), printed);
});

Deno.test("Gradle's reports are all that is known of a run that passes", async () => {
  const cwd = await Deno.makeTempDir();
  equal(watchWrittenReports(["npm", "test"], cwd), null);
  const watched = watchWrittenReports(["gradle", "test"], cwd);
  equal(watched?.add(null), null);
  await write(cwd, "app/build/test-results/test/TEST-shop.CartTest.xml", GREEN);
  const report = watched?.add(null);
  deepEqual([report?.runner, report?.passed, report?.names?.passed], [
    "gradle",
    1,
    ["shop.CartTest.adds()"],
  ]);
});

Deno.test("askForReport() asks pytest, and not where the command has a report of its own", () => {
  const rows: readonly (readonly [run: readonly string[], isAsked: boolean])[] = [
    [["pytest", "-q"], true],
    [["python3", "-m", "pytest"], true],
    [["/venv/bin/pytest"], true],
    [["sh", "-c", "ruff check . && pytest -x"], true],
    [["pytest", "--junit-xml=out.xml"], false],
    [["pytest", "-p", "no:junitxml"], false],
    [["npm", "test"], false],
    [["python3", "tools/run_pytest_like.py"], false],
  ];
  for (const [run, isAsked] of rows) {
    const asked = askForReport(run, "/none");
    equal(asked !== null, isAsked, run.join(" "));
    if (asked === null) continue;
    match(asked.env.PYTEST_ADDOPTS ?? "", /--junitxml='.*report\.xml' -o junit_family=xunit1$/);
    deepEqual(asked.add(null), null, "nothing was written");
  }
});

Deno.test("askForReport() lets go test name each test, unless it does so by itself", () => {
  equal(askForReport(["go", "test", "./..."], "/none")?.env.GOFLAGS?.trim(), "-v");
  equal(askForReport(["go", "test", "-json", "./..."], "/none"), null);
  equal(askForReport(["go", "test", "-v", "./..."], "/none"), null);
});

testNeeding(
  ["pytest"],
  "runAsked() names the tests of a quiet pytest, changes no word of its output, and leaves no file",
  async () => {
    const [cwd, stateDir] = [await Deno.makeTempDir(), await Deno.makeTempDir()];
    try {
      await Deno.writeTextFile(
        join(cwd, "test_loan.py"),
        "class TestLoan:\n    def test_due(self): pass\ndef test_fee(): assert False\n",
      );
      const run = async (...words: readonly string[]) =>
        await runWithReport({
          name: "tests",
          run: ["pytest", "-p", "no:cacheprovider", ...words],
          paths: null,
          writes: [],
          timeoutMs: 60_000,
        }, { cwd, clock: SYSTEM_CLOCK, place: { checkout: null, worktree: cwd, stateDir } });
      const quiet = await run("-q");
      deepEqual(quiet.report?.names, { passed: ["test_loan.py::TestLoan::test_due"], skipped: [] });
      deepEqual(quiet.report?.files, { "test_loan.py": { passed: 1, failed: 1, skipped: 0 } });
      deepEqual(quiet.report?.failures.map(({ name }) => name), ["test_loan.py::test_fee"]);
      ok(quiet.set?.some((told) => told.startsWith("PYTEST_ADDOPTS=--junitxml='…'")));
      equal((await run("-qq")).report?.passed, 1);
      // The line that names the file says nothing of where it was.
      match((await run()).outputTail, /generated xml file: …\/report\.xml/);
      const left = await Array.fromAsync(Deno.readDir(join(stateDir, "checkouts")));
      deepEqual(left.filter(({ isDirectory }) => isDirectory), []);
      const verbose = await run("-v");
      deepEqual(verbose.report?.names, quiet.report?.names);
    } finally {
      await Deno.remove(cwd, { recursive: true });
    }
  },
);
