/** All sessions as Markdown, for a terminal or a comment. Pure. */
import { escapeWords, formatCode } from "./markdown_text.ts";
import { formatCount, formatTime } from "../../base/text/plain_text.ts";
import type { OverviewReport } from "./report_schema.ts";

const MOST_ROWS = 20;

/** Draws it. */
export function formatOverview(report: OverviewReport): string {
  const { all, by_month: months, failures, sessions, notices } = report;
  const rest = sessions.length - MOST_ROWS;
  const lines = [
    "## Sessions of this project",
    "",
    `${
      formatCount(all.total, "session")
    } with an outcome: ${all.success} succeeded, ${all.partial} in part, ${all.failure} failed.`,
    ...notices.flatMap((text) => ["", `> ${escapeWords(text)}`]),
    ...(months.length === 0 ? [] : [
      "",
      "| month | succeeded | in part | failed |",
      "|---|---:|---:|---:|",
      ...months.map((row) => `| ${row.month} | ${row.success} | ${row.partial} | ${row.failure} |`),
    ]),
    ...(failures.length === 0 ? [] : [
      "",
      "**Where work fails**",
      ...failures.map((row) =>
        `- ${row.phase}: ${row.failures}${
          row.causes.length === 0 ? "" : ` (${escapeWords(row.causes[0] ?? "")})`
        }`
      ),
    ]),
    "",
    "**Sessions**",
    ...sessions.slice(0, MOST_ROWS).map((row) =>
      `- ${formatTime(row.at)} ${row.outcome}: ${escapeWords(row.request)} ${
        row.id === "" ? "" : formatCode(row.id)
      }`
        .trimEnd()
    ),
    ...(rest > 0 ? [`- and ${rest} more`] : []),
  ];
  return `${lines.join("\n")}\n`;
}
