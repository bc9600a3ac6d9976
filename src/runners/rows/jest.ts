/** The row of jest: how it is called, and what it prints. Pure. */
import type { ReportFormat } from "../report.ts";
import { nextLine, sumOf, Tally } from "../report.ts";
import type { Runner } from "../runner.ts";
import { BLOCK_SWITCHES, guessByManifest, ISTANBUL_FILES, SCRIPT_LANGUAGES } from "../runner.ts";

/** Counts by its summary; names of single tests only with `--verbose`. */
const readOutput: ReportFormat = (lines) => {
  const said = lines.findLast((line) => /^Tests:\s+.*\b\d+ total$/.test(line));
  const isNone = lines.some((line) => /^No tests found, exiting with code/.test(line));
  if (said === undefined && !isNone) return null;
  const tally = new Tally("jest");
  let file: string | undefined;
  lines.forEach((line, at) => {
    file = /^(?:PASS|FAIL)\s+(?:\S+\s+)??(\S+\.\w+)(?: \([\d.]+ m?s\))?$/.exec(line)?.[1] ?? file;
    const test = /^\s+([✓✕○✎]) (?:(?:skipped|todo) )?(.*)$/.exec(line);
    if (test?.[1] === "✓") tally.pass(`${file ?? ""} ${test[2]}`, file);
    else if (test?.[1] === "✕") tally.inFile(file, "failed");
    else if (test !== null) tally.skip(`${file ?? ""} ${test[2]}`, file);
    const failed = /^ {2}● (.+)$/.exec(line)?.[1];
    if (failed === undefined || failed.startsWith("Console")) return;
    if (failed === "Test suite failed to run") tally.error(file ?? failed, nextLine(lines, at));
    else tally.fail(`${file ?? ""} ${failed}`, nextLine(lines, at));
  });
  return tally.toReport({
    passed: sumOf(said, "passed"),
    failed: sumOf(said, "failed"),
    skipped: sumOf(said, "skipped", "todo"),
  });
};

/** The row. */
export const JEST: Runner = {
  name: "jest",
  languages: SCRIPT_LANGUAGES,
  programs: ["jest"],
  reordered: ["--randomize", "--seed=1"],
  onlyTests: true,
  files: {
    valued: /^(?:-[cwt]|--(?:config|maxWorkers|testNamePattern|env|testTimeout|outputFile))$/,
    refused:
      /^(?:-[of]|--(?:onlyChanged|onlyFailures|lastCommit|changedSince|findRelatedTests|runTestsByPath|listTests|shard|testPathPatterns?|projects|selectProjects)(?:=.*)?)$/,
    exactly: "--runTestsByPath",
  },
  guess: guessByManifest("npx jest", /\bjest\b/),
  reports: [readOutput],
  coverage: { files: ISTANBUL_FILES, node: "other text" },
  watch: { tracer: "node", unit: "test" },
  settings: {
    files: /jest\.(?:config|conf|workspace|setup)\.\w+|setupTests\.\w+/,
    lines: [[
      /(?:^|\/)package\.json$/,
      /"jest"\s*:|"test(?:Match|Regex|PathIgnorePatterns|Environment|Timeout)"|"coverageThreshold"/,
    ]],
  },
  switches: BLOCK_SWITCHES,
  mocks: "jest",
};
