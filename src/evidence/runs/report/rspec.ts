/** Reads RSpec. Pure. */
import type { ReportFormat } from "./report.ts";
import { Tally, toCount } from "./report.ts";

/** Failed examples by their place, with the first line of each message. */
export const readRspec: ReportFormat = (lines) => {
  const said = lines.findLast((line) => /^\d+ examples?, \d+ failures?\b/.test(line));
  if (said === undefined) return null;
  const read = (what: string) => toCount(new RegExp(`(\\d+) ${what}`).exec(said)?.[1]);
  const tally = new Tally("rspec");
  const messages = toMessages(lines);
  let number = 0;
  for (const line of lines) {
    const failed = /^rspec (\S+?)(?::\d+|\[[^\]]*\]) # (.*)$/.exec(line);
    if (failed === null) continue;
    // Examples of a loop have one place and one name.
    tally.failNext(`${failed[1]} ${failed[2]}`, messages[number++] ?? "", failed[1]);
  }
  const broken = read("errors? occurred outside of examples");
  if (broken > 0) {
    const names = lines.flatMap((line) =>
      /^An error occurred while loading (\S+?)\.$/.exec(line)?.[1] ?? []
    );
    names.forEach((name) => tally.error(name));
    if (broken > names.length) tally.errors(broken - names.length);
  }
  const [failed, skipped] = [read("failures?"), read("pending")];
  const passed = Math.max(0, read("examples?") - failed - skipped);
  tally.count({ passed, failed, skipped });
  return tally.toReport();
};

/** The messages of the numbered failures, in their order. */
function toMessages(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line, at) => {
    if (!/^\s+Failure\/Error: /.test(line)) return [];
    return [lines.slice(at + 1, at + 6).find((next) => /^\s{5,}\S/.test(next)) ?? line];
  });
}
