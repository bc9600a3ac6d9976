/** Maven with surefire and failsafe. Pure. */
import { addClassNames } from "../junit_xml.ts";
import type { ReportFormat } from "../report.ts";
import { nextLine, parseCount, Tally } from "../report.ts";
import type { Runner } from "../runner.ts";
import { option, proposeFor, stemOf } from "../runner.ts";

const RUN = /Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)/;

/** The sums over all modules; counts by class. */
const readOutput: ReportFormat = (lines) => {
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
    const bad = parseCount(failures) + parseCount(errors);
    const left = parseCount(skipped);
    const type = / in (\S+)$/.exec(line)?.[1];
    if (type !== undefined) {
      tally.inFile(type, "failed", bad);
      tally.inFile(type, "skipped", left);
      tally.inFile(type, "passed", parseCount(all) - bad - left);
    } else if (!line.includes("Time elapsed")) {
      isMaven = true;
      sum.failed += bad;
      sum.skipped += left;
      sum.passed += parseCount(all) - bad - left;
    }
  });
  if (!isMaven) return null;
  return tally.toReport(sum);
};

/** How JUnit and its relatives switch off a test. */
export const JUNIT_SWITCHES = /@(?:Disabled|Ignore)\b|\bassum(?:e|ing)(?:True|That|False)\s*\(/;

/** The row. */
export const MAVEN: Runner = {
  name: "maven",
  languages: ["Java", "Kotlin", "Scala"],
  programs: ["mvn", "mvnw", "mvnd"],
  guess: {
    fits: ({ hasFile }) => hasFile("pom.xml"),
    command: (files, { hasFile }) =>
      `${hasFile("mvnw") ? "./mvnw" : "mvn"} -q test -Dtest=${files.map(stemOf).join(",")}`,
  },
  setup: proposeFor(["pom.xml"], (dir) => ["mvn", "-q", ...option("-f", dir), "test"], "mvnw"),
  reports: [readOutput],
  written: {
    folders: ["target/surefire-reports", "target/failsafe-reports"],
    read: addClassNames("maven"),
  },
  watch: { tracer: "java", unit: "test" },
  coverage: {
    files: ["target/cobertura/cobertura.xml", "target/site/cobertura/coverage.xml"],
  },
  settings: {
    lines: [[
      /(?:^|\/)pom\.xml$/,
      /surefire|failsafe|skipTests|skipITs|maven\.test|<(?:exclude|groups|excludedGroups)>/,
    ]],
  },
  switches: JUNIT_SWITCHES,
  variables: ["MAVEN_ARGS"],
};
