/** The Test Anything Protocol: `node --test`, `deno test --reporter=tap`, tap, tape, bats, prove. Pure. */
import type { ReportFormat } from "../report.ts";
import { Tally } from "../report.ts";
import type { Runner } from "../runner.ts";
import { SCRIPT_LANGUAGES } from "../runner.ts";

const RESULT = /^((?: {4})*)(not )?ok\b(?:\s+\d+)?(?:\s+-)?\s*(.*)$/;
const INDENT = 4;

/** The results without children count: what only holds others is no test of its own. */
const readOutput: ReportFormat = (lines) => {
  const isTap = lines.some((line) => /^TAP version \d+$/.test(line)) ||
    lines.some((line) => /^1\.\.\d+$/.test(line)) &&
      lines.some((line) => /^(?:not )?ok \d/.test(line));
  if (!isTap) return null;
  const tally = new Tally("TAP");
  const parents: string[] = [];
  let file: string | undefined;
  // How many results of each depth there were since the last one above them, and how many of them failed.
  const below: { all: number; failed: number }[] = [];
  lines.forEach((line, at) => {
    const bail = /^Bail out!\s*(.*)$/.exec(line)?.[1];
    if (bail !== undefined) tally.cut(bail === "" ? "bail out" : bail);
    const begun = /^((?: {4})*)# Subtest: (.*)$/.exec(line);
    if (begun !== null) {
      const depth = (begun[1] ?? "").length / INDENT;
      parents.length = depth;
      parents[depth] = begun[2] ?? "";
      return;
    }
    file = /^# (\.?[\w./\\-]+\.\w+)$/.exec(line)?.[1] ?? file;
    const result = RESULT.exec(line);
    if (result === null) return;
    const depth = (result[1] ?? "").length / INDENT;
    const isFailed = result[2] !== undefined;
    const [title = "", directive = ""] = (result[3] ?? "").split(/ #(?= ?(?:SKIP|TODO)\b)/i);
    const children = below[depth + 1] ?? { all: 0, failed: 0 };
    below.length = depth + 1;
    const level = below[depth] ??= { all: 0, failed: 0 };
    level.all++;
    const isLeft = directive !== "";
    if (isFailed && !isLeft) level.failed++;
    if (children.all > 0 && (!isFailed || children.failed > 0)) return;
    const name = [...parents.slice(0, depth), title].join(" > ");
    if (isLeft) return tally.skip(name, file);
    const isFile = /^(?:\/|[A-Za-z]:\\).*\.\w+$/.test(title);
    // `node --test` counts a file without tests as one that passed.
    if (!isFailed) return isFile ? undefined : tally.pass(name, file);
    const message = readMessage(lines, at);
    return isFile ? tally.error(name, message) : tally.fail(name, message, file);
  });
  return tally.toReport();
};

/** The message in the block that follows a failed result. */
function readMessage(lines: readonly string[], at: number): string {
  for (let next = at + 1; next < Math.min(lines.length, at + 30); next++) {
    const line = lines[next] ?? "";
    if (/^\s*\.\.\.$/.test(line) || RESULT.test(line)) return "";
    const json = /^\s*\{"message":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1];
    if (json !== undefined) return json.split("\\n")[0] ?? "";
    const said = /^\s*(?:error|message):\s*(.*)$/.exec(line)?.[1];
    if (said === undefined) continue;
    return /^[|>]-?$/.test(said) ? lines[next + 1] ?? "" : said.replace(/^(['"])(.*)\1$/, "$2");
  }
  return "";
}

/** The row: `tap` itself, and the output of all others. */
export const TAP: Runner = {
  name: "tap",
  languages: SCRIPT_LANGUAGES,
  programs: ["tap"],
  reports: [readOutput],
  coverage: { node: "same text" },
  watch: { tracer: "node", unit: "file" },
  settings: { files: /\.taprc/, lines: [[/(?:^|\/)package\.json$/, /"tap"\s*:/]] },
};
