/** A report that a runner is asked for by a variable: what is asked, of whom, and what becomes of it. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { SYSTEM_CLOCK } from "../../../src/base/clock.ts";
import { askForReport } from "../../../src/evidence/runs/runner_reports.ts";
import { runAsked } from "../../../src/evidence/runs/run_command.ts";
import { testNeeding } from "../../support/needs.ts";

Deno.test("askForReport() asks pytest alone, and not where the command has a report of its own", () => {
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
        await runAsked({
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
