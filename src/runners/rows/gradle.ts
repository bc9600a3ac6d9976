/** Gradle. Pure. */
import { addClassNames } from "../junit_xml.ts";
import type { ReportFormat } from "../report.ts";
import { nextLine, parseCount, Tally } from "../report.ts";
import type { Runner } from "../runner.ts";
import { option, proposeFor, stemOf } from "../runner.ts";
import { JUNIT_SWITCHES } from "./maven.ts";

/** Gradle says how many tests ran only where some failed, or where the project shows its test events. */
const readOutput: ReportFormat = (lines) => {
  const tally = new Tally("gradle");
  lines.forEach((line, at) => {
    const test = /^(\S.* > .+?) (PASSED|FAILED|SKIPPED)$/.exec(line);
    if (test !== null) tally.note(test[2] ?? "", test[1] ?? "", nextLine(lines, at));
  });
  const said = lines.map((line) =>
    /^(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?$/.exec(line)
  )
    .filter((match) => match !== null);
  const named = tally.toReport();
  if (said.length === 0) return named.passed + named.failed + named.skipped === 0 ? null : named;
  const total = (group: number) => said.reduce((sum, match) => sum + parseCount(match[group]), 0);
  return tally.toReport({
    passed: total(1) - total(2) - total(3),
    failed: total(2),
    skipped: total(3),
  });
};

/** The row. */
export const GRADLE: Runner = {
  name: "gradle",
  languages: ["Java", "Kotlin", "Scala"],
  programs: ["gradle", "gradlew"],
  guess: {
    command: (files, { hasFile }) => {
      const names = files.map((path) => `--tests '*${stemOf(path)}'`).join(" ");
      return `${hasFile("gradlew") ? "./gradlew" : "gradle"} test ${names}`;
    },
  },
  setup: proposeFor(
    ["build.gradle", "build.gradle.kts"],
    (dir) => ["gradle", ...option("-p", dir), "test"],
    "gradlew",
  ),
  reports: [readOutput],
  written: { folders: ["build/test-results"], read: addClassNames("gradle") },
  settings: {
    lines: [[
      /(?:^|\/)build\.gradle(?:\.kts)?$/,
      /\btest\b|useJUnit|excludeT|ignoreFailures|onlyIf|enabled\s*=/,
    ]],
  },
  switches: JUNIT_SWITCHES,
  variables: ["GRADLE_OPTS"],
  leaves: { folders: /\.gradle/ },
};
