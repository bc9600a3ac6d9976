/** The row of pytest: how it is called, what it prints, and its JUnit report. Pure. */
import { listTestCases } from "../junit_xml.ts";
import type { ReportFormat, TestReport } from "../report.ts";
import { addWritten, findGroup, sumOf, Tally } from "../report.ts";
import type { PackageFiles, Runner } from "../runner.ts";
import { fileWords } from "../runner.ts";
import { listPythons } from "./unittest.ts";

const SUMMARY =
  /^=*\s*((?:\d+ (?:passed|failed|skipped|deselected|xfailed|xpassed|errors?|warnings?|rerun|subtests (?:passed|failed|skipped))(?:, )?)+|no tests ran) in [\d.:]+s?\b/;
/**
 * A part of a test that failed: `SUBFAILED[message] (i=1) a.py::test - what`, and before pytest 9
 * `SUBFAIL a.py::test - [message] (i=1) - what`. What tells the parts apart belongs to the name.
 */
const SUBTEST = /^SUBFAIL(?:ED)?(\s*[[(].*?)?\s+(\S+?\.py::\S+)(?: - (.*))?$/;
const OLD_PART = /^((?:\[.*?\] ?)?(?:\(.*?\))?) - (.*)$/;
const SIGNS = { ".": "passed", X: "passed", F: "failed", s: "skipped", x: "skipped" } as const;
const VERBOSE =
  /^(?:\[gw\d+\].*?\] )?(?<path>\S+?\.\w+)(?<name>::\S.*?) (?<how>PASSED|SKIPPED|XFAIL|XPASS|FAILED)\b/;
/** A line of parallel workers: `[gw0] [ 10%] PASSED tests/test_a.py::test_b`. */
const PARALLEL =
  /^\[gw\d+\] \[\s*\d+%\] (?<how>PASSED|SKIPPED|XFAIL|XPASS|FAILED) (?<path>\S+?\.\w+)(?<name>::.*)$/;

/** The last summary of the output counts: tests of test tools print summaries of their own before. */
const readOutput: ReportFormat = (lines) => {
  const said = lines.map((line) => SUMMARY.exec(line)?.[1]).findLast((text) => text !== undefined);
  if (said === undefined) return null;
  const tally = new Tally("pytest", findGroup(lines, /\bpytest-(\d[\w.]*)/));
  let file = "";
  let named = 0;
  for (const line of lines) {
    if (readPart(tally, line)) continue;
    const failed = /^(FAILED|ERROR) (\S.*?)(?: - (.*))?$/.exec(line);
    if (failed !== null && /\.\w+(?:::|$)/.test(failed[2] ?? "")) {
      const [, how, name = "", message = ""] = failed;
      if (how === "FAILED") tally.fail(name, message);
      else {
        named++;
        tally.error(name, message === "" ? readBroken(lines, name) : message);
      }
    }
    const test = (VERBOSE.exec(line) ?? PARALLEL.exec(line))?.groups;
    if (test !== undefined) {
      const { path = "", name = "", how } = test;
      if (how === "PASSED" || how === "XPASS") tally.pass(path + name, path);
      else if (how === "FAILED") tally.inFile(path, "failed");
      else tally.skip(path + name, path);
      continue;
    }
    const dots = /^(?:(\S+\.\w+) )?([.FsxXER]+)(?:\s+\[\s*\d+%\])?$/.exec(line);
    if (dots === null) continue;
    file = dots[1] ?? file;
    for (const sign of dots[2] ?? "") {
      const how = SIGNS[sign as keyof typeof SIGNS];
      if (how !== undefined) tally.inFile(file, how);
    }
  }
  const stopped = findGroup(lines, /^!+ (stopping after .*?|.*Interrupted: .*?) !+$/);
  if (stopped !== undefined) tally.cut(stopped);
  const errors = sumOf(said, "errors?");
  if (errors > named) tally.errors(errors - named);
  // pytest counts a part that failed as a test, and its test as one that passed.
  const parts = tally.readParts();
  return tally.toReport({
    passed: Math.max(0, sumOf(said, "passed", "xpassed") - parts.tests),
    failed: Math.max(0, sumOf(said, "failed", "subtests failed") - parts.more),
    skipped: sumOf(said, "skipped", "xfailed"),
  });
};

/** Notes a part of a test that failed; false where the line names none. */
function readPart(tally: Tally, line: string): boolean {
  const part = SUBTEST.exec(line);
  if (part === null) return false;
  const [, before, name = "", rest = ""] = part;
  const old = before === undefined ? OLD_PART.exec(rest) : null;
  tally.failPart(name, (before ?? old?.[1] ?? "").trim(), old?.[2] ?? rest);
  return true;
}

/** Why a file could not be collected: the last line of its error. */
function readBroken(lines: readonly string[], name: string): string {
  const at = lines.findIndex((line) =>
    line.startsWith("_") && line.includes(` ERROR collecting ${name} `)
  );
  const rest = at < 0 ? [] : lines.slice(at + 1);
  const end = rest.findIndex((line) => /^[_=]{3,}/.test(line));
  const said = rest.slice(0, end).findLast((line) => line.startsWith("E  "));
  return said?.slice(1).trim() ?? "";
}

/**
 * The printed report with the names of its tests and the counts of its files, as a verbose run prints them: a report
 * of the family `xunit1`, whose test cases name their files.
 */
function addNames(printed: TestReport | null, xmls: readonly string[]): TestReport | null {
  const tally = new Tally("pytest");
  const cases = xmls.flatMap(listTestCases);
  for (const { type, name, file, outcome, message } of cases) {
    const module = file.replace(/\.\w+$/, "").replaceAll(/[\\/]/g, ".");
    const path = file.replaceAll("\\", "/");
    if (outcome === "error") {
      tally.error(`${path}::${name}`, message);
      continue;
    }
    if (file === "" || (type !== module && !type.startsWith(`${module}.`))) return printed;
    const id = `${path}${type.slice(module.length).replaceAll(".", "::")}::${name}`;
    tally.note(outcome, id, message, path);
  }
  return cases.length === 0 ? printed : addWritten(printed, tally.toReport());
}

/** Whether a package shows that it uses pytest. */
function isShown({ texts, tests }: PackageFiles): boolean {
  const names = ["pytest.ini", "conftest.py", "tests/conftest.py"];
  return names.some((name) => Object.hasOwn(texts, name)) ||
    /\[tool\.pytest|\bpytest\b/.test(texts["pyproject.toml"] ?? "") ||
    /\[(?:tool:)?pytest\]/.test(`${texts["setup.cfg"] ?? ""}${texts["tox.ini"] ?? ""}`) ||
    tests.some(({ path, text }) =>
      path.endsWith(".py") && /^(?:import pytest|from pytest)\b/m.test(text)
    );
}

/** Managers of environments by what they lock them with. */
const MANAGERS = [
  ["uv.lock", "uv"],
  ["poetry.lock", "poetry"],
  ["pdm.lock", "pdm"],
  ["Pipfile.lock", "pipenv"],
] as const;

/** The row. */
export const PYTEST: Runner = {
  name: "pytest",
  languages: ["Python"],
  programs: ["pytest", "py.test"],
  onlyTests: true,
  isPlainName: true,
  files: {
    valued:
      /^(?:-[kmncporW]|--(?:rootdir|dist|maxfail|tb|cov-(?:report|config|fail-under)|junit-?xml|durations(?:-min)?|timeout|ignore(?:-glob)?|deselect|confcutdir|basetemp|color|log(?:-cli)?-level|import-mode|override-ini|numprocesses|config-file|capture|verbosity|reruns))$/,
    flags: /^(?:-[vqxsl]+|-r\w+|-n\d+|--(?:strict-\w+|quiet|verbose|exitfirst|no-header|no-cov))$/,
    refused:
      /^(?:--(?:lf|last-failed|ff|failed-first|nf|new-first|sw|stepwise(?:-skip)?|co|collect-only|pyargs)|--testmon.*)$/,
    takesPaths: true,
  },
  guess: {
    command: (files, { hasFile }) => {
      const [, manager] = MANAGERS.find(([lock]) => hasFile(lock)) ?? [];
      const program = manager === undefined ? "python3 -m pytest" : `${manager} run pytest`;
      return `${program} ${fileWords(files)}`;
    },
  },
  setup: {
    manifests: ["pyproject.toml", "setup.py", "setup.cfg"],
    sources: [
      ...["pytest.ini", "tox.ini", "conftest.py", "tests/conftest.py", "uv.lock", "poetry.lock"],
      ...[".venv", "venv"].flatMap((name) => [`${name}/pyvenv.cfg`, `${name}/Scripts/activate`]),
    ],
    propose: (pack) => {
      if (!isShown(pack)) return [];
      const words = ["pytest", "-q", ...(pack.dir === "" ? [] : [pack.dir])];
      // A manager of environments may have put the project's own one anywhere.
      const managers = ["uv", "poetry"].filter((name) => Object.hasOwn(pack.texts, `${name}.lock`));
      const runs = [
        ...managers.map((manager) => [manager, "run", ...words]),
        ...listPythons(pack).map((python) => [python, "-m", ...words]),
      ];
      return [{ name: "pytest", runs }];
    },
  },
  reports: [readOutput],
  asked: {
    variable: "PYTEST_ADDOPTS",
    unless: /\bno:junitxml\b|--junit-?xml\b/,
    request: (file) => `--junitxml='${file.replaceAll("'", "'\\''")}' -o junit_family=xunit1`,
    read: addNames,
  },
  coverage: { files: ["coverage.xml", "coverage.lcov"] },
  settings: {
    files:
      /conftest\.py|usercustomize(?:\.py|\/__init__\.py)|pytest\.ini|\.?pytest\.toml|sitecustomize\.py/,
    shadows: /(?:_?pytest|pluggy)(?:\.py|\/__init__\.py)/,
    lines: [[
      /(?:^|\/)(?:pyproject\.toml|setup\.cfg)$/,
      /pytest|addopts|testpaths|python_(?:files|classes|functions)|norecursedirs|filterwarnings|\bmarkers\b|fail_under|xfail_strict|deselect/,
    ]],
  },
  switches: /@pytest\.mark\.(?:skip|skipif|xfail)\b|\bpytest\.(?:skip|xfail|importorskip)\s*\(/,
  variables: ["PYTEST_ADDOPTS", "PYTEST_PLUGINS"],
  watch: { tracer: "python", unit: "test" },
  caches: [".pytest_cache"],
  withoutEnd: (run) =>
    run.some((word) => /(?:^|\/)(?:pytest|py\.test)$/.test(word))
      ? [...run, "--maxfail=0", "--continue-on-collection-errors"]
      : null,
};
