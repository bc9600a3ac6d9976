/**
 * Asks a test runner for a report in a file beside what it prints, by a variable that it reads itself: the person's
 * command stays as it is, and what it prints too, save the line that names the file.
 */
import { join } from "node:path";
import { readRegularText } from "../../base/files/regular_file.ts";
import { addPytestNames } from "./report/pytest_junit.ts";
import type { TestReport } from "./report/report.ts";

/** A report that a run was asked for. */
export interface AskedReport {
  /** Variables of the command. */
  readonly env: Readonly<Record<string, string>>;
  /** The same in words for people, without the name of the file. */
  readonly set: readonly string[];
  /** What was printed, with what the report adds; as printed where the run wrote none. */
  add(printed: TestReport | null): TestReport | null;
  /** A text without the name of the file, which differs from run to run. */
  clean(text: string): string;
  /** Removes the file. */
  close(): Promise<void>;
}

const PYTEST = /(?:^|[\s;&|/\\])(?:py\.test|pytest)(?:\.exe)?(?:\s|$)/;
const WITHOUT_JUNIT = /\bno:junitxml\b|--junit-?xml\b/;
const VARIABLE = "PYTEST_ADDOPTS";
/** A report of some 100,000 tests (guessed); a larger one is not read. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Makes the place for the report of a run.
 *
 * @returns Null where the runner has no such variable, the command wants a report of its own, or there is no place.
 */
export async function askForReport(run: readonly string[]): Promise<AskedReport | null> {
  if (!run.some((word) => PYTEST.test(word)) || run.some((word) => WITHOUT_JUNIT.test(word))) {
    return null;
  }
  const known = Deno.env.get(VARIABLE) ?? "";
  if (WITHOUT_JUNIT.test(known)) return null;
  const folder = await Deno.makeTempDir({ prefix: "code-intel-report-" }).catch(() => null);
  if (folder === null) return null;
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
    clean: (text) => text.replaceAll(folder, "…"),
    close: () => Deno.remove(folder, { recursive: true }).catch(() => {}),
  };
}
