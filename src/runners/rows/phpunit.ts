/** PHPUnit, and Pest, which runs it. Pure. */
import type { ReportFormat } from "../report.ts";
import { findGroup, nextLine, parseCount, Tally, valueOf } from "../report.ts";
import type { Runner } from "../runner.ts";
import { CHECK_SCRIPTS, fileWords, readMembers } from "../runner.ts";

/** The last summary; what is risky or has warnings passed. */
const readOutput: ReportFormat = (lines) => {
  const good = lines.findLast((line) => /^OK \(\d+ tests?, \d+ assertions?\)/.test(line));
  const said = lines.findLast((line) => /^Tests: \d+, Assertions: \d+/.test(line));
  const isNone = lines.some((line) => /^No tests executed!$/.test(line));
  if (good === undefined && said === undefined && !isNone) return null;
  const tally = new Tally("phpunit", findGroup(lines, /^PHPUnit (\d[\w.-]*) by /));
  const isBad = lines.some((line) => /^There (?:was|were) \d+ (?:failure|error)s?:$/.test(line));
  let isList = false;
  lines.forEach((line, at) => {
    if (/^There (?:was|were) \d+ /.test(line)) isList = /(?:failure|error)s?:$/.test(line);
    const failed = /^\d+\) (\S+::.+)$/.exec(line)?.[1];
    if (failed === undefined || !isList || !isBad) return;
    // The values of a data set may hold what differs from run to run.
    const name = failed.replace(/( with data set (?:#\d+|"[^"]*")) \(.*$/, "$1");
    tally.failNext(name, nextLine(lines, at));
  });
  if (good !== undefined) {
    return tally.toReport({ passed: parseCount(/\d+/.exec(good)?.[0]), failed: 0, skipped: 0 });
  }
  const failed = valueOf(said, "Failures", "Errors");
  const skipped = valueOf(said, "Skipped", "Incomplete");
  const passed = Math.max(0, valueOf(said, "Tests") - failed - skipped);
  return tally.toReport({ passed, failed, skipped });
};

/** The row. */
export const PHPUNIT: Runner = {
  name: "phpunit",
  languages: ["PHP"],
  programs: ["phpunit"],
  reordered: ["--order-by=reverse"],
  onlyTests: true,
  files: {
    valued: /^(?:-[cd]|--(?:configuration|bootstrap|filter|group|exclude-group|log-junit))$/,
    flags: /^--(?:testdox|colors|no-coverage|stop-on-.*|fail-on-.*)$/,
    refused: /^--testsuite(?:=.*)?$/,
    takesPaths: true,
    takesOne: true,
  },
  guess: { command: (files) => `vendor/bin/phpunit ${fileWords(files)}` },
  setup: {
    manifests: ["composer.json"],
    sources: ["phpunit.xml", "phpunit.xml.dist"],
    propose: ({ dir, texts }) => {
      const isShown = ["phpunit.xml", "phpunit.xml.dist"].some((name) => texts[name] !== undefined);
      const scripts = readMembers(texts["composer.json"], "scripts");
      const isFree = dir === "" && CHECK_SCRIPTS.every((name) => scripts[name] === undefined);
      return isShown && isFree ? [{ name: "test", runs: [["vendor/bin/phpunit"]] }] : [];
    },
  },
  reports: [readOutput],
  coverage: { files: ["build/logs/cobertura.xml"] },
  settings: { files: /phpunit\.xml(?:\.dist)?/ },
  watch: { tracer: "pcov", unit: "test" },
  switches: /\bmarkTest(?:Skipped|Incomplete)\s*\(/,
  leaves: { files: /\.phpunit\.result\.cache/ },
};

/** The row. */
export const PEST: Runner = {
  name: "pest",
  languages: ["PHP"],
  programs: ["pest"],
  onlyTests: true,
  ...(PHPUNIT.files === undefined ? {} : { files: PHPUNIT.files }),
  guess: {
    sources: ["composer.json"],
    fits: ({ texts }) => /"pestphp\/pest"/.test(texts["composer.json"] ?? ""),
    command: (files) => `vendor/bin/pest ${fileWords(files)}`,
  },
};
