/** A report as Markdown for a pull request: under 60 lines, whatever the session was. Pure. */
import { escapeWords, formatCode } from "./markdown_text.ts";
import type { ReportFile, SessionReport } from "./report_schema.ts";
import { formatCount, formatDuration, formatTime } from "../../base/text/plain_text.ts";
import { formatCoverage, formatMutants, formatOutcome } from "./plain.ts";

/** Most lines of the whole text. */
export const MOST_MARKDOWN_LINES = 59;
const MOST_ROWS = 8;

/** Draws it; each list is cut as far as the whole needs it, and what is left out is counted. */
export function formatReport(report: SessionReport): string {
  let lines: readonly string[] = [];
  for (let most = MOST_ROWS; most > 0; most--) {
    lines = formatLines(report, most);
    if (lines.length <= MOST_MARKDOWN_LINES) break;
  }
  return `${lines.slice(0, MOST_MARKDOWN_LINES).join("\n")}\n`;
}

function formatLines(report: SessionReport, most: number): readonly string[] {
  const { session, overrides, notices, together } = report;
  const files = (report.files ?? []).filter((file) => !file.discarded);
  return [
    `## ${escapeWords(session.request)}`,
    "",
    `**${formatOutcome(session)}**, ${formatVerified(report)}. ${formatEffort(report)}`,
    ...formatSection("Completion forced with open issues", report.forced.map(escapeWords), most),
    ...formatSection("Overrides by the person", overrides.map(formatOverride), most),
    ...formatSection(
      "The request, and what was shown for it",
      report.clauses.map(formatClause),
      most,
    ),
    ...formatSection("Verification", formatVerification(report, most), Infinity),
    ...formatSection(
      "Findings, and the agent's answers",
      report.findings.map(({ what, reason }) => `${escapeWords(what)}: ${escapeWords(reason)}`),
      most,
    ),
    ...formatSection("Tasks", report.tasks.map(formatTask), most),
    ...formatSection(`Changed files (${files.length})`, files.map(formatFile), most),
    ...formatSection("Usually change with these, and did not", together.map(formatTogether), most),
    ...formatSection("Learned", report.learned.map(formatLearned), most),
    ...(notices.length === 0
      ? []
      : ["", ...notices.slice(0, 3).map((one) => `> ${escapeWords(one)}`)]),
    "",
    `<sub>${formatCode(session.id)}, ${formatTime(session.started_at)}</sub>`,
  ];
}

function formatOverride(row: SessionReport["overrides"][number]): string {
  return `${formatCode(row.decision)} at ${row.stage} (${row.source}): ${escapeWords(row.reason)}`;
}

function formatClause(
  { clause, showed, on_record: isProven }: SessionReport["clauses"][number],
): string {
  const word = showed === null || isProven !== false ? "" : " (the agent's word)";
  return `${formatCode(clause)}: ${
    showed === null ? "**nothing was shown**" : escapeWords(showed)
  }${word}`;
}

const MOST_EVIDENCE = 3;

function formatTask({ description, items }: SessionReport["tasks"][number]): string {
  const done = items.filter(({ status }) => status === "done").length;
  const evidence = [...new Set(items.flatMap(({ evidence: text }) => text ?? []))];
  const shown = evidence.slice(0, MOST_EVIDENCE).map(formatCode).join(", ");
  const rest = evidence.length - MOST_EVIDENCE;
  const places = shown === "" ? "" : `: ${shown}${rest > 0 ? ` and ${rest} more` : ""}`;
  return `${escapeWords(description)} (${done} of ${formatCount(items.length, "item")}${places})`;
}

function formatFile({ path, kind, added, removed }: ReportFile): string {
  return `${formatCode(path)} ${kind}${added === null ? "" : `, +${added} −${removed ?? 0}`}`;
}

function formatTogether(row: SessionReport["together"][number]): string {
  return `${formatCode(row.path)}: in ${row.times} of ${
    formatCount(row.of, "commit")
  } that changed ${formatCode(row.with)}`;
}

function formatLearned({ terms, symbols }: SessionReport["learned"][number]): string {
  return `${terms.map(formatCode).join(", ")} means ${symbols.map(formatCode).join(", ")}`;
}

/** How certainly the work is verified, in words. */
export function formatVerified({ session: { verified } }: SessionReport): string {
  switch (verified) {
    case null:
      return "not verified yet";
    case "yes":
      return "verified by the server in a clean checkout";
    case "yes (worktree)":
      return "verified by the server in the worktree";
    case "no":
      return "**not verified**";
    default:
      return `verified: ${verified}`;
  }
}

function formatEffort({ timeline, session }: SessionReport): string {
  const refusals = timeline.flatMap(({ events }) => events)
    .filter(({ kind }) => kind === "refusal").length;
  const seconds = (Date.parse(session.last_at) - Date.parse(session.started_at)) / 1_000;
  const parts = [
    formatCount(timeline.length, "visit"),
    formatCount(refusals, "refusal"),
    formatDuration(Math.max(0, seconds)),
  ];
  return `${parts.join(", ")}.`;
}

function formatVerification(
  { verification }: SessionReport,
  most: number,
): readonly string[] {
  if (verification === null) return [];
  const { commands, proving, proves_nothing: nothing, coverage, mutants, lost } = verification;
  const rest = commands.length - most;
  return [
    ...commands.slice(0, most).map(({ text }) => formatCode(text)),
    ...(rest > 0 ? [formatCount(rest, "more command")] : []),
    escapeWords(commands.length === 0 ? verification.details : verification.place),
    ...(proving === 0
      ? []
      : [`${formatCount(proving, "test fails", "tests fail")} without the change`]),
    ...nothing.slice(0, most).map((test) => `${formatCode(test)} passes without the change too`),
    ...lost.slice(0, most).map((test) => `no longer runs: ${escapeWords(test)}`),
    ...(coverage === null ? [] : [formatCoverage(coverage)]),
    ...(mutants === null || mutants.total === 0 ? [] : [formatMutants(mutants)]),
  ];
}

function formatSection(title: string, rows: readonly string[], most: number): readonly string[] {
  if (rows.length === 0) return [];
  const rest = rows.length - most;
  return [
    "",
    `**${title}**`,
    ...rows.slice(0, most).map((row) => `- ${row}`),
    ...(rest > 0 ? [`- and ${rest} more`] : []),
  ];
}
