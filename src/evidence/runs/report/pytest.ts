/** Reads pytest, quiet, plain and verbose. Pure. */
import type { ReportFormat } from "./report.ts";
import { Tally, toCount } from "./report.ts";

const SUMMARY =
  /^=*\s*((?:\d+ (?:passed|failed|skipped|deselected|xfailed|xpassed|errors?|warnings?|rerun|subtests (?:passed|failed|skipped))(?:, )?)+|no tests ran) in [\d.:]+s?\b/;
/**
 * A part of a test that failed: `SUBFAILED[message] (i=1) a.py::test - what`, and before pytest 9
 * `SUBFAIL a.py::test - [message] (i=1) - what`. What tells the parts apart belongs to the name.
 */
const SUBTEST = /^SUBFAIL(?:ED)?(\s*[[(].*?)?\s+(\S+?\.py::\S+)(?: - (.*))?$/;
const OLD_PART = /^((?:\[.*?\] ?)?(?:\(.*?\))?) - (.*)$/;
const SIGNS = { ".": "passed", X: "passed", F: "failed", s: "skipped", x: "skipped" } as const;

/** The last summary of the output counts: tests of test tools print summaries of their own before. */
export const readPytest: ReportFormat = (lines) => {
  const said = lines.map((line) => SUMMARY.exec(line)?.[1]).findLast((text) => text !== undefined);
  if (said === undefined) return null;
  const version = lines.map((line) => /\bpytest-(\d[\w.]*)/.exec(line)?.[1]).find(Boolean);
  const tally = new Tally("pytest", version ?? "");
  const read = (what: string) => toCount(new RegExp(`(\\d+) ${what}\\b`).exec(said)?.[1]);
  let file = "";
  let named = 0;
  for (const line of lines) {
    const part = SUBTEST.exec(line);
    if (part !== null) {
      const [, before, name = "", rest = ""] = part;
      const old = before === undefined ? OLD_PART.exec(rest) : null;
      const which = (before ?? old?.[1] ?? "").trim();
      tally.failPart(name, which, old?.[2] ?? rest);
      continue;
    }
    const failed = /^(FAILED|ERROR) (\S.*?)(?: - (.*))?$/.exec(line);
    if (failed !== null && /\.\w+(?:::|$)/.test(failed[2] ?? "")) {
      const [, how, name = "", message = ""] = failed;
      if (how === "FAILED") tally.fail(name, message);
      else {
        named++;
        tally.error(name, message === "" ? toBroken(lines, name) : message);
      }
    }
    const verbose =
      /^(?:\[gw\d+\].*?\] )?(\S+?\.\w+)(::\S.*?) (PASSED|SKIPPED|XFAIL|XPASS|FAILED)\b/.exec(
        line,
      ) ??
        toParallel(line);
    if (verbose !== null) {
      const [, path = "", name = "", how] = verbose;
      if (how === "PASSED" || how === "XPASS") tally.pass(path + name, path);
      else if (how === "FAILED") tally.inFile(path, "failed");
      else tally.skip(path + name, path);
      continue;
    }
    const dots = /^(?:(\S+\.\w+) )?([.FsxXER]+)(?:\s+\[\s*\d+%\])?$/.exec(line);
    if (dots === null) continue;
    file = dots[1] ?? file;
    for (const sign of dots[2] ?? "") {
      const how = SIGNS[sign as keyof typeof SIGNS];
      if (how !== undefined) tally.inFile(file, how);
    }
  }
  const stopped = lines.map((line) =>
    /^!+ (stopping after .*?|.*Interrupted: .*?) !+$/.exec(line)?.[1]
  )
    .find(Boolean);
  if (stopped !== undefined) tally.cut(stopped);
  const errors = read("errors?");
  if (errors > named) tally.errors(errors - named);
  // pytest counts a part that failed as a test, and its test as one that passed.
  const parts = tally.readParts();
  tally.count({
    passed: Math.max(0, read("passed") + read("xpassed") - parts.tests),
    failed: Math.max(0, read("failed") + read("subtests failed") - parts.more),
    skipped: read("skipped") + read("xfailed"),
  });
  return tally.toReport();
};

/** Why a file could not be collected: the last line of its error. */
function toBroken(lines: readonly string[], name: string): string {
  const at = lines.findIndex((line) =>
    line.startsWith("_") && line.includes(` ERROR collecting ${name} `)
  );
  const rest = at < 0 ? [] : lines.slice(at + 1);
  const end = rest.findIndex((line) => /^[_=]{3,}/.test(line));
  const said = rest.slice(0, end).findLast((line) => line.startsWith("E  "));
  return said?.slice(1).trim() ?? "";
}

/** A line of parallel workers: `[gw0] [ 10%] PASSED tests/test_a.py::test_b`. */
function toParallel(line: string): RegExpExecArray | null {
  const found = /^\[gw\d+\] \[\s*\d+%\] (PASSED|SKIPPED|XFAIL|XPASS|FAILED) (\S+?\.\w+)(::.*)$/
    .exec(line);
  if (found === null) return null;
  const [all, how = "", path = "", name = ""] = found;
  return Object.assign([all, path, name, how], { index: 0, input: line }) as RegExpExecArray;
}
