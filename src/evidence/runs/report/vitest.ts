/** Reads vitest. Pure. */
import type { ReportFormat } from "./report.ts";
import { nextLine, Tally, toCount } from "./report.ts";

/** The project of a workspace: `|main| `, or ` main  ` where it was coloured. */
const LABEL = String.raw`(?:\|[^|]+\| | \S+(?: \S+)* {2})?`;
const FAILED = new RegExp(String.raw`^\s*FAIL {2}${LABEL}(\S.*)$`);
const FILE = new RegExp(
  String.raw`^\s*[✓❯×↓] ${LABEL}(\S+\.\w+) {1,2}\((\d+) tests?(?: \| ([^)]*))?\)`,
);
const TEST = new RegExp(String.raw`^\s*([✓↓]) ${LABEL}((\S+\.\w+) > .*?)(?: \d+ ?ms)?$`);

/** Counts by its summary, by file where the lines of files are shown. */
export const readVitest: ReportFormat = (lines) => {
  const said = lines.findLast((line) => /^\s*Tests {2,}(?:no tests|\d+ \w+.*\(\d+\))$/.test(line));
  const isNone = lines.some((line) => /^\s*No test files found, exiting with code/.test(line));
  if (said === undefined && !isNone) return null;
  const version = lines.map((line) => /^\s*RUN {2}v(\d[\w.-]*)/.exec(line)?.[1]).find(Boolean);
  const tally = new Tally("vitest", version ?? "");
  lines.forEach((line, at) => {
    const failed = FAILED.exec(line)?.[1];
    if (failed !== undefined) {
      const isFile = !failed.includes(" > ");
      if (isFile) tally.error(failed.replace(/ \[.*\]$/, ""), nextLine(lines, at));
      else tally.fail(failed, nextLine(lines, at));
    }
    const file = FILE.exec(line);
    if (file !== null) {
      const [, path, count, rest = ""] = file;
      const bad = toCount(/(\d+) failed/.exec(rest)?.[1]);
      const left = toCount(/(\d+) skipped/.exec(rest)?.[1]) + toCount(/(\d+) todo/.exec(rest)?.[1]);
      tally.inFile(path, "failed", bad);
      tally.inFile(path, "skipped", left);
      tally.inFile(path, "passed", toCount(count) - bad - left);
      return;
    }
    const test = TEST.exec(line);
    if (test?.[1] === "✓") tally.pass(test[2] ?? "", test[3]);
    else if (test !== null) tally.skip(test[2] ?? "", test[3]);
  });
  const read = (what: string) => toCount(new RegExp(`(\\d+) ${what}\\b`).exec(said ?? "")?.[1]);
  tally.count({
    passed: read("passed"),
    failed: read("failed"),
    skipped: read("skipped") + read("todo"),
  });
  return tally.toReport();
};
