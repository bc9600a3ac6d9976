/** Reads PHPUnit, and Pest where it prints the same summary. Pure. */
import type { ReportFormat } from "./report.ts";
import { nextLine, Tally, toCount } from "./report.ts";

/** The last summary; what is risky or has warnings passed. */
export const readPhpunit: ReportFormat = (lines) => {
  const good = lines.findLast((line) => /^OK \(\d+ tests?, \d+ assertions?\)/.test(line));
  const said = lines.findLast((line) => /^Tests: \d+, Assertions: \d+/.test(line));
  const isNone = lines.some((line) => /^No tests executed!$/.test(line));
  if (good === undefined && said === undefined && !isNone) return null;
  const version = lines.map((line) => /^PHPUnit (\d[\w.-]*) by /.exec(line)?.[1]).find(Boolean);
  const tally = new Tally("phpunit", version ?? "");
  const isBad = lines.some((line) => /^There (?:was|were) \d+ (?:failure|error)s?:$/.test(line));
  let isList = false;
  lines.forEach((line, at) => {
    if (/^There (?:was|were) \d+ /.test(line)) isList = /(?:failure|error)s?:$/.test(line);
    const failed = /^\d+\) (\S+::.+)$/.exec(line)?.[1];
    if (failed === undefined || !isList || !isBad) return;
    // The values of a data set may hold what differs from run to run.
    const name = failed.replace(/( with data set (?:#\d+|"[^"]*")) \(.*$/, "$1");
    tally.failNext(name, nextLine(lines, at));
  });
  if (good !== undefined) {
    tally.count({ passed: toCount(/\d+/.exec(good)?.[0]), failed: 0, skipped: 0 });
    return tally.toReport();
  }
  const read = (what: string) => toCount(new RegExp(`\\b${what}: (\\d+)`).exec(said ?? "")?.[1]);
  const failed = read("Failures") + read("Errors");
  const skipped = read("Skipped") + read("Incomplete");
  tally.count({ passed: Math.max(0, read("Tests") - failed - skipped), failed, skipped });
  return tally.toReport();
};
