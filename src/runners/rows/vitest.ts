/** The row of vitest: how it is called, and what it prints. Pure. */
import type { ReportFormat } from "../report.ts";
import { findGroup, nextLine, parseCount, sumOf, Tally } from "../report.ts";
import type { Runner } from "../runner.ts";
import { BLOCK_SWITCHES, guessByManifest, ISTANBUL_FILES, SCRIPT_LANGUAGES } from "../runner.ts";

/** The project of a workspace: `|main| `, or ` main  ` where it was coloured. */
const LABEL = String.raw`(?:\|[^|]+\| | \S+(?: \S+)* {2})?`;
const FAILED = new RegExp(String.raw`^\s*FAIL {2}${LABEL}(\S.*)$`);
const FILE = new RegExp(
  String.raw`^\s*[✓❯×↓] ${LABEL}(\S+\.\w+) {1,2}\((\d+) tests?(?: \| ([^)]*))?\)`,
);
const TEST = new RegExp(String.raw`^\s*([✓↓]) ${LABEL}((\S+\.\w+) > .*?)(?: \d+ ?ms)?$`);

/** Counts by its summary, by file where the lines of files are shown. */
const readOutput: ReportFormat = (lines) => {
  const said = lines.findLast((line) => /^\s*Tests {2,}(?:no tests|\d+ \w+.*\(\d+\))$/.test(line));
  const isNone = lines.some((line) => /^\s*No test files found, exiting with code/.test(line));
  if (said === undefined && !isNone) return null;
  const tally = new Tally("vitest", findGroup(lines, /^\s*RUN {2}v(\d[\w.-]*)/));
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
      const bad = sumOf(rest, "failed");
      const left = sumOf(rest, "skipped", "todo");
      tally.inFile(path, "failed", bad);
      tally.inFile(path, "skipped", left);
      tally.inFile(path, "passed", parseCount(count) - bad - left);
      return;
    }
    const test = TEST.exec(line);
    if (test !== null) tally.note(test[1] ?? "", test[2] ?? "", "", test[3]);
  });
  return tally.toReport({
    passed: sumOf(said, "passed"),
    failed: sumOf(said, "failed"),
    skipped: sumOf(said, "skipped", "todo"),
  });
};

/** The row. */
export const VITEST: Runner = {
  name: "vitest",
  languages: SCRIPT_LANGUAGES,
  programs: ["vitest"],
  reordered: ["--sequence.shuffle", "--sequence.seed=1"],
  onlyTests: true,
  files: {
    after: ["run"],
    valued: /^(?:-[ct]|--(?:config|testNamePattern|reporter|outputFile|pool|environment|bail))$/,
    refused: /^(?:-r|--(?:root|dir|changed|related|project|workspace|shard|exclude)(?:=.*)?)$/,
  },
  guess: guessByManifest("npx vitest run", /\bvitest\b/),
  reports: [readOutput],
  coverage: { files: ISTANBUL_FILES, node: "other text" },
  watch: { tracer: "node", unit: "test" },
  settings: {
    files: /vitest\.(?:config|conf|workspace|setup)\.\w+/,
    lines: [
      [/(?:^|\/)package\.json$/, /"vitest"\s*:/],
      [
        /(?:^|\/)vite\.config\.\w+$/,
        /\btests?\b|\b(?:include|exclude|setupFiles|passWithNoTests|retry|bail|allowOnly)\s*:/,
      ],
    ],
  },
  switches: BLOCK_SWITCHES,
  mocks: "vi",
  caches: [".vitest"],
};
