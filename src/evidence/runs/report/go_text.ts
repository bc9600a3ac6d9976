/** Reads `go test`, with and without `-v`. Pure. */
import type { ReportFormat } from "./report.ts";
import { nextLine, Tally } from "./report.ts";

/** Failed tests are named by package; without `-v` packages are counted, since nothing says how many tests passed. */
export const readGoText: ReportFormat = (lines) => {
  const isGo = lines.some((line) => /^(?:ok {2}|FAIL|\? {3})\t\S+(?:\t|$| \[)/.test(line));
  if (!isGo) return null;
  const tally = new Tally("go test");
  const isVerbose = lines.some((line) => /^\s*--- (?:PASS|SKIP): /.test(line));
  // The package of a test is named behind its tests.
  let tests: { readonly how: string; readonly name: string; readonly line: string }[] = [];
  let hasPanic = false;
  const packages = { passed: 0, failed: 0, skipped: 0 };
  lines.forEach((line, at) => {
    const test = /^\s*--- (PASS|FAIL|SKIP): (\S+)/.exec(line);
    if (test !== null) {
      const [, how = "", name = ""] = test;
      tests.push({ how, name, line: how === "FAIL" ? toMessage(lines, at, isVerbose) : "" });
      return;
    }
    hasPanic ||= line.startsWith("panic: ");
    const pack = /^(ok {2}|FAIL)\t(\S+)(.*)$/.exec(line);
    if (pack === null) return;
    const [, how = "", name = "", rest = ""] = pack;
    const isEmpty = rest.includes("[no tests to run]");
    if (how !== "FAIL") packages[isEmpty ? "skipped" : "passed"]++;
    else if (!tests.some((one) => one.how === "FAIL")) {
      tally.error(name, toBuildMessage(lines, name));
    } else packages.failed++;
    for (const { how, name: test, line: message } of tests) {
      if (how === "FAIL") tally.fail(`${name}.${test}`, message);
      else if (how === "SKIP") tally.skip(`${name}.${test}`);
      else tally.pass(`${name}.${test}`);
    }
    if (how === "FAIL" && hasPanic) tally.cut(`${name} (panic)`);
    hasPanic = false;
    tests = [];
  });
  if (!isVerbose) tally.count(packages, "packages");
  return tally.toReport();
};

const SAID = /^\s+\S+\.go:\d+:|^panic: /;
/** Lines of one message of a library for assertions, which begins with an empty line behind its place. */
const MOST_LINES = 30;

/** The message stands below the result, or with `-v` above it. */
function toMessage(lines: readonly string[], at: number, isVerbose: boolean): string {
  const isOther = (line: string) =>
    /^\s*(?:--- (?:PASS|FAIL|SKIP):|=== [A-Z]+ )|^(?:FAIL|ok {2})\b/.test(line);
  const above = lines.slice(Math.max(0, at - MOST_LINES), at);
  const below = lines.slice(at + 1, at + 1 + MOST_LINES);
  const end = below.findIndex(isOther);
  const part = isVerbose
    ? above.slice(above.findLastIndex(isOther) + 1)
    : end < 0
    ? below
    : below.slice(0, end);
  const said = part.findIndex((line) => SAID.test(line));
  const near = isVerbose ? part.at(-1) ?? "" : part[0] ?? "";
  if (SAID.test(near) && !/:\s*$/.test(near)) return near;
  if (said < 0) return "";
  const rest = part.slice(said + 1).flatMap((line) =>
    /^\s+(?:Error:\s+(\S.*)|((?:expected|actual)\s*: .*))$/.exec(line)?.slice(1) ?? []
  );
  const what = rest.flatMap((text) => text === undefined ? [] : [text.trim()]).slice(0, 3);
  return [part[said]?.trimEnd() ?? "", ...what].join(" ");
}

function toBuildMessage(lines: readonly string[], name: string): string {
  const at = lines.findIndex((line) => line.startsWith(`# ${name}`));
  return at < 0 ? lines.find((line) => line.startsWith("panic: ")) ?? "" : nextLine(lines, at);
}
