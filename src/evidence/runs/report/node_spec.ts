/** Reads the `spec` output of `node --test`. Pure. */
import type { ReportFormat } from "./report.ts";
import { nextLine, Tally, toCount } from "./report.ts";

const LINE = /^(\s*)([▶✔✖﹣])\s+(.*?)(?: \((?:[\d.]+m?s)\))?(?: # (SKIP|TODO)\b.*)?$/;

/** The tests up to the list of failures, which repeats them with their messages. */
export const readNodeSpec: ReportFormat = (lines) => {
  const total = lines.findLast((line) => /^ℹ tests \d+$/.test(line));
  if (total === undefined) return null;
  const tally = new Tally("node:test");
  const groups: string[] = [];
  const summary = lines.findIndex((line) => /^✖ failing tests:/.test(line));
  const end = summary < 0 ? lines.length : summary;
  for (const line of lines.slice(0, end)) {
    const found = LINE.exec(line);
    if (found === null) continue;
    const [, indent = "", sign, name = "", left] = found;
    const depth = Math.floor(indent.length / 2);
    const isEnd = groups.length > depth && groups[depth] === name;
    groups.length = Math.min(groups.length, depth);
    if (isEnd) continue;
    if (sign === "▶") groups[depth] = name;
    else if (left !== undefined || sign === "﹣") tally.skip([...groups, name].join(" > "));
    else if (sign === "✔") tally.pass([...groups, name].join(" > "));
    else tally.fail([...groups, name].join(" > "), toMessage(lines, end, name));
  }
  const read = (what: string) =>
    toCount(lines.findLast((line) => line.startsWith(`ℹ ${what} `))?.slice(what.length + 3));
  const report = tally.toReport();
  if (report.passed + report.failed + report.skipped > 0 || Number(total.slice(8)) === 0) {
    return report;
  }
  tally.count({
    passed: read("pass"),
    failed: read("fail") + read("cancelled"),
    skipped: read("skipped") + read("todo"),
  });
  return tally.toReport();
};

function toMessage(lines: readonly string[], from: number, name: string): string {
  const at = lines.findIndex((line, index) => index > from && LINE.exec(line)?.[3] === name);
  return at < 0 ? "" : nextLine(lines, at);
}
