/** Reads mocha's spec and dot reporters. Pure. */
import type { ReportFormat } from "./report.ts";
import { Tally, toCount } from "./report.ts";

/** Passed tests are named by their groups; failed ones as in the list at the end. */
export const readMocha: ReportFormat = (lines) => {
  const end = lines.findLastIndex((line) => /^\s+\d+ passing \(.*\)$/.test(line));
  if (end < 0) return null;
  const read = (what: string) =>
    toCount(
      lines.slice(end).map((line) => new RegExp(`^\\s+(\\d+) ${what}$`).exec(line)?.[1]).find(
        Boolean,
      ),
    );
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
  const rest = lines.slice(end);
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
  const passed = toCount(/(\d+) passing/.exec(lines[end] ?? "")?.[1]);
  const errors = tally.toReport().errors;
  tally.count({ passed, failed: Math.max(0, read("failing") - errors), skipped: read("pending") });
  return tally.toReport();
};
