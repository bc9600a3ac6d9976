/** Reads CTest. Pure. */
import type { ReportFormat } from "./report.ts";
import { Tally } from "./report.ts";

/** Every test is named; what did not run is skipped, except where its program is missing. */
export const readCtest: ReportFormat = (lines) => {
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
    if (test === null) continue;
    const [, name = "", , how = ""] = test;
    if (how === "Passed") tally.pass(name);
    else if (how === "Skipped" || how.endsWith("(Disabled)")) tally.skip(name);
    else tally.fail(name, how);
  }
  return tally.toReport();
};
