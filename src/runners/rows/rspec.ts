/** RSpec. Pure. */
import type { ReportFormat } from "../report.ts";
import { sumOf, Tally } from "../report.ts";
import type { Runner } from "../runner.ts";
import { fileWords } from "../runner.ts";

/** Failed examples by their place, with the first line of each message. */
const readOutput: ReportFormat = (lines) => {
  const said = lines.findLast((line) => /^\d+ examples?, \d+ failures?\b/.test(line));
  if (said === undefined) return null;
  const tally = new Tally("rspec");
  const messages = listMessages(lines);
  let number = 0;
  for (const line of lines) {
    const failed = /^rspec (\S+?)(?::\d+|\[[^\]]*\]) # (.*)$/.exec(line);
    if (failed === null) continue;
    // Examples of a loop have one place and one name.
    tally.failNext(`${failed[1]} ${failed[2]}`, messages[number++] ?? "", failed[1]);
  }
  const broken = sumOf(said, "errors? occurred outside of examples");
  if (broken > 0) {
    const names = lines.flatMap((line) =>
      /^An error occurred while loading (\S+?)\.$/.exec(line)?.[1] ?? []
    );
    names.forEach((name) => tally.error(name));
    if (broken > names.length) tally.errors(broken - names.length);
  }
  const [failed, skipped] = [sumOf(said, "failures?"), sumOf(said, "pending")];
  const passed = Math.max(0, sumOf(said, "examples?") - failed - skipped);
  return tally.toReport({ passed, failed, skipped });
};

/** The messages of the numbered failures, in their order. */
function listMessages(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line, at) => {
    if (!/^\s+Failure\/Error: /.test(line)) return [];
    return [lines.slice(at + 1, at + 6).find((next) => /^\s{5,}\S/.test(next)) ?? line];
  });
}

/** The row. */
export const RSPEC: Runner = {
  name: "rspec",
  languages: ["Ruby"],
  programs: ["rspec"],
  reordered: ["--order=rand:1"],
  onlyTests: true,
  files: {
    valued: /^(?:-[frIteo]|--(?:format|require|tag|example|out|seed|order|options))$/,
    flags: /^(?:-[cbw]|--(?:color|colour|no-color|fail-fast|backtrace|warnings))$/,
    refused:
      /^(?:-P|--(?:pattern|exclude-pattern|default-path|only-failures|next-failure))(?:=.*)?$/,
    takesPaths: true,
  },
  guess: {
    fits: (_tools, path) => path.endsWith("_spec.rb"),
    command: (files) => `bundle exec rspec ${fileWords(files)}`,
  },
  reports: [readOutput],
  coverage: {
    files: ["coverage/coverage.xml", "coverage/cobertura.xml"],
    folders: ["coverage/lcov"],
  },
  settings: { files: /\.rspec|(?:spec|rails)_helper\.rb/ },
};
