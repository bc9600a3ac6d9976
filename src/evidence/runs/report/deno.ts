/** Reads `deno test`. Pure. */
import type { ReportFormat } from "./report.ts";
import { nextLine, Tally, toCount } from "./report.ts";

const SUMMARY =
  /^(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed(?: \([^)]*\))?(?: \| (\d+) ignored)?/;

/** Names by file, counts by the summary. */
export const readDeno: ReportFormat = (lines) => {
  const at = lines.findLastIndex((line) => SUMMARY.test(line));
  if (at < 0) return null;
  const summary = SUMMARY.exec(lines[at] ?? "") ?? [];
  const tally = new Tally("deno test");
  const listed = lines.findIndex((line) => line.trim() === "FAILURES");
  let file: string | undefined;
  lines.forEach((line, index) => {
    file = /^running \d+ tests? from (\S.*)$/.exec(line)?.[1] ?? file;
    const test = /^(\S.*?) \.\.\. (ok|ignored|FAILED)\b/.exec(line);
    if (test?.[2] === "ok") tally.pass(`${file ?? ""} ${test[1]}`, file);
    else if (test?.[2] === "ignored") tally.skip(`${file ?? ""} ${test[1]}`, file);
    else if (test?.[2] === "FAILED") tally.inFile(file, "failed");
    const failed = /^(\S.*?) => (\S+?):\d+:\d+$/.exec(line);
    if (failed !== null) {
      const message = listed < 0 || index < listed
        ? nextLine(lines, index).replace(/^error: /, "")
        : "";
      tally.explain(`${failed[2]} ${failed[1]}`, message);
    }
    const broken = /^(\S+) \(uncaught error\)$/.exec(line)?.[1];
    if (broken !== undefined && index > listed) tally.explain(broken, "");
  });
  tally.count({
    passed: toCount(summary[1]),
    failed: toCount(summary[2]),
    skipped: toCount(summary[3]),
  });
  return tally.toReport();
};
