/** Reads Python's unittest, and Django's runner, which prints the same. Pure. */
import type { ReportFormat } from "./report.ts";
import { Tally, toCount } from "./report.ts";

/** The last run of the output. */
export const readUnittest: ReportFormat = (lines) => {
  const ran = lines.findLast((line) => /^Ran \d+ tests? in [\d.]+s/.test(line));
  if (ran === undefined) return null;
  const end = lines.findLast((line) => /^(?:OK|FAILED|NO TESTS RAN)\b/.test(line)) ?? "";
  const read = (what: string) => toCount(new RegExp(`\\b${what}=(\\d+)`).exec(end)?.[1]);
  const tally = new Tally("unittest");
  let unloaded = 0;
  lines.forEach((line, at) => {
    const failed = /^(?:FAIL|ERROR): (.+)$/.exec(line)?.[1];
    if (failed !== undefined && lines[at - 1]?.startsWith("=====")) {
      const isUnloaded = failed.includes("_FailedTest") || failed.startsWith("setUpClass");
      if (isUnloaded) unloaded++;
      const message = toMessage(lines, at);
      if (isUnloaded) tally.error(failed, message);
      else {
        const [, test = "", which = ""] = /^(\w+ \([^)]*\)) ([[(].*)$/.exec(failed) ?? [];
        if (which === "") tally.failNext(failed, message);
        else tally.failPart(test, which, message);
      }
    }
    const test = /^(\w+ \([\w.]+\))(?:.*)? \.\.\. (ok|skipped|expected failure)\b/.exec(line);
    if (test?.[2] === "ok") tally.pass(test[1] ?? "");
    else if (test !== null) tally.skip(test[1] ?? "");
  });
  const left = read("skipped") + read("expected failures");
  const bad = read("failures") + read("errors") + read("unexpected successes") - unloaded -
    tally.readParts().more;
  const all = toCount(/\d+/.exec(ran)?.[0]) - unloaded;
  tally.count({ passed: Math.max(0, all - bad - left), failed: Math.max(0, bad), skipped: left });
  return tally.toReport();
};

/** The last line of the traceback. */
function toMessage(lines: readonly string[], at: number): string {
  const ends = lines.findIndex((line, index) =>
    index > at + 2 && /^(?:={20,}|-{20,}|)$/.test(line)
  );
  return lines[(ends < 0 ? lines.length : ends) - 1] ?? "";
}
