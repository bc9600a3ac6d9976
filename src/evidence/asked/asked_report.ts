/**
 * Asks a test runner for a report in a file beside what it prints, by a variable that it reads itself: the person's
 * command stays as it is, and what it prints too, save the line that names the file.
 */
import { join } from "node:path";
import { readRegularText } from "../../base/files/regular_file.ts";
import { addPytestNames } from "../runs/report/pytest_junit.ts";
import type { TestReport } from "../runs/report/report.ts";

/** A report that a run was asked for. */
export interface AskedReport {
  /** Variables of the command. */
  readonly env: Readonly<Record<string, string>>;
  /** The same in words for people, without the name of the file. */
  readonly set: readonly string[];
  /** What was printed, with what the report adds; as printed where the run wrote none. */
  add(printed: TestReport | null): TestReport | null;
}

const PYTEST = /(?:^|[\s;&|/\\])(?:py\.test|pytest)(?:\.exe)?(?:\s|$)/;
const WITHOUT_JUNIT = /\bno:junitxml\b|--junit-?xml\b/;
const VARIABLE = "PYTEST_ADDOPTS";
/** A report of some 100,000 tests (guessed); a larger one is not read. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Whether a command is asked: not where the runner has no such variable, or the command wants a report of its own. */
export function isAskedForReport(run: readonly string[]): boolean {
  return run.some((word) => PYTEST.test(word)) && !run.some((word) => WITHOUT_JUNIT.test(word)) &&
    !WITHOUT_JUNIT.test(Deno.env.get(VARIABLE) ?? "");
}

/**
 * Asks for a report in a folder that is the run's alone.
 *
 * @returns Null where {@link isAskedForReport} says so.
 */
export function askForReport(run: readonly string[], folder: string): AskedReport | null {
  if (!isAskedForReport(run)) return null;
  const known = Deno.env.get(VARIABLE) ?? "";
  const path = join(folder, "report.xml");
  const added = (file: string) =>
    `${known} --junitxml='${file.replaceAll("'", "'\\''")}' -o junit_family=xunit1`.trim();
  return {
    env: { [VARIABLE]: added(path) },
    set: [`${VARIABLE}=${added("…")}`],
    add(printed) {
      const xml = readRegularText(path, { within: folder, maxBytes: MAX_BYTES });
      return xml === undefined ? printed : addPytestNames(printed, xml);
    },
  };
}
