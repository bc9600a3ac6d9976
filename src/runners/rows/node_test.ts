/** The runner of Node itself, `node --test`, by its `spec` output; what else it prints is TAP. Pure. */
import type { ReportFormat } from "../report.ts";
import { nextLine, parseCount, Tally } from "../report.ts";
import type { Runner } from "../runner.ts";
import { fileWords, readMembers, SCRIPT_LANGUAGES } from "../runner.ts";

const LINE = /^(\s*)([▶✔✖﹣])\s+(.*?)(?: \((?:[\d.]+m?s)\))?(?: # (SKIP|TODO)\b.*)?$/;

/** The tests up to the list of failures, which repeats them with their messages. */
const readOutput: ReportFormat = (lines) => {
  const total = lines.findLast((line) => /^ℹ tests \d+$/.test(line));
  if (total === undefined) return null;
  const tally = new Tally("node:test");
  const groups: string[] = [];
  const summary = lines.findIndex((line) => /^✖ failing tests:/.test(line));
  const end = summary < 0 ? lines.length : summary;
  for (const line of lines.slice(0, end)) {
    const found = LINE.exec(line);
    if (found === null) continue;
    const [, indent = "", sign, name = "", left] = found;
    const depth = Math.floor(indent.length / 2);
    const isEnd = groups.length > depth && groups[depth] === name;
    groups.length = Math.min(groups.length, depth);
    if (isEnd) continue;
    if (sign === "▶") groups[depth] = name;
    else if (left !== undefined || sign === "﹣") tally.skip([...groups, name].join(" > "));
    else if (sign === "✔") tally.pass([...groups, name].join(" > "));
    else tally.fail([...groups, name].join(" > "), readMessage(lines, end, name));
  }
  const read = (what: string) =>
    parseCount(lines.findLast((line) => line.startsWith(`ℹ ${what} `))?.slice(what.length + 3));
  const report = tally.toReport();
  if (report.passed + report.failed + report.skipped > 0 || Number(total.slice(8)) === 0) {
    return report;
  }
  return tally.toReport({
    passed: read("pass"),
    failed: read("fail") + read("cancelled"),
    skipped: read("skipped") + read("todo"),
  });
};

function readMessage(lines: readonly string[], from: number, name: string): string {
  const at = lines.findIndex((line, index) => index > from && LINE.exec(line)?.[3] === name);
  return at < 0 ? "" : nextLine(lines, at);
}

/** The row. */
export const NODE_TEST: Runner = {
  name: "node:test",
  languages: SCRIPT_LANGUAGES,
  programs: ["node"],
  files: {
    after: ["--test"],
    valued: /^(?:-[rC]|--(?:import|require|loader|conditions))$/,
    flags: /^--(?:test-only|test-force-exit|experimental-.*|enable-.*|no-warnings)$/,
    takesPaths: true,
    isLast: true,
  },
  guess: {
    sources: ["package.json"],
    fits: ({ texts }) => {
      const { "package.json": manifest = "", "deno.json": deno, "deno.jsonc": other } = texts;
      return /node --test|node:test/.test(manifest) ||
        manifest === "" && deno === undefined && other === undefined;
    },
    command: (files) => `node --test ${fileWords(files)}`,
  },
  setup: {
    manifests: ["package.json"],
    propose: ({ dir, texts, tests }) => {
      const isUsed = tests.some(({ path, text }) =>
        /\.[cm]?[jt]s$/.test(path) && /["']node:test["']/.test(text)
      );
      // Without file names `node --test` takes the tests below the present folder.
      const isFree = dir === "" && texts["package.json"] !== undefined &&
        readMembers(texts["package.json"], "scripts")["test"] === undefined;
      return isFree && isUsed ? [{ name: "test", runs: [["node", "--test"]] }] : [];
    },
  },
  reports: [readOutput],
  watch: { tracer: "node", unit: "test" },
  switches: /\b(?:only|skip|todo):\s*(?:true|["'`])/,
  mocks: "mock",
};
