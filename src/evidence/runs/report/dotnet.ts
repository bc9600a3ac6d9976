/** Reads `dotnet test`, with the old and the new summary. Pure. */
import type { ReportFormat } from "./report.ts";
import { Tally, toCount } from "./report.ts";

const PER_PROJECT =
  /^(?:Passed|Failed|Skipped)!\s+- Failed:\s+(\d+), Passed:\s+(\d+), Skipped:\s+(\d+), Total:/;

/** Sums over the projects. */
export const readDotnet: ReportFormat = (lines) => {
  const tally = new Tally("dotnet test");
  const sum = { passed: 0, failed: 0, skipped: 0 };
  let isFound = false;
  const totals = lines.findLast((line) => /^Test summary: total: \d+/.test(line));
  lines.forEach((line, at) => {
    const project = PER_PROJECT.exec(line);
    if (project !== null) {
      isFound = true;
      sum.failed += toCount(project[1]);
      sum.passed += toCount(project[2]);
      sum.skipped += toCount(project[3]);
    }
    const single = /^Total tests: \d+/.exec(line);
    if (single !== null && totals === undefined) {
      isFound = true;
      for (const next of lines.slice(at + 1, at + 4)) {
        sum.passed += toCount(/^\s+Passed: (\d+)/.exec(next)?.[1]);
        sum.failed += toCount(/^\s+Failed: (\d+)/.exec(next)?.[1]);
        sum.skipped += toCount(/^\s+Skipped: (\d+)/.exec(next)?.[1]);
      }
    }
    if (/^No test is available in /.test(line)) isFound = true;
    const test = /^\s+(Passed|Failed|Skipped) (\S.*?) \[[^\]]*\]$/.exec(line);
    if (test?.[1] === "Passed") tally.pass(test[2] ?? "");
    else if (test?.[1] === "Skipped") tally.skip(test[2] ?? "");
    else if (test !== null) tally.fail(test[2] ?? "", toMessage(lines, at));
    const listed = /^\s*(?:\S.*?: )?error TESTERROR:?\s*(\S+) \([^)]*\): Error Message: (.*)$/.exec(
      line,
    );
    if (listed !== null) tally.fail(listed[1] ?? "", listed[2]);
  });
  if (totals !== undefined) {
    const read = (what: string) => toCount(new RegExp(`${what}: (\\d+)`).exec(totals)?.[1]);
    tally.count({ passed: read("succeeded"), failed: read("failed"), skipped: read("skipped") });
  } else if (isFound) tally.count(sum);
  else return null;
  return tally.toReport();
};

function toMessage(lines: readonly string[], at: number): string {
  const head = lines.findIndex((line, index) =>
    index > at && index < at + 4 && /Error Message:/.test(line)
  );
  return head < 0 ? "" : lines[head + 1] ?? "";
}
