/** Reads Maven's surefire and failsafe, and Gradle. Pure. */
import type { ReportFormat } from "./report.ts";
import { nextLine, Tally, toCount } from "./report.ts";

const RUN = /Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)/;

/** The sums over all modules; counts by class. */
export const readMaven: ReportFormat = (lines) => {
  const tally = new Tally("maven");
  const sum = { passed: 0, failed: 0, skipped: 0 };
  let isMaven = false;
  lines.forEach((line, at) => {
    if (/^\[INFO\] No tests to run\.$/.test(line)) isMaven = true;
    const failed =
      /^\[ERROR\]\s+(\S+?)(?:\(\S+\))?\s+(?:--\s+)?Time elapsed: .*<<< (?:FAILURE|ERROR)!$/.exec(
        line,
      )?.[1];
    if (failed !== undefined && !failed.startsWith("Tests")) {
      tally.fail(failed, nextLine(lines, at));
    }
    const run = RUN.exec(line);
    if (run === null) return;
    const [, all, failures, errors, skipped] = run;
    const bad = toCount(failures) + toCount(errors);
    const left = toCount(skipped);
    const type = / in (\S+)$/.exec(line)?.[1];
    if (type !== undefined) {
      tally.inFile(type, "failed", bad);
      tally.inFile(type, "skipped", left);
      tally.inFile(type, "passed", toCount(all) - bad - left);
    } else if (!line.includes("Time elapsed")) {
      isMaven = true;
      sum.failed += bad;
      sum.skipped += left;
      sum.passed += toCount(all) - bad - left;
    }
  });
  if (!isMaven) return null;
  tally.count(sum);
  return tally.toReport();
};

/** Gradle says how many tests ran only where some failed, or where the project shows its test events. */
export const readGradle: ReportFormat = (lines) => {
  const tally = new Tally("gradle");
  lines.forEach((line, at) => {
    const test = /^(\S.* > .+?) (PASSED|FAILED|SKIPPED)$/.exec(line);
    if (test === null) return;
    const [, name = "", how] = test;
    if (how === "PASSED") tally.pass(name);
    else if (how === "SKIPPED") tally.skip(name);
    else tally.fail(name, nextLine(lines, at));
  });
  const said = lines.map((line) =>
    /^(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?$/.exec(line)
  )
    .filter((match) => match !== null);
  const named = tally.toReport();
  if (said.length === 0) return named.passed + named.failed + named.skipped === 0 ? null : named;
  const total = (group: number) => said.reduce((sum, match) => sum + toCount(match[group]), 0);
  tally.count({ passed: total(1) - total(2) - total(3), failed: total(2), skipped: total(3) });
  return tally.toReport();
};
