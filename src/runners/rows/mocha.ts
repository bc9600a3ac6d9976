/** The row of mocha: how it is called, and what its spec and dot reporters print. Pure. */
import type { ReportFormat } from "../report.ts";
import { findGroup, parseCount, sumOf, Tally } from "../report.ts";
import type { Runner } from "../runner.ts";
import { BLOCK_SWITCHES, guessByManifest, ISTANBUL_FILES, SCRIPT_LANGUAGES } from "../runner.ts";

/** Passed tests are named by their groups; failed ones as in the list at the end. */
const readOutput: ReportFormat = (lines) => {
  const end = lines.findLastIndex((line) => /^\s+\d+ passing \(.*\)$/.test(line));
  if (end < 0) return null;
  const rest = lines.slice(end);
  const read = (what: string) => parseCount(findGroup(rest, new RegExp(`^\\s+(\\d+) ${what}$`)));
  const tally = new Tally("mocha");
  const groups: string[] = [];
  for (const line of lines.slice(0, end)) {
    const found = /^( +)(?:(✔|✓|-|\d+\)) )?(\S.*)$/.exec(line);
    if (found === null) continue;
    const [, indent = "", sign, title = ""] = found;
    const depth = Math.max(0, indent.length / 2 - 1);
    groups.length = Math.min(groups.length, depth);
    const name = [...groups, title].filter(Boolean).join(" > ");
    if (sign === undefined) groups[depth] = title;
    else if (sign === "-") tally.skip(name);
    else if (!sign.endsWith(")")) tally.pass(name);
  }
  rest.forEach((line, at) => {
    const first = /^ {2}\d+\) (.*)$/.exec(line)?.[1];
    if (first === undefined) return;
    const parts = [first];
    let next = at + 1;
    while (!parts.at(-1)?.endsWith(":") && next < at + 8) parts.push(rest[next++]?.trim() ?? "");
    const message = rest.slice(next).find((text) => text.trim() !== "") ?? "";
    const name = parts.filter((part) => part !== "").join(" > ").replace(/:$/, "");
    if (/"(?:before|after) (?:all|each)" hook/.test(name)) tally.error(name, message);
    else tally.fail(name, message);
  });
  const failed = Math.max(0, read("failing") - tally.toReport().errors);
  return tally.toReport({
    passed: sumOf(lines[end], "passing"),
    failed,
    skipped: read("pending"),
  });
};

/** The row. */
export const MOCHA: Runner = {
  name: "mocha",
  languages: SCRIPT_LANGUAGES,
  programs: ["mocha"],
  onlyTests: true,
  files: {
    valued:
      /^(?:-[rRgftuj]|--(?:require|reporter|grep|fgrep|timeout|ui|config|package|jobs|slow))$/,
    flags: /^(?:-b|--(?:bail|recursive|exit|parallel))$/,
    refused: /^--(?:spec|file)(?:=.*)?$/,
    takesPaths: true,
  },
  guess: guessByManifest("npx mocha", /\bmocha\b/),
  reports: [readOutput],
  coverage: { files: ISTANBUL_FILES, node: "same text" },
  watch: { tracer: "node", unit: "test" },
  settings: {
    files: /\.mocharc(?:\.\w+)?/,
    lines: [[/(?:^|\/)package\.json$/, /"mocha"\s*:/]],
  },
  switches: BLOCK_SWITCHES,
};
