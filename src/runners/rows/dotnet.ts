/** `dotnet test`, with the old and the new summary. Pure. */
import type { ReportFormat } from "../report.ts";
import { parseCount, Tally, valueOf } from "../report.ts";
import type { Runner } from "../runner.ts";
import { stemOf } from "../runner.ts";

const PER_PROJECT =
  /^(?:Passed|Failed|Skipped)!\s+- Failed:\s+(\d+), Passed:\s+(\d+), Skipped:\s+(\d+), Total:/;

/** Sums over the projects. */
const readOutput: ReportFormat = (lines) => {
  const tally = new Tally("dotnet test");
  const sum = { passed: 0, failed: 0, skipped: 0 };
  let isFound = false;
  const totals = lines.findLast((line) => /^Test summary: total: \d+/.test(line));
  lines.forEach((line, at) => {
    const project = PER_PROJECT.exec(line);
    if (project !== null) {
      isFound = true;
      sum.failed += parseCount(project[1]);
      sum.passed += parseCount(project[2]);
      sum.skipped += parseCount(project[3]);
    }
    const single = /^Total tests: \d+/.exec(line);
    if (single !== null && totals === undefined) {
      isFound = true;
      const rest = lines.slice(at + 1, at + 4).join("\n");
      sum.passed += valueOf(rest, "Passed");
      sum.failed += valueOf(rest, "Failed");
      sum.skipped += valueOf(rest, "Skipped");
    }
    if (/^No test is available in /.test(line)) isFound = true;
    const test = /^\s+(Passed|Failed|Skipped) (\S.*?) \[[^\]]*\]$/.exec(line);
    if (test !== null) tally.note(test[1] ?? "", test[2] ?? "", readMessage(lines, at));
    const listed = /^\s*(?:\S.*?: )?error TESTERROR:?\s*(\S+) \([^)]*\): Error Message: (.*)$/.exec(
      line,
    );
    if (listed !== null) tally.fail(listed[1] ?? "", listed[2]);
  });
  if (totals === undefined) return isFound ? tally.toReport(sum) : null;
  return tally.toReport({
    passed: valueOf(totals, "succeeded"),
    failed: valueOf(totals, "failed"),
    skipped: valueOf(totals, "skipped"),
  });
};

function readMessage(lines: readonly string[], at: number): string {
  const head = lines.findIndex((line, index) =>
    index > at && index < at + 4 && /Error Message:/.test(line)
  );
  return head < 0 ? "" : lines[head + 1] ?? "";
}

/** The row. */
export const DOTNET: Runner = {
  name: "dotnet test",
  languages: ["C#"],
  programs: ["dotnet"],
  guess: {
    command: (files) => {
      const names = files.map((path) => `FullyQualifiedName~${stemOf(path)}`);
      return `dotnet test --filter "${names.join("|")}"`;
    },
  },
  reports: [readOutput],
  // Every run has a folder of its own there.
  coverage: { files: ["coverage.cobertura.xml"], folders: ["TestResults"] },
  settings: { files: /[\w.-]+\.runsettings/ },
  switches: /\bSkip\s*=\s*"/,
  leaves: { folders: /TestResults/, files: /[^/]*\.trx/ },
};
