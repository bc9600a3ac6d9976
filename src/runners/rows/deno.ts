/** `deno test`. Pure. */
import type { ReportFormat } from "../report.ts";
import { nextLine, parseCount, Tally } from "../report.ts";
import type { Runner } from "../runner.ts";
import { BLOCK_SWITCHES, fileWords, readMembers, SCRIPT_LANGUAGES } from "../runner.ts";

const SUMMARY =
  /^(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed(?: \([^)]*\))?(?: \| (\d+) ignored)?/;

/** Names by file, counts by the summary. */
const readOutput: ReportFormat = (lines) => {
  const at = lines.findLastIndex((line) => SUMMARY.test(line));
  if (at < 0) return null;
  const summary = SUMMARY.exec(lines[at] ?? "") ?? [];
  const tally = new Tally("deno test");
  const listed = lines.findIndex((line) => line.trim() === "FAILURES");
  let file: string | undefined;
  lines.forEach((line, index) => {
    file = /^running \d+ tests? from (\S.*)$/.exec(line)?.[1] ?? file;
    const test = /^(\S.*?) \.\.\. (ok|ignored|FAILED)\b/.exec(line);
    if (test?.[2] === "ok") tally.pass(`${file ?? ""} ${test[1]}`, file);
    else if (test?.[2] === "ignored") tally.skip(`${file ?? ""} ${test[1]}`, file);
    else if (test?.[2] === "FAILED") tally.inFile(file, "failed");
    const failed = /^(\S.*?) => (\S+?):\d+:\d+$/.exec(line);
    if (failed !== null) {
      const message = listed < 0 || index < listed
        ? nextLine(lines, index).replace(/^error: /, "")
        : "";
      tally.explain(`${failed[2]} ${failed[1]}`, message);
    }
    const broken = /^(\S+) \(uncaught error\)$/.exec(line)?.[1];
    if (broken !== undefined && index > listed) tally.explain(broken, "");
  });
  return tally.toReport({
    passed: parseCount(summary[1]),
    failed: parseCount(summary[2]),
    skipped: parseCount(summary[3]),
  });
};

/** The row. */
export const DENO: Runner = {
  name: "deno test",
  languages: SCRIPT_LANGUAGES,
  programs: ["deno"],
  reordered: ["--shuffle=1"],
  files: {
    after: ["test"],
    valued: /^(?:-c|--(?:config|filter|import-map|reporter|junit-path|ignore|seed|lock|cert))$/,
    flags:
      /^(?:-[APRWENSq]+|--(?:allow-\w+|parallel|fail-fast|no-check|quiet|permit-no-files|trace-leaks|frozen|unstable-.*))(?:=.*)?$/,
    refused: /^(?:--(?:changed|doc|no-run|watch)(?:=.*)?)$/,
    takesPaths: true,
    isLast: true,
  },
  guess: {
    sources: ["deno.json", "deno.jsonc"],
    fits: ({ texts }) => texts["deno.json"] !== undefined || texts["deno.jsonc"] !== undefined,
    command: (files) => `deno test ${fileWords(files)}`,
  },
  setup: {
    manifests: ["deno.json", "deno.jsonc"],
    propose: ({ dir, texts, tests }) => {
      const text = texts["deno.json"] ?? texts["deno.jsonc"];
      const isFree = text !== undefined && readMembers(text, "tasks")["test"] === undefined;
      const hasTests = tests.some(({ path }) => /(?:^|[/_.])test\.[cm]?[jt]sx?$/.test(path));
      const words = ["deno", "test", ...(dir === "" ? [] : [dir])];
      return isFree && hasTests ? [{ name: "test", runs: [words] }] : [];
    },
  },
  reports: [readOutput],
  coverage: { node: "other text" },
  watch: { tracer: "deno", unit: "file" },
  settings: { lines: [[/(?:^|\/)deno\.jsonc?$/, /"test[\w:.-]*"\s*:/]] },
  switches: new RegExp(`${BLOCK_SWITCHES.source}|\\bignore:\\s*(?:true|["'\`])`),
};
