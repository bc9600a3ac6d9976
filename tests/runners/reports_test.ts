/** What pytest's report in a file adds to its output: both are of one real run of pytest 9.2. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { PYTEST } from "../../src/runners/rows/pytest.ts";
import { readReport } from "../../src/runners/read_report.ts";
import type { TestReport } from "../../src/runners/report.ts";

const OUTPUTS = new URL("../fixtures/runner_reports/", import.meta.url);
const xml = await Deno.readTextFile(new URL("pytest.xml", OUTPUTS));
const printed = readReport(await Deno.readTextFile(new URL("pytest.txt", OUTPUTS)));

function addNames(printed: TestReport | null, xml: string): TestReport | null {
  return PYTEST.asked?.read(printed, [xml]) ?? null;
}

Deno.test("the report that pytest is asked for names the tests of a quiet run as a verbose one does, and counts them by file", () => {
  ok(printed !== null && printed.names === undefined && printed.files === undefined);
  const report = addNames(printed, xml);
  deepEqual({ ...report, names: undefined, files: undefined }, {
    ...printed,
    names: undefined,
    files: undefined,
  });
  deepEqual(report?.names?.passed.slice(0, 6), [
    "tests/sub/test_b.py::TestX::test_in",
    "tests/sub/test_b.py::TestX::TestInner::test_deep",
    "tests/sub/test_b.py::test_ok",
    "tests/sub/test_b.py::test_p[1]",
    "tests/sub/test_b.py::test_p[2]",
    "tests/sub/test_b.py::test_p[a::b <c>]",
  ]);
  deepEqual(report?.names?.skipped.slice(0, 2), [
    "tests/sub/test_b.py::test_s",
    "tests/sub/test_b.py::test_x",
  ]);
  const counts = { passed: 6, failed: 1, skipped: 2 };
  deepEqual(report?.files, { "tests/sub/test_b.py": counts, "tests/test_a.py": counts });
});

Deno.test("the report that pytest is asked for tells all where nothing was printed, and nothing where the two count otherwise", () => {
  const alone = addNames(null, xml);
  deepEqual([alone?.passed, alone?.failed, alone?.skipped, alone?.errors], [12, 2, 4, 2]);
  deepEqual(alone?.failures[0], {
    name: "tests/sub/test_b.py::test_bad",
    line: "AssertionError: one & two",
  });
  const other = readReport("1 passed in 0.01s\n");
  equal(addNames(other, xml), other);
  equal(addNames(printed, ""), printed);
  equal(addNames(printed, xml.replaceAll(/ file="[^"]*"/g, "")), printed);
  equal(addNames(null, "<testsuites></testsuites>"), null);
});
