/** Reads jest. Pure. */
import type { ReportFormat } from "./report.ts";
import { nextLine, Tally, toCount } from "./report.ts";

/** Counts by its summary; names of single tests only with `--verbose`. */
export const readJest: ReportFormat = (lines) => {
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
  const read = (what: string) => toCount(new RegExp(`(\\d+) ${what}\\b`).exec(said ?? "")?.[1]);
  tally.count({
    passed: read("passed"),
    failed: read("failed"),
    skipped: read("skipped") + read("todo"),
  });
  return tally.toReport();
};
