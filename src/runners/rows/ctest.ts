/** CTest. Pure. */
import type { ReportFormat } from "../report.ts";
import { Tally } from "../report.ts";
import type { Runner } from "../runner.ts";

/** Every test is named; what did not run is skipped, except where its program is missing. */
const readOutput: ReportFormat = (lines) => {
  const isCtest = lines.some((line) =>
    /^\d+% tests passed, \d+ tests failed out of \d+/.test(line) ||
    /^No tests were found!!!$/.test(line)
  );
  if (!isCtest) return null;
  const tally = new Tally("ctest");
  for (const line of lines) {
    const test =
      /^\s*\d+\/\d+ Test\s+#\d+: (\S+) \.*\s*(\*\*\*)?(Passed|Failed|Skipped|Not Run(?: \(Disabled\))?|Timeout|Exception\S*)/
        .exec(line);
    if (test !== null) tally.note(test[3] ?? "", test[1] ?? "", test[3]);
  }
  return tally.toReport();
};

/** The row. */
export const CTEST: Runner = {
  name: "ctest",
  languages: ["C", "C++"],
  programs: ["ctest"],
  onlyTests: true,
  guess: { command: () => "ctest" },
  reports: [readOutput],
  coverage: { files: ["coverage.info", "coverage.xml"] },
  settings: {
    files: /CTestCustom\.cmake/,
    lines: [[
      /(?:^|\/)CMakeLists\.txt$/,
      /add_test|enable_testing|set_tests_properties|gtest_discover/,
    ]],
  },
  switches: /\bGTEST_SKIP\s*\(/,
};
